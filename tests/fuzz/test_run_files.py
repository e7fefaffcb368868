"""Damaged files of runs: tournaments, datasets, networks, trainings and games that are played in the browser.

Every file is JSON, or beside some. Each input is a sound file in which a number, a text or a part was replaced, cut off
or written twice; whoever reads it refuses it by a named error, or reads only values that JSON can hold.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import NamedTuple

from endeavor_env.agents.play.store import GameStore
from endeavor_env.agents.tournament.playing import (
    SETTINGS_FILE,
    UNITS_FILE,
    WorkItemPlayer,
    all_work_items,
    open_store,
    read_settings,
)
from endeavor_env.endeavor.players.network_file import VALUE_NETWORKS
from endeavor_env.training.dataset import Settings as DatasetSettings
from endeavor_env.training.dataset import make_dataset, read
from endeavor_env.training.td.folder import TDRunFolder
from endeavor_env.training.td.settings import preset
from tests.fuzz.trying import check_error, try_many
from tests.kits.networks import network_file
from tests.kits.playing import session_of

NUMBERS = ("1e999", "-1e999", "NaN", "Infinity", "-1", "1.5", "0", "1" * 5000, "99999999999999999999", "-0.0", "1e-999")
OTHERS = ('"x"', "null", "true", "[]", "{}", '"\\ud800"', "[" * 3000, '{"a":1,"a":2}', '""', '"\\u0000"', "[[[1]]]")
_NUMBER = re.compile(r"(?<=[\s:,\[])-?\d+(\.\d+)?")
_TEXT = re.compile(r'"[^"\\]*"')


class Stored(NamedTuple):
    """A file and what reads it."""

    file: Path
    content: str
    read: Callable[[], object]


def test_damaged_files_of_runs_are_refused_by_named_errors(tmp_path: Path) -> None:
    stored = sound_files(tmp_path)

    def attempt(rng: random.Random, what: str) -> list[str]:
        name = rng.choice(list(stored))
        return [f"{name}: {_try(rng, stored[name], f'{name}, {what}')}"]

    outcomes = try_many(attempt)
    assert sum(times for outcome, times in outcomes.items() if "accepted" in outcome) < outcomes.total() // 2
    for name in stored:
        assert outcomes[f"{name}: accepted"] > 0, name  # some faults are none


def sound_files(folder: Path) -> dict[str, Stored]:
    """Return a sound file of each kind, made in a folder."""
    return {
        **_tournament(folder / "tournament"),
        "dataset": _dataset(folder / "dataset"),
        "network": _network(folder),
        "training": _training(folder / "training"),
        **_games(folder / "games"),
    }


def _stored(file: Path, read: Callable[[], object]) -> Stored:
    return Stored(file, file.read_text(encoding="utf-8"), read)


def _tournament(folder: Path) -> dict[str, Stored]:
    settings = read_settings(["random", "automa"], games=30, players=[3])
    missing, make = all_work_items(settings), partial(WorkItemPlayer, settings)
    with open_store(folder, settings) as store, closing(store.play_missing(make, missing, 1)) as playing:
        next(playing)

    def again() -> object:
        with open_store(folder, settings) as opened:
            return [[one.decisions, one.seconds] for one in opened.units.values()]

    return {"tournament": _stored(folder / SETTINGS_FILE, again), "units": _stored(folder / UNITS_FILE, again)}


def _dataset(folder: Path) -> Stored:
    make_dataset(DatasetSettings((("random",) * 3,), games=2, shard_games=1, observation="compact"), folder)

    def again() -> object:
        dataset = read(folder)
        return [dataset.decisions, dataset.games, *(len(dataset.load(number)) for number in dataset.shards)]

    return _stored(folder / "dataset.json", again)


def _network(folder: Path) -> Stored:
    path = network_file(folder)
    return _stored(path.with_suffix(".json"), lambda: VALUE_NETWORKS.read(path).card)


def _training(folder: Path) -> Stored:
    settings = preset("smoke", "standard").replace(first_width=8, second_width=4)
    run = TDRunFolder.create(folder, settings, "python -m endeavor_env.training.td")
    return _stored(run.path / "run.json", lambda: TDRunFolder.reopen(folder).settings.to_dict())


def _games(folder: Path) -> dict[str, Stored]:
    folder.mkdir()
    name = GameStore(folder).add(session_of(["human", "human", "human"], seed=1))
    file = folder / f"{name}.json"
    return {
        "game": _stored(file, lambda: GameStore(folder).session(name).snapshot().game.record()),
        "list of games": _stored(file, lambda: GameStore(folder).games()),
    }


def _try(rng: random.Random, stored: Stored, what: str) -> str:
    """Read a damaged file; return the outcome, and put the sound one back."""
    stored.file.write_text(damaged(rng, stored.content), encoding="utf-8")
    try:
        found = stored.read()
        json.dumps(found, allow_nan=False).encode()
    except Exception as error:
        return check_error(error, what)
    finally:
        stored.file.write_text(stored.content, encoding="utf-8")
    return "accepted"


def damaged(rng: random.Random, text: str) -> str:
    """Return a text of JSON with a fault, or with another value that may be as good."""
    kind = rng.randrange(5)
    if kind == 0:
        return text[: rng.randrange(len(text))]
    if kind == 1:
        at = rng.randrange(len(text))
        return text[:at] + rng.choice('{}[]",:0x\\\u00e9') + text[at + rng.randrange(2) :]
    found = list((_NUMBER if kind == 2 else _TEXT).finditer(text)) or list(_TEXT.finditer(text))
    one = rng.choice(found)
    value = rng.choice(NUMBERS if kind == 2 else OTHERS if kind == 3 else (*NUMBERS, *OTHERS))
    return text[: one.start()] + value + text[one.end() :]
