"""Every environment of single games is ``Game``, move for move: what it shows, pays, says and cuts, in every variant.

An example is a game of some kind, played to its end through an interface with options drawn at random, beside the
``Game`` of the same seed. Half-way a copy of the environment takes its place.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.engine.game import Game
from endeavor_env.engine.kernels.rules import CHANCE
from endeavor_env.engine.rewards import lead_of, margin_scale, named_rewards
from endeavor_env.envs.aec_env import GameAECEnv
from endeavor_env.envs.gym_env import GameEnv
from endeavor_env.errors import GameOverError, IllegalActionError
from endeavor_env.merchants.game import MerchantsConfig
from tests.kits.envs import DICT_WARNINGS
from tests.kits.exploit_observations import busy_action
from tests.kits.games import GAMES, TILES
from tests.kits.toy_envs import TOY

CONFIGS: dict[str, Any] = {
    **{f"{players} seats": GameConfig(players=players) for players in (3, 4, 5)},
    **{
        name: GameConfig(variant, options=options, exploits=TILES.get(name))
        for name, (variant, options) in GAMES.items()
    },
    "a generated board": GameConfig(players=5, board=Board.generate(5)),
    **{f"merchants, {side}": MerchantsConfig(3, side, max_rolls=12) for side in ("short", "expert")},
    "toy": TOY,
}
CUT, LOST, PENALTY = 21, "terminate", -3.0
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "observation": st.sampled_from(["features", "compact"]),
        "flat": st.booleans(),
        "mask_dtype": st.sampled_from(["int8", "bool"]),
        "max_cycles": st.just(CUT),
        "shaping": st.sampled_from([{"gamma": 0.9, "weight": 2.0}, {"gamma": 1.0}]),
    },
)
COPIES: tuple[Callable[[Any], Any], ...] = (copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)))
OF_EVERY_GAME = pytest.mark.parametrize("name", CONFIGS)
pytestmark = [
    pytest.mark.filterwarnings(message)
    for message in (*DICT_WARNINGS, "ignore:illegal_reward", "ignore:.*reward function")
]


def scores_squared(scores: Any) -> list[float]:
    """A reward of the caller's, which tells seats and scores apart."""
    return [float(score * abs(score)) for score in scores]


def own_squared(scores: Any) -> list[float]:
    """The same for the only seat, whose opponent's score comes second."""
    return scores_squared(scores)[:1]


def lowest_legal(observation: Any) -> int:
    """An opponent that is a function."""
    return int(observation["action_mask"].argmax())


class Vandal:
    """An opponent that plays at random from its seed, and spoils the copy that it gets."""

    def reset(self, seed: int) -> None:
        """Begin a game."""
        self._rng = np.random.default_rng(seed)

    def act(self, game: Any) -> int:
        """Return a legal action."""
        action = int(self._rng.choice(game.legal_actions()))
        game.apply(game.legal_actions()[0])
        game.state[:] = np.zeros(1, game.state.dtype)
        game.history.clear()
        return action


