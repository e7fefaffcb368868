"""The lobby: choices for a new game, and the game that the page's answers make."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from endeavor_env.agents.local_page import RefusedError
from endeavor_env.agents.play.table import NewGame
from endeavor_env.basics.inputs import is_list_of_texts
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.declaration import ENDEAVOR
from endeavor_env.endeavor.exploits import table
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.options import EXPLOITS, OPTIONS, RANDOM, STANDARD
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.players_info import HUMAN

VARIANTS = ("solo", STANDARD, EXPLOITS, "soloplay_2", "soloplay_3", "neutral_2")
"""The variants in the order of the page's list."""
SUGGESTED = {HUMAN: f"a person at this page; {HUMAN}:Ada gives a name", **dict(ENDEAVOR.agents)}
"""Suggestions for a seat with descriptions, the strongest agents first; any other name of an agent can be typed."""
OPTION_TITLES = {
    "opposition_ties": "Open choices of the Opposition",
    "difficulty": "Difficulty",
    "solo_ignore_industry": "Build any level",
    "variant_removed_spaces_stay": "Emptied shipping spaces stay",
    "exploit_discs": "Discs of each player",
    "value1_bonus": "A disc for cards of value 1",
}
"""Titles of options on the page; others go by their names."""
BOARDS = re.compile(r"endeavor_2009|generated_[0-9]{1,18}")
"""Boards that a page may ask for; the path of a board file is for the command line only."""


def choices() -> dict[str, Any]:
    """Return everything that can be chosen for a new game, as JSON takes it."""
    variants = []
    declared = {variant.name: variant for variant in ENDEAVOR.variants}
    for name in VARIANTS:
        _, title, about, least, most, _ = declared[name]
        options = [
            {
                "name": option.name,
                "values": [{"value": value, "title": value_title(value)} for value in option.values],
                "title": OPTION_TITLES.get(option.name, option.name.replace("_", " ").capitalize()),
                "meaning": option.meaning,
            }
            for option in OPTIONS
            if name in option.variants
        ]
        variants.append(
            {"name": name, "title": title, "about": about, "least": least, "most": most, "options": options}
        )
    board = Board.default()
    regions = [region["name"] for region in board.to_dict()["regions"]]
    exploits = [
        {
            "name": exploit.name,
            "title": exploit.title,
            "effect": exploit.effect,
            "regions": " and ".join(regions[number] for number in numbers),
        }
        for exploit, numbers in zip(table.EXPLOITS, board.array[0].exploit_region, strict=True)
    ]
    agents = [{"name": name, "about": about} for name, about in SUGGESTED.items()]
    return {"variants": variants, "exploits": exploits, "agents": agents}


def value_title(value: object) -> str:
    """Return what the page calls a value of an option."""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    return str(value).replace("_", " ").capitalize()


def read_new_game(body: Mapping[str, Any]) -> NewGame:
    """Return the new game that a page asks for.

    Raises:
        RefusedError: An unknown field, or a value of another type.
        EndeavorError: What ``GameConfig`` refuses.
    """
    fields = ("seats", "variant", "seed", "board", "exploits", "options")
    unknown = sorted(set(body) - set(fields))
    if unknown:
        raise RefusedError(400, f"a new game has no field {ascii(unknown[0])[:60]}: give some of {', '.join(fields)}")
    seats, board = read_seats(body), body.get("board")
    if board is not None and not (isinstance(board, str) and BOARDS.fullmatch(board)):
        raise RefusedError(400, '"board" must be endeavor_2009 or generated_<number>: board files are for --board')
    exploits = body.get("exploits")
    if exploits is not None and exploits != RANDOM and not is_list_of_texts(exploits):
        raise RefusedError(400, f'"exploits" must be a list of names, or "{RANDOM}"')
    variant = STANDARD if body.get("variant") is None else body["variant"]
    config = GameConfig(variant, len(seats), board, body.get("options"), exploits)
    return NewGame(seats, config, body.get("seed"))


def read_seats(body: Mapping[str, Any]) -> list[str]:
    """Return the names of the seats; raise RefusedError if they are no list of one to five texts."""
    seats = body.get("seats")
    if not is_list_of_texts(seats) or not 1 <= len(seats) <= c.MAX_PLAYERS:
        each = f'each "{HUMAN}", "{HUMAN}:<name>" or an agent'
        raise RefusedError(400, f'"seats" must be a list of 1 to {c.MAX_PLAYERS} names, {each}')
    return seats
