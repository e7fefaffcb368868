"""Objects that several threads share: one thread at a time may be inside, another gets a named error."""

from __future__ import annotations

import copy
import pickle
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest

import endeavor_env
from endeavor_env import Game, endeavor_v0, merchants_v0
from endeavor_env.agents.players.player_agent import make_player_agent
from endeavor_env.agents.registry import make_agent
from endeavor_env.basics.thread_guard import NOBODY, OverlappingCallsError, ThreadGuard
from endeavor_env.endeavor.text.among_agents import AgentTable
from endeavor_env.endeavor.text.table import TextTable
from endeavor_env.engine.batch.game_batch import Batch
from endeavor_env.envs.endeavor import make_endeavor_vector
from endeavor_env.envs.merchants import make_merchants_vector
from endeavor_env.errors import EndeavorError, IllegalActionError
from endeavor_env.merchants.game import MerchantsGame
from endeavor_env.sb3 import EndeavorVecEnv
from endeavor_env.search import Positions, rollout

ANSWER_SECONDS = 60
"""A thread that has not answered after this time hangs."""
Calls = dict[str, Callable[[Any], Any]]


def first_legal(mask: np.ndarray) -> int:
    """Return the first legal action of a mask."""
    return int(np.flatnonzero(mask)[0])


def vector_env(kind: Any) -> Any:
    """Return a vector environment in its first games."""
    env = kind(2, players=3)
    env.reset(seed=1)
    return env


def gym_env(env_id: str) -> Any:
    """Return an environment without wrappers, in its first game."""
    env = gymnasium.make(env_id, render_mode="ansi").unwrapped
    env.reset(seed=1)
    return env


def agents_env(module: Any) -> Any:
    """Return an AEC environment in its first game."""
    env = module.env(render_mode="ansi")
    env.reset(seed=1)
    return env


def parallel_env(module: Any) -> Any:
    """Return a parallel environment in its first game."""
    env = module.parallel_env()
    env.reset(seed=1)
    return env


def batch() -> Batch:
    """Return the batch of a vector environment in its first games."""
    env = make_endeavor_vector(3, players=3)
    env.reset(seed=1)
    return env.batch


def sb3_env(env_id: str) -> EndeavorVecEnv:
    """Return an environment for Stable-Baselines3 in its first games."""
    env = EndeavorVecEnv(env_id, 2)
    env.reset()
    return env


GYM: Calls = {
    "reset": lambda env: env.reset(seed=2),
    "step": lambda env: env.step(first_legal(env._table.mask)),
    "action_masks": lambda env: env.action_masks(),
    "game": lambda env: env.game(),
    "render": lambda env: env.render(),
    "close": lambda env: env.close(),
}
AEC: Calls = {
    **GYM,
    "last": lambda env: env.last(),
    "observe": lambda env: env.observe("player_0"),
    "state": lambda env: env.state(),
    "result": lambda env: env.result(),
    "infos": lambda env: env.infos,
}
PARALLEL: Calls = {
    "reset": lambda env: env.reset(seed=2),
    "step": lambda env: env.step({agent: first_legal(env.aec_env._table.mask) for agent in env.agents}),
}
VECTOR: Calls = {
    "reset": lambda env: env.reset(seed=1),
    "step": lambda env: env.step(env.batch.masks().argmax(axis=1)),
    "action_masks": lambda env: env.action_masks(),
}
BATCH: Calls = {
    "masks": lambda batch: batch.masks(),
    "observe": lambda batch: batch.observe(),
    "leads": lambda batch: batch.leads(),
    "check": lambda batch: batch.check(batch.masks().argmax(axis=1), False, False),
    "turn": lambda batch: batch.turn(),
    "restart": lambda batch: batch.restart(np.arange(3)),
    "sample": lambda batch: batch.sample(np.ones((3, 1), np.uint64), np.zeros(3, np.int64)),
}
SB3: Calls = {
    "reset": lambda env: env.reset(),
    "step": lambda env: env.step(env.action_masks().argmax(axis=1)),
}
POSITIONS: Calls = {
    "masks": lambda positions: positions.masks(),
    "step": lambda positions: positions.step(positions.masks().argmax(axis=1)),
    "expand": lambda positions: positions.expand(),
    "observe": lambda positions: positions.observe(),
    "scores": lambda positions: positions.scores(),
    "copy": lambda positions: positions.copy(),
    "rollout": lambda positions: rollout(positions, "random", 1),
}
DRAWING: Calls = {
    **POSITIONS,
    "draw": lambda positions: positions.draw(1),
    "resample": lambda positions: positions.resample(None, 1),
}
AGENT: Calls = {"reset": lambda agent: agent.reset(1), "act": lambda agent: agent.act(Game.new(seed=1))}
MERCHANT: Calls = {"reset": lambda agent: agent.reset(1), "act": lambda agent: agent.act(MerchantsGame.new(seed=1))}
TEXT: Calls = {"answer": lambda table: table.answer(table.game.legal_moves()[0])}
ADVISING: Calls = {**AGENT, "expect": lambda agent: agent.expect(Game.new(seed=1))}

