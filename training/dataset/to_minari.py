"""A dataset as a Minari dataset: an episode is the decisions of one seat in one game.

This is what ``Endeavor-v0`` (``EndeavorSolo-v0``) shows its learner. With T decisions of the seat an episode has T + 1
observations: those of the decisions, then what the seat sees when the game is over, with a mask of ones. The rewards
are 0 up to the last decision, which brings the outcome and terminates the episode. ``seed`` and ``options`` of an
episode reset an environment to the same set-up with the learner in the same seat.
"""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.agents.games import config_of
from endeavor_env.endeavor.declaration import GYMNASIUM_ID, GYMNASIUM_SOLO_ID
from endeavor_env.endeavor.players import RANDOM, is_player
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.setups import SOLO, STANDARD
from endeavor_env.engine.games import game_in
from endeavor_env.errors import DatasetError, InvalidOptionError, MissingLibraryError, shown
from endeavor_env.training.dataset.reading import Dataset, Shard

_ID = re.compile(r"([\w-]+/)*[\w-]+-v\d+")


def load_minari() -> Any:
    """Return the library; raise MissingLibraryError if it, or h5py, is not installed."""
    try:
        importlib.import_module("h5py")
        return importlib.import_module("minari")
    except ImportError as error:
        raise MissingLibraryError(
            "a Minari dataset needs minari and h5py: install them with pip install 'endeavor-env[data]'"
        ) from error


def check_minari(dataset_id: str, agent: str | None, agents: Sequence[str], force: bool) -> None:
    """Check before hours of play what ``write_minari`` needs.

    Raises:
        MissingLibraryError: Minari or h5py is not installed.
        InvalidOptionError: An impossible id, one that exists (unless ``force``), or an agent that does not play.
    """
    minari = load_minari()
    if not _ID.fullmatch(dataset_id):
        raise InvalidOptionError(
            f"Minari dataset {shown(dataset_id)} is not possible: write its id as in endeavor/greedy-v0"
        )
    if agent is not None and agent not in agents:
        raise InvalidOptionError(f"agent {shown(agent)} plays no game of the dataset: these do: {', '.join(agents)}")
    if dataset_id in minari.list_local_datasets() and not force:
        raise InvalidOptionError(
            f"the Minari dataset {dataset_id} exists already: give another id, or --force to replace it"
        )


def write_minari(dataset: Dataset, dataset_id: str, agent: str | None = None, force: bool = False) -> Any:
    """Write a dataset as a Minari dataset under Minari's own folder (``MINARI_DATASETS_PATH``), and return it.

    Args:
        dataset: A complete dataset.
        dataset_id: Its id, such as "endeavor/greedy-v0".
        agent: Only the episodes of this agent, by its name; None for those of every seat.
        force: Replace a Minari dataset of the same id.

    Raises:
        MissingLibraryError: Minari or h5py is not installed.
        InvalidOptionError: The id is not possible or exists, or there are no episodes of the agent.
        DatasetError: The dataset is not complete, or a shard cannot be read.
    """
    check_minari(dataset_id, agent, dataset.agents, force)
    if not dataset.complete:
        raise DatasetError(f"the dataset in {dataset.path} is not complete: go on with {dataset.card['command']}")
    minari, spec = load_minari(), environment_of(dataset, agent)
    if dataset_id in minari.list_local_datasets():
        minari.delete_dataset(dataset_id)
    written = None
    for shard in dataset:
        buffers = list(episodes(dataset, shard, agent))
        if not buffers:
            continue
        if written is None:
            written = _create(minari, dataset, dataset_id, buffers, spec, agent)
        else:
            written.update_dataset_from_buffer(buffers)
    return minari.load_dataset(dataset_id)


def _create(minari: Any, dataset: Dataset, dataset_id: str, buffers: list[Any], spec: Any, agent: str | None) -> Any:
    """Return a new Minari dataset with the first episodes."""
    observations, actions = _spaces(dataset)
    title = game_in(dataset.card["settings"].get("game")).title
    who = ", ".join(dataset.agents if agent is None else [agent])
    made_by = f"{dataset.card['command']} (endeavor-env {dataset.card['package_version']})"
    with warnings.catch_warnings():  # Minari warns that no author is named, and no environment if there is none
        warnings.filterwarnings("ignore", category=UserWarning, module="minari")
        return minari.create_dataset_from_buffers(
            dataset_id,
            buffers,
            env=spec,
            observation_space=observations,
            action_space=actions,
            algorithm_name=who,
            description=f"Games of {title}, an episode for each seat of {who}. Made by {made_by}",
        )


def _spaces(dataset: Dataset) -> tuple[Any, Any]:
    """Return the spaces of observations and actions, as the environments have them."""
    from gymnasium import spaces

    layout, number = dataset.layout, dataset.num_actions
    low: Any = layout.low
    high: Any = layout.high
    kind: Any = np.dtype(layout.dtype).type
    vector = spaces.Box(low, high, dtype=kind)
    mask = spaces.Box(0, 1, (number,), np.int8)
    return spaces.Dict({"observation": vector, "action_mask": mask}), spaces.Discrete(number)


