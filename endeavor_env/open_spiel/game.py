"""The game, its states and its observer, as OpenSpiel's games written in Python have them."""
# pyright: reportMissingImports=false

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import Game, GameConfig
from endeavor_env.endeavor.observation import layout_for, observe
from endeavor_env.endeavor.records import replay
from endeavor_env.endeavor.rewards import SOLO
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.engine.rewards import final_rewards
from endeavor_env.open_spiel.settings import NAMES, GameParameters, parameters

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"endeavor_env.open_spiel needs {missing.name}: install it with pip install open_spiel", name=missing.name
    ) from missing

MOST_DECISIONS = 10_000
"""The bound on a game's length that OpenSpiel asks for, that of the environments; real games have some hundreds."""
_NO_SETUP = "The set-up is not drawn yet."


def game_type(name: str, *, chance: bool = False, reward: str | None = None) -> Any:
    """Return the GameType of a name; ``chance`` says whether the set-up is a chance node."""
    variant = NAMES[name]
    defaults = parameters(variant)
    fewest = defaults.get("players")
    config = GameConfig(variant)
    kinds = pyspiel.GameType
    return kinds(
        short_name=name,
        long_name=f"Endeavor (2009), variant {variant}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if chance else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=_utility(variant, reward or defaults["reward"])[0],
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=config.players if fewest is None else 5,
        min_num_players=config.players if fewest is None else 3,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=defaults,
    )


def _utility(variant: str, reward: str) -> tuple[Any, float | None, float]:
    """Return the kind of utility of a reward, the sum of it over the seats, and its lowest value."""
    kinds = pyspiel.GameType.Utility
    if variant == SOLO:
        return kinds.GENERAL_SUM, None, -1.0 if reward == "margin" else 0.0
    return {
        "win": (kinds.CONSTANT_SUM, 1.0, 0.0),
        "win_zero_sum": (kinds.ZERO_SUM, 0.0, -1.0),
        "rank": (kinds.ZERO_SUM, 0.0, -1.0),
    }.get(reward, (kinds.GENERAL_SUM, None, -1.0))


