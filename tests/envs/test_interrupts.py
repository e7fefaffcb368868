"""A step that Ctrl-C or an error stops has not happened: state and mask agree, and the game goes on."""

from __future__ import annotations

import contextlib
import copy
import itertools
import random
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

import endeavor_env
from endeavor_env import endeavor_v0
from endeavor_env.endeavor.records import replay
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.envs.aec_env import GameAECEnv
from endeavor_env.envs.endeavor import make_endeavor, make_endeavor_solo
from endeavor_env.envs.sampling import generator, sample_action
from endeavor_env.envs.table import ResetNeededError
from endeavor_env.errors import IllegalActionError
from tests.kits.envs import Environment, expected_mask, play, position, started

PACKAGE = str(Path(endeavor_env.__file__).parent)
SHAPED: dict[str, Any] = {"shaping": {"gamma": 0.9}}


def first_legal(observation: dict[str, np.ndarray]) -> int:
    """Play the lowest legal id."""
    return int(observation["action_mask"].argmax())


MAKERS = {
    "aec": lambda: endeavor_v0.env(),
    "aec shaped": lambda: endeavor_v0.env(**SHAPED),
    "aec solo": lambda: endeavor_v0.env(variant="solo"),
    "aec exploits": lambda: endeavor_v0.env(exploits="random", **SHAPED),
    "gym": lambda: make_endeavor(),
    "gym shaped": lambda: make_endeavor(players=3, **SHAPED),
    "gym of several": lambda: make_endeavor(players=4, opponents=["greedy", first_legal, "random"]),
    "gym exploits": lambda: make_endeavor(players=3, exploits=list(c.EXPLOIT_NAMES), opponents=["greedy", "random"]),
    "gym solo": lambda: make_endeavor_solo(**SHAPED),
}


def stopped_at_line(number: int, call: Callable[[], Any]) -> bool:
    """Call ``call`` with a KeyboardInterrupt before its line ``number`` inside the package; False if it has fewer."""
    lines = itertools.count()

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        if event == "line" and next(lines) == number:
            sys.settrace(None)
            raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def check_sound(env: Environment) -> None:
    """Check that mask, seat and record of an environment belong to its position."""
    game = env.game()
    assert env.action_masks().tolist() == expected_mask(game)
    assert replay(game.record()).state.tobytes() == game.state.tobytes()
    if isinstance(env, GameAECEnv):
        assert game.over or env.agent_selection == f"player_{game.seat}"
        assert env.last()[2] == game.over


def result_of(env: Environment, action: int) -> tuple[Any, ...]:
    """Make a move and return everything that can be told from outside, as comparable values."""
    if isinstance(env, GameAECEnv):
        env.step(action)
        return env.rewards, env._cumulative_rewards, env.terminations, env.agent_selection, position(env.game())
    observation, *rest, info = env.step(action)
    return observation["observation"].tobytes(), *rest, info["action_mask"].tobytes(), position(env.game())


@pytest.mark.parametrize("decisions", [5, -1], ids=["in the middle", "at the last move"])
@pytest.mark.parametrize("name", MAKERS)
def test_a_step_interrupted_before_any_of_its_lines_has_not_happened(name: str, decisions: int) -> None:
    env = started(MAKERS[name], 3)
    if decisions < 0:
        decisions = len(play(started(MAKERS[name], 3), 1)) - 1
    play(env, 1, limit=decisions)
    action = sample_action(env.action_masks(), generator(2))
    before, uninterrupted = position(env.game()), copy.deepcopy(env)
    expected = result_of(uninterrupted, action)
    for line in itertools.count():
        stopped = copy.deepcopy(env)
        if not stopped_at_line(line, lambda stopped=stopped: stopped.step(action)):
            break
        check_sound(stopped)
        assert position(stopped.game()) in (before, position(uninterrupted.game()))
        if position(stopped.game()) == before:
            assert result_of(stopped, action) == expected
        if line % 10 == 0 and not stopped.game().over:
            play(stopped, 3)
            check_sound(stopped)
    assert line > 15