OBJECTS: dict[str, tuple[Callable[[], Any], Calls]] = {
    "Endeavor-v0": (lambda: gym_env("Endeavor-v0"), GYM),
    "EndeavorSolo-v0": (lambda: gym_env("EndeavorSolo-v0"), GYM),
    "Merchants-v0": (lambda: gym_env("Merchants-v0"), GYM),
    "endeavor_v0": (lambda: agents_env(endeavor_v0), AEC),
    "merchants_v0": (lambda: agents_env(merchants_v0), AEC),
    "endeavor_v0 parallel": (lambda: parallel_env(endeavor_v0), PARALLEL),
    "merchants_v0 parallel": (lambda: parallel_env(merchants_v0), PARALLEL),
    "batch": (batch, BATCH),
    "vector": (lambda: vector_env(make_endeavor_vector), VECTOR),
    "vector of Merchants": (lambda: vector_env(make_merchants_vector), VECTOR),
    "sb3": (lambda: sb3_env("Endeavor-v0"), SB3),
    "sb3 of Merchants": (lambda: sb3_env("Merchants-v0"), SB3),
    "positions": (lambda: Positions.of(Game.new(seed=1), 3), POSITIONS),
    "positions of Merchants": (lambda: Positions.of(MerchantsGame.new(seed=1), 3), DRAWING),
    "greedy": (lambda: make_agent("greedy"), AGENT),
    "policy": (lambda: make_agent("policy"), AGENT),
    "value": (lambda: make_agent("value"), ADVISING),
    "search": (lambda: make_agent("search:sims=4"), ADVISING),
    "greedy of Merchants": (lambda: make_player_agent(MerchantsGame.new().rules, "greedy"), MERCHANT),
    "tree of Merchants": (lambda: make_player_agent(MerchantsGame.new().rules, "tree:sims=4"), MERCHANT),
    "program": (lambda: make_agent("code:docs/clients/code_player.py,seconds=60"), AGENT),
    "text": (lambda: TextTable(Game.new(seed=1)), TEXT),
    "text among agents": (lambda: AgentTable(Game.new(seed=1)), TEXT),
}


@pytest.mark.parametrize("name", list(OBJECTS))
def test_every_call_of_a_second_thread_is_refused_and_later_works(name: str) -> None:
    make, calls = OBJECTS[name]
    shared = make()
    inside, leave = threading.Event(), threading.Event()

    def stay() -> None:
        with shared._guard.entered("step"):
            inside.set()
            leave.wait(ANSWER_SECONDS)

    other = threading.Thread(target=stay)
    other.start()
    assert inside.wait(ANSWER_SECONDS)
    refused: dict[str, str] = {}
    for asked, call in calls.items():
        try:
            call(shared)
        except OverlappingCallsError as error:
            refused[asked] = str(error)
    leave.set()
    other.join(ANSWER_SECONDS)
    assert refused.keys() == calls.keys()
    assert all("another thread is inside step() of this object; give each" in text for text in refused.values())
    for call in calls.values():
        call(shared)


