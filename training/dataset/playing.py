"""The games of a dataset: played by the matches of ``agents``, and turned into arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from endeavor_env.agents.games import is_alone
from endeavor_env.agents.matches import Match, Series, SoloMatch
from endeavor_env.agents.runner import by_seat
from endeavor_env.basics.inputs import derived_seed
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.observation import Layout
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.setups import SOLO
from endeavor_env.engine.game import GameConfig as AnyConfig
from endeavor_env.engine.games import game_of
from endeavor_env.engine.kernels import single
from endeavor_env.engine.kernels.rules import CHANCE
from endeavor_env.engine.rewards import named_rewards
from endeavor_env.errors import EndeavorError
from endeavor_env.training.dataset.settings import GameKind, Settings, names_of, plan
from endeavor_env.training.dataset.shards import Shard, shapes_of

_OBSERVE = {"f": single.write_features, "i": single.write_compact}
"""The kernel that writes an observation, by the kind of its type."""


class PlayedGame(NamedTuple):
    """A finished game of a dataset."""

    game: Any
    """A ``Game`` of any rules, at its end."""
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

    def _match(self, number: int, kind: GameKind) -> Series[Any]:
        """Return the match whose set-ups the games of a kind are."""
        seed, setups = derived_seed(self._settings.seed, number), self.plan.cycles
        config = kind.config
        if kind.difficulties:
            alone = cast(GameConfig, config)
            more = {"difficulties": kind.difficulties, "board": alone.board, "options": alone.options}
            return SoloMatch(kind.agents, max(2, setups), seed, **more)
        return Match(kind.agents, setups * config.players, seed, config=config)

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
    game, config = played.game, played.game.config
    made = [(seat, action) for seat, action in game.history if seat != CHANCE]
    seats = np.array([seat for seat, _ in made], np.int8)
    scores = game.scores()
    paid = np.array(named_rewards(config.rules.scale, is_alone(config))[reward](scores), np.float32)
    agents = np.array(played.agents, np.int8)
    options = game_of(config.rules).named_parts(config)["options"]
    usual = c.DIFFICULTY_NAMES[0]
    difficulty = options.get("difficulty", usual) if isinstance(options, Mapping) else usual
    return {
        **_decisions(game, config, len(made), layout, actions),
        "actions": [action for _, action in made],
        "seats": seats,
        "games": np.full(seats.size, number),
        "moves": np.arange(seats.size),
        "agents": agents[seats],
        "outcomes": paid[seats],
        "last_observations": _observed(config, game.state, layout),
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


def _padded(by_seat: npt.ArrayLike, rest: int) -> npt.NDArray[np.int16]:
    """Return a value for each of MAX_SEATS seats, ``rest`` for those that are not at the table."""
    padded = np.full(c.MAX_SEATS, rest, np.int16)
    values = np.asarray(by_seat)
    padded[: values.size] = values
    return padded


def _observed(config: AnyConfig, state: npt.NDArray[np.void], layout: Layout) -> npt.NDArray[Any]:
    """Return what the seats see of a position, (seats, size)."""
    given, write = config.rules.given(config.board_array, state), _OBSERVE[np.dtype(layout.dtype).kind]
    out = np.zeros((config.players, layout.size), layout.dtype)
    for seat in range(config.players):
        write(*given, seat, out[seat])
    return out


def _decisions(game: Any, config: AnyConfig, made: int, layout: Layout, actions: int) -> dict[str, npt.NDArray[Any]]:
    """Return the observation and the packed mask of every decision; nothing is seen or chosen where chance moves."""
    given, write = config.rules.given(config.board_array, game.at_move(0).state), _OBSERVE[np.dtype(layout.dtype).kind]
    observations, mask = np.zeros((made, layout.size), layout.dtype), np.empty(actions, np.int8)
    masks = np.empty((made, -(-actions // 8)), np.uint8)
    row = 0
    single.write_mask(*given, mask)
    for seat, action in game.history:
        if seat != CHANCE:
            write(*given, seat, observations[row])
            masks[row] = np.packbits(mask)
            row += 1
        single.advance(*given, action, mask)
    return {"observations": observations, "masks": masks}
