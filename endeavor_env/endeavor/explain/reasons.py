"""Why a move is not possible now: the decision asks for something else, or a rule stands in the way."""

from __future__ import annotations

from endeavor_env.endeavor.drawing.words import exploit_of
from endeavor_env.endeavor.explain.obstacles import Obstacles, Reason
from endeavor_env.endeavor.explain.things import Sentence, joined, with_article
from endeavor_env.endeavor.game_like import PositionLike
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.notation import to_action
from endeavor_env.endeavor.rules import constants as c

UNKNOWN = Reason("other", "This decision does not offer it.", "")
OVER = Reason("over", "The game is over.", "R11.3")
OF_PARTS = ("sail", "occupy", "attack", "draw", "pay")
_ASKS: dict[int, tuple[tuple[str, ...], str, str]] = {
    c.DECIDE_BUILD: (("build",), "The Build phase asks for a building of the supply.", "R4.1"),
    c.DECIDE_SALARY: (("pay",), "The Salary phase asks for a building whose disc comes back.", "R6.1"),
    c.DECIDE_TURN: (
        ("activate", "spend", "pass"),
        "First choose an action: activate a building or spend a blue token.",
        "R7.1",
    ),
    c.DECIDE_DISCARD: (("discard", "done"), "You pass with many cards: now you may only discard.", "R9.6"),
    c.DECIDE_ROUND_END_DISCARD: (("discard",), "You hold too many cards: now you discard.", "R11.2"),
    c.DECIDE_REMOVE: (("remove",), "The set-up asks for a token that leaves a shipping track.", "V2S.4"),
    c.DECIDE_NEUTRAL: (
        ("neutral_sail", "neutral_occupy", "done"),
        "First the neutral disc that follows your action is decided.",
        "V2S.7",
    ),
    c.DECIDE_OPPOSITION: ((), "You choose for the Opposition, among what its rules leave open.", ""),
    c.DECIDE_FOLLOW_UP: ((), "What the ability of the Exploit brings does not offer it.", "N2"),
}
"""Verbs of each kind of decision, with the sentence and the clause for all others; not of targets, which parts
decide."""
_CLAUSES: dict[tuple[int, int], str] = {
    (c.DECIDE_REMOVE, c.VARIANT_SOLOPLAY_3): "V3S.3",
    (c.DECIDE_NEUTRAL, c.VARIANT_NEUTRAL_2): "V2F.10",
}
"""The clause of a decision in a variant that has its own."""


def why_not(position: PositionLike, move: str) -> Sentence | None:
    """Return why a move is not possible now, by the first obstacle in the order of the rules; None if it is legal.

    Args:
        position: A game, or anything with a board and a state.
        move: The move in words, such as "occupy:london".

    Raises:
        IllegalActionError: There is no such move in this variant on this board.
    """
    return _said(Reasons(position).of_move(move))


def why_not_here(position: PositionLike, key: str) -> Sentence | None:
    """Return why nothing can be done now with a thing; None if something can, or never could.

    Args:
        position: A game, or anything with a board and a state.
        key: The key of the thing in the picture, such as "city:london".
    """
    return Reasons(position).here(key)


def _said(reason: Reason | None) -> Sentence | None:
    return None if reason is None else Sentence(reason.text, reason.clause)


