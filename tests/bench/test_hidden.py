"""Hidden players are found by their hash, and their games stand in a row beside those of the public ones."""

from __future__ import annotations

import hashlib
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from endeavor_env.bench.games import RunFile, RunHeader, RunOptions
from endeavor_env.bench.rows import check_row, make_row
from endeavor_env.bench.run import play_missing
from endeavor_env.bench.submissions import About, hidden_players
from endeavor_env.bench.verify import Verifier
from endeavor_env.bench.version import Opponent, Version, version_one
from endeavor_env.endeavor.players.network_file import published_value_file
from endeavor_env.errors import InvalidOptionError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of maintainers, whose hidden player is the network of the package."""
    network = published_value_file("standard")
    assert network is not None
    for suffix in (".npz", ".json"):
        shutil.copy(network.with_suffix(suffix), tmp_path / f"standard_1{suffix}")
    return tmp_path


@pytest.fixture
def version(folder: Path) -> Version:
    """A version with a task of two games, in whose second field the hidden player sits."""
    task = version_one().task("table-4")
    hashed = hashlib.sha256((folder / "standard_1.npz").read_bytes()).hexdigest()
    fields = (*(field for field in task.fields if not field.hidden), Opponent("hidden-1", "", hashed, hidden=True))
    pace = replace(task.pace("50ms"), setups=2, fields=("greedy",))
    return replace(version_one(), tasks={"table-4": replace(task, fields=fields, paces={"50ms": pace})})


def test_a_row_with_hidden_games_says_what_they_bring(folder: Path, version: Version) -> None:
    tasks = list(version.tasks.values())
    known = hidden_players(folder, tasks)
    run = RunFile(None, RunHeader.of(RunOptions("greedy", "50ms", 0, known), About("greedy", "greedy"), version), {})
    assert len(list(play_missing(run, tasks, 1))) == 4
    row = make_row(run.head, run.units, version, hidden=True)
    stored = row["tasks"]["table-4"]
    assert list(stored["fields"]) == ["greedy", "hidden-1"]
    assert stored["hidden"] == pytest.approx(stored["fields"]["hidden-1"]["odds"])
    assert stored["score"] == pytest.approx(stored["fields"]["greedy"]["odds"])
    assert check_row(row, version)["table-4"].hidden == ("hidden-1",)
    for players in (known, {}):  # a stranger replays the games of hidden players without them
        verifier = Verifier(row, hidden=players, version=version)
        assert len(list(verifier.records())) == 4
        assert {place.field for place in verifier.again(6)} == ({"greedy", "hidden-1"} if players else {"greedy"})


def test_a_hidden_player_is_the_file_with_the_hash_of_the_task(folder: Path, version: Version) -> None:
    tasks = list(version.tasks.values())
    assert hidden_players(None, tasks) == {}
    assert hidden_players(folder, tasks) == {("standard", "hidden-1"): f"value:{folder / 'standard_1.npz'}"}
    (folder / "standard_1.npz").write_bytes(b"another one")
    with pytest.raises(InvalidOptionError, match="is not hidden-1 of version 1: it has another hash"):
        hidden_players(folder, tasks)
    (folder / "standard_1.npz").unlink()
    with pytest.raises(InvalidOptionError, match=re.escape("standard_1.npz of hidden-1 cannot be read")):
        hidden_players(folder, tasks)
    with pytest.raises(InvalidOptionError, match="of the hidden players cannot be read: it is no folder"):
        hidden_players(folder / "none", tasks)
