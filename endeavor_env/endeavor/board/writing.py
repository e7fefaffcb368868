"""Writing a checked board as the text of a board file, one line for each entry, for people to read and edit."""

from __future__ import annotations

import json

from endeavor_env.endeavor.board.schema import BoardData

_HEADER = """\
# A board of Endeavor: edit it, then load it with Board.load(path). Loading lists every fault at once.
# docs/board.md explains the keys. Records name a board by its id: give a changed board an id of its own.
"""


def to_toml(data: BoardData) -> str:
    """Return ``data`` (a checked board, with every optional key) as TOML; reading it gives the same board again."""
    lines = [_HEADER]
    lines += [f"{key} = {_inline(data[key])}" for key in ("format", "id", "name")]
    for key in ("regions", "cities", "connections"):
        lines += ["", f"{key} = [", *(f"    {_inline(entry)}," for entry in data[key]), "]"]
    for deck in data["decks"]:
        lines += ["", "[[decks]]", *(_pair(key, deck[key]) for key in deck if key != "cards"), "cards = ["]
        lines += [*(f"    {_inline(card)}," for card in deck["cards"]), "]"]
    for building in data["buildings"]:
        lines += ["", "[[buildings]]", *(_pair(key, value) for key, value in building.items())]
    for key in ("tokens", "status_tracks", "constants"):
        lines += ["", f"[{key}]", *(_pair(name, value) for name, value in data[key].items())]
    return "\n".join(lines) + "\n"


def _pair(key: str, value: object) -> str:
    """Return one line ``key = value``."""
    if key == "icons" and isinstance(value, dict):  # zeros are left out, as in the shipped file
        value = {status: count for status, count in value.items() if count}
    return f"{key} = {_inline(value)}"


def _inline(value: object) -> str:
    """Return a value as TOML on one line."""
    if isinstance(value, dict):
        pairs = [_pair(key, part) for key, part in value.items()]
        return f"{{ {', '.join(pairs)} }}" if pairs else "{}"
    if isinstance(value, list):
        return f"[{', '.join(_inline(item) for item in value)}]"
    # What JSON writes for a printable text, a whole number, true or false is also what TOML writes.
    return json.dumps(value, ensure_ascii=False)
