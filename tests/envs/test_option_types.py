"""Options are given as sequences, mappings and values of any library: OmegaConf's lists, NumPy's names and numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

import gymnasium
import numpy as np
import pytest

from endeavor_env import Game, endeavor_v0
from endeavor_env.endeavor.declaration import GYMNASIUM_ID, GYMNASIUM_SOLO_ID
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.text.among_agents import AgentTable
from endeavor_env.engine.game import GameConfig as AnyConfig
from endeavor_env.engine.players_info import PlayersInfo
from endeavor_env.engine.search.positions import Positions
from endeavor_env.engine.search.rollouts import rollout
from endeavor_env.errors import InvalidOptionError
from endeavor_env.merchants.declaration import GYMNASIUM_ID as GYMNASIUM_MERCHANTS_ID
from endeavor_env.sb3 import EndeavorVecEnv
from tests.toy_game.rules import TOY_GAME

# Types of other libraries are what is tried here, which Gymnasium's signature does not name.
make_vec: Any = gymnasium.make_vec


class Listed(Sequence[Any]):
    """A list of a configuration library."""

    def __init__(self, values: Sequence[Any]) -> None:
        self._values = list(values)

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, place: Any) -> Any:
        return self._values[place]


class Mapped(Mapping[str, Any]):
    """A dictionary of a configuration library."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = dict(values)

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


class Name(StrEnum):
    BEST = "greedy"
    DICE = "random"


def arrayed(values: Sequence[Any]) -> np.ndarray:
    """Return an array with one axis, of objects where NumPy has no type for them."""
    if all(isinstance(value, str | int) for value in values):
        return np.array(values)
    array = np.empty(len(values), object)
    array[:] = values
    return array


SEQUENCES = pytest.mark.parametrize("several", [list, tuple, Listed, arrayed], ids=["list", "tuple", "own", "array"])
EXPLOITS = ["sun", "pirates"]
NO_LISTS: list[Any] = [np.array([["sun"]]), {"sun": 1}, b"sun", 3]


@SEQUENCES
@pytest.mark.parametrize(
    "make",
    [
        lambda **given: gymnasium.make(GYMNASIUM_ID, **given),
        lambda **given: make_vec(GYMNASIUM_ID, num_envs=2, **given),
        lambda **given: EndeavorVecEnv(GYMNASIUM_ID, 2, **given),
        endeavor_v0.env,
        endeavor_v0.parallel_env,
        GameConfig,
        Game.new,
    ],
    ids=["make", "make_vec", "sb3", "aec", "parallel", "config", "game"],
)
def test_exploits_are_any_sequence_of_names(make: Callable[..., Any], several: Callable[[Any], Any]) -> None:
    assert make(exploits=several(EXPLOITS), options=Mapped({"exploit_discs": np.int64(30)})) is not None


@SEQUENCES
@pytest.mark.parametrize("id_", [GYMNASIUM_ID, GYMNASIUM_MERCHANTS_ID])
def test_opponents_are_any_sequence_of_names(id_: str, several: Callable[[Any], Any]) -> None:
    names = several(["greedy", "random"])
    first = gymnasium.make(id_, players=3, opponents=names).reset(seed=2)[0]
    alike = gymnasium.make(id_, players=3, opponents=["greedy", "random"]).reset(seed=2)[0]
    assert np.array_equal(first["observation"], alike["observation"])
    vectors = make_vec(id_, num_envs=2, players=3, opponents=names)
    vectors.unwrapped.set_opponents(names)
    vectors.reset(seed=2)
    EndeavorVecEnv(id_, 2, players=3, opponents=names).reset()


def test_opponents_are_names_of_an_enumeration() -> None:
    for opponents in (Name.BEST, [Name.BEST, Name.DICE]):
        gymnasium.make(GYMNASIUM_ID, players=3, opponents=opponents).reset(seed=1)
        make_vec(GYMNASIUM_ID, num_envs=2, players=3, opponents=opponents).reset(seed=1)
    mix = {Name.BEST: np.float32(0.5), Name.DICE: np.int64(1)}
    make_vec(GYMNASIUM_ID, num_envs=2, opponents=mix).reset(seed=1)


