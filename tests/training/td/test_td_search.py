"""Games of search players that a value network learns from: every turn that a search looked at is recorded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from endeavor_env import Board
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.learning.self_play import RECORDS_SEARCHED, RECORDS_VALUES, write_targets
from endeavor_env.endeavor.players.network_file import VALUE_NETWORKS
from endeavor_env.endeavor.players.search.player import SearchSettings, search_memory
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.search import Positions
from endeavor_env.training.td.__main__ import train
from endeavor_env.training.td.games import (
    LEARNER_CODE,
    EndeavorPopulation,
    PlayedGames,
    SeatedPlayer,
    fixtures_of,
    play,
)
from endeavor_env.training.td.settings import GAMES, LEARNER, SEARCHING, preset
from tests.kits.networks import random_network
from tests.training.td.test_td import CONSOLE, TINY, new_run

FEW = SearchSettings(simulations=6, width=5)


def searched(game: str, records: int, games: int = 2) -> PlayedGames:
    """Play games of the first kind of table with a search player in all seats."""
    tables, network = GAMES[game], random_network(preset("smoke", game).variant)
    memory = search_memory({c.VARIANT_NAMES.index(tables[0].variant): network}, FEW)
    codes = np.full((games, c.MAX_SEATS), LEARNER_CODE)
    fixtures = fixtures_of(tables, np.zeros(games, np.int64), np.arange(games), codes)
    return play(Board.default(), fixtures, {LEARNER_CODE: SeatedPlayer("search", memory, records)})


@pytest.mark.parametrize("game", list(GAMES))
def test_the_turn_that_was_played_is_among_those_that_were_looked_at(game: str) -> None:
    found = searched(game, RECORDS_SEARCHED)
    assert not Positions(GameConfig(), found.states).over().any()
    looked_at: dict[tuple[int, int], set[bytes]] = {}
    inside = compared = 0
    for moment, state in zip(found.moments, found.states, strict=True):
        of_seat = int(moment["fixture"]), int(moment["seat"])
        if moment["searched"]:
            looked_at.setdefault(of_seat, set()).add(state.tobytes())
        else:
            turns = looked_at.pop(of_seat, set())
            inside += state.tobytes() in turns
            compared += len(turns) > 0
    assert compared > 20
    assert inside == compared


def test_at_most_as_many_turns_are_recorded_as_the_search_made_simulations_and_looks_at() -> None:
    found = searched("standard", RECORDS_SEARCHED)
    length = longest = 0
    for moment in found.moments:
        length = length + 1 if moment["searched"] else 0
        longest = max(longest, length)
    assert longest >= 2
    at_a_decision = 0
    for seat in range(3):
        rows = found.moments[(found.moments["seat"] == seat) & (found.moments["fixture"] == 0)]
        breaks = np.flatnonzero(rows["searched"] == 0)
        at_a_decision = max(at_a_decision, int(np.diff(breaks).max()) - 1)
    assert at_a_decision <= min(FEW.simulations, FEW.width)


def test_the_target_of_a_turn_that_was_only_looked_at_is_what_the_search_found() -> None:
    found, plain = searched("standard", RECORDS_SEARCHED), searched("standard", RECORDS_VALUES)
    for one in (found, plain):
        write_targets(one.moments, one.outcomes, 0.8)
    others = found.moments["searched"] == 1
    assert others.mean() > 0.5
    assert (found.moments["target"][others] == found.moments["value"][others]).all()
    assert np.isfinite(found.moments["target"]).all()
    assert found.scores.tolist() == plain.scores.tolist()  # recording does not change the games
    assert found.moments["target"][~others].tolist() == plain.moments["target"].tolist()
    assert found.states[~others].tobytes() == plain.states.tobytes()


def test_the_mix_names_searches_with_the_network_that_learns() -> None:
    settings = TINY.replace(opponents=((LEARNER, 1.0), (SEARCHING, 3.0)), simulations=4)
    for all_searched, records in ((True, RECORDS_SEARCHED), (False, RECORDS_VALUES)):
        seats = EndeavorPopulation(settings.replace(all_searched=all_searched)).players(random_network("standard"), 0.1)
        assert seats.shares == pytest.approx({LEARNER_CODE: 0.25, LEARNER_CODE + 1: 0.75})
        assert (seats.seated[LEARNER_CODE + 1].player, seats.seated[LEARNER_CODE + 1].records) == ("search", records)


@pytest.mark.parametrize("game", list(GAMES))
def test_a_run_learns_from_searches(game: str, tmp_path: Path) -> None:
    settings = preset("smoke", game).replace(first_width=8, second_width=4, games=3, warm_up_games=3, final_games=2)
    settings = settings.replace(opponents=((SEARCHING, 1.0),), simulations=3)
    folder = new_run(tmp_path / "run", settings)
    assert train(folder, CONSOLE, progress=False)
    assert VALUE_NETWORKS.read(folder.path / "value.npz").card["training"]["settings"]["simulations"] == 3