class Reasons:
    """The reasons of one position, whose legal moves are looked up once."""

    def __init__(self, position: PositionLike) -> None:
        """Read the position."""
        self._board, self._state = position.board, position.state[0]
        self._variant = c.VARIANT_NAMES[self._state.variant]
        self._legal = frozenset(entry.legal_ids(position.board.array, position.state))
        self._decision = int(self._state.decision)
        self._obstacles = Obstacles(position)

    def here(self, key: str) -> Sentence | None:
        """Return why nothing can be done now with a thing; see ``why_not_here``."""
        kind, _, rest = key.partition(":")
        if kind == "exploit":
            return _said(self._of_tile(rest))
        move = self._move_at(kind, rest)
        return _said(self.of_move(move)) if move else None

    def of_move(self, move: str) -> Reason | None:
        """Return why a move is not possible now; see ``why_not``."""
        if to_action(self._board, move, self._variant) in self._legal:
            return None
        if self._state.seat == c.NONE:
            return OVER
        verb, _, target = move.partition(":")
        if tile := exploit_of(verb):
            return self._of_ability(tile)
        if found := self._other_decision(verb):
            return found
        return getattr(self._obstacles, verb)(target) or UNKNOWN

    def _other_decision(self, verb: str) -> Reason | None:
        """Return what the decision asks for, if that is something else than moves of this verb."""
        if self._decision == c.DECIDE_TARGET:
            return self._other_part(verb)
        verbs, text, clause = _ASKS[self._decision]
        if verb in verbs:
            return None
        return Reason("decision", text, _CLAUSES.get((self._decision, int(self._state.variant)), clause))

    def _other_part(self, verb: str) -> Reason | None:
        """Return what the action under way still allows, if a verb is nothing of it."""
        names = [c.ACTION_NAMES[part] for part in self._obstacles.open_parts()]
        if verb in names or verb == "done":
            return None
        allowed = joined((with_article(name.title()) for name in names), "or") if names else "what is marked"
        return Reason("part", f"The action under way allows {allowed} now.", "R8.8")

    def _of_tile(self, tile: str) -> Reason | None:
        if self._state.seat == c.NONE:
            return OVER
        found = self._obstacles.exploit(tile)
        if found or self._decision == c.DECIDE_TARGET:
            return found or Reason("icon", "The action under way shows nothing that this Exploit can use now.", "X1.6")
        return self._other_decision("ability")

    def _of_ability(self, tile: str) -> Reason:
        """Return why an ability of an Exploit is not possible; what it needs in detail only its own rules know."""
        if self._decision == c.DECIDE_FOLLOW_UP:
            return self._other_decision("ability") or UNKNOWN
        return self._obstacles.exploit(tile) or self._ability_in_other_decision() or UNKNOWN

    def _ability_in_other_decision(self) -> Reason | None:
        if self._decision in (c.DECIDE_TARGET, c.DECIDE_TURN):
            return None
        return self._other_decision("ability")

    def _move_at(self, kind: str, rest: str) -> str | None:
        """Return the move that a person would expect of a thing; None if it has none, or is not the person's."""
        mat, _, item = rest.partition(":")
        own = mat == ("player" if self._variant == c.VARIANT_NAMES[c.VARIANT_SOLO] else str(int(self._state.seat)))
        if kind == "city":
            return self._move_of_city(rest)
        if kind == "track":
            return self._move_of_track(rest)
        if kind == "deck":
            return f"draw:{rest}"
        if kind == "build":
            return f"build:{rest}"
        if kind == "grid":
            return self._move_of_grid(int(mat) - 1, int(item))
        if kind == "building" and own:
            pays = self._decision == c.DECIDE_SALARY or c.PAY in self._obstacles.open_parts()
            return f"{'pay' if pays else 'activate'}:{item}"
        if kind == "token" and own and item not in c.STATUS_NAMES:
            return f"spend:{item}"
        return None

    def _move_of_city(self, city: str) -> str:
        if self._decision == c.DECIDE_NEUTRAL:
            return f"neutral_occupy:{city}"
        parts = self._obstacles.open_parts() if self._decision == c.DECIDE_TARGET else []
        enemy = self._state.city_owner[self._board.cities.index(city)] not in (c.NONE, self._state.seat)
        if c.ATTACK in parts and (enemy or c.OCCUPY not in parts):
            return f"attack:{city}"
        return f"occupy:{city}"

    def _move_of_track(self, region: str) -> str:
        if self._decision == c.DECIDE_NEUTRAL:
            return f"neutral_sail:{region}"
        if self._decision != c.DECIDE_REMOVE:
            return f"sail:{region}"
        first = c.TRACK_SPACES + self._board.regions.index(region) * c.MAX_TRACK
        tokens = self._state.token[first : first + c.MAX_TRACK] != c.NONE
        return f"remove:{region}.{int(tokens.argmax()) + 1}"

    def _move_of_grid(self, row: int, column: int) -> str | None:
        building = self._state.grid[row, column] if column < c.GRID_COLUMNS else c.NONE
        return None if building == c.NONE else f"build:{self._board.buildings[building]}"
