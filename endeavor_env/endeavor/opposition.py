r"""What the Opposition of a solitaire game did and why: the clause that applied, the tie-breaks, and who chose.

    from endeavor_env import Game
    from endeavor_env.endeavor.opposition import explain, explain_last

    game = Game.new(variant="solo", seed=7)
    print(*explain(game), sep="\n")        # the set-up, S1.8 and S1.9
    game.play(game.legal_moves()[0])
    print(*explain_last(game), sep="\n")   # what this move led to

A game keeps no log: its moves are played again from the set-up, one act of the Opposition at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import whole_number
from endeavor_env.endeavor.ensure import ensure_compiled
from endeavor_env.endeavor.game_like import GameLike, no_game
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.notation import to_text
from endeavor_env.endeavor.options import check_options, options_of_state
from endeavor_env.endeavor.results import OPPOSITION_NAME, is_solo
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.endeavor.variants.solo.priority_list import (
    ITEM_CLAUSES,
    ITEM_MASK,
    ITEM_NOTHING,
    ITEM_TEXTS,
    TIE_NAMES,
    USELESS,
)
from endeavor_env.errors import InvalidOptionError, shown

_SOLO = c.VARIANT_NAMES[c.VARIANT_SOLO]
_NOTHING_CLAUSES = {c.TASK_ACTION: "S4.2", c.TASK_TOKEN: "S5.5", c.TASK_BONUS: "S5.4"}


@dataclass(frozen=True)
class Step:
    """One act of the Opposition, or one that was lost because nothing was feasible (S4.2, S5.4, S5.5)."""

    after: int
    """Number of moves of the player before it; 0 in the set-up."""
    round: int
    """1 to 7, 0 in the set-up."""
    colour: str
    """The colour that acts: red, green, violet or black; "opposition" where all four do (S1.9, S7.1)."""
    position: int | None
    """The position of its disc on the action scale, 1 to 8; None outside actions and bonus draws."""
    token: str
    """The blue token that is carried out (S5.5), or ""."""
    move: str
    """The move, such as ``occupy:tangier``; "" if nothing was feasible, or the player has not chosen yet."""
    clause: str
    """The rule that led there, such as S4.1d.ii."""
    reason: str
    """That rule in a few words."""
    useless: bool
    """Nothing useful was feasible, so that the second run of the list decided (S4.3)."""
    tie_breaks: tuple[str, ...]
    """Criteria that narrowed the options, in the order of their application: T1, T2, C1, ... (S5.1-S5.3)."""
    options: tuple[str, ...]
    """The moves left in the end, ``move`` among them, in action-id order."""
    decided_by: str
    """Chooser among them: "rules" if there was one at most, else "player" or "first" (option opposition_ties)."""

    @property
    def asked(self) -> bool:
        """Whether the player still has to choose."""
        return bool(self.options) and not self.move

    def __str__(self) -> str:
        """Return the step as one line."""
        disc = f", disc {self.position}" if self.position else ""
        token = f", {self.token} token" if self.token else ""
        done = self.move or (f"asks for one of {', '.join(self.options)}" if self.options else "nothing")
        parts = [f"{self.clause} {self.reason}"]
        parts += ["nothing useful is left (S4.3)"] if self.useless else []
        parts += [f"by {', '.join(self.tie_breaks)}"] if self.tie_breaks else []
        parts += [f"{self.decided_by} of {len(self.options)} options"] if self.move and len(self.options) > 1 else []
        return f"round {self.round}, {self.colour}{disc}{token}: {done} ({'; '.join(parts)})"


def explain(game: GameLike) -> list[Step]:
    """Return every step of the Opposition since the set-up, in order; an open question is the last one.

    Raises:
        InvalidOptionError: No game, or one that is not of variant ``solo``.
    """
    _check_game(game)
    if not is_solo(game.state):
        raise InvalidOptionError(
            f"variant {c.VARIANT_NAMES[game.state['variant'][0]]!r} has no Opposition to explain: only a game of "
            f"variant {_SOLO!r} has"
        )
    replay = _Replay(game)
    for _, action in game.history:
        replay.move(action)
    return replay.steps


def explain_last(game: GameLike) -> list[Step]:
    """Return the steps that the last move led to; if it answered a question, the step it settled comes first.

    Before the first move, these are the steps of the set-up.

    Raises:
        InvalidOptionError: The game is not of variant ``solo``.
    """
    _check_game(game)
    return explain_since(game, len(game.history) - 1)


def explain_since(game: GameLike, moves: int) -> list[Step]:
    """Return the steps that followed the first ``moves`` moves of the player, or that later moves settled.

    Args:
        game: A solitaire game.
        moves: How many moves the reader knows with all that they led to; -1 includes the steps of the set-up.

    Raises:
        InvalidOptionError: The game is not of variant ``solo``, or ``moves`` is no whole number from -1 on.
    """
    known = whole_number(moves)
    if known is None or known < -1:
        raise InvalidOptionError(f"moves={shown(moves)} is not possible: give a number of moves, or -1 for the set-up")
    return [step for step in explain(game) if step.after > known or (step.after == known and _answered(step))]


def _check_game(game: GameLike) -> None:
    """Raise InvalidOptionError unless ``game`` has what a replay needs."""
    try:
        usable = len(game.state["variant"]) == 1 and len(game.history) >= 0 and len(game.drawn) == 1
        usable = usable and len(game.board.array) == 1
    except Exception as error:  # whatever an object that is no game raises
        raise no_game(game) from error
    if not usable:
        raise no_game(game)


def _answered(step: Step) -> bool:
    """Return whether the player's next move after the step settled it."""
    return step.decided_by == "player" and not step.asked


