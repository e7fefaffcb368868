"""The games of a dataset: played by the matches of ``agents``, and turned into arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env import Game
from endeavor_env.agents.matches.match import by_seat, match_of
from endeavor_env.agents.matches.series import Series
from endeavor_env.agents.matches.solo import SoloMatch
from endeavor_env.agents.registry import agents_for
from endeavor_env.basics.inputs import derived_seed
from endeavor_env.endeavor.config import GameConfig
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.observation import Layout
from endeavor_env.endeavor.rewards import reward_function
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.setups import SOLO
from endeavor_env.engine.base_game import BaseGame
from endeavor_env.engine.game import RailsGame
from endeavor_env.engine.kernels.rules import CHANCE
from endeavor_env.engine.rewards import named_rewards
from endeavor_env.errors import EndeavorError
from endeavor_env.training.dataset.settings import GameKind, Settings, names_of, plan
from endeavor_env.training.dataset.shards import Shard, shapes_of

_OBSERVE = {"f": entry.observe_features, "i": entry.observe_compact}
"""The kernel that writes an observation, by the kind of its type."""


class PlayedGame(NamedTuple):
    """A finished game of a dataset."""

    game: Game | RailsGame
    kind: int
    """Index of its kind."""
    setup: int
    agents: tuple[int, ...]
    """The agent in each seat, numbered as in ``names_of``."""


class DatasetGames:
    """Plays the set-ups of a dataset. What a game is depends on the settings and its number alone.

    Attributes:
        kinds: The kinds of game.
        plan: How the games are divided.
        layout_variant: The variant whose action ids and observations every row has.
        layout: The layout of the observations.
    """

    def __init__(self, settings: Settings) -> None:
        """Check all settings and make the agents; raise the errors of ``Settings.kinds`` and of the matches."""
        self.kinds = settings.kinds()
        self.plan = plan(settings, self.kinds)
        self.layout_variant, self.layout = settings.layout()
        self._settings = settings
        self._names = names_of(self.kinds)
        self._series = [self._match(number, kind) for number, kind in enumerate(self.kinds)]

    def _match(self, number: int, kind: GameKind) -> Series[Any, Any, Any]:
        """Return the match whose set-ups the games of a kind are."""
        seed, setups = derived_seed(self._settings.seed, number), self.plan.cycles
        config = kind.config
        if isinstance(config, GameConfig) and config.variant == SOLO:
            more = {"difficulties": kind.difficulties, "board": config.board, "options": config.options}
            return SoloMatch(kind.agents, max(2, setups), seed, **more)
        players = kind.agents if isinstance(config, GameConfig) else agents_for(config, kind.agents)
        return match_of(players, setups * config.players, seed, config=config)

    def play(self, kind: int, setup: int) -> list[PlayedGame]:
        """Play a set-up of a kind in every seating, in solo at every difficulty."""
        numbers = [self._names.index(name) for name in self.kinds[kind].agents]
        played = []
        for seating, game in enumerate(self._series[kind].play_setup(setup)):
            agents = numbers if game.variant == SOLO else by_seat(numbers, seating)
            played.append(PlayedGame(game, kind, setup, tuple(agents)))
        forfeits = self._series[kind].forfeits
        if forfeits:
            raise EndeavorError(f"agent {self.kinds[kind].agents[forfeits[0].agent]} failed: {forfeits[0].fault.text}")
        return played

    def shard(self, games: Sequence[PlayedGame], first: int) -> Shard:
        """Return games as arrays; the first gets the number ``first``."""
        actions = self.kinds[0].config.rules.num_actions(self.layout_variant)
        parts = [
            _arrays(one, number, self.layout, actions, self._settings.reward)
            for number, one in enumerate(games, start=first)
        ]
        expected = shapes_of(self.layout, actions)
        joined = {
            name: np.concatenate([np.asarray(part[name], kind).reshape(-1, *shape) for part in parts])
            for name, (_, shape, kind) in expected.items()
        }
        return Shard(**joined, num_actions=actions)


def _arrays(played: PlayedGame, number: int, layout: Layout, actions: int, reward: str) -> dict[str, Any]:
    """Return the arrays of one game."""
    game = played.game
    made = [(seat, action) for seat, action in game.history if seat != CHANCE]
    seats = np.array([seat for seat, _ in made], np.int8)
    scores = game.scores()
    paid = np.array(_outcomes(game, reward, scores), np.float32)
    agents = np.array(played.agents, np.int8)
    everybody = range(game.num_players)
    options = game.options if isinstance(game, Game) else {}
    difficulty = options.get("difficulty", c.DIFFICULTY_NAMES[0])
    return {
        **_decisions(game, layout, actions),
        "actions": [action for _, action in made],
        "seats": seats,
        "games": np.full(seats.size, number),
        "moves": np.arange(seats.size),
        "agents": agents[seats],
        "outcomes": paid[seats],
        "last_observations": _observed(game, layout, list(everybody)),
        "last_games": np.full(game.num_players, number),
        "last_seats": np.arange(game.num_players),
        "game_numbers": number,
        "game_kinds": played.kind,
        "game_setups": played.setup,
        "game_seeds": game.seed,
        "game_seats": game.num_players,
        "game_agents": _padded(agents, c.NONE),
        "game_difficulties": c.DIFFICULTY_NAMES.index(difficulty),
        "game_scores": _padded(scores, 0),
    }


def _outcomes(game: Game | RailsGame, reward: str, scores: Sequence[int]) -> Sequence[float]:
    """Return the reward of each seat for final scores."""
    if isinstance(game, RailsGame):
        return named_rewards(game.rules.scale, alone=False)[reward](scores)
    return reward_function(reward, game.num_players, game.variant)(scores)


def _padded(by_seat: npt.ArrayLike, rest: int) -> npt.NDArray[np.int16]:
    """Return a value for each of MAX_SEATS seats, ``rest`` for those that are not at the table."""
    padded = np.full(c.MAX_SEATS, rest, np.int16)
    values = np.asarray(by_seat)
    padded[: values.size] = values
    return padded


def _observed(game: Game | RailsGame, layout: Layout, seats: Sequence[int]) -> npt.NDArray[Any]:
    """Return what seats see of the position of a game, (seats, size)."""
    if isinstance(game, RailsGame):
        return np.stack([game.observe(seat, _name_of(layout)) for seat in seats])
    out = np.empty((len(seats), layout.size), layout.dtype)
    for row, seat in enumerate(seats):
        _OBSERVE[layout.dtype.kind](game.board.array, game.state, seat, out[row])
    return out


def _name_of(layout: Layout) -> str:
    """Return the kind of the observation that has a layout."""
    return "features" if np.dtype(layout.dtype).kind == "f" else "compact"


def _decisions_on_rails(game: BaseGame, layout: Layout) -> dict[str, npt.NDArray[Any]]:
    """Return the same of a game on the engine: nothing is seen or chosen where chance moves."""
    played: Any = game.at_move(0)
    observations, masks = [], []
    for seat, action in game.history:
        if seat != CHANCE:
            observations.append(played.observe(seat, _name_of(layout)))
            masks.append(np.packbits(played.mask()))
        played.apply(action, draws=False)
    return {"observations": np.stack(observations), "masks": np.stack(masks)}


def _decisions(game: Game | RailsGame, layout: Layout, actions: int) -> dict[str, npt.NDArray[Any]]:
    """Return the observation and the packed mask of every decision of a game."""
    if isinstance(game, RailsGame):
        return _decisions_on_rails(game, layout)
    played, mask = game.at_move(0), np.empty(actions, np.int8)
    observations = np.empty((len(game.history), layout.size), layout.dtype)
    masks = np.empty((len(game.history), -(-actions // 8)), np.uint8)
    observe = _OBSERVE[layout.dtype.kind]
    for row, (seat, action) in enumerate(game.history):
        observe(played.board.array, played.state, seat, observations[row])
        entry.legal(played.board.array, played.state, mask)
        masks[row] = np.packbits(mask)
        entry.step(played.board.array, played.state, action)
    return {"observations": observations, "masks": masks}