class Beside:
    """An environment and the game that it should play."""

    def __init__(self, config: Any, env: Any, seed: int, options: dict[str, Any], reward: Any) -> None:
        """Reset the environment and begin the game; a game that never asks the learner gave way to another."""
        self.env, self.options, alone = env, options, config.players == 1
        self.seen: Any
        self.info: Any
        self.seen, self.info = env.reset(seed=seed) or (None, None)
        drawn = env._table.game.seed
        assert drawn == seed or isinstance(config, MerchantsConfig)
        self.game: Game = config.new_game(drawn)
        named = named_rewards(config.rules.scale, alone)
        self.reward: Any = named.get(reward, reward)
        self.scale = margin_scale(config.rules.scale, alone)
        self.follow()

    def follow(self) -> None:
        """Make the moves that the environment made; chance must have decided the same."""
        history = self.env.game().history
        while len(self.game.history) < len(history):
            seat, action = history[len(self.game.history)]
            assert seat == self.game.seat
            self.game.apply(action)
        assert self.game.history == history
        assert self.env.game().state.tobytes() == self.game.state.tobytes()

    @property
    def decisions(self) -> int:
        """Decisions so far, of which draws are none."""
        return sum(seat != CHANCE for seat, _ in self.game.history)

    @property
    def cut(self) -> bool:
        """Whether the environment must have cut the game."""
        return not self.game.over and self.decisions >= self.options.get("max_cycles", 1 << 60)

    @property
    def ended(self) -> bool:
        """Whether there is no more decision."""
        return self.game.over or self.cut

    def phi(self, seat: int) -> float:
        """Return the potential of a seat."""
        shaping = self.options.get("shaping", {"weight": 0.0})
        return shaping.get("weight", 1.0) * lead_of(self.game.scores(), seat) / self.scale

    def paid(self, seat: int) -> float:
        """Return what a seat is paid at the end, shaping apart."""
        return 0.0 if self.cut else float(self.reward(self.game.scores())[seat])

    def mask(self) -> list[int]:
        """Return the mask of the seat to move, all ones at the end."""
        return [1] * self.game.mask().size if self.ended else self.game.mask().tolist()

    def check_seen(self, space: Any, seen: Any, seat: int, mask: list[int]) -> None:
        """Compare what a seat is shown with what the game says, by value, type and space."""
        assert space.contains(seen)
        vector = seen if self.options.get("flat") else seen["observation"]
        expected = self.game.observe(seat, self.options.get("observation", "features"))
        assert (vector.dtype, vector.tobytes()) == (expected.dtype, expected.tobytes())
        if not self.options.get("flat"):
            assert seen["action_mask"].dtype == np.dtype(self.options.get("mask_dtype", "int8"))
            assert seen["action_mask"].tolist() == mask

    def check_result(self, result: dict[str, Any]) -> None:
        """Compare how an episode ended."""
        assert result["reason"] == ("max_cycles" if self.cut else "game_over")
        assert list(result["scores"]) == self.game.scores()

    def check_illegal(self, raises: bool) -> None:
        """Try what is no action, and an illegal one, which raises or is left to the caller."""
        before = self.env.game().record()
        size = self.game.mask().size
        wrong = [size, -1, "roll", *([int(np.argmin(self.game.mask()))] if raises else [])]
        for action in wrong:
            with pytest.raises(IllegalActionError, match=r"legal move"):
                self.env.step(action)
        assert self.env.game().record() == before

    def choose(self, rng: np.random.Generator) -> int:
        """Return a random legal action; with Exploits in play one that uses them, if any does."""
        if getattr(self.game, "exploits", None) and rng.random() < 0.7:
            return int(busy_action(self.game, rng))  # type: ignore[arg-type]
        return int(rng.choice(self.game.legal_actions()))

    def replace(self, make_copy: Callable[[Any], Any]) -> Any:
        """Let a copy of the environment go on; return the one that it was made of."""
        before, self.env = self.env, make_copy(self.env)
        return before

    def check_record(self) -> None:
        """Compare records; the seed is not told where draws follow from it."""
        ours, theirs = ({**game.record(), "seed": None} for game in (self.env.game(), self.game))
        assert self.cut or ours == theirs


@OF_EVERY_GAME
@settings(max_examples=8, phases=(Phase.explicit, Phase.generate))
@given(options=OPTIONS, seed=st.integers(0, 2**60), draw=st.data())
def test_a_learner_plays_its_seat_of_the_game(
    name: str, options: dict[str, Any], seed: int, draw: st.DataObject
) -> None:
    config = CONFIGS[name]
    alone = config.players == 1
    reward = draw.draw(
        st.sampled_from([*named_rewards(config.rules.scale, alone), own_squared if alone else scores_squared])
    )
    loses_at = draw.draw(st.sampled_from([None, None, 3, 9]))
    seated: dict[str, Any] = {}
    if config.players > 1:
        players = ["random", "greedy"] if name != "toy" else ["random"]
        opponent = st.sampled_from([*players, lowest_legal, Vandal()])
        seated = {
            "learner_seat": draw.draw(st.sampled_from([*range(config.players), "rotate"])),
            "opponents": draw.draw(
                opponent | st.lists(opponent, min_size=config.players - 1, max_size=config.players - 1)
            ),
        }
    illegal = draw.draw(st.sampled_from(["raise", LOST])) if loses_at is None else LOST
    env = GameEnv(config, reward=reward, illegal_action=illegal, illegal_reward=PENALTY, **seated, **options)
    one, rng, copied, original = Beside(config, env, seed, options, reward), np.random.default_rng(seed), None, None
    gamma, seat = options.get("shaping", {}).get("gamma", 0.0), one.info["seat"]
    if config.players > 1 and one.game.seed == seed:
        assert seat == (seed % config.players if seated["learner_seat"] == "rotate" else seated["learner_seat"])
    before, made, terminated, truncated = one.phi(seat), 0, False, False
    while not terminated and not truncated:
        assert one.game.seat == seat
        one.check_seen(env.observation_space, one.seen, seat, one.mask())
        assert one.info["action_mask"].tolist() == one.env.action_masks().tolist() == one.mask()
        assert (one.info["reason"], one.info["message"]) == ("", "")
        one.check_illegal(illegal == "raise")
        if made == 5:
            original, copied = one.replace(draw.draw(st.sampled_from(COPIES))), one.env.game().history
        loses = made == loses_at and not all(one.mask())
        action = int(np.argmin(one.mask())) if loses else one.choose(rng)
        one.seen, reward_paid, terminated, truncated, one.info = one.env.step(action)
        assert (type(reward_paid), type(terminated), type(truncated)) == (float, bool, bool)
        if loses:
            assert (terminated, truncated, reward_paid) == (True, False, pytest.approx(PENALTY - before))
            assert (one.info["reason"], one.info["action"], one.info["seat"]) == ("illegal_action", action, seat)
            assert one.env.action_masks().all()
            break
        assert one.env.game().history[len(one.game.history)] == (seat, action)
        one.follow()
        assert (terminated, truncated) == (one.game.over, one.cut)
        after = 0.0 if one.ended else one.phi(seat)
        assert reward_paid == pytest.approx(gamma * after - before + (one.paid(seat) if one.ended else 0.0))
        before, made = after, made + 1
    else:
        one.check_seen(env.observation_space, one.seen, seat, one.mask())
        one.check_result(one.info)
        assert one.info["seat"] == seat
        assert np.flatnonzero(one.info["winners"]).tolist() == one.game.winners()
        one.check_record()
    with pytest.raises(GameOverError, match=r"call reset\(\)"):
        one.env.step(0)
    if original is not None:
        assert original.game().history == copied, "the copy played in the original"
        for again in (original, one.env):
            again.reset()
        assert original._table.game.state.tobytes() == one.env._table.game.state.tobytes()
        assert original._table.game.seed == one.env._table.game.seed


