"""The search agent: its settings, its clock, and what it remembers."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate, chain, repeat
from pathlib import Path

import pytest

from endeavor_env import Game
from endeavor_env.agents.base import Agent
from endeavor_env.agents.players.search import SearchAgent, SearchClock
from endeavor_env.agents.registry import make_agent
from endeavor_env.endeavor.players.search.player import SearchSettings
from endeavor_env.endeavor.players.search.settings import read_search_name
from endeavor_env.endeavor.players.search.tree import PLAYOUT_NONE
from endeavor_env.errors import CheckpointError, InvalidOptionError
from tests.kits.networks import network_file


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("sims=0", "sets sims to '0': give a whole number from 1 to 10000"),
        ("sims=1.5", "sets sims to '1.5': give a whole number"),
        ("sims=1e3", "sets sims to '1e3'"),
        ("sims", "sets sims to ''"),
        ("ms=nan", "sets ms to 'nan': give a number from 1 to 60000"),
        ("ms=0", "sets ms to '0'"),
        ("c=-1", "sets c to '-1': give a number from 0 to 100"),
        ("sims=5,ms=5", "sets both sims and ms: one of them ends the search"),
        ("sims=5,sims=6", "sets sims twice"),
        ("depth=3", "has no setting 'depth': give sims=<number> or ms=<number>"),
        ("sims=5,", "has no setting ''"),
        ("playout=deep", "sets playout to 'deep': give none, turn, round"),
        ("width=65", "sets width to '65': give a whole number from 1 to 64"),
        ("trust=0", "sets trust to '0'"),
    ],
)
def test_wrong_settings(settings: str, message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        make_agent(f"search:{settings}")


def test_a_network_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="missing"):
        make_agent(f"search:sims=5,network={tmp_path / 'missing.npz'}")


def test_settings_arrive(tmp_path: Path) -> None:
    path = network_file(tmp_path, name="a,b=c")
    read = read_search_name(f"sims=7,c=0.25,prior=0.5,trust=2,width=9,playout=none,network={path}")
    assert read.settings == SearchSettings(
        simulations=7, exploration=0.25, prior_temperature=0.5, trust=2.0, width=9, playout=PLAYOUT_NONE
    )
    assert read.milliseconds is None
    assert read.variants == ("standard",)
    assert read_search_name(f"ms=2.5,network={path}").milliseconds == 2.5


@pytest.mark.parametrize("end", ["sims=20", "ms=3"])
def test_it_follows_the_protocol_and_plays_to_the_end(tmp_path: Path, end: str) -> None:
    name = f"search:{end},network={network_file(tmp_path)}"
    agent, game = make_agent(name), Game.new(3, seed=2)
    assert isinstance(agent, Agent)
    assert isinstance(agent, SearchAgent)
    assert agent.name == name
    while not game.over:
        before = game.state.tobytes()
        action = agent.act(game)
        assert game.state.tobytes() == before
        game.apply(action)


def test_a_reset_forgets_the_last_game(tmp_path: Path) -> None:
    agent = SearchAgent(f"sims=20,network={network_file(tmp_path)}")
    histories = []
    for _ in range(2):
        game = Game.new(3, seed=2)
        agent.reset(1)
        for _ in range(25):
            game.apply(agent.act(game))
        histories.append(game.history)
    assert histories[0] == histories[1]


def replace_clock(monkeypatch: pytest.MonkeyPatch, milliseconds: Iterable[int]) -> None:
    """Let the clock of search agents advance by one of ``milliseconds`` with each simulation."""
    looks = accumulate(milliseconds, initial=0)
    monkeypatch.setattr("endeavor_env.agents.players.search.perf_counter", lambda: next(looks) / 1000)


@pytest.mark.parametrize("root", ["", "halving=4,"])
def test_more_time_makes_more_simulations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: str) -> None:
    """With a clock that advances by a millisecond at each look, the number of simulations is known."""
    visits = []
    for limit in (5, 20):
        replace_clock(monkeypatch, repeat(1))
        agent = SearchAgent(f"ms={limit},{root}network={network_file(tmp_path)}")
        agent.act(Game.new(4, seed=1))
        visits.append(agent.root_visits())
    assert visits == [5, 20]


def test_time_ends_with_the_simulation_that_ends_nearest_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SearchClock(0.010)
    replace_clock(monkeypatch, [3, 3, 3])
    clock.begin()
    assert [clock.more() for _ in range(3)] == [2, 1, 0]  # 7, 4 and 1 milliseconds are left


def test_former_decisions_tell_how_many_simulations_fit_into_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SearchClock(0.100)
    replace_clock(monkeypatch, [4] * 20)
    clock.begin()
    assert [clock.more() for _ in range(20)][:2] == [24, 23]
    replace_clock(monkeypatch, [15] * 3)
    clock.begin()
    assert clock.more() == 17  # 85 milliseconds at 5: of the 20 simulations of before 10 count, 40 + 15 are 55 for 11


def test_a_halving_by_time_is_the_one_by_as_many_simulations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If every simulation takes a millisecond; so rounds are as long, and no other turns are considered."""
    replace_clock(monkeypatch, repeat(1))
    network = f"network={network_file(tmp_path)}"
    timed, counted = SearchAgent(f"ms=21,halving=5,{network}"), SearchAgent(f"sims=21,halving=5,{network}")
    game, shared = Game.new(4, seed=1), 0
    for _ in range(40):
        timed.reset(0)
        counted.reset(0)
        action = counted.act(game)
        assert timed.act(game) == action
        assert timed.expect(game) == counted.expect(game)
        shared += timed.root_visits() == 21
        game.apply(action)
    assert shared > 20


def test_a_halving_stops_at_the_clock_when_simulations_take_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_clock(monkeypatch, chain([1, 1, 1], repeat(10)))
    agent, game = SearchAgent(f"ms=40,halving=4,network={network_file(tmp_path)}"), Game.new(4, seed=1)
    assert game.mask()[agent.act(game)]
    assert agent.root_visits() == 7  # 3, and at 10 each 4 more


def test_it_refuses_variants_that_its_network_does_not_play(tmp_path: Path) -> None:
    agent = make_agent(f"search:sims=2,network={network_file(tmp_path)}")
    with pytest.raises(InvalidOptionError, match="does not play 'solo': it was made for standard"):
        agent.act(Game.new(variant="solo", seed=1))
