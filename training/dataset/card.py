"""``dataset.json``, the card of a dataset: what made it, which layouts it has, and its shards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import endeavor_env
from endeavor_env.agents.games import actions_hash, layout_of, sizes_of
from endeavor_env.basics.files import read_json_object
from endeavor_env.basics.inputs import OBSERVATIONS
from endeavor_env.engine.games import known_variants
from endeavor_env.errors import DatasetError, named, shown
from endeavor_env.training.dataset.playing import DatasetGames
from endeavor_env.training.dataset.settings import Settings, names_of
from endeavor_env.training.runs.files import git_commit

FORMAT = "endeavor-dataset/1"
CARD = "dataset.json"
FIXED = ("format", "package_version", "settings", "layout", "actions", "agents", "kinds")
"""Fields that must be the same when a dataset is continued."""
_TYPES = {
    "package_version": str,
    "command": str,
    "settings": dict,
    "layout": dict,
    "actions": dict,
    "agents": list,
    "kinds": list,
    "shards": list,
    "complete": bool,
}
_ENTRY = {"file": str, "games": int, "decisions": int, "bytes": int, "sha256": str}
"""The fields of the entry of a shard, and their types."""
MOST = 1 << 53
"""No shard has more games, decisions or bytes."""


def new_card(settings: Settings, games: DatasetGames) -> dict[str, Any]:
    """Return the card of a dataset without shards, as JSON values."""
    layout = games.layout
    card = {
        "format": FORMAT,
        "package_version": endeavor_env.__version__,
        "git_commit": git_commit(),
        "command": settings.command(),
        "settings": settings.to_dict(),
        "layout": {
            "variant": games.layout_variant,
            "observation": settings.observation,
            "size": layout.size,
            "hash": layout.hash,
        },
        "actions": {"number": sizes_of(games.layout_variant)[1], "hash": actions_hash(games.layout_variant)},
        "agents": names_of(games.kinds),
        "kinds": [kind.to_dict() for kind in games.kinds],
        "games": 0,
        "decisions": 0,
        "bytes": 0,
        "complete": False,
        "shards": [],
    }
    return json.loads(json.dumps(card))


def read_card(folder: Path) -> dict[str, Any]:
    """Return the checked card of a dataset.

    Raises:
        DatasetError: It is missing, cut off or edited, of another format, or its layouts are not those of this version.
    """
    file = folder / CARD
    if not file.exists():
        raise DatasetError(f"{named(str(folder))} holds no dataset: it has no {CARD}")
    card = read_json_object(file, "dataset", DatasetError)
    if card.get("format") != FORMAT:
        raise DatasetError(
            f"{named(str(file))} has the format {shown(card.get('format'))}: this version reads {FORMAT!r}"
        )
    for field, kind in _TYPES.items():
        if not isinstance(card.get(field), kind):
            raise DatasetError(f"{named(str(file))} was edited: it has no usable {field}")
    for entry in card["shards"]:
        if not isinstance(entry, dict) or any(type(entry.get(name)) is not kind for name, kind in _ENTRY.items()):
            raise DatasetError(f"{named(str(file))} was edited: {shown(entry)} describes no shard")
        if not all(0 <= entry[name] <= MOST for name in ("games", "decisions", "bytes")):
            raise DatasetError(f"{named(str(file))} was edited: {shown(entry)} has more or less than a shard can have")
        if Path(entry["file"]).name != entry["file"] or not entry["file"].isprintable():
            raise DatasetError(f"{named(str(file))} was edited: {shown(entry['file'])} is no name of a shard")
    names = [entry["file"] for entry in card["shards"]]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise DatasetError(f"{named(str(file))} was edited: it names the shard {shown(twice)} twice")
    _check_layouts(file, card)
    return card


def _check_layouts(file: Path, card: dict[str, Any]) -> None:
    """Raise DatasetError unless a card names the layouts of this version."""
    variant, observation = card["layout"].get("variant"), card["layout"].get("observation")
    if variant not in known_variants() or observation not in OBSERVATIONS:
        raise DatasetError(f"{named(str(file))} was edited: it has no usable layout")
    if card["actions"].get("number") != sizes_of(variant)[1]:
        raise DatasetError(f"{named(str(file))} was edited: it has another number of actions than {variant!r}")
    known = {"observation": layout_of(variant, observation).hash, "action": actions_hash(variant)}
    have = {"observation": card["layout"].get("hash"), "action": card["actions"].get("hash")}
    for name, hash_now in known.items():
        if have[name] != hash_now:
            raise DatasetError(
                f"{named(str(file))} was made for another {name} layout, {shown(have[name])}: this version has "
                f"{hash_now} for {variant!r}; use it with endeavor-env {card['package_version'][:20]}, or make it again"
            )