@pytest.fixture
def often() -> Iterator[None]:
    """Let Python change threads after about every call."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def hammer(work: Callable[[np.random.Generator], str], times: int) -> Counter[str]:
    """Let four threads do some work, and return how often it ended how; other errors than ours are raised."""
    ends: Counter[str] = Counter()
    raised: list[BaseException] = []

    def run(seed: int) -> None:
        rng = np.random.default_rng(seed)
        for _ in range(times):
            try:
                ends[work(rng)] += 1
            except EndeavorError as error:
                ends[type(error).__name__] += 1
            except BaseException as error:
                raised.append(error)

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(ANSWER_SECONDS)
    if raised:
        raise raised[0]
    assert ends.total() == 4 * times
    return ends


def played(game: Game, rng: np.random.Generator, moves: int) -> Game:
    """Return a game after some random moves."""
    for _ in range(moves):
        if not game.over:
            game.apply(int(rng.choice(game.legal_actions())))
    return game


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("name", ["random", "automa", "greedy", "value", "advised", "policy", "search:sims=6"])
def test_an_agent_that_four_threads_share_plays_right_moves_or_refuses(name: str) -> None:
    shared = make_agent(name)

    def decide(rng: np.random.Generator) -> str:
        game = played(Game.new(seed=int(rng.integers(100))), rng, int(rng.integers(40)))
        return "legal" if shared.act(game) in game.legal_actions() else "illegal"

    ends = hammer(decide, 30)
    assert ends["legal"]
    assert ends.keys() <= {"legal", "OverlappingCallsError"}


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("opponents", ["random", "greedy", "value"])
@pytest.mark.parametrize("env_id", ["Endeavor-v0", "Merchants-v0"])
def test_threads_in_one_gymnasium_environment_get_named_errors_alone(env_id: str, opponents: str) -> None:
    env: Any = gymnasium.make(env_id, opponents=opponents, illegal_action="raise").unwrapped
    env.reset(seed=1)

    def step(rng: np.random.Generator) -> str:
        _, _, terminated, truncated, _ = env.step(int(rng.choice(np.flatnonzero(env.action_masks()))))
        if terminated or truncated:
            env.reset()
        return "step"

    ends = hammer(step, 30)
    assert ends["step"]
    # Between masks and step of one thread another one may make a move, and a last one: that is no overlap.
    assert ends.keys() <= {"step", "OverlappingCallsError", "IllegalActionError", "GameOverError"}
    game = env.game()
    assert endeavor_env.replay(game.record()).scores() == game.scores() if env_id == "Endeavor-v0" else game.scores()


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("module", [endeavor_v0, merchants_v0], ids=["endeavor", "merchants"])
@pytest.mark.parametrize("parallel", [False, True])
def test_threads_in_one_pettingzoo_environment_get_named_errors_alone(module: Any, parallel: bool) -> None:
    shared: Any = parallel_env(module) if parallel else agents_env(module)
    table = (shared.aec_env if parallel else shared)._table

    def step(rng: np.random.Generator) -> str:
        if table.over:
            shared.reset()
        action = int(rng.choice(np.flatnonzero(table.mask.copy())))
        if not parallel:
            shared.last()
        shared.step(dict.fromkeys(shared.possible_agents, action) if parallel else action)
        return "step"

    ends = hammer(step, 100)
    assert ends["step"]
    assert ends.keys() <= {"step", "OverlappingCallsError", "GameOverError"}


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("make", [Game.new, MerchantsGame.new])
def test_moves_that_threads_make_in_one_game_stand_in_the_order_in_which_they_were_made(make: Any) -> None:
    for seed in range(5):
        game = make(seed=seed)

        def move(rng: np.random.Generator, game: Any = game) -> str:
            legal = game.legal_actions()
            if legal:
                game.apply(int(rng.choice(legal)))
            return "move"

        ends = hammer(move, 30)
        assert ends.keys() <= {"move", "OverlappingCallsError", "IllegalActionError", "GameOverError"}
        again = game.at_move(0)
        for seat, action in game.history[len(again.history) :]:
            assert again.seat == seat
            again.apply(action, draws=False)
        assert again.state.tobytes() == game.state.tobytes()


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("make", [OBJECTS["positions"][0], OBJECTS["positions of Merchants"][0]])
def test_positions_that_threads_step_stay_positions_of_games(make: Callable[[], Any]) -> None:
    shared = make()

    def step(rng: np.random.Generator) -> str:
        masks = shared.masks()
        shared.step(np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else -1 for mask in masks]))
        return "step"

    ends = hammer(step, 60)
    assert ends["step"]
    assert ends.keys() <= {"step", "OverlappingCallsError", "IllegalActionError", "GameOverError"}
    assert (rollout(shared, "random", 1).over).all()


def test_threads_that_take_turns_are_never_refused() -> None:
    env, agent, lock = gym_env("Merchants-v0"), make_agent("greedy"), threading.Lock()

    def step(rng: np.random.Generator) -> str:
        with lock:
            agent.act(Game.new(seed=int(rng.integers(9))))
            if env.step(first_legal(env.action_masks()))[2]:
                env.reset()
        return "step"

    assert hammer(step, 20).keys() == {"step"}


def test_an_opponent_and_a_reward_function_may_look_at_the_environment_that_asks_them() -> None:
    seen: list[Any] = []

    def opponent(observation: Any) -> int:
        unwrapped: Any = env.unwrapped
        seen.append(unwrapped._guard.caller)
        env.unwrapped.observation_space.contains(observation)
        env.unwrapped.close()
        return first_legal(observation["action_mask"])

    env = gymnasium.make("Endeavor-v0", players=3, opponents=opponent)
    env.reset(seed=1)
    env.step(first_legal(env.get_wrapper_attr("action_masks")()))
    assert set(seen) == {threading.get_ident()}

    def reward(scores: Any) -> list[float]:
        if table and table[0].agents:
            seen.append(table[0].possible_agents)
            table[0].observation_space("player_0")
            table[0].close()
        return [0.0] * len(scores)

    table: list[Any] = []
    table.append(endeavor_v0.env(players=3, reward=reward))
    table[0].reset(seed=1)
    for _ in table[0].agent_iter():
        observation, _, over, cut, _ = table[0].last()
        table[0].step(None if over or cut else first_legal(observation["action_mask"]))
    assert seen[-1] == ["player_0", "player_1", "player_2"]


def test_a_call_that_fails_leaves_nobody_inside() -> None:
    env: Any = gymnasium.make("Endeavor-v0", illegal_action="raise").unwrapped
    env.reset(seed=1)
    with pytest.raises(IllegalActionError):
        env.step(first_legal(1 - env.action_masks()))
    assert env._guard.caller == NOBODY
    game = Game.new(seed=1)
    with pytest.raises(IllegalActionError):
        game.apply(first_legal(1 - game.mask().view(np.int8)))
    game.apply(game.legal_actions()[0])


def test_nobody_is_inside_of_a_copy_that_is_made_inside() -> None:
    guard = ThreadGuard()
    with guard.entered("step"):
        assert copy.deepcopy(guard).caller == pickle.loads(pickle.dumps(guard)).caller == NOBODY
    positions = Positions.of(Game.new(seed=1), 2)
    with positions._guard.entered("step"):
        copies = positions.copy(), copy.deepcopy(positions), pickle.loads(pickle.dumps(positions))
    for one in copies:
        assert one._guard is not positions._guard
        assert one._guard.caller == NOBODY
    for game in (Game.new(seed=1), MerchantsGame.new(seed=1)):
        game._moving = True
        for other in (game.clone(), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
            other.apply(other.legal_actions()[0])
