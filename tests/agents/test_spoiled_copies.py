"""Agents that spoil what they get of a game, move for others, or look into the future: nobody's game is the worse."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from endeavor_env.agents.base import AgentOf
from endeavor_env.agents.matches import Match, SoloMatch
from endeavor_env.agents.mcp.tables import GameTools
from endeavor_env.agents.play.session import Session
from endeavor_env.agents.play.tables import table_of
from endeavor_env.agents.players.compiled import RandomAgent
from endeavor_env.agents.players.player_agent import make_player_agent
from endeavor_env.agents.registry import agents_for
from endeavor_env.agents.tournament import playing
from endeavor_env.agents.tournament.result import play_tournament
from endeavor_env.agents.watch.live_game import LiveGame
from endeavor_env.agents.words.endpoint import Answer
from endeavor_env.agents.words.playing import ModelMatchSettings, Transcript, WordsGame
from endeavor_env.bench import games
from endeavor_env.bench.games import RunOptions, UnitPlayer
from endeavor_env.bench.version import version_one
from endeavor_env.endeavor.game import Game, GameConfig
from endeavor_env.endeavor.text import among_agents
from endeavor_env.endeavor.text.among_agents import AgentTable
from endeavor_env.engine.game import Game as AnyGame
from endeavor_env.engine.game import GameConfig as AnyConfig
from endeavor_env.engine.game import game_for
from endeavor_env.engine.kernels.rules import CHANCE
from endeavor_env.envs.endeavor import make_endeavor, make_endeavor_vector
from endeavor_env.envs.merchants import make_merchants, make_merchants_vector
from endeavor_env.merchants.game import MerchantsConfig
from endeavor_env.search import Positions, rollout
from tests.toy_game.rules import ROLL, TOY_GAME

MERCHANTS = MerchantsConfig(3, max_rolls=12)
TOY = AnyConfig(TOY_GAME)


class Middle:
    """Plays the move in the middle of the legal ones."""

    name = "middle"

    def reset(self, seed: int) -> None:
        """Nothing to forget."""

    def act(self, game: AnyGame) -> int:
        """Return the move."""
        legal = game.legal_actions()
        return legal[len(legal) // 2]


class Spoiler(Middle):
    """Chooses the same, plays the game that it got to its end, and writes nonsense wherever that can be written."""

    def act(self, game: AnyGame) -> int:
        """Return the move."""
        action = super().act(game)
        for _ in range(20):
            if not game.over:
                game.apply(game.legal_actions()[0])
        game.history.clear()
        game.state["num_seats"] = 1
        with suppress(AttributeError):  # of a config that is frozen
            game.config.players, game.config.variant = 1, "spoiled"
        drawn = getattr(game, "drawn", None)
        for array in (game.state, getattr(game, "chance", None), getattr(drawn, "array", drawn)):
            if array is not None and array.flags.writeable:
                array.view(np.uint8)[:] = 1
        return action


class Liar(Spoiler):
    """Says besides that it only reads."""

    only_reads = True


class Heir(RandomAgent):
    """Is no class of the package, and says nothing itself."""


def played_alike(play: Callable[[AgentOf[Any]], Any]) -> bool:
    """Return whether a game is the same with each of the agents."""
    honest = play(Middle())
    return all(play(agent) == honest for agent in (Spoiler(), Liar()))


# --- games that are spoiled ------------------------------------------------------------------------------------------
def test_matches_and_solitaire_matches_go_on_beside_it() -> None:
    def match(agent: AgentOf[Any]) -> Any:
        return [game.history for game in Match([agent, RandomAgent(), RandomAgent()], 3, 1).play_setup(0)]

    def solo(agent: AgentOf[Any]) -> Any:
        return [game.history for game in SoloMatch([agent], 2, 1).play_setup(0)]

    assert played_alike(match)
    assert played_alike(solo)


@pytest.mark.parametrize("config", [MERCHANTS, TOY])
def test_matches_of_other_games_go_on_beside_it(config: AnyConfig) -> None:
    def match(agent: AgentOf[Any]) -> Any:
        others = [make_player_agent(config.rules, "random") for _ in range(2)]
        made = Match([agent, *others], 6, 1, config=config)
        for _ in made.play():
            pass
        return made.result().scores.tolist(), [game.history for game in made.play_setup(1)]

    assert played_alike(match)


def test_the_benchmark_goes_on_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    task = version_one().task("table-3")

    def benchmark(agent: AgentOf[Any]) -> Any:
        monkeypatch.setattr(games, "make_submitted", lambda text: agent)
        game = UnitPlayer([task], RunOptions("spoiler", "50ms", 0, {})).play_game(task, "greedy", 7, 1)
        return game.scores, game.moves, game.lost

    assert played_alike(benchmark)


@pytest.mark.parametrize(
    "make", [lambda one: make_endeavor(players=3, opponents=one), lambda one: make_merchants(players=3, opponents=one)]
)
def test_environments_go_on_beside_it(make: Callable[[Any], Any]) -> None:
    def environment(agent: AgentOf[Any]) -> Any:
        env = make(agent)
        env.reset(seed=4)
        for _ in range(30):
            env.step(int(np.flatnonzero(env.action_masks())[0]))
        return env.game().history

    assert played_alike(environment)


@pytest.mark.parametrize("begin", [lambda: Game.new(3, seed=4), lambda: MERCHANTS.new_game(4)])
def test_watched_games_and_games_on_the_page_go_on_beside_it(
    begin: Callable[[], Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def watched(agent: AgentOf[Any]) -> Any:
        live = LiveGame(begin(), [agent] * 3, delay=0.0)
        live.start()
        assert live.join(60)
        return live.game.history, live.trouble

    def page(agent: AgentOf[Any]) -> Any:
        game = begin()
        monkeypatch.setattr(table_of(game), "agent", lambda game, name: agent, raising=False)
        session = Session(tmp_path / "game.json", game, ["greedy"] * 3)
        session.start()
        session.settle(60)
        return session.game.history, session.trouble

    assert played_alike(watched)
    assert played_alike(page)


@pytest.mark.parametrize("config", [GameConfig(players=3), MERCHANTS])
def test_tournaments_go_on_beside_it(config: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def tournament(agent: AgentOf[Any]) -> Any:
        # where "middle" is no name of the package
        monkeypatch.setattr(playing, "agents_for", lambda config, names: [agent_of(one) for one in names])

        def agent_of(name: str) -> AgentOf[Any]:
            return type(agent)() if name == "middle" else agents_for(config, [name])[0]

        found = play_tournament(["middle", "random"], games=6, config=config, mixed=0, jobs=1, resamples=1)
        return [table.to_dict() for table in found.tables]

    assert played_alike(tournament)


def test_chat_programs_and_games_in_words_go_on_beside_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def chat(agent: AgentOf[Any]) -> Any:
        monkeypatch.setattr(among_agents, "agent_named", lambda name, **how: agent)
        tables = GameTools()
        tables.new_game("standard:players=3", seed=4)
        for _ in range(10):
            tables.play(tables.legal_moves().splitlines()[-1].partition(": ")[0])
        return tables.state("json")

    def words(agent: AgentOf[Any]) -> Any:
        file = tmp_path / f"{type(agent).__name__}.jsonl"
        chosen = ModelMatchSettings("model", ("random", "random"), GameConfig(players=3))

        def ask(messages: object) -> Answer:
            return Answer(f"[{game.table.game.legal_moves()[0]}]", "stop", {}, 0.0, 1)

        game = WordsGame(chosen, 0, dict.fromkeys((1, 2), agent), Transcript(file, chosen), ask, lambda: None)
        game.play()
        return game.table.game.history

    assert played_alike(chat)
    assert played_alike(words)


def spoiling(*arrays: np.ndarray[Any, Any]) -> None:
    """Write nonsense wherever that can be written."""
    for array in arrays:
        if array.flags.writeable:
            array[:] = 1


@pytest.mark.parametrize("make", [make_endeavor, make_merchants])
@pytest.mark.parametrize("flat", [False, True])
def test_environments_go_on_beside_functions_that_spoil_what_they_see(make: Any, flat: bool) -> None:
    def played(spoil: Callable[..., None]) -> Any:
        def choose(seen: dict[str, Any]) -> int:
            action = int(np.flatnonzero(seen["action_mask"])[-1])
            spoil(*seen.values())
            return action

        env = make(players=3, opponents=choose, flat=flat)
        env.reset(seed=4)
        for _ in range(30):
            env.step(int(np.flatnonzero(env.action_masks())[0]))
        return env.game().history, env.unwrapped.action_masks().tolist()

    assert played(spoiling) == played(lambda *arrays: None)


@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        (make_endeavor_vector, Positions.of(Game.new(3, seed=4))),
        (make_merchants_vector, Positions.of(MERCHANTS.new_game(4))),
    ],
)
def test_batches_and_rollouts_go_on_beside_functions_that_spoil_what_they_see(kind: Any, rows: Any) -> None:
    def played(spoil: Callable[..., None]) -> Any:
        def choose(observations: Any, masks: Any) -> Any:
            actions = masks.argmax(1)
            spoil(observations, masks)
            return actions

        env = kind(4, players=3, opponents=choose)
        seen, info = env.reset(seed=4)
        for _ in range(20):
            seen, *_, info = env.step(info["action_mask"].argmax(1))
        scores = rollout(rows, choose, 7, repeats=3, limit=200).scores
        return seen["observation"].tolist(), info["action_mask"].tolist(), scores.tolist()

    assert played(spoiling) == played(lambda *arrays: None)


def test_a_table_in_words_goes_on_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def table(agent: AgentOf[Any]) -> Any:
        monkeypatch.setattr(among_agents, "agent_named", lambda name, **how: agent)
        made = AgentTable(Game.new(3, seed=4), opponents="greedy")
        for _ in range(10):
            made.answer(f"[{made.game.legal_moves()[0]}]")
        return made.game.history

    assert played_alike(table)


def test_only_classes_of_the_package_that_say_so_themselves_get_no_copy() -> None:
    for game in (Game.new(3, seed=4), MERCHANTS.new_game(4)):
        assert game_for(RandomAgent(), game) is game
        for agent in (Heir(), Middle(), Liar()):
            assert game_for(agent, game) is not game


# --- games that are foreseen -----------------------------------------------------------------------------------------
class Prophet(Middle):
    """Rolls, and says before what the die will show."""

    name = "prophet"

    def __init__(self) -> None:
        """Say nothing so far."""
        self.said: list[int] = []

    def reset(self, seed: int) -> None:
        """Begin a game."""
        self.said = []

    def act(self, game: AnyGame) -> int:
        """Return the move."""
        after = game.clone()
        after.apply(ROLL)
        self.said.append(after.history[-1][1])
        return ROLL


class Seer(Prophet):
    """Looks where nobody may."""

    sees_everything = True

    def act(self, game: AnyGame) -> int:
        """Return the move."""
        game.apply(ROLL)
        self.said.append(next(action for seat, action in reversed(game.history) if seat == CHANCE))
        return ROLL


def foreseen(make: Callable[[], Prophet]) -> float:
    """Return the share of rolls that an agent knew before."""
    right = []
    for seed in range(60):
        agents = [make() for _ in range(3)]
        match = Match(agents, 3, seed, config=TOY)
        for agent in agents:
            agent.reset(0)
        game = match.play_setup(0)[-1]  # in which agent i has seat i + 2
        shown = {seat: [] for seat in range(3)}  # type: dict[int, list[int]]
        for (seat, _), (_, face) in zip(game.history[::2], game.history[1::2], strict=True):
            shown[seat].append(face)
        for number, agent in enumerate(agents):
            right += [said == face for said, face in zip(agent.said, shown[(number + 2) % 3], strict=True)]
    return float(np.mean(right))


def test_an_agent_foresees_no_die_in_a_match() -> None:
    assert 0.1 < foreseen(Prophet) < 0.24  # a sixth of 720


def test_an_agent_that_asks_for_it_foresees_all_and_the_result_says_so() -> None:
    assert foreseen(Seer) == 1.0
    match = Match([Seer(), Prophet(), Prophet()], 3, 1, config=TOY)
    for _ in match.play():
        pass
    assert [one.name for one in match.result().agents] == ["prophet (sees everything)", "prophet", "prophet#2"]
    played = match.play_setup(0)[0].record()["played"]
    assert [seat["name"] for seat in played["seats"]] == ["prophet (sees everything)", "prophet", "prophet#2"]