class EndeavorGame(pyspiel.Game):
    """A game with its parameters; made by ``pyspiel.load_game``."""

    name = ""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """Read the parameters.

        Raises:
            InvalidOptionError: A parameter that is not possible.
        """
        given = dict(params or {})
        variant = NAMES[self.name]
        self.settings = GameParameters.of(variant, given)
        _, total, lowest = _utility(variant, self.settings.reward_name)
        info = pyspiel.GameInfo(
            num_distinct_actions=num_actions(variant),
            max_chance_outcomes=self.settings.setups,
            num_players=self.settings.config.players,
            min_utility=lowest,
            max_utility=1.0,
            utility_sum=total,
            max_game_length=MOST_DECISIONS,
        )
        chance = self.settings.setups > 0
        super().__init__(game_type(self.name, chance=chance, reward=self.settings.reward_name), info, given)
        self._first = None if chance else self.settings.new_game()

    def new_initial_state(self, state: Any = None) -> EndeavorState:
        """Return a new state, or that of a struct or dictionary."""
        return EndeavorState(self, state)

    def first_game(self) -> Game | None:
        """Return a new game, None if chance draws its set-up first."""
        return None if self._first is None else self._first.clone()

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Return what writes observations; ``params={"observation": "compact"}`` chooses the other layout."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return EndeavorObserver(self, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class Held:
    """Contents of a state that are copied and saved with it: OpenSpiel does so by ``deepcopy`` and ``pickle``."""

    __slots__ = ("game",)

    def __init__(self, game: Game | None) -> None:
        """Hold ``game``, or nothing before its set-up is drawn."""
        self.game = game

    def __deepcopy__(self, memo: dict[int, Any]) -> Held:
        """Return a copy of the record of the position."""
        return Held(None if self.game is None else self.game.clone())

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what is played and the moves made; the board of 2009 by its name, as it is long."""
        if self.game is None:
            return Held, (None,)
        game = self.game
        config = game.config.to_dict()
        board = None if game.board == Board.resolve(None) else game.board
        return _played_again, (config, board, game.setup(), game.seed, [action for _, action in game.history])


def _played_again(
    config: dict[str, Any], board: Board | None, setup: dict[str, Any], seed: int | None, moves: list[int]
) -> Held:
    game = GameConfig.from_dict(config, board).new_game(setup=setup)
    game.seed = seed
    for action in moves:
        game.apply(action)
    return Held(game)


class EndeavorState(pyspiel.State):
    """A position of a game."""

    def __init__(self, game: EndeavorGame, state: Any = None) -> None:
        """Begin the game, or go on from a struct or dictionary that ``to_struct`` gave."""
        super().__init__(game)
        self._held = Held(game.first_game())
        if state is not None:
            given = state.to_dict() if hasattr(state, "to_dict") else state
            record = given["record"]
            self._held = Held(None if record is None else replay(record, board=game.settings.config.board))

    @property
    def endeavor_game(self) -> Game:
        """The game in this package's own words; do not move in it."""
        assert self._held.game is not None
        return self._held.game

    def current_player(self) -> int:
        """Return whose decision it is."""
        game = self._held.game
        if game is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if game.over else game.seat

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self._held.game is not None and self._held.game.over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the numbered set-ups, which are equally likely."""
        setups = self.get_game().settings.setups
        return [(number, 1 / setups) for number in range(setups)]

    def returns(self) -> list[float]:
        """Return the rewards of the seats, zeros before the end."""
        settings, game = self.get_game().settings, self._held.game
        if game is None or not game.over:
            return [0.0] * settings.config.players
        return final_rewards(settings.reward, game.scores(), game.num_players)

    def __str__(self) -> str:
        """Return the text board."""
        return _NO_SETUP if self._held.game is None else str(self._held.game)

    def _legal_actions(self, player: int) -> list[int]:
        return self.endeavor_game.legal_actions()

    def _apply_action(self, action: int) -> None:
        if self._held.game is None:
            self._held = Held(self.get_game().settings.new_game(action))
        else:
            self._held.game.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"set-up {action}" if player == pyspiel.PlayerId.CHANCE else self.endeavor_game.describe(action)

    def _to_struct(self) -> dict[str, Any]:
        game = self._held.game
        return {"current_player": self.current_player(), "record": None if game is None else game.record()}

    def _to_observation_struct(self, player: int) -> dict[str, Any]:
        return self._to_struct()

    def _action_to_struct(self, player: int, action: int) -> dict[str, Any]:
        return {"move": self._action_to_string(player, action)}

    def _struct_to_actions(self, action: dict[str, Any]) -> list[int]:
        if self._held.game is None:
            return [int(action["move"].removeprefix("set-up "))]
        return [self._held.game.encode(action["move"])]


class EndeavorObserver:
    """Writes what a seat sees, as ``endeavor_env.endeavor.observation.observe`` does, but always as float32."""

    def __init__(self, game: EndeavorGame, params: Mapping[str, Any] | None) -> None:
        """Choose the layout.

        Raises:
            InvalidOptionError: There is no such layout.
        """
        settings = game.settings
        self._kind = dict(params or {}).get("observation", settings.observation)
        layout = layout_for(settings.config.variant, self._kind)
        self.tensor = np.zeros(layout.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: EndeavorState, player: int) -> None:
        """Write what ``player`` sees; zeros before the set-up is drawn."""
        if state.is_chance_node():
            self.tensor.fill(0)
        else:
            self.tensor[:] = observe(state.endeavor_game, player, self._kind)

    def string_from(self, state: EndeavorState, player: int) -> str:
        """Return the text board, which all see alike."""
        return str(state)


def register() -> None:
    """Make the games known to pyspiel; once more does nothing."""
    known = set(pyspiel.registered_names())
    for name in NAMES:
        if name not in known:
            pyspiel.register_game(game_type(name), type(f"EndeavorGame_{name}", (EndeavorGame,), {"name": name}))
