"""Edited boards: each is refused with an InvalidBoardError, or every variant it admits is played on it to the end."""

from __future__ import annotations

import copy
import functools
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.checks import audit
from endeavor_env.endeavor.flow.scoring import NUM_PARTS
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.options import options_of
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.errors import InvalidBoardError
from endeavor_env.testing import flag_names, most_decisions
from tests.fuzz.trying import check_error, try_many
from tests.fuzz.values import value

Data = dict[str, Any]
MODES: tuple[tuple[str, int], ...] = (
    ("none", 0), ("one", 1), ("either", 2), ("both", 2), ("both_same_region", 2), ("both_same_deck", 2)
)  # fmt: skip
BOARDS = 1200
WRITTEN = 0.3
"""The share of sound boards that are written and read again, which takes longer than games on them."""


def test_edited_boards_are_refused_or_every_game_on_them_ends_soundly(tmp_path: Path) -> None:
    def attempt(rng: random.Random, what: str) -> list[str]:
        board = _load(rng, tmp_path / "board.toml", what)
        return ["refused"] if board is None else _play_everything(rng, board, what)

    outcomes = try_many(attempt, BOARDS)
    assert outcomes["refused"] > BOARDS // 4
    assert outcomes["accepted"] == outcomes["played standard"] > BOARDS // 4
    assert outcomes["played solo"] > BOARDS // 50
    assert outcomes["no solo"] > BOARDS // 50


@functools.cache
def base_text(name: str) -> str:
    """Return a sound board as JSON."""
    return json.dumps(Board.resolve(name).to_dict())


@functools.cache
def base_file(name: str) -> bytes:
    """Return what the file of a sound board holds."""
    return Board.resolve(name).to_toml().encode()


def _load(rng: random.Random, path: Path, what: str) -> Board | None:
    """Return the edited board, None if it is refused."""
    name = rng.choice(["endeavor_2009", "endeavor_2009", "generated_7"])
    data = json.loads(base_text(name))
    as_text = rng.random() < 0.2
    if as_text:
        path.write_bytes(edit_text(rng, base_file(name)))
    else:
        edits = SEMANTIC if rng.random() < 0.8 else JUNK
        for _ in range(rng.choice((1, 2, 3, 5, 8))):
            rng.choice(edits)(rng, data)
    try:
        board = Board.load(path) if as_text else Board.from_dict(data)
    except Exception as error:
        if check_error(error, what) != InvalidBoardError.__name__:
            raise AssertionError(f"{what}: {type(error).__name__}: {error}") from error
        return None
    if rng.random() < WRITTEN:
        again = Board.from_dict(board.to_dict())
        path.write_text(board.to_toml(), encoding="utf-8")
        assert board == again == Board.load(path), f"{what}: the board is another one when it is written and read"
    return board


def _play_everything(rng: random.Random, board: Board, what: str) -> list[str]:
    """Play a game of every variant that ``board`` admits; return the outcomes."""
    outcomes = ["accepted"]
    for code, variant in enumerate(c.VARIANT_NAMES):
        players = rng.randint(*c.VARIANT_PLAYERS[code])
        options = {option.name: rng.choice(option.values) for option in options_of(variant)}
        seed, redraws = rng.randrange(2**32), rng.choice((0, 4, -4, 30))
        try:
            game = Game.new(players, variant, seed, board=board, options=options)
        except InvalidBoardError as error:
            check_error(error, what)
            if variant == c.VARIANT_NAMES[0]:
                raise AssertionError(f"{what}: a valid board does not admit the base game: {error}") from error
            outcomes.append(f"no {variant}")
            continue
        _play_audited(game, redraws, f"{what}, {variant}, {players=}, {options=}, game seed {seed}, {redraws=}")
        outcomes.append(f"played {variant}")
    return outcomes


