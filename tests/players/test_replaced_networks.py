"""A network file that is replaced: its name then means the new network, and games under way keep the old one."""

from __future__ import annotations

import copy
import gc
import pickle
import shutil
import weakref
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from endeavor_env import Game
from endeavor_env.agents.registry import make_agent
from endeavor_env.endeavor import players
from endeavor_env.engine.batch.game_batch import Batch
from endeavor_env.engine.players import MOST_RECENT, CompiledPlayer
from endeavor_env.envs.endeavor import make_endeavor, make_endeavor_vector
from endeavor_env.envs.gym_env import GameEnv
from endeavor_env.errors import CheckpointError
from endeavor_env.search import Positions, rollout
from tests.kits.checkpoints import untrained_checkpoint
from tests.kits.networks import network_file

MOVES = 20


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the networks a.npz and b.npz, and a copy of the first as played.npz."""
    for seed, name in enumerate("ab"):
        network_file(tmp_path, name=name, seed=seed)
    replace(tmp_path, "a")
    return tmp_path


def replace(folder: Path, name: str) -> None:
    """Make played.npz a copy of another network."""
    for suffix in (".npz", ".json"):
        shutil.copyfile(folder / f"{name}{suffix}", folder / f"played{suffix}")


def moves_of_agent(name: str) -> list[int]:
    """Return the first moves of a game that an agent plays in all seats."""
    agent, game = make_agent(name), Game.new(3, seed=5)
    agent.reset(1)
    while len(game.history) < MOVES:
        game.apply(agent.act(game))
    return [action for _, action in game.history]


def moves_in_env(name: str) -> list[int]:
    """Return the first moves of a game against opponents of a name."""
    return played_on(make_endeavor(players=3, opponents=name, learner_seat=2, seed=5))


def played_on(env: GameEnv) -> list[int]:
    """Return the first moves of a new game of an environment, in which the learner makes its first legal ones."""
    env.reset(seed=5)
    while len(env.game().history) < MOVES:
        env.step(int(env.action_masks().argmax()))
    return [action for _, action in env.game().history][:MOVES]


def states_in_batches(name: str) -> bytes:
    """Return the positions of some games against opponents of a name after a few steps."""
    env = make_endeavor_vector(3, players=3, opponents=name)
    env.reset(seed=5)
    for _ in range(6):
        env.step(env.action_masks().argmax(axis=1))
    return env.batch.states.tobytes()


def rollout_scores(name: str) -> list[int]:
    """Return the scores of a game that a player plays to its end."""
    return rollout(Positions.of(Game.new(3, seed=5)), name, 0).scores[0, 0].tolist()


@pytest.mark.parametrize("form", ["value:{}.npz", "search:sims=2,network={}.npz"])
@pytest.mark.parametrize("found_by", [moves_of_agent, moves_in_env, states_in_batches, rollout_scores])
def test_the_name_means_the_new_network(folder: Path, form: str, found_by: object) -> None:
    assert callable(found_by)
    played = form.format(folder / "played")
    before = found_by(played)
    replace(folder, "b")
    after = found_by(played)
    assert before == found_by(form.format(folder / "a"))
    assert after == found_by(form.format(folder / "b"))
    assert before != after


def test_so_do_the_names_of_checkpoints(tmp_path: Path) -> None:
    path = untrained_checkpoint(tmp_path, "standard", activation="relu")
    before = players.player_of(f"policy:{path}")
    assert players.player_of(f"policy:{path}") is before  # not made again while nothing changes
    card = path.with_suffix(".json")
    card.write_text(card.read_text(encoding="utf-8").replace('"steps": 0', '"steps": 1'), encoding="utf-8")
    after = players.player_of(f"policy:{path}")
    assert after is not before
    assert after != before


def test_games_under_way_keep_the_network_they_began_with(folder: Path) -> None:
    name = f"value:{folder / 'played'}.npz"
    env = make_endeavor(players=3, opponents=name, learner_seat=2)
    vector = make_endeavor_vector(1, players=3, opponents=name, learner_seat=2)
    replace(folder, "b")
    old = moves_in_env(f"value:{folder / 'a'}.npz")
    assert played_on(env) == old
    assert played_on(copy.deepcopy(env)) == old
    vector.reset(seed=5)
    vector.set_opponents(name)  # the new one, for games that start from now on
    assert len(roster(vector.batch)) == 2


def test_what_nobody_plays_any_more_is_forgotten(folder: Path) -> None:
    name = f"value:{folder / 'played'}.npz"
    env = make_endeavor_vector(2, players=3, opponents=name)
    first = weakref.ref(next(iter(roster(env.batch).values())))
    for seed in range(2 * MOST_RECENT):
        network_file(folder, name="played", seed=seed)
        env.set_opponents({name: 1, "greedy": 1})
        assert len(roster(env.batch)) == 2
        network_file(folder, name=f"other_{seed}", seed=seed)
        players.player_of(f"value:{folder / f'other_{seed}'}.npz")
        assert len(players.PLAYERS._recent) <= MOST_RECENT
    gc.collect()
    assert first() is None
    env.reset(seed=1)
    env.step(env.action_masks().argmax(axis=1))


def roster(batch: Batch) -> Mapping[int, CompiledPlayer]:
    """Return the compiled players that a batch holds."""
    return batch._players._players


def test_a_pickle_is_refused_when_its_network_was_replaced(folder: Path) -> None:
    name = f"value:{folder / 'played'}.npz"
    env = make_endeavor_vector(2, players=3, opponents=["greedy", name])
    env.reset(seed=5)
    stored = pickle.dumps(env)
    again = pickle.loads(stored)
    for one in (env, again):
        one.step(one.action_masks().argmax(axis=1))
    assert env.batch.states.tobytes() == again.batch.states.tobytes()
    replace(folder, "b")
    with pytest.raises(CheckpointError, match="is another one than was pickled: its file was replaced since then"):
        pickle.loads(stored)


def test_codes_belong_to_the_games_not_to_the_process(folder: Path) -> None:
    first = make_endeavor_vector(1, players=3, opponents=["automa", "greedy"])
    second = make_endeavor_vector(1, players=3, opponents=["greedy", "automa"])
    assert [sorted(roster(env.batch)) for env in (first, second)] == [[2, 3], [2, 3]]
    assert np.array_equal(first.batch.tables["opponents"], second.batch.tables["opponents"])
    assert roster(first.batch)[2].name == roster(second.batch)[3].name == "automa"
