"""Why a move is not possible now: its obstacles by the rules, and the sentence that names the first of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.words import exploit_of
from endeavor_env.endeavor.explain.things import Sentence, joined, with_article
from endeavor_env.endeavor.exploits.table import EXPLOITS
from endeavor_env.endeavor.game_like import PositionLike
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.notation import to_action
from endeavor_env.endeavor.rules import constants as c

# --- The obstacles to a move of a verb that its decision asks for: the first one in the order of the rules -----------
# Everything is read from the state and computed here, with what the rows of the Exploits say of it, so that the kernels
# that mark legal moves are not asked to explain them. Each function takes the target of a move and returns None if it
# knows no obstacle.


class Reason(NamedTuple):
    """The reason why a move is not possible."""

    kind: str
    """Kind of the obstacle, in a word: "harbor", "closed", "taken" and so on."""
    text: str
    clause: str


TOP_LEVEL = 5
_EXPLOITS = c.VARIANT_EXPLOITS


class Obstacles:
    """The obstacles of one position, for whoever decides."""

    def __init__(self, position: PositionLike) -> None:
        """Read what all of them need."""
        self.board: Board = position.board
        self.rules: Any = position.board.array[0]
        self.state: Any = position.state[0]
        self.seat = int(self.state.seat)
        self.exploits = bool(self.state.variant == _EXPLOITS)

    # --- turns, buildings and cards ---------------------------------------------------------------------------------

    def build(self, target: str) -> Reason | None:
        """A building of the supply, or in the solitaire game of the grid."""
        building, rules, state = self.board.buildings.index(target), self.rules, self.state
        solo = state.variant == c.VARIANT_SOLO
        offered = set(state.grid.ravel().tolist()) if solo else set(np.flatnonzero(state.building_supply).tolist())
        name, level = self.board.names[target], int(rules.building_level[building])
        if building not in offered:
            if solo:
                return Reason("grid", f"No {name} lies on the grid.", "S6.1")
            return Reason("supply", f"No {name} is left in the supply.", "R4.2")
        industry = int(state.status[self.seat, c.INDUSTRY])
        allowed = TOP_LEVEL if state.ignore_industry else int(rules.build_level[self._on_track(industry)])
        reached = allowed
        while reached < TOP_LEVEL and not any(rules.building_level[one] <= reached for one in offered if one >= 0):
            reached += 1
        if level > reached > allowed:
            text = f"Up to level {allowed} nothing is left, so that level {reached} is open: {name} has level {level}."
            return Reason("level", text, "R4.3")
        if level > allowed and level > reached:
            text = f"{name} has level {level}, and your Industry of {industry} builds up to level {allowed}."
            return Reason("level", text, "R4.2")
        top = rules.building_level == TOP_LEVEL
        if level == TOP_LEVEL and state.buildings[self.seat][top].any():
            return Reason("top", "You have your one building of level 5 already.", "R4.4")
        return None

    def activate(self, target: str) -> Reason | None:
        """An own building with an empty activation space."""
        building, state, name = self.board.buildings.index(target), self.state, self.board.names[target]
        owned = int(state.buildings[self.seat, building])
        if not owned:
            return Reason("owned", f"You have no {name}.", "R7.2")
        if self.rules.building_mode[building] == c.MODE_NONE:
            return Reason("space", f"{name} has no space for a disc.", "R7.2")
        if owned <= state.occupied[self.seat, building] + self._pieces_on(building):
            return Reason("used", f"{name} is in use until its disc comes back.", "R7.2")
        if state.harbor[self.seat] < 1:
            return Reason("harbor", "You have no disc in harbor.", "R7.2")
        return None

    def spend(self, target: str) -> Reason | None:
        """An own blue token that would have an effect."""
        if not self.state.tokens[self.seat, c.TOKEN_NAMES.index(target)]:
            return Reason("token", "You have no such token.", "R7.3")
        return Reason("effect", "This token has no target now, and it is not spent without effect.", "A5")

    def pay(self, target: str) -> Reason | None:
        """An own building with a disc, other than the one whose Pay it is."""
        building, state, name = self.board.buildings.index(target), self.state, self.board.names[target]
        clause = "R6.1" if state.decision == c.DECIDE_SALARY else "R8.6.1"
        if not state.buildings[self.seat, building]:
            return Reason("owned", f"You have no {name}.", clause)
        if not state.occupied[self.seat, building]:
            return Reason("free", f"No disc lies on your {name}.", clause)
        own = state.decision == c.DECIDE_TARGET and state.source == building and not state.with_cannon
        if own and state.occupied[self.seat, building] == 1:
            return Reason("own pay", f"The Pay of {name} does not free the same building.", "R8.6.2")
        return None

    def discard(self, target: str) -> Reason | None:
        """A card held face up."""
        if self.state.card_place[self.board.cards.index(target)] != self.seat:
            return Reason("held", "You do not hold this card.", "R9.6")
        return None

    def done(self, _target: str) -> Reason | None:
        """The end of an action, or of a choice."""
        state = self.state
        if state.decision == c.DECIDE_TARGET:
            return Reason("effect", "A token is not spent without effect: carry out an action of it.", "A5")
        if state.decision == c.DECIDE_DISCARD:
            return Reason("limit", "You still hold more cards than your limit allows.", "R9.4")
        if state.decision == c.DECIDE_NEUTRAL:
            clause = "V2F.2" if state.neutral_due == c.SAIL else "V2F.3"
            return Reason("must", "The neutral disc must be placed.", clause)
        return None

    # --- targets on the map -----------------------------------------------------------------------------------------

    def sail(self, target: str) -> Reason | None:
        """A region with a shipping track."""
        region = self.board.regions.index(target)
        if self.state.harbor[self.seat] < 1:
            return Reason("harbor", "You have no disc in harbor.", "R7.4")
        return self._no_track(region) or self._locked(region)

    def occupy(self, target: str) -> Reason | None:
        """A free city of an open region where the seat is present."""
        city = self.board.cities.index(target)
        region = int(self.rules.city_region[city])
        if self.state.harbor[self.seat] < 1:
            return Reason("harbor", "You have no disc in harbor.", "R7.4")
        found = self._closed(region) or self._taken(city)
        if found:
            return found
        if not self._present(region):
            return Reason("presence", f"You have no disc in {self._region(region)} yet.", "R8.3.2")
        return self._locked(region) or self._piece_there(city, (exploit.no_entry for exploit in EXPLOITS))

    def attack(self, target: str) -> Reason | None:
        """A city of another owner in an open region where the seat is present."""
        city, state = self.board.cities.index(target), self.state
        region, owner = int(self.rules.city_region[city]), int(state.city_owner[city])
        if found := self._closed(region):
            return found
        if owner == c.NONE:
            return Reason("empty", f"Nobody holds {self.board.names[target]}.", "R8.5.1")
        if owner == self.seat:
            return Reason("own", f"{self.board.names[target]} is yours.", "R8.5.1")
        if not self._present(region):
            return Reason("presence", f"You have no disc in {self._region(region)} yet.", "R8.5.1")
        needed = 1 + self._casualties(city)
        if state.harbor[self.seat] < needed:
            have = int(state.harbor[self.seat])
            text = f"The Attack takes {needed} disc{'s' * (needed != 1)} of your harbor, and you have {have}."
            return Reason("discs", text, "R8.5.2")
        return self._locked(region) or self._piece_there(city, (exploit.no_attack for exploit in EXPLOITS))

    def draw(self, target: str) -> Reason | None:
        """A pile of an open region whose top card the seat has enough discs for."""
        deck, rules, state = self.board.decks.index(target), self.rules, self.state
        region = int(rules.deck_region[deck])
        if found := self._closed(region):
            return found
        card = self._top_card(deck)
        if card == c.NONE:
            if state.abolished and rules.card_slavery[deck * c.CARDS_PER_DECK]:
                return Reason("pile", "Slavery is abolished: its cards have left the game.", "R8.9.3")
            return Reason("pile", "The pile is empty.", "R8.7.1")
        value, discs = int(rules.card_value[card]), int(state.presence[self.seat, region]) + self._more_discs(deck)
        if discs < value:
            clause = "R8.7.1" if rules.track_length[region] else "R8.7.2"
            text = f"The top card has value {value}, and {discs} of your discs count in {self._region(region)}."
            return Reason("value", text, clause)
        if state.lock_deck not in (c.NONE, deck):
            pile = self.board.names[self.board.decks[int(state.lock_deck)]]
            return Reason("pile lock", f"The second card comes from the same pile, {pile}.", "R8.8")
        return self._locked(region)

    # --- the variants -----------------------------------------------------------------------------------------------

    def remove(self, target: str) -> Reason | None:
        """A token of a shipping track that has not lost as many as it may."""
        two = self.state.variant == c.VARIANT_SOLOPLAY_2
        clause, limit = ("V2S.4", 3) if two else ("V3S.3", 2)
        region, dot, number = target.partition(".")
        if not dot:
            return Reason("track only", "Only tokens of shipping tracks leave the board.", clause)
        at = self.board.regions.index(region)
        length = int(self.rules.track_length[at])
        first = c.TRACK_SPACES + at * c.MAX_TRACK
        tokens = self.state.token[first : first + length]
        if tokens[int(number) - 1] == c.NONE:
            return Reason("no token", "No token lies there any more.", clause)
        if int((tokens == c.NONE).sum()) >= limit:
            return Reason("removals", f"{self._region(at)} has lost {limit} tokens, as many as a track may.", clause)
        return None

    def neutral_sail(self, target: str) -> Reason | None:
        """A shipping track for a neutral disc."""
        region, state = self.board.regions.index(target), self.state
        if found := self._no_track(region):
            return found
        if state.variant != c.VARIANT_NEUTRAL_2:
            return self._not_followed(region)
        if state.neutral_due != c.SAIL:
            return Reason("city due", "After an Occupy the neutral disc takes a city.", "V2F.3")
        if state.track_next[region] >= self.rules.track_length[region]:
            return Reason("full", "The track is full, and no neutral disc is placed beside it.", "V2F.9")
        return None

    def neutral_occupy(self, target: str) -> Reason | None:
        """A free city for a neutral disc."""
        city, state = self.board.cities.index(target), self.state
        region = int(self.rules.city_region[city])
        if found := self._closed(region) or self._taken(city):
            return found
        if state.variant != c.VARIANT_NEUTRAL_2:
            return self._not_followed(region)
        if state.neutral_due != c.OCCUPY:
            return Reason("track due", "After a Sail the neutral disc goes to a shipping track.", "V2F.2")
        if not self._present(region, int(state.num_seats) + self.seat):
            return Reason("colour", f"Your neutral colour has no disc in {self._region(region)}.", "V2F.3")
        return Reason("same region", "The region of your Occupy still has a free city for the neutral disc.", "V2F.3")

    def exploit(self, exploit: str) -> Reason | None:
        """An Exploit that is in play and active, and on which the seat has a shield."""
        number, state = c.EXPLOIT_NAMES.index(exploit), self.state
        if not int(state.exploits) >> number & 1:
            return Reason("not in play", "This Exploit is not in this game.", "X1.1")
        regions = self.rules.exploit_region[number].tolist()
        shut = [self._region(region) for region in regions if not state.open[region]]
        if shut:
            text = f"The Exploit is not active: {joined(shut)} {'is' if len(shut) == 1 else 'are'} closed."
            return Reason("inactive", text, "X1.3")
        away = [self._region(region) for region in regions if state.presence[self.seat, region] < 1]
        if away:
            return Reason("shield", f"You have no shield here: you have no disc in {joined(away, 'or')}.", "X1.4")
        return None

    # --- what several ask -------------------------------------------------------------------------------------------

    def open_parts(self) -> list[int]:
        """Return the parts of the action under way that are still open, each once."""
        return list(dict.fromkeys(part for part in self.state.parts.tolist() if part != c.NONE))

    def _on_track(self, icons: int) -> int:
        return max(0, min(int(self.rules.status_max), icons))

    def _region(self, region: int) -> str:
        return self.board.names[self.board.regions[region]]

    def _no_track(self, region: int) -> Reason | None:
        if self.rules.track_length[region]:
            return None
        return Reason("no track", f"{self._region(region)} has no shipping track.", "R8.1.1")

    def _closed(self, region: int) -> Reason | None:
        if self.state.open[region]:
            return None
        return Reason("closed", f"{self._region(region)} is closed until its shipping track is full.", "R8.2.1")

    def _taken(self, city: int) -> Reason | None:
        owner, name = int(self.state.city_owner[city]), self.board.names[self.board.cities[city]]
        if owner == c.NONE:
            return None
        text = f"{name} is yours already." if owner == self.seat else f"{name} has a disc already."
        return Reason("taken", text, "R8.3.1")

    def _piece_there(self, city: int, texts: Iterable[str]) -> Reason | None:
        """Return what a piece in a city prevents: ``texts`` says it of the piece of each Exploit, empty if nothing."""
        for number, (exploit, text) in enumerate(zip(EXPLOITS, texts, strict=True), start=1):
            if self.exploits and text and exploit.in_city and exploit.in_city[1](self.state, city):
                return Reason(exploit.in_city[0], text, f"E{number}")
        return None

    def _present(self, region: int, side: int | None = None) -> bool:
        """Return whether a side, by default the seat, is present in a region; everybody is where there is no track."""
        discs = self.state.presence[self.seat if side is None else side, region]
        return bool(discs > 0 or self.rules.track_length[region] == 0)

    def _locked(self, region: int) -> Reason | None:
        lock = int(self.state.lock_region)
        if lock in (c.NONE, region):
            return None
        return Reason("region lock", f"Both parts of the action are in one region, {self._region(lock)}.", "R8.8")

    def _not_followed(self, region: int) -> Reason | None:
        """Return why a neutral disc does not go to a region that the own action was not in (V2S.7)."""
        if int(self.state.neutral_regions) >> region & 1:
            return None
        return Reason("follows", "The neutral disc goes to the region of your own action.", "V2S.7")

    def _top_card(self, deck: int) -> int:
        if self.exploits:
            return int(self.state.pile_head[deck])
        top = int(self.state.pile_top[deck])
        return deck * c.CARDS_PER_DECK + top if top < c.CARDS_PER_DECK else c.NONE

    def _pieces_on(self, building: int) -> int:
        """Return the pieces of Exploits that stand on a type of building of the seat as discs do."""
        counts = (exploit.on_building for exploit in EXPLOITS if exploit.on_building and self.exploits)
        return sum(count(self.state, self.seat, building) for count in counts)

    def _more_discs(self, deck: int) -> int:
        """Return how many more discs of the seat count for a Draw than those in the region."""
        counts = (exploit.more_discs for exploit in EXPLOITS if exploit.more_discs and self.exploits)
        return sum(count(self.rules, self.state, self.seat, deck) for count in counts)

    def _casualties(self, city: int) -> int:
        """Return the discs that an Attack costs besides the one placed (R8.5.2)."""
        counts = (exploit.more_casualties for exploit in EXPLOITS if exploit.more_casualties and self.exploits)
        return 1 + sum(count(self.rules, self.state, self.seat, city) for count in counts)


# --- Why a move is not possible now: the decision asks for something else, or a rule stands in the way ---------------

UNKNOWN = Reason("other", "This decision does not offer it.", "")
OVER = Reason("over", "The game is over.", "R11.3")
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