@pytest.fixture
def alarm_interrupts() -> Iterator[None]:
    """Make the alarm clock of the process raise KeyboardInterrupt, as Ctrl-C does."""
    if not hasattr(signal, "setitimer"):
        pytest.skip("this system has no signal.setitimer")
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("alarm_interrupts")
@pytest.mark.parametrize("name", MAKERS)
def test_interrupts_at_random_moments_leave_a_sound_game(name: str) -> None:
    env, rng, moments = started(MAKERS[name], 1), generator(1), random.Random(1)
    play(env, 1)  # so that everything is compiled: an interrupt of the compiler is not for us to mend
    env.reset()
    for _ in range(60):
        play_until_interrupted(env, rng, moments.uniform(0.0001, 0.002))
        try:
            check_sound(env)
        except ResetNeededError:  # the interrupt came during a reset
            env.reset()
    env.reset()
    play(env, 1)
    check_sound(env)


def play_until_interrupted(env: Environment, rng: np.ndarray, seconds: float) -> None:
    """Play game after game until the alarm clock interrupts, after so many ``seconds``."""
    with contextlib.suppress(KeyboardInterrupt):
        play_without_end(env, rng, seconds)


def play_without_end(env: Environment, rng: np.ndarray, seconds: float) -> None:
    """Set the alarm clock and play. A loop right inside a ``try`` of Python 3.13.0 lets some interrupts escape it."""
    signal.setitimer(signal.ITIMER_REAL, seconds)
    while True:
        while not env.game().over:
            env.step(sample_action(env.action_masks(), rng))
        env.reset()


# --- errors of others -----------------------------------------------------------------------------------------------


class Fragile:
    """Plays the first legal action until it breaks."""

    def __init__(self) -> None:
        self.broken = False

    def act(self, game: endeavor_env.Game) -> int:
        if self.broken:
            raise RuntimeError("broken")
        return game.legal_actions()[0]


def test_after_a_reset_of_an_opponent_failed_only_a_reset_helps() -> None:
    class Unwilling(Fragile):
        def reset(self, seed: int) -> None:
            if self.broken:
                raise RuntimeError("no reset")

    opponent = Unwilling()
    env = started(make_endeavor, players=3, opponents=opponent)
    opponent.broken = True
    with pytest.raises(RuntimeError, match="no reset"):
        env.reset(seed=2)
    for call in (lambda: env.step(0), env.action_masks, env.game, env.render):
        with pytest.raises(endeavor_env.errors.EndeavorError, match=r"after a reset that failed .* call reset\(\)"):
            call()
    opponent.broken = False
    env.reset(seed=2)
    play(env, 1)
    check_sound(env)


# --- what others can harm -------------------------------------------------------------------------------------------


def test_an_opponent_that_writes_into_its_mask_is_not_believed() -> None:
    def cheat(observation: dict[str, np.ndarray]) -> int:
        illegal = int(observation["action_mask"].argmin())
        observation["action_mask"][:] = 1
        observation["observation"][:] = 0
        return illegal

    env = make_endeavor(players=3, opponents=cheat, learner_seat=0)
    env.reset(seed=1, options={"first_player": 0})
    with pytest.raises(IllegalActionError, match="chose badly"):
        env.step(int(env.action_masks().argmax()))
    check_sound(env)


@pytest.mark.parametrize("make", [endeavor_v0.env, make_endeavor, make_endeavor_solo])
def test_a_reward_function_that_changes_its_argument_changes_nothing_else(make: Any) -> None:
    def sorting(scores: list[int]) -> list[float]:
        scores.sort()
        scores[0] = 1000
        return [0.5] * (1 if make is make_endeavor_solo else len(scores))

    env = started(make, 2, reward=sorting)
    play(env, 1, limit=10_000)
    game = env.game()
    assert game.over
    if isinstance(env, GameAECEnv):
        assert (env.result() or {})["scores"] == game.scores()
    env.reset(seed=2)
    steps: list[dict[str, Any]] = []
    rng = generator(1)
    while not isinstance(env, GameAECEnv) and not (steps and "scores" in steps[-1]):
        steps.append(env.step(sample_action(env.action_masks(), rng))[4])
    assert not steps or steps[-1]["scores"].tolist() == env.game().scores()
