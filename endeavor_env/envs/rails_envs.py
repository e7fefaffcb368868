"""Environments of any game on the engine: Gymnasium's for one learner, PettingZoo's for all seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from endeavor_env.basics.inputs import INFO_MASKS, one_of
from endeavor_env.engine.batch.game_kinds import Kinds
from endeavor_env.engine.game import RailsConfig
from endeavor_env.envs.agents_env import AgentsEnv
from endeavor_env.envs.opponents import RANDOM, Opponent
from endeavor_env.envs.opponents_env import OpponentsEnv
from endeavor_env.envs.rails_table import RailsTable
from endeavor_env.envs.settings import DEFAULTS, MEANINGS, EnvOptions, check_settings
from endeavor_env.envs.signatures import shows_options


def shown_by(config: RailsConfig, metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the ``metadata`` of an environment with the render modes that the game has: wrappers try out all."""
    modes = metadata["render_modes"] if config.rules.faces.has_pictures else ["ansi"]
    return {**metadata, "render_modes": modes}


@shows_options(EnvOptions, DEFAULTS, MEANINGS)
class RailsEnv(OpponentsEnv):
    """A game on the engine for one learner among opponents, one decision of the learner per step.

    Spaces, rewards, infos and the end of an episode are those of ``EndeavorEnv``: a ``Discrete`` of action ids; a
    ``Dict`` of observation and mask, which show what the learner's seat may see; rewards by name or by a function of
    the final scores. What chance decides during a game is drawn from the game's seed, and no step is asked for it.
    ``info`` has no ``seed``, from which the draws to come or hidden parts follow, and ``game()`` draws anew. A game
    that ends before the learner is asked for a decision gives way to the next one.

    Arguments:
        config: What is played.
        learner_seat: A seat, or ``"rotate"``: the next seat every reset; after a reset with a seed, seed % players.
        opponents: One for all other seats or a list of them in playing order after the learner: ``"random"`` or
            another compiled player of the game, an object with ``act(game)`` (and ``reset(seed)``, if it has one), or a
            function to an action id, which gets a dictionary of the observation and the mask of the seat to move, also
            with ``flat``. An object gets a copy of the game as its seat knows it, with hidden parts and the draws to
            come drawn anew; one with ``sees_everything = True`` gets all.

    - the options of ``EnvOptions``.
    """

    def __init__(
        self,
        config: RailsConfig,
        *,
        learner_seat: int | str = 0,
        opponents: Opponent | Sequence[Opponent] = RANDOM,
        **given: Unpack[EnvOptions],
    ) -> None:
        """Check the options and prepare an empty table. Raise InvalidOptionError."""
        settings = check_settings(Kinds([config]), **given)
        super().__init__(settings, RailsTable(settings), learner_seat, opponents)
        self.metadata = shown_by(config, self.metadata)


@shows_options(EnvOptions, DEFAULTS, MEANINGS)
class RailsAECEnv(AgentsEnv):
    """A game on the engine in which all seats are agents, one decision at a time.

    Spaces, rewards, infos and the end of an episode are those of ``EndeavorAECEnv``; an observation shows what its
    agent may see. ``state()`` is the observation of seat 0. What chance decides during a game is drawn from the game's
    seed, and no agent is asked for it.

    Arguments:
        config: What is played.
        info_masks: ``"array"``, or ``"list"`` for masks in ``infos`` that are lists of Python.

    - the options of ``EnvOptions``.
    """

    metadata = {**AgentsEnv.metadata, "name": "rails_v0"}  # noqa: RUF012 (PettingZoo declares it so)

    def __init__(self, config: RailsConfig, *, info_masks: str = "array", **given: Unpack[EnvOptions]) -> None:
        """Check the options and prepare an empty table. Raise InvalidOptionError."""
        settings = check_settings(Kinds([config]), **given)
        lists = one_of("info_masks", info_masks, INFO_MASKS) == "list"
        super().__init__(settings, RailsTable(settings, self.WAITING), lists=lists)
        self.metadata = shown_by(config, self.metadata)
