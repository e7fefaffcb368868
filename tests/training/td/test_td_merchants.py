"""Training value networks of Merchants of Europe: runs, their resumption, and what they can begin with."""

from __future__ import annotations

import signal
from pathlib import Path

import numpy as np
import pytest
import typer

from endeavor_env.errors import InvalidOptionError
from endeavor_env.merchants.game import MerchantsConfig
from endeavor_env.merchants.players.player_list import VALUE_NETWORKS
from endeavor_env.training.td.__main__ import main, train
from endeavor_env.training.td.adapter import adapter_of
from endeavor_env.training.td.folder import TDRunFolder, board_of
from endeavor_env.training.td.merchants import MerchantsPopulation
from endeavor_env.training.td.run import TDRun
from endeavor_env.training.td.settings import SEARCHING, TDSettings, preset
from tests.kits.merchants_networks import network_file
from tests.kits.td import CONSOLE, new_run

TINY = preset("smoke", "merchants").replace(
    games=4, warm_up_games=4, evaluate_every=9, players=(4,), checkpoint_every=1
)


def arrays(folder: TDRunFolder) -> list[np.ndarray]:
    """Return the parameters of the final network of a run."""
    return list(VALUE_NETWORKS.read(folder.path / "value.npz").arrays)


def test_a_resumed_run_ends_as_an_unbroken_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = new_run(tmp_path / "whole", TINY)
    assert train(whole, CONSOLE, progress=False)
    card = VALUE_NETWORKS.read(whole.path / "value.npz").card
    assert card["variants"] == ["short"]
    assert [(row["variant"], row["players"]) for row in card["results"]] == [("short", 4)]
    broken, iterate = new_run(tmp_path / "broken", TINY), TDRun._iterate

    def iterate_and_stop(run: TDRun) -> None:
        iterate(run)
        signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patch:
        patch.setattr(TDRun, "_iterate", iterate_and_stop)
        assert not train(broken, CONSOLE, progress=False)
    assert [path.name for path in broken.checkpoints()] == ["step_000000000001.npz"]
    assert train(TDRunFolder.reopen(broken.path), CONSOLE, progress=False)
    for one, other in zip(arrays(whole), arrays(broken), strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_run_begins_with_a_network(tmp_path: Path) -> None:
    path = network_file(tmp_path)
    settings = TINY.replace(begin_with=str(path))
    adapter = adapter_of(board_of(settings))
    np.testing.assert_array_equal(adapter.beginning(settings).first, VALUE_NETWORKS.read(path).arrays.first)
    with pytest.raises(InvalidOptionError, match="it plays short"):
        adapter.beginning(settings.replace(board="expert"))


def test_boards_are_named_as_tables_name_them() -> None:
    for name, expected in (("", "short"), ("expert", "expert"), ("generated_7", "short")):
        settings = TINY.replace(board=name)
        assert settings.variants == (expected,)
        (table,) = settings.tables
        assert isinstance(table, MerchantsConfig)
        assert board_of(settings) == table.board


def test_settings_that_merchants_cannot_have() -> None:
    with pytest.raises(InvalidOptionError, match="not possible in Merchants of Europe"):
        MerchantsPopulation(TINY.replace(opponents=((SEARCHING, 1.0),)))
    with pytest.raises(InvalidOptionError, match="'automa' is unknown"):
        MerchantsPopulation(TINY.replace(rival="automa"))
    assert [table.players for table in TDSettings(preset="x", game="merchants").tables] == [3, 4]


def test_the_command_names_the_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit):
        main(game="chess", out=tmp_path / "run")
    assert "game 'chess' is unknown: possible are endeavor and merchants" in capsys.readouterr().err
