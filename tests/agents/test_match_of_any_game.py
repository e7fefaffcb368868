"""Matches of another game than Endeavor: the toy game, with its dice, between functions of the game."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import endeavor_env
from endeavor_env.agents.base import Agent, AgentOf
from endeavor_env.agents.matches import Match
from endeavor_env.agents.players.compiled import RandomAgent
from endeavor_env.agents.runner import play_game
from endeavor_env.engine.game import Game, GameConfig
from endeavor_env.engine.kernels.rules import CHANCE
from endeavor_env.engine.players_info import PlayersInfo
from endeavor_env.engine.records import plain_form, replay
from endeavor_env.errors import EndeavorError, IllegalActionError, InvalidOptionError
from tests.toy_game.rules import PLAY, ROLL, ROUNDS, SEATS, TOY_GAME

TOY = GameConfig(TOY_GAME)


class Chooser:
    """An agent that is a function of the game and of a generator; it notes the games that it sees."""

    def __init__(self, name: str, choose: Callable[[Game, np.random.Generator], int]) -> None:
        """Take a name and the function."""
        self.name = name
        self._choose = choose
        self.games = -3  # two resets are before the games: here, and for a decision that is not counted
        self.seen: list[tuple[int, int, int]] = []
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Begin a game."""
        self.games += 1
        self._rng = np.random.default_rng(seed)

    def act(self, game: Game) -> int:
        """Return what the function chooses."""
        assert game.seed is None
        self.seen.append((self.games // SEATS, game.seat, int(game.state["hand"][0, game.seat])))
        return self._choose(game, self._rng)


def random() -> Chooser:
    """Return an agent that plays any legal move."""
    return Chooser("random", lambda game, rng: int(rng.choice(game.legal_actions())))


def roller() -> Chooser:
    """Return an agent that never plays its card."""
    return Chooser("roller", lambda game, rng: ROLL)


def card_player() -> Chooser:
    """Return an agent that plays its card as soon as it can."""
    return Chooser("card", lambda game, rng: PLAY if game.mask()[PLAY] else ROLL)


def played_match(agents: list[Chooser], games: int, seed: int = 3, records: Path | None = None) -> Match:
    """Return a match that was played to its end."""
    match = Match(agents, games, seed, config=TOY, records=records)
    for _ in match.play():
        pass
    return match


def test_every_agent_takes_every_seat_of_every_setup() -> None:
    agents = [random(), card_player(), random()]
    match = played_match(agents, 30)
    assert (match.done, match.result().games, match.decisions) == (10, 30, 30 * ROUNDS * SEATS)
    for agent in agents:
        del agent.seen[0]  # of the decision that is not counted
        assert len(agent.seen) == 30 * ROUNDS
        seats = {(setup, seat) for setup, seat, _ in agent.seen}
        assert len(seats) == 30
        assert len({setup for setup, _ in seats}) == 10
    first, *others = ({(setup, seat): card for setup, seat, card in agent.seen[::ROUNDS]} for agent in agents)
    assert all(cards == first for cards in others)  # whoever sits there has the card of the set-up


def test_what_the_dice_show_is_that_of_the_setup_in_every_seating() -> None:
    match = Match([roller(), roller(), roller()], 6, 8, config=TOY)
    dice = [[move for move in game.history if move[0] == CHANCE] for game in match.play_setup(0)]
    assert dice[0] == dice[1] == dice[2]
    other = [move for move in match.play_setup(1)[0].history if move[0] == CHANCE]
    assert other != dice[0]
    assert len(other) == ROUNDS * SEATS


def test_results_are_counted_by_agent_and_repeat() -> None:
    def play() -> Match:
        return played_match([roller(), card_player(), random()], 300)

    result = play().result()
    np.testing.assert_array_equal(result.scores, play().result().scores)
    assert [agent.name for agent in result.agents] == ["roller", "card", "random"]
    # each plays four times, and the mean card is worth the mean throw
    assert [agent.mean_score for agent in result.agents] == pytest.approx([14.0] * 3, abs=0.6)
    assert sum(agent.win_rate for agent in result.agents) == pytest.approx(1.0)
    written = json.loads(json.dumps(result.to_dict()))
    assert written["package_version"] == endeavor_env.__version__
    assert (written["game"], written["variant"], written["players"], written["games"]) == ("toy", "toy", 3, 300)
    assert written["board"] == TOY.to_dict()["board"]


def test_the_records_of_a_match_replay(tmp_path: Path) -> None:
    match = played_match([random(), card_player(), random()], 6, records=tmp_path / "games")
    files = sorted((tmp_path / "games").iterdir())
    assert [file.name for file in files[:4]] == [
        *(f"setup_00000_seating_{seating}.json" for seating in range(3)),
        "setup_00001_seating_0.json",
    ]
    scores = match.result().scores
    for number, file in enumerate(files):
        setup, seating = divmod(number, SEATS)
        game = replay(file, plain_form(TOY_GAME))
        assert game.scores() == [scores[setup, seating, (seat - seating) % SEATS] for seat in range(SEATS)]
        assert game.played is not None
        names = ["random", "card", "random#2"]
        assert [seat.name for seat in game.played.seats] == [names[(seat - seating) % SEATS] for seat in range(SEATS)]
        assert [one is None for one in game.played.seconds] == [mover == CHANCE for mover, _ in game.history]


def test_times_stand_at_the_moves_of_seats() -> None:
    game = TOY.new_game(2)
    game.played = PlayersInfo.of(["a", "b", "c"], environment=None)
    play_game([roller(), card_player(), roller()], game)
    assert len(game.played.seconds) == len(game.history)
    assert [one is None for one in game.played.seconds] == [mover == CHANCE for mover, _ in game.history]


def test_wrong_matches_are_refused_before_the_first_game() -> None:
    for agents, games, sentence in (
        ([random(), random()], 4, "a match of 2 agents is not possible in a game of 3 seats"),
        ([random(), random(), "greedy"], 3, "agent 'greedy' is unknown: possible are 'random', or 'tree:sims"),
        ([random(), random(), Chooser], 3, "is no agent"),
        ([random(), random(), random()], 4, "games=4 is not possible"),
    ):
        with pytest.raises(InvalidOptionError, match=sentence):
            Match(agents, games, config=TOY)  # type: ignore[arg-type]
    one = random()
    with pytest.raises(InvalidOptionError, match="the same agent object is given twice"):
        Match([one, one, random()], 3, config=TOY)
    with pytest.raises(EndeavorError, match="there is no result yet"):
        Match([random(), random(), random()], 3, config=TOY).result()


def test_an_agent_that_throws_the_die_itself_is_named() -> None:
    agents = [Chooser("cheat", lambda game, rng: 7), roller(), roller()]
    match = Match(agents, 3, 1, config=TOY)
    with pytest.raises(IllegalActionError, match=r"agent 'cheat' chose badly: action 7 \(die:6\) is illegal for seat"):
        match.play_setup(0)


def test_agents_of_any_game_are_known_by_what_they_have() -> None:
    assert isinstance(random(), AgentOf)
    assert isinstance(RandomAgent(), Agent)
    assert not isinstance(object(), AgentOf)