def _play_audited(game: Game, redraws: int, what: str) -> None:
    """Play ``game`` to the end with an audit of every decision, and compare the ends of clone and record."""
    rng, mask = seeded(-1 - int(game.seed or 0)), np.empty(num_actions(game.variant), np.int8)
    moves = np.zeros(most_decisions(game.board), np.int16)
    scratch = np.zeros(1, STATE), mask, np.empty(NUM_PARTS, np.int16)
    made, flags = audit.play_audited(game.board.array, game.state, rng, redraws, moves, *scratch)
    assert not flags, f"{what}: decision {made}: {'; '.join(flag_names(flags))}"
    assert game.over, f"{what}: the game is not over"


# --- edits of the text -----------------------------------------------------------------------------------------------
def edit_text(rng: random.Random, content: bytes) -> bytes:
    """Return the text of a board with some bytes or lines changed."""
    lines = content.split(b"\n")
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = rng.randrange(len(lines))
        kind = rng.randrange(6)
        if kind == 0:
            lines.insert(at, lines[rng.randrange(len(lines))])
        elif kind == 1 and len(lines) > 1:
            del lines[at]
        elif kind == 2:
            lines[at] = bytes(rng.choice(b"0123456789") if chr(one).isdigit() else one for one in lines[at])
        elif kind == 3 and lines[at]:
            place = rng.randrange(len(lines[at]))
            lines[at] = lines[at][:place] + bytes([rng.randrange(256)]) + lines[at][place + 1 :]
        elif kind == 4:
            lines[at] = lines[at].replace(b"true", b"false") if b"true" in lines[at] else lines[at] + b" #"
        else:
            lines[at] = lines[at].replace(b"= ", rng.choice((b"= -", b"= 9", b"= [", b"= '", b"= 1e")))
    return b"\n".join(lines)


# --- edits that leave many boards valid ------------------------------------------------------------------------------
def _entry(rng: random.Random, data: Data, key: str) -> Data:
    return rng.choice(data[key])


def building_actions(rng: random.Random, data: Data) -> None:
    """Give a building another mode and other actions."""
    building, (mode, count) = _entry(rng, data, "buildings"), rng.choice(MODES)
    actions = ["draw", "draw"] if mode == "both_same_deck" else [rng.choice(c.ACTION_NAMES) for _ in range(count)]
    building.update(mode=mode, actions=actions)


def building_supply(rng: random.Random, data: Data) -> None:
    """Give a building another level and number of copies, or let every player start with it."""
    building = _entry(rng, data, "buildings")
    if rng.random() < 0.15:
        building.update(start=True, level=0, copies=0)
    else:
        building.update(start=False, level=rng.randint(1, 5), copies=rng.choice((1, 2, 5, 9, 40, 99)))


def icons(rng: random.Random, data: Data) -> None:
    """Give a building or a card other icons and another Glory."""
    cards = _entry(rng, data, "decks")["cards"]
    entry = _entry(rng, data, "buildings") if rng.random() < 0.5 else rng.choice(cards)
    entry["icons"] = {status: rng.choice((0, 0, 1, 9)) for status in c.STATUS_NAMES}
    entry["glory"] = rng.randint(0, 9)


def constants(rng: random.Random, data: Data) -> None:
    """Change constants."""
    found = data["constants"]
    name = rng.choice([key for key in found if key != "provenance"])
    found[name] = rng.choice((0, 1, 2, 3, 5, 9, 12, 60))
    if name == "rounds":
        found["building_spaces"] = 12
        for building in data["buildings"]:
            building["copies"] = building["copies"] and max(building["copies"], rng.choice((1, 9)))


def tracks(rng: random.Random, data: Data) -> None:
    """Change the status tracks."""
    found = data["status_tracks"]
    levels = rng.randint(1, 6)
    if rng.random() < 0.5:
        table, most = rng.choice((("build_level", 5), ("growth", 10), ("payments", 9), ("card_limit", 9)))
        found[table] = sorted(rng.randint(table == "build_level", most) for _ in found["thresholds"])
        return
    found["thresholds"] = [0, *sorted(rng.sample(range(1, 11), levels - 1))]
    for table, most in (("build_level", 5), ("growth", 10), ("payments", 9), ("card_limit", 9)):
        found[table] = sorted(rng.randint(1, most) for _ in range(levels))
    found["glory_spaces"] = [0, *sorted(rng.sample(range(1, 11), rng.randint(0, 6)))]


