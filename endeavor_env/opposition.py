r"""What the Opposition of a solitaire game did and why: the clause that applied, the tie-breaks, who settled the rest.

    from endeavor_env import Game
    from endeavor_env.opposition import explain, explain_last

    game = Game.new(variant="solo", seed=7)
    print(*explain(game), sep="\n")        # the set-up, S1.8 and S1.9
    game.play(game.legal_moves()[0])
    print(*explain_last(game), sep="\n")   # what this move led to

A game keeps no log: its moves are played again from the set-up, one act of the Opposition at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from endeavor_env.compilation import ensure_explaining_compiled
from endeavor_env.core import constants as c
from endeavor_env.core import entry
from endeavor_env.core.state import STATE
from endeavor_env.core.variants.solo.reasons import (
    ITEM_CLAUSES,
    ITEM_MASK,
    ITEM_NOTHING,
    ITEM_TEXTS,
    TIE_NAMES,
    USELESS,
)
from endeavor_env.errors import InvalidOptionError
from endeavor_env.game import OPPOSITION_NAME, Game
from endeavor_env.options import check_options

_NOTHING_CLAUSES = {c.TASK_ACTION: "S4.2", c.TASK_TOKEN: "S5.5", c.TASK_BONUS: "S5.4"}


@dataclass(frozen=True)
class Step:
    """One act of the Opposition, or one that was lost because nothing was feasible (S4.2, S5.4, S5.5)."""

    after: int
    """How many moves of the player had been made before; 0 in the set-up."""
    round: int
    """1 to 7, 0 in the set-up."""
    colour: str
    """The colour that acts: red, green, violet or black; "opposition" where all four do (S1.9, S7.1)."""
    position: int | None
    """The position of its disc on the action scale, 1 to 8; None outside actions and bonus draws."""
    token: str
    """The blue token that is carried out (S5.5), or ""."""
    move: str
    """What was done, such as ``occupy:tangier``; "" if nothing was feasible, or the player has not chosen yet."""
    clause: str
    """The rule that led there, such as S4.1d.ii."""
    reason: str
    """That rule in a few words."""
    useless: bool
    """Nothing useful was feasible, so that the second run of the list decided (S4.3)."""
    tie_breaks: tuple[str, ...]
    """What narrowed the options, in the order it was applied: T1, T2, C1, ... (S5.1-S5.3)."""
    options: tuple[str, ...]
    """The moves left in the end, ``move`` among them, in action-id order."""
    decided_by: str
    """Who chose among them: "rules" if there was one at most, else "player" or "first" (option opposition_ties)."""

    @property
    def asked(self) -> bool:
        """Whether the player still has to choose."""
        return bool(self.options) and not self.move

    def __str__(self) -> str:
        """Returns the step as one line."""
        disc = f", disc {self.position}" if self.position else ""
        token = f", {self.token} token" if self.token else ""
        done = self.move or (f"asks for one of {', '.join(self.options)}" if self.options else "nothing")
        parts = [f"{self.clause} {self.reason}"]
        parts += ["nothing useful is left (S4.3)"] if self.useless else []
        parts += [f"by {', '.join(self.tie_breaks)}"] if self.tie_breaks else []
        parts += [f"{self.decided_by} of {len(self.options)} options"] if self.move and len(self.options) > 1 else []
        return f"round {self.round}, {self.colour}{disc}{token}: {done} ({'; '.join(parts)})"


def explain(game: Game) -> list[Step]:
    """Returns every step of the Opposition since the set-up, in order; an open question is the last one.

    Raises:
        InvalidOptionError: The game is no solitaire game.
    """
    if game.variant != c.VARIANT_NAMES[c.VARIANT_SOLO]:
        raise InvalidOptionError(
            f"variant {game.variant!r} has no Opposition to explain: only a game of variant "
            f"{c.VARIANT_NAMES[c.VARIANT_SOLO]!r} has"
        )
    replay = _Replay(game)
    for _, action in game.history:
        replay.move(action)
    return replay.steps


def explain_last(game: Game) -> list[Step]:
    """Returns the steps that the last move led to; if it answered a question, the step it settled comes first.

    Before the first move those of the set-up.

    Raises:
        InvalidOptionError: The game is no solitaire game.
    """
    now = len(game.history)
    return [step for step in explain(game) if step.after == now or (step.after == now - 1 and _answered(step))]


def _answered(step: Step) -> bool:
    """Tells whether the very next move of the player settled the step."""
    return step.decided_by == "player" and not step.asked


class _Replay:
    """A game played again, with the Opposition acting step by step."""

    def __init__(self, game: Game) -> None:
        """Sets the game up, up to its first decision."""
        ensure_explaining_compiled()
        self.steps: list[Step] = []
        self._game, self._boards, self._made = game, game.board.array, 0
        self._states, self._out = np.zeros(1, STATE), np.zeros(4, np.int64)
        options = check_options(game.options, game.variant)
        entry.begin_game(self._boards, self._states, game.num_players, c.VARIANT_SOLO, options, game.drawn.array)
        self._act()

    def move(self, action: int) -> None:
        """Makes a move of the player."""
        if self._states["decision"][0] == c.DECIDE_OPPOSITION:
            self.steps[-1] = replace(self.steps[-1], move=self._game.describe(action))
        self._made += 1
        entry.begin_step(self._boards, self._states, action)
        self._act()

    def _act(self) -> None:
        """Lets the Opposition act until it has nothing more to do or the player is asked."""
        while True:
            before = self._states.copy()
            if not entry.opposition_step(self._boards, self._states, self._out):
                return
            discarding = before["task"][0] in (c.TASK_DISCARD, c.TASK_END_DISCARD)
            if self._out[1] or not discarding:  # a holding within the limit is no step
                self.steps.append(self._step(before[0]))

    def _step(self, before: np.void) -> Step:
        """Returns what the last step did in the state ``before``."""
        block, bits, code, action = self._out.tolist()
        task, item = int(before["task"]), code & ITEM_MASK
        options = tuple(self._game.describe(block + index) for index in range(bits.bit_length()) if bits >> index & 1)
        asked = self._states["decision"][0] == c.DECIDE_OPPOSITION
        return Step(
            after=self._made,
            round=int(before["round_number"]),
            colour=c.COLOUR_NAMES[before["acting"]] if before["acting"] != c.NONE else OPPOSITION_NAME,
            position=_position(before, task),
            token=c.TOKEN_NAMES[before["waiting_kind"][before["num_waiting"] - 1]] if task == c.TASK_TOKEN else "",
            move=self._game.describe(action) if action != c.NONE else "",
            clause=_NOTHING_CLAUSES[task] if item == ITEM_NOTHING else ITEM_CLAUSES[item],
            reason=ITEM_TEXTS[item],
            useless=bool(code & USELESS),
            tie_breaks=tuple(name for flag, name in TIE_NAMES.items() if code & flag),
            options=options,
            decided_by="rules" if len(options) < 2 else "player" if asked else "first",
        )


def _position(state: np.void, task: int) -> int | None:
    """Returns the position of the acting disc on the scale (S2.3, S3.6)."""
    if task in (c.TASK_ACTION, c.TASK_TOKEN):
        return int(state["task_step"]) + 1
    return int(state["ipf"]) if task == c.TASK_BONUS else None