class _Replay:
    """A solitaire game played again from its set-up, in which the Opposition acts step by step."""

    def __init__(self, game: GameLike) -> None:
        """Start ``game`` again and run to its first decision."""
        ensure_compiled()
        self.steps: list[Step] = []
        self._board, self._moves_made = game.board, 0
        self._states, self._out = np.zeros(1, STATE), np.zeros(4, np.int64)
        options = check_options(options_of_state(game.state), _SOLO)
        entry.begin_game(self._board.array, self._states, 1, c.VARIANT_SOLO, options, game.drawn)
        self._run_opposition()

    def move(self, action: int) -> None:
        """Make a move of the player and record what the Opposition does next."""
        if self._states["decision"][0] == c.DECIDE_OPPOSITION:
            self.steps[-1] = replace(self.steps[-1], move=self._text(action))
        self._moves_made += 1
        entry.begin_step(self._board.array, self._states, action)
        self._run_opposition()

    def _text(self, action: int) -> str:
        return to_text(self._board, action, _SOLO)

    def _run_opposition(self) -> None:
        """Let the Opposition act until it has nothing more to do or the player is asked."""
        while True:
            before = self._states.copy()
            if not entry.opposition_step(self._board.array, self._states, self._out):
                return
            discarding = before["task"][0] in (c.TASK_DISCARD, c.TASK_END_DISCARD)
            if self._out[1] or not discarding:  # a holding within the limit is no step
                self.steps.append(self._step(before))

    def _step(self, before: npt.NDArray[np.void]) -> Step:
        """Return the last step, which was taken in the position ``before``, (1,) STATE."""
        first_id, bits, reason, action = self._out.tolist()
        state, item = before[0], reason & ITEM_MASK
        task = int(state["task"])
        options = tuple(self._text(first_id + index) for index in range(bits.bit_length()) if bits >> index & 1)
        asked = self._states["decision"][0] == c.DECIDE_OPPOSITION
        return Step(
            after=self._moves_made,
            round=int(state["round_number"]),
            colour=c.COLOUR_NAMES[state["acting"]] if state["acting"] != c.NONE else OPPOSITION_NAME,
            position=acting_position(before),
            token=c.TOKEN_NAMES[state["waiting_kind"][state["num_waiting"] - 1]] if task == c.TASK_TOKEN else "",
            move=self._text(action) if action != c.NONE else "",
            clause=_NOTHING_CLAUSES[task] if item == ITEM_NOTHING else ITEM_CLAUSES[item],
            reason=ITEM_TEXTS[item],
            useless=bool(reason & USELESS),
            tie_breaks=tuple(name for flag, name in TIE_NAMES.items() if reason & flag),
            options=options,
            decided_by="rules" if len(options) < 2 else "player" if asked else "first",
        )


def acting_position(states: npt.NDArray[np.void]) -> int | None:
    """Return the position, 1 to 8, of the disc on the action scale that acts now; None if none does (S2.3, S3.6)."""
    task = states["task"][0]
    if task in (c.TASK_ACTION, c.TASK_TOKEN):
        return int(states["task_step"][0]) + 1
    return int(states["ipf"][0]) if task == c.TASK_BONUS else None