def tokens(rng: random.Random, data: Data) -> None:
    """Turn tokens of one kind into another."""
    one, other = rng.sample(c.TOKEN_NAMES, 2)
    moved = rng.randint(0, max(0, data["tokens"][one]))
    data["tokens"][one] -= moved
    data["tokens"][other] += moved


def lengths(rng: random.Random, data: Data) -> None:
    """Change the length of a shipping track, and the number of tokens with it."""
    region = _entry(rng, data, "regions")
    if region["open_at_start"]:
        return
    length, kind = rng.randint(1, 8), rng.choice(c.TOKEN_NAMES)
    data["tokens"][kind] += length - region["track_length"]
    region["track_length"] = length


def fewer_cities(rng: random.Random, data: Data) -> None:
    """Remove a city with its connections, and as many tokens."""
    city = _entry(rng, data, "cities")
    kept = [one for one in data["connections"] if city["id"] not in one["cities"]]
    removed = 1 + len(data["connections"]) - len(kept)
    data["cities"].remove(city)
    data["connections"] = kept
    kind = max(c.TOKEN_NAMES, key=lambda name: data["tokens"][name])
    data["tokens"][kind] -= removed


def other_connections(rng: random.Random, data: Data) -> None:
    """Join other cities."""
    for connection in rng.sample(data["connections"], min(len(data["connections"]), rng.randint(1, 10))):
        connection["cities"] = rng.sample([city["id"] for city in data["cities"]], 2)


def other_regions(rng: random.Random, data: Data) -> None:
    """Move a city to another region, or open another region at the start."""
    _entry(rng, data, "cities")["region"] = _entry(rng, data, "regions")["id"]


def abolition(rng: random.Random, data: Data) -> None:
    """Let another card end slavery."""
    for deck in data["decks"]:
        for card in deck["cards"]:
            card["abolition"] = False
    rng.choice(_entry(rng, data, "decks")["cards"])["abolition"] = True


def order(rng: random.Random, data: Data) -> None:
    """Write entries in another order."""
    rng.shuffle(data[rng.choice(("regions", "cities", "connections", "decks", "buildings"))])


SEMANTIC: tuple[Callable[[random.Random, Data], None], ...] = (
    building_actions, building_supply, icons, constants, tracks, tokens, lengths, fewer_cities, other_connections,
    other_regions, abolition, order,
)  # fmt: skip


# --- edits that leave few boards valid -------------------------------------------------------------------------------
def _place(rng: random.Random, data: Data) -> tuple[Any, Any]:
    """Return a list or table somewhere in the board, and an index or key there."""
    found: Any = data
    while True:
        key = rng.choice(list(found) if isinstance(found, dict) else range(len(found)))
        below = found[key]
        if not isinstance(below, dict | list) or not below or rng.random() < 0.2:
            return found, key
        found = below


def junk(rng: random.Random, data: Data) -> None:
    """Put any value anywhere."""
    found, key = _place(rng, data)
    found[key] = value(rng)


def junk_key(rng: random.Random, data: Data) -> None:
    """Add a key that is no key of a board."""
    found, _ = _place(rng, data)
    if isinstance(found, dict):
        try:
            found[value(rng)] = 1
        except Exception:  # a value that cannot be a key
            found["unknown"] = 1


def drop(rng: random.Random, data: Data) -> None:
    """Remove something."""
    found, key = _place(rng, data)
    del found[key]
    data.setdefault("tokens", {"pay": 1})


def double(rng: random.Random, data: Data) -> None:
    """Write an entry of a list twice."""
    found, key = _place(rng, data)
    if isinstance(found, list):
        found.append(copy.deepcopy(found[key]))


JUNK: tuple[Callable[[random.Random, Data], None], ...] = (junk, junk, junk_key, drop, double)
