"""Agents that nobody seeds choose independently of each other, and so do the seats of a table with one seed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from endeavor_env import Game
from endeavor_env.agents.play.session import Session
from endeavor_env.agents.players.compiled import GreedyAgent
from endeavor_env.agents.players.learned import LearnedAgent
from endeavor_env.agents.registry import agents_for, make_agent
from endeavor_env.endeavor.players import agent_named
from endeavor_env.endeavor.text.among_agents import AgentTable
from endeavor_env.engine.game import Game as AnyGame
from endeavor_env.merchants.game import MerchantsConfig
from tests.kits import players as kit
from tests.kits.checkpoints import untrained_checkpoint

CHOICES, AGENTS = 16, 4
MERCHANTS = MerchantsConfig(3)


def tied() -> Game:
    """Return a game in which ten moves are equally good for the greedy player."""
    game = kit.last_turn(harbor=2)
    game.play("activate:colonial_house")
    return game


def merchants() -> AnyGame:
    """Return a game of Merchants at a decision with many moves."""
    game = MERCHANTS.new_game(3)
    while len(game.legal_actions()) < 6:
        game.apply(game.legal_actions()[-1])
    return game


def choices(agent: Any, game: Any) -> tuple[int, ...]:
    """Return what an agent chooses each time that it is asked about a position."""
    return tuple(int(agent.act(game)) for _ in range(CHOICES))


MAKERS: dict[str, tuple[Callable[[Path], Any], Callable[[], Any]]] = {
    "random": (lambda _: make_agent("random"), lambda: Game.new(4, seed=3)),
    "random by the name that doors take": (lambda _: agent_named("random"), lambda: Game.new(4, seed=3)),
    "greedy": (lambda _: GreedyAgent(kit.GLORY_ONLY), tied),
    "random of Merchants": (lambda _: agents_for(MERCHANTS, ["random"])[0], merchants),
    "tree": (lambda _: agents_for(MERCHANTS, ["tree:sims=2"])[0], merchants),
    "checkpoint": (
        lambda folder: LearnedAgent(untrained_checkpoint(folder, "standard"), temperature=1.0),
        lambda: Game.new(4, seed=3),
    ),
}


@pytest.mark.parametrize("kind", MAKERS)
def test_each_has_a_seed_of_its_own_until_it_is_given_one(kind: str, tmp_path: Path) -> None:
    make, start = MAKERS[kind]
    agents, game = [make(tmp_path) for _ in range(AGENTS)], start()
    assert len({choices(agent, game) for agent in agents}) == AGENTS
    seeded = set()
    for agent in agents:
        agent.reset(5)
        seeded.add(choices(agent, game))
    assert len(seeded) == 1


def test_three_random_players_by_name_do_not_always_open_alike() -> None:
    opened = []
    for seed in range(20):
        game, agents = Game.new(3, seed=seed), [make_agent("random") for _ in range(3)]
        while len(game.history) < 3:
            game.apply(agents[game.seat].act(game))
        opened.append(len({action for _, action in game.history}) > 1)
    assert any(opened)


def test_the_seats_of_near_tables_share_no_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[kit.Recorder] = []

    def recorder(name: object, **_: Any) -> kit.Recorder:
        made.append(kit.Recorder())
        return made[-1]

    monkeypatch.setattr("endeavor_env.endeavor.text.among_agents.agent_named", recorder)
    setup = Game.new(4, seed=1).setup()
    for game in (*(Game.new(4, seed=seed) for seed in range(20)), *(Game.new(4, setup=setup) for _ in range(2))):
        AgentTable(game, 0, "random")
    seeds = [one.seeds[-1] for one in made]
    assert len(set(seeds)) == len(seeds) == 22 * 3
    again = len(made)
    AgentTable(Game.new(4, seed=5), 0, "random")
    assert [one.seeds[-1] for one in made[again:]] == seeds[15:18]


def test_the_agents_of_near_games_on_the_page_share_no_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[kit.Recorder] = []

    def recorder(name: str, **_: Any) -> kit.Recorder:
        made.append(kit.Recorder())
        return made[-1]

    monkeypatch.setattr("endeavor_env.agents.play.endeavor_table.agent_named", recorder)
    games = [Game.new(4, seed=seed) for seed in (3, 4, 3)]
    later = games[0].clone()
    later.apply(later.legal_actions()[0])
    for game in (*games, later):
        Session(Path(), game, ["human", "random", "random", "random"])
    first, second, third, resumed = (tuple(one.seeds[-1] for one in made[at : at + 3]) for at in range(0, 12, 3))
    assert first == third
    assert len({*first, *second, *resumed}) == 9
