"""The position in few words, and structures as lines of plain text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from endeavor_env.endeavor.text.structures import Mat, Position, Region

# --- The structures as lines of plain text, with everything that is in them ------------------------------------------


def lines(value: Mapping[str, Any], indent: str = "") -> list[str]:
    """Return a structure as lines: ``name: value``, with what is inside of a structure indented below its name.

    ``null`` stands for nothing; small structures are ``{name=value, name=value}`` and lists ``[value, value]`` in one
    line. A list of larger structures has a line beginning with "-" for each.
    """
    found: list[str] = []
    for name, inner in value.items():
        if _is_small(inner):
            found.append(f"{indent}{name}: {_inline(inner)}")
        elif isinstance(inner, Mapping):
            found += [f"{indent}{name}:", *lines(inner, indent + "  ")]
        else:
            found += [f"{indent}{name}:", *(f"{indent}  - {_inline(one)}" for one in inner)]
    return found


def _is_small(value: Any) -> bool:
    """Return whether a value fits one line: anything but structures of structures, and lists of structures."""
    if isinstance(value, Mapping):
        return not any(isinstance(inner, (Mapping, list)) for inner in value.values())
    return not isinstance(value, list) or not any(isinstance(inner, Mapping) for inner in value)


def _inline(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name}={_inline(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_inline(inner) for inner in value) + "]"
    return {None: "null", True: "true", False: "false"}.get(value, str(value)) if _is_word(value) else str(value)


def _is_word(value: Any) -> bool:
    return value is None or isinstance(value, bool)


# --- The position in few words: what a player needs to choose, below 1,500 tokens at five seats ----------------------
# What follows from the board alone is left out: prices, icons of buildings and cards, the neighbours of cities.

KEY = (
    "Signs: I C F P are Industry, Culture, Finance, Politics; market* is a building with a disc on it; "
    "paris=0 is a city of seat 0; paris:culture has that token and no owner; a track lists its spaces from the next "
    "one to fill."
)


def short(position: Position) -> str:
    """Return a position in few words."""
    here = position
    who = "The game is over." if here["seat"] is None else f"Seat {here['seat']} decides: {here['decision']}."
    parts = [
        f"Round {here['round']} of {here['rounds']}, {here['phase']} phase. {who} "
        f"First player: seat {here['first_player']}. "
        f"Slavery: {'abolished' if here['slavery_abolished'] else 'not abolished'}.",
        *_under_way(here),
        *(_mat(mat, here) for mat in here["mats"]),
        f"Buildings left: {_counts(here['building_supply'])}.",
        "Cities: " + " ".join(_city(one["id"], one["owner"], one["token"]) for one in here["cities"]) + ".",
        f"Connections with a token: {_joined(_tokens_between(here))}.",
        "Tracks:",
        *(_region(region) for region in here["regions"] if region["track"]),
        f"Top cards: {_joined(_top_cards(here))}.",
        *_neutral(here),
        *_solitaire(here),
        *_pieces(here),
    ]
    return "\n".join(parts)


def _joined(words: Iterable[str]) -> str:
    return " ".join(words) or "none"


def _counts(counts: Mapping[str, int]) -> str:
    return _joined(f"{name} {count}," if count != 1 else f"{name}," for name, count in counts.items() if count).rstrip(
        ","
    )


def _under_way(here: Position) -> list[str]:
    if here["decision"] == "salary":
        return [f"Payments left: {here['payments_left']}."]
    if here["decision"] not in ("target", "neutral", "follow_up"):
        return []
    action = here["action"]
    parts = [part for part in action["open_parts"] if part]
    bound = [f" Bound to {place}." for place in (action["region"], action["deck"]) if place]
    return [f"Action of {action['building'] or 'a token'}: open {_joined(parts)} ({action['mode']}).{''.join(bound)}"]


def _mat(mat: Mat, here: Position) -> str:
    name = f"Seat {mat['owner']}" if isinstance(mat["owner"], int) else "Opposition"
    supply = here["supplies"].get(str(mat["owner"]))
    statuses = " ".join(f"{status[0].upper()}{value}" for status, value in mat["statuses"].items())
    buildings = [
        word
        for one in mat["buildings"]
        for word in [f"{one['id']}*"] * one["occupied"] + [one["id"]] * (one["copies"] - one["occupied"])
    ]
    parts = [
        statuses,
        f"harbor {mat['harbor']}" + ("" if supply is None else f" supply {supply}"),
        f"buildings {_joined(buildings)}",
        *([f"cards {_joined(mat['cards'])}"] if mat["cards"] else []),
        *([f"tokens {_counts(mat['tokens'])}"] if mat["tokens"] else []),
        *([f"face down {len(mat['face_down'])}"] if mat["face_down"] else []),
        *(
            [f"neutral {mat['neutral_reserve']} in reserve {mat['neutral_harbor']} in harbor"]
            if mat["neutral_reserve"] or mat["neutral_harbor"]
            else []
        ),
        *(["passed"] if mat["passed"] else []),
    ]
    return f"{name}: {'; '.join(parts)}."


def _city(name: str, owner: int | str | None, token: str | None) -> str:
    if owner is not None:
        return f"{name}={owner}"
    return f"{name}:{token}" if token else name


def _tokens_between(here: Position) -> Iterable[str]:
    return (f"{one['id']}:{one['token']}" for one in here["connections"] if one["token"])


def _region(region: Region) -> str:
    spaces = region["track"]
    discs = [str(one["owner"]) for one in spaces if one["owner"] not in (None, "closed")]
    left = [str(one["token"] or "-") for one in spaces[region["next"] :] if one["owner"] != "closed"]
    beside = _counts({f"seat {owner}": count for owner, count in region["beside"].items()})
    return (
        f"{region['id']} ({'open' if region['open'] else 'closed'}): discs {_joined(discs)}"
        + (f"; next {_joined(left)}" if left else "; full")
        + (f"; beside {beside}" if region["beside"] else "")
    )


def _top_cards(here: Position) -> list[str]:
    tops = (here["exploit_pieces"] or {}).get("pile_head")
    if tops and any(tops):  # piles that Globalisation has stacked anew
        return [str(top) for top in tops if top]
    return [deck["pile"][0] for deck in here["decks"] if deck["pile"]]


def _neutral(here: Position) -> list[str]:
    neutral = here["neutral"]
    if neutral is None or here["solitaire"] is not None:
        return []
    found = [f"Tokens still to remove: {neutral['removals_left']}."] if neutral["removals_left"] else []
    if here["decision"] == "neutral":
        found.append(f"A neutral disc may go to: {_joined(neutral['regions'] or [neutral['due'] or 'anywhere'])}.")
    return found


def _solitaire(here: Position) -> list[str]:
    solo = here["solitaire"]
    if solo is None:
        return []
    rows = "; ".join(
        f"level {level}: {_joined(str(tile or '-') for tile in row)}" for level, row in enumerate(solo["grid"], 1)
    )
    level, column = solo["crown"]
    return [
        f"Grid: {rows}. Crown: level {level} column {column}.",
        f"Scale: {_joined(str(colour) for colour in solo['scale'])}; the marker stands at {solo['marker']}.",
        f"Opposition: {solo['task']}"
        + (f", {solo['acting']} acts" if solo["acting"] is not None else "")
        + ("; it acts first." if solo["opposition_first"] else "."),
    ]


def _pieces(here: Position) -> list[str]:
    pieces = here["exploit_pieces"]
    if pieces is None:
        return []
    shown = [f"{name} {_plain(value)}" for name, value in pieces.items() if name not in _LEFT_OUT and _says(value)]
    return [f"Exploits in play: {_joined(here['exploits'])}. Pieces: {'; '.join(shown) or 'none'}."]


_LEFT_OUT = ("pile_head", "pile_below")


def _says(value: Any) -> bool:
    """Return whether a piece is somewhere worth a word."""
    if isinstance(value, list):
        return any(_says(one) for one in value)
    if isinstance(value, dict):
        return any(_says(one) for one in value.values())
    return value is not None and value is not False and value not in ("tile", "gone", "nassau")


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return " ".join("-" if one is None else _plain(one) for one in value)
    if isinstance(value, dict):
        return ",".join(f"{name}={_plain(one)}" for name, one in value.items())
    return str(value)