def episodes(dataset: Dataset, shard: Shard, agent: str | None = None) -> Iterator[Any]:
    """Yield the episode of every seat, in the order of games and seats, as ``minari.EpisodeBuffer``."""
    buffer = load_minari().data_collector.EpisodeBuffer
    rows_of_games = {number: row for row, number in enumerate(shard.game_numbers.tolist())}
    for last, (game, seat) in enumerate(zip(shard.last_games.tolist(), shard.last_seats.tolist(), strict=True)):
        row = rows_of_games[game]
        if agent is not None and dataset.agents[shard.game_agents[row, seat]] != agent:
            continue
        made = np.flatnonzero((shard.games == game) & (shard.seats == seat))
        if not made.size:
            continue
        solo = dataset.kinds[shard.game_kinds[row]]["variant"] == SOLO
        yield buffer(
            seed=int(shard.game_seeds[row]),
            options=None if solo else {"learner_seat": seat},
            observations=_observations(shard, made, last),
            actions=shard.actions[made].astype(np.int64),  # type: ignore[arg-type]
            rewards=[0.0] * (made.size - 1) + [float(shard.outcomes[made[-1]])],
            terminations=[False] * (made.size - 1) + [True],
            truncations=[False] * made.size,
        )


def _observations(shard: Shard, made: npt.NDArray[np.int64], last: int) -> dict[str, npt.NDArray[Any]]:
    """Return the observations of an episode: of its decisions, then the last one with a mask of ones."""
    vectors = np.concatenate([shard.observations[made], shard.last_observations[last : last + 1]])
    masks = np.ones((made.size + 1, shard.num_actions), np.int8)
    masks[:-1] = shard.legal(made)
    return {"observation": vectors, "action_mask": masks}


def environment_of(dataset: Dataset, agent: str | None = None) -> Any:
    """Return the ``EnvSpec`` of the environment in which the episodes could have been played; None if there is none.

    There is one if all games are of one kind and one difficulty, and if in every episode all opponents are the same
    compiled player. Players that draw random numbers, ``greedy`` among equal moves included, draw others there, so that
    their games do not repeat.
    """
    if len(dataset.kinds) > 1:
        return None
    kind, settings = dataset.kinds[0], dataset.card["settings"]
    if "game" in settings:
        return _spec_of_game(kind, settings, agent)
    common = {"observation": settings["observation"], "reward": settings["reward"], "board": settings["boards"][0]}
    if kind["variant"] == SOLO:
        if len(kind["difficulties"]) > 1:
            return None
        options = {**kind["options"], "difficulty": kind["difficulties"][0]}
        return _spec(GYMNASIUM_SOLO_ID, {**common, **options})
    opponents = _opponents(kind, agent)
    if len(opponents) > 1 or not all(is_player(name) for name in opponents):
        return None
    played = {"players": len(kind["agents"]), "opponents": opponents.pop()}
    if kind["variant"] == c.VARIANT_NAMES[c.VARIANT_EXPLOITS]:
        return _spec(
            GYMNASIUM_ID, {**common, **played, "variant": STANDARD, "exploits": "random", "options": kind["options"]}
        )
    return _spec(GYMNASIUM_ID, {**common, **played, "variant": kind["variant"], "options": kind["options"]})


def _opponents(kind: dict[str, Any], agent: str | None) -> set[str]:
    """Return everybody whom an agent, None for any, meets at the table of a kind of game."""
    return {
        other
        for position, learner in enumerate(kind["agents"])
        if agent in (None, learner)
        for place, other in enumerate(kind["agents"])
        if place != position
    }


def _spec_of_game(kind: dict[str, Any], settings: dict[str, Any], agent: str | None) -> Any:
    """Return the spec of another game than Endeavor; None where no environment plays it, and if opponents differ."""
    game, opponents = game_in(settings["game"]), _opponents(kind, agent)
    played, environment = game.environment_options(kind), game.environment_of(kind["variant"])
    players = config_of(kind["variant"]).rules.players
    known = {name for name in opponents if name == RANDOM or players.find(name) is not None}
    if environment is None or played is None or len(opponents) > 1 or opponents - known:
        return None
    common = {"observation": settings["observation"], "reward": settings["reward"], "players": len(kind["agents"])}
    return _spec(environment, {**common, "opponents": opponents.pop(), **played})


def _spec(name: str, arguments: dict[str, Any]) -> Any:
    """Return the spec of an environment with constructor arguments."""
    import gymnasium

    import endeavor_env  # noqa: F401 (registers the environments)

    env = gymnasium.make(name, **arguments)
    env.close()
    return env.spec
