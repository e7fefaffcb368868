"""Descriptions of everything on the table, a sentence each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.exploits.table import EXPLOITS
from endeavor_env.endeavor.rules import constants as c

# --- A sentence about the rules, and ways to join words --------------------------------------------------------------


class Sentence(NamedTuple):
    """A sentence and the rule that it is about."""

    text: str
    clause: str
    """The clause of docs/rules.md, such as "R8.3.1"; empty where no single clause says it."""

    def __str__(self) -> str:
        """Return the sentence with its clause behind it."""
        return f"{self.text} ({self.clause})" if self.clause else self.text


def joined(words: Iterable[str], last: str = "and") -> str:
    """Return words as a list in a sentence, such as "a, b and c"."""
    *first, end = words
    return f"{', '.join(first)} {last} {end}" if first else end


def with_article(word: str) -> str:
    """Return a word with "a" or "an" before it."""
    return f"{'an' if word[:1].lower() in 'aeio' else 'a'} {word}"


# --- A sentence for each Exploit: what its abilities are, and what it scores -----------------------------------------

EXPLOIT_SENTENCES = {exploit.name: Sentence(exploit.sentence, f"E{exploit.number + 1}") for exploit in EXPLOITS}
"""Description of each Exploit, by its name."""


# --- What each item on the table does, in a sentence -----------------------------------------------------------------
# Made from the board in play, so that it is right on any board.
# Items are named by their key in the picture, such as "city:london", "deck:india" or "token:0:attack".

TOKEN_ACTIONS = {
    "attack": "an Attack",
    "occupy_draw": "an Occupy or a Draw",
    "sail_draw": "a Sail or a Draw",
    "pay": "a Pay, which frees one of your buildings",
}
"""Effect of each blue token."""
STATUS_SENTENCES = {
    "industry": "Industry is the highest level you may build: {} with {} symbols",
    "culture": "Culture is the number of discs that grow from supply to harbor each round: {} with {} symbols",
    "finance": "Finance is the number of discs that come back from buildings each round: {} with {} symbols",
    "politics": "Politics is the number of cards you may keep when you pass: {} with {} symbols",
}
"""Description of each status; its levels and the symbols that they need are filled in."""
_TABLES = ("build_level", "growth", "payments", "card_limit")  # of BOARD, in the order of STATUS_NAMES
ACTION_SENTENCES = {
    "sail": Sentence(
        "Sail: put a disc on the farthest free space of a shipping track and take its token; you need not be present.",
        "R8.1.1",
    ),
    "occupy": Sentence("Occupy: put a disc into a free city of an open region where you are present.", "R8.3.1"),
    "attack": Sentence(
        "Attack: one disc goes to your supply, and another takes a city from another player where you are present.",
        "R8.5.2",
    ),
    "draw": Sentence(
        "Draw: take the top card of a pile in an open region where you have as many discs as its value.", "R8.7.1"
    ),
    "pay": Sentence(
        "Pay: move a disc from one of your buildings to your harbor, and use the building again.", "R8.6.1"
    ),
}
"""Description of each of the five actions."""


def about(board: Board, key: str) -> Sentence | None:
    """Return what an item on the table does; None for unknown keys.

    Args:
        board: The board played on.
        key: The key of the item in the picture.
    """
    kind, _, rest = key.partition(":")
    if kind not in _WRITERS:
        return None
    take_mat = kind in ("building", "card", "token", "status")
    return _WRITERS[kind](board, rest.partition(":")[2] if take_mat else rest)


# --- the map ----------------------------------------------------------------------------------------------------------


def _region(board: Board, region: str) -> Sentence:
    name, number = board.names[region], board.regions.index(region)
    if not board.array[0].track_length[number]:
        return Sentence(f"{name} is open from the start, and everybody is always present here.", "R8.3.2")
    return Sentence(
        f"Discs fill the shipping track of {name}; the last space opens the region for Occupy, Attack and Draw.",
        "R8.2.1",
    )


def _track(board: Board, region: str) -> Sentence:
    length = int(board.array[0].track_length[board.regions.index(region)])
    return Sentence(
        f"Sail: place a disc on the farthest free of the {length} spaces and take its token. On a full track, place it "
        "beside. The player with most discs when the track fills gets the Governor.",
        "R8.1.1",
    )


def _city(board: Board, city: str) -> Sentence:
    number, rules = board.cities.index(city), board.array[0]
    ends = rules.connection_city[: len(board.connections)]
    other = [int(second if first == number else first) for first, second in ends if number in (first, second)]
    to = joined(board.names[board.cities[end]] for end in other) if other else "no other city"
    return Sentence(
        f"Occupy this free city and take its token, or Attack it to take it from another player; it is worth "
        f"{int(rules.city_glory[number])} Glory at the end and is connected to {to}.",
        "R8.3.1",
    )


def _connection(board: Board, connection: str) -> Sentence:
    ends = board.array[0].connection_city[board.connections.index(connection)]
    first, second = (board.names[board.cities[int(end)]] for end in ends)
    glory = int(board.array[0].connection_glory)
    return Sentence(
        f"The first player to hold both {first} and {second} takes the token; holding both at the end scores "
        f"{glory} Glory.",
        "R8.4.2",
    )


def _deck(board: Board, deck: str) -> Sentence:
    number, rules = board.decks.index(deck), board.array[0]
    region = int(rules.deck_region[number])
    if rules.card_slavery[number * c.CARDS_PER_DECK]:
        return Sentence(
            f"Draw: take the top card if you have at least as many cities in {board.names[board.regions[region]]} as "
            "its value. Abolition sets all Slavery cards aside.",
            "R8.7.2",
        )
    if not rules.track_length[region]:
        return Sentence("Draw: take the top card if you have at least as many cities here as its value.", "R8.7.2")
    return Sentence(
        f"Draw: once {board.names[board.regions[region]]} is open, take the top card if you have at least as many "
        "discs there as its value.",
        "R8.7.1",
    )


# --- the mats ---------------------------------------------------------------------------------------------------------


def action_words(board: Board, building: int) -> str:
    """Return what a building does when it is activated, such as "a Sail or a Draw"; empty if it does nothing."""
    rules = board.array[0]
    names = [c.ACTION_NAMES[action].title() for action in rules.building_action[building] if action != c.NONE]
    mode = int(rules.building_mode[building])
    if not names or mode == c.MODE_NONE:
        return ""
    if mode == c.MODE_EITHER:
        return joined(map(with_article, names), "or")
    where = {c.MODE_BOTH_SAME_REGION: " in the same region", c.MODE_BOTH_SAME_DECK: " from the same pile"}.get(mode, "")
    if len(set(names)) < len(names):
        return f"one or two {names[0]} actions{where}"
    return joined(map(with_article, names), "and") + (f"{where}, in either order" if len(names) > 1 else "")


def icon_words(icons: Any, glory: int) -> str:
    """Return what symbols bring, such as "2 Industry and 1 Glory"; empty for none."""
    words = [f"{int(count)} {name.title()}" for name, count in zip(c.STATUS_NAMES, icons, strict=True) if count]
    return joined([*words, f"{glory} Glory at the end"] if glory else words) if words or glory else ""


def _building(board: Board, building: str) -> Sentence:
    number, rules = board.buildings.index(building), board.array[0]
    level, glory = int(rules.building_level[number]), int(rules.building_glory[number])
    does, brings = action_words(board, number), icon_words(rules.building_icons[number], glory)
    clause = "R12.6" if glory else "R4.5"
    if does:
        clause = "R8.8" if rules.building_mode[number] in _COMBINED else "R7.2"
    which = f"level {level}" if level else "on every mat from the start"
    name = f"{board.names[building]} ({which})"
    if does:
        return Sentence(f"{name}{f' brings {brings}' if brings else ''}. Activate it with 1 disc: {does}.", clause)
    return Sentence(f"{name} brings {brings or 'nothing'} and takes no disc.", clause)


_COMBINED = (c.MODE_EITHER, c.MODE_BOTH, c.MODE_BOTH_SAME_REGION, c.MODE_BOTH_SAME_DECK)


def _card(board: Board, card: str) -> Sentence:
    number, rules = board.cards.index(card), board.array[0]
    brings = icon_words(rules.card_icons[number], int(rules.card_glory[number])) or "nothing"
    deck, _, value = card.partition(".")
    name = f"The Governor of {board.names[deck]}" if value == "governor" else f"{board.names[deck]} {value}"
    if rules.card_governor[number]:
        return Sentence(
            f"{name} brings {brings} while you hold it, and goes to the player with most discs on the full track.",
            "R8.2.3",
        )
    if rules.card_slavery[number]:
        return Sentence(
            f"{name} brings {brings} until slavery is abolished; then it is set aside and costs you "
            f"{abs(int(rules.slavery_penalty))} Glory.",
            "R8.9.2",
        )
    if rules.card_abolition[number]:
        return Sentence(f"{name} brings {brings} while you hold it; its first Draw abolishes slavery.", "R8.9.1")
    return Sentence(f"{name} brings {brings} while you hold it.", "R7.5")


def _token(board: Board, kind: str) -> Sentence:
    if kind in c.STATUS_NAMES:
        return Sentence(f"A brown token raises {kind.title()} by 1 from the moment you take it.", "R7.5")
    return Sentence(f"Spend a blue token on your turn for {TOKEN_ACTIONS[kind]}; no disc goes on a building.", "R7.3")


def _status(board: Board, status: str) -> Sentence:
    table = board.array[0][_TABLES[c.STATUS_NAMES.index(status)]].tolist()
    steps = [index for index in range(len(table)) if index == 0 or table[index] != table[index - 1]]
    levels, needs = joined(str(table[index]) for index in steps), joined(map(str, steps))
    scored = "; at the end it scores the nearest Glory space at or below it."
    return Sentence(STATUS_SENTENCES[status].format(levels, needs) + scored, "R1.8")


def _harbor(board: Board, mat: str) -> Sentence:
    group = int(board.array[0].discs_per_glory)
    return Sentence(
        f"Discs in the harbor pay for buildings and actions, those in the supply have yet to grow; every {group} discs "
        "left in the harbor score 1 Glory.",
        "R7.4",
    )


def _face_down(board: Board, rest: str) -> Sentence:
    penalty = abs(int(board.array[0].slavery_penalty))
    return Sentence(f"A Slavery card that was set aside costs its owner {penalty} Glory at the end.", "R12.8")


def _grid(board: Board, rest: str) -> Sentence:
    level, _, column = rest.partition(":")
    if int(column) == c.GRID_COLUMNS:
        return Sentence("This tile comes to column 3 once the crown has left that column.", "S7.3")
    return Sentence(
        f"Buildings of level {level}. The farther the crown moves to a tile, the more often the Opposition acts.",
        "S2.2",
    )


def _exploit(board: Board, exploit: str) -> Sentence:
    return EXPLOIT_SENTENCES[exploit]


_WRITERS: dict[str, Callable[[Board, str], Sentence]] = {
    "region": _region,
    "track": _track,
    "city": _city,
    "connection": _connection,
    "deck": _deck,
    "build": _building,
    "building": _building,
    "card": _card,
    "token": _token,
    "kind": _token,
    "status": _status,
    "harbor": _harbor,
    "face_down": _face_down,
    "grid": _grid,
    "exploit": _exploit,
}
KINDS = tuple(_WRITERS)
"""The kinds of things that are explained."""
