"""Checks of one position: its state breaks no invariant, and ``Game.apply`` accepts exactly the legal actions."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.checks import audit
from endeavor_env.endeavor.ensure import ensure_parts
from endeavor_env.endeavor.flow.scoring import NUM_PARTS
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.endeavor.rules.parts import CHECKS, EXPLOITS
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.errors import GameOverError, IllegalActionError


class UnsoundStateError(AssertionError):
    """A state breaks invariants; ``violations`` names each of them, and ``game`` is the game."""

    def __init__(self, game: Game, violations: list[str]) -> None:
        """Make the message: ``game`` and its ``violations``."""
        self.game, self.violations = game, violations
        super().__init__(f"{game!r} is unsound: {'; '.join(violations)}")

    def __reduce__(self) -> tuple[type[UnsoundStateError], tuple[Game, list[str]]]:
        """Pickle the arguments: an error that cannot be read keeps the caller of ``Pool.map`` waiting for ever."""
        return type(self), (self.game, self.violations)


class ActionMismatchError(AssertionError):
    """``Game.apply`` and ``Game.mask`` disagree, or a refused action changed the game."""


def flag_names(flags: int) -> list[str]:
    """Return the names of the violations in ``flags``, bits of ``endeavor.checks.audit.FLAG_NAMES``."""
    return [name for flag, name in audit.FLAG_NAMES.items() if flags & flag]


def violations(game: Game) -> list[str]:
    """Return the names of the invariants that state, decision or mask of the game break; empty if all hold."""
    ensure_parts(CHECKS, EXPLOITS)  # at once: the checks recount Exploits, too
    mask = np.empty(num_actions(game.variant), np.int8)
    flags = audit.audit(game.board.array, game.state, np.zeros(1, STATE), mask, np.empty(NUM_PARTS, np.int16))
    return flag_names(flags)


def check_state(game: Game) -> None:
    """Raise UnsoundStateError, which names what is wrong, unless every invariant holds (discs, cards, mask, ...)."""
    found = violations(game)
    if found:
        raise UnsoundStateError(game, found)


def check_actions(game: Game) -> None:
    """Try every action id on clones: legal ones must be accepted, all others refused without a change.

    Raises:
        ActionMismatchError: ``apply`` accepts an action that the mask forbids, refuses one that it allows, or changes
            state or history by one that it refuses.
    """
    legal = set(game.legal_actions())
    before, history = game.state.tobytes(), list(game.history)
    refused = game.clone()
    for action in range(-1, num_actions(game.variant) + 1):
        tried = game.clone() if action in legal else refused
        try:
            tried.apply(action)
        except IllegalActionError as error:
            if action in legal:
                raise ActionMismatchError(f"action {action} is legal at {game!r} but refused: {error}") from error
            if isinstance(error, GameOverError) != game.over:
                raise ActionMismatchError(f"action {action} at {game!r} raises {type(error).__name__}") from error
        else:
            if action not in legal:
                raise ActionMismatchError(f"action {action} is illegal at {game!r} but accepted")
        if action not in legal and (tried.state.tobytes() != before or tried.history != history):
            raise ActionMismatchError(f"the refused action {action} changed the game at {game!r}")
    if game.state.tobytes() != before or game.history != history:
        raise ActionMismatchError(f"moves of clones changed the game at {game!r}")