@OF_EVERY_GAME
@settings(max_examples=8, phases=(Phase.explicit, Phase.generate))
@given(options=OPTIONS, seed=st.integers(0, 2**60), draw=st.data())
def test_agents_in_turn_play_the_game(name: str, options: dict[str, Any], seed: int, draw: st.DataObject) -> None:
    config = CONFIGS[name]
    alone = config.players == 1
    reward = draw.draw(
        st.sampled_from([*named_rewards(config.rules.scale, alone), own_squared if alone else scores_squared])
    )
    loses_at = draw.draw(st.sampled_from([None, None, 3, 9]))
    illegal = draw.draw(st.sampled_from(["raise", LOST])) if loses_at is None else LOST
    env = GameAECEnv(config, reward=reward, illegal_action=illegal, illegal_reward=PENALTY, **options)
    one, rng = Beside(config, env, seed, options, reward), np.random.default_rng(seed)
    gamma, seats = options.get("shaping", {}).get("gamma", 0.0), range(config.players)
    assert env.possible_agents == [f"player_{seat}" for seat in seats]
    before: dict[int, float] = {}
    original, made, lost = None, 0, False
    while not one.ended:
        seat, nobody = one.game.seat, [0] * one.game.mask().size
        assert one.env.agent_selection == f"player_{seat}"
        _, paid, terminated, truncated, _ = one.env.last()
        assert (terminated, truncated, one.env.result()) == (False, False, None)
        assert paid == pytest.approx(gamma * one.phi(seat) - before[seat] if seat in before else 0.0)
        before[seat] = one.phi(seat)
        for other in seats if made % 5 == 0 else [seat]:
            agent, mask = f"player_{other}", one.mask() if other == seat else nobody
            one.check_seen(env.observation_space(agent), one.env.observe(agent), other, mask)
            assert one.env.infos[agent]["action_mask"].tolist() == mask
        if made % 5 == 0:
            assert one.env.state().tobytes() == one.game.observe(0, options.get("observation", "features")).tobytes()
        one.check_illegal(illegal == "raise")
        if made == 8:
            original, copied = one.replace(draw.draw(st.sampled_from(COPIES))), one.env.game().history
        if made == loses_at and not all(one.mask()):
            lost = True
            one.env.step(int(np.argmin(one.mask())))
            break
        one.env.step(one.choose(rng))
        one.follow()
        made += 1
    shared = {agent: one.env.rewards[agent] for agent in one.env.possible_agents}
    paid_last = [(PENALTY if seat == one.game.seat else 0.0) if lost else one.paid(seat) for seat in seats]
    terms = [before.get(seat, 0.0) if not lost or seat in before else 0.0 for seat in seats]
    assert list(shared.values()) == pytest.approx([paid - term for paid, term in zip(paid_last, terms, strict=True)])
    assert set(one.env.terminations.values()) == {lost or one.game.over}
    assert set(one.env.truncations.values()) == {not lost and one.cut}
    result = one.env.result()
    assert result is not None
    if lost:
        assert (result["reason"], result["agent"]) == ("illegal_action", f"player_{one.game.seat}")
    else:
        one.check_result(result)
        assert result["winners"] == [f"player_{seat}" for seat in one.game.winners()]
        one.check_record()
    with pytest.raises(GameOverError, match=r"can only step\(None\)"):
        one.env.step(0)
    for seat in seats:
        assert one.env.agent_selection == f"player_{seat}"
        assert one.env.infos[f"player_{seat}"]["action_mask"].all()
        if not lost:
            one.check_seen(env.observation_space(f"player_{seat}"), one.env.last()[0], seat, one.mask())
        one.env.step(None)
    assert one.env.agents == []
    if original is not None:
        assert original.game().history == copied, "the copy played in the original"
