"""The rules for somebody who never saw the game: at most 2,500 words, with the board in play and the variant."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.config import GameConfig
from endeavor_env.endeavor.explain.exploits import EXPLOIT_SENTENCES
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.text.primer_rules import BASE, MOVES, OF_VARIANT

MOST_WORDS = 2500
_JOINED = {
    "none": ("", ""),
    "one": (" or ", ""),
    "either": (" or ", ""),
    "both": ("+", ""),
    "both_same_region": ("+", " in one region"),
    "both_same_deck": ("+", " from one pile"),
}
"""What joins the actions of a building of each mode, and what stands behind them."""


def primer(config: GameConfig) -> str:
    """Return the rules of a game: those of the base game, its board, and what its variant changes.

    Args:
        config: What is played; of Exploits that will be drawn nothing can be told but what all share.
    """
    named = config.exploits if isinstance(config.exploits, tuple) else ()
    return _primer(config.board, config.variant, config.players, named)


@functools.lru_cache(maxsize=64)
def _primer(board: Board, variant: str, players: int, exploits: tuple[str, ...]) -> str:
    parts = [
        "# Endeavor, the rules",
        *(paragraph.text.format(**_facts(board)) for paragraph in BASE),
        f"This game has {players} {'seat' if players == 1 else 'seats'}. {MOVES}",
    ]
    if OF_VARIANT[variant]:
        parts += [f"## What the variant {variant} changes", *(paragraph.text for paragraph in OF_VARIANT[variant])]
    parts += [f"{name}: {EXPLOIT_SENTENCES[name].text}" for name in exploits]
    return "\n\n".join([*parts, "## The board", *_board(board)])


def _facts(board: Board) -> dict[str, object]:
    """Return what the paragraphs leave to the board in play."""
    rules = board.array[0]
    tracks = board.to_dict()["status_tracks"]
    levels = (("build_level", "Industry"), ("growth", "Culture"), ("payments", "Finance"), ("card_limit", "Politics"))
    steps = "; ".join(f"{name} {', '.join(map(str, tracks[table]))}" for table, name in levels)
    abolition = [card for card, is_it in zip(board.cards, rules.card_abolition, strict=True) if is_it]
    return {
        "rounds": int(rules.num_rounds),
        "discs": int(rules.discs_per_player),
        "slots": int(rules.card_slots),
        "statuses": f"With {', '.join(map(str, tracks['thresholds']))} symbols they are: {steps}.",
        "glory_spaces": ", ".join(map(str, tracks["glory_spaces"])),
        "abolition": " or ".join(abolition),
        "connection": int(rules.connection_glory),
        "no_governor": int(rules.empty_governor_slot_glory),
        "discs_per_glory": int(rules.discs_per_glory),
        "slavery": int(rules.slavery_penalty),
    }


def _board(board: Board) -> Iterable[str]:
    """Yield the facts of a board: buildings, regions with cities and cards, connections."""
    yield "Buildings by level:\n" + "\n".join(_buildings(board))
    yield "Regions:\n" + "\n".join(_region(board, at) for at in range(c.NUM_REGIONS))
    yield "Connections: " + ", ".join(board.connections) + "."
    yield (
        "Cards, with the lowest value on top (symbols of Industry, Culture, Finance, Politics; g is Glory):\n"
        + "\n".join(_deck(board, deck) for deck in range(c.NUM_DECKS))
    )


def _buildings(board: Board) -> Iterable[str]:
    rules = board.array[0]
    levels = sorted({int(level) for level in rules.building_level[: len(board.buildings)]})
    for level in levels:
        here = [at for at in range(len(board.buildings)) if rules.building_level[at] == level]
        copies = {int(rules.building_copies[at]) for at in here}
        times = f" ({'/'.join(map(str, sorted(copies)))} of each)" if level else " (at the start)"
        yield f"{level}{times}: " + ", ".join(_building(board, at) for at in here)


def _building(board: Board, at: int) -> str:
    rules = board.array[0]
    mode = c.MODE_NAMES[rules.building_mode[at]]
    actions = [c.ACTION_NAMES[part] for part in rules.building_action[at] if part >= 0]
    joined, where = _JOINED[mode]
    shown = [joined.join(actions) + where] if actions else []
    icons = symbols(rules.building_icons[at])
    glory = int(rules.building_glory[at])
    words = [*shown, *([icons] if icons else []), *([f"{glory}g"] if glory else [])]
    return f"{board.buildings[at]} ({', '.join(words) or 'nothing'})"


def symbols(icons: Iterable[int]) -> str:
    """Return symbols as letters, such as "2I 1C"."""
    return " ".join(
        f"{int(count)}{name[0].upper()}" for name, count in zip(c.STATUS_NAMES, icons, strict=True) if count
    )


def _region(board: Board, at: int) -> str:
    rules = board.array[0]
    cities = [number for number in range(len(board.cities)) if rules.city_region[number] == at]
    named = [
        board.cities[city] + (f" ({int(rules.city_glory[city])}g)" if rules.city_glory[city] != 1 else "")
        for city in cities
    ]
    track = int(rules.track_length[at])
    return f"{board.regions[at]} ({f'track of {track}' if track else 'no track'}): {', '.join(named)}"


def _deck(board: Board, deck: int) -> str:
    first = deck * c.CARDS_PER_DECK
    return f"{board.decks[deck]}: " + ", ".join(_card(board, card) for card in range(first, first + c.CARDS_PER_DECK))


def _card(board: Board, card: int) -> str:
    rules = board.array[0]
    glory = int(rules.card_glory[card])
    words = [symbols(rules.card_icons[card]), *([f"{glory}g"] if glory else [])]
    return f"{board.cards[card].rpartition('.')[2]} {' '.join(filter(None, words)) or '-'}"