def test_an_opponent_that_acts_may_be_a_sequence_itself() -> None:
    class Agent(tuple[int]):
        def act(self, game: Game) -> int:
            return game.legal_actions()[self[0]]

    gymnasium.make(GYMNASIUM_ID, players=4, opponents=Agent((0,))).reset(seed=1, options={"first_player": 1})


@SEQUENCES
def test_kinds_of_games_boards_and_difficulties_are_any_sequence(several: Callable[[Any], Any]) -> None:
    kinds = [Mapped({"players": np.int64(3)}), Mapped({"variant": np.str_("solo"), "options": Mapped({})})]
    games = make_vec(GYMNASIUM_ID, num_envs=4, games=several(kinds))
    assert [kind.players for kind in games.unwrapped.games] == [3, 1]
    boards = make_vec(GYMNASIUM_ID, num_envs=2, board=several(["endeavor_2009", "generated_1"]))
    assert [kind.board.id for kind in boards.unwrapped.games] == ["endeavor_2009", "generated_1"]
    solo = make_vec(GYMNASIUM_SOLO_ID, num_envs=2, difficulty=several(["easier", "harder"]))
    assert [kind.options["difficulty"] for kind in solo.unwrapped.games] == ["easier", "harder"]


@SEQUENCES
def test_options_of_a_reset_are_any_sequence(several: Callable[[Any], Any]) -> None:
    games = make_vec(GYMNASIUM_ID, num_envs=3, learner_seat="rotate")
    _, infos = games.reset(seed=several([1, 2, 3]), options=Mapped({"learner_seat": several([2, 1, 0])}))
    assert infos["seat"].tolist() == [2, 1, 0]
    adapter = EndeavorVecEnv(GYMNASIUM_ID, 2)
    adapter.set_options(several([Mapped({"learner_seat": 1}), Mapped({"learner_seat": 2})]))
    adapter.reset()
    assert [info["seat"] for info in adapter.reset_infos] == [1, 2]
    setup = Game.new(players=3, seed=4).setup()
    given = {name: several(value) if isinstance(value, list) else value for name, value in setup.items()}
    assert Game.new(players=3, setup=given).setup() == setup


@SEQUENCES
def test_other_lists_are_any_sequence(several: Callable[[Any], Any]) -> None:
    seated = several(["greedy", "random"])
    rollout(Positions.of(Game.new(variant="soloplay_2", seed=1)), seated, 1)
    assert (
        PlayersInfo.of(several(["one", "two"])).to_dict()["seats"] == PlayersInfo.of(["one", "two"]).to_dict()["seats"]
    )
    AgentTable(Game.new(players=3, seed=1), 0, seated)
    assert AnyConfig(TOY_GAME, options=several([1, 2])).options[:2].tolist() == [1, 2]


def test_values_of_options_are_numpys_too() -> None:
    env = gymnasium.make(
        GYMNASIUM_ID, players=np.int64(3), flat=np.bool_(True), reward=np.str_("margin"), learner_seat=np.int64(1),
        max_cycles=np.int32(500), illegal_reward=np.float32(-1), seed=np.uint32(7), observation=np.str_("compact"),
        shaping=Mapped({"gamma": np.float32(0.5), "weight": np.int64(2)}),
    )  # fmt: skip
    assert env.reset()[0].dtype == np.int8
    solo = {"solo_ignore_industry": np.bool_(True), "difficulty": Name.DICE}
    with pytest.raises(InvalidOptionError, match="difficulty"):
        gymnasium.make(GYMNASIUM_SOLO_ID, **solo)
    gymnasium.make(GYMNASIUM_SOLO_ID, solo_ignore_industry=np.bool_(True), difficulty=np.str_("harder"))
    make_vec(GYMNASIUM_ID, num_envs=np.int64(2), copy=np.bool_(False), threads=np.int16(1))


def test_what_is_no_list_is_refused_by_name() -> None:
    for given in NO_LISTS:
        with pytest.raises(InvalidOptionError, match="exploits"):
            Game.new(exploits=given)
    for config in (3, [], ["toy"]):
        with pytest.raises(InvalidOptionError, match="config"):
            EndeavorVecEnv(config, 2)  # type: ignore[arg-type]
