"""Possible worlds: what others may hold by all that a seat has seen, from the history without the kernels (K14.1).

Weights are the probabilities of the draws of chance; a move counts as possible or not, never as more or less likely.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from typing import Any

from tests.merchants.reference.agenda import CHANCE
from tests.merchants.reference.game import ReferenceGame
from tests.merchants.reference.map import CARDS, RESOURCES

Hands = tuple[tuple[int, ...], ...]
HIDDEN = "stolen"


def hands_of(game: ReferenceGame) -> Hands:
    """Return the resource cards of all hands."""
    return tuple(tuple(who.hand[kind] for kind in RESOURCES) for who in game.table.seats)


def _asked(game: ReferenceGame) -> Any:
    """Return what everybody sees of what is asked."""
    return game.seat, game.truncated, game.winning, type(game.agenda[-1]) if game.agenda else None


class HandsSeen:
    """The games of the reference that look to a seat like the real one, but for development cards, which are open."""

    def __init__(self, game: ReferenceGame, seat: int, merges: bool = True) -> None:
        """Begin where all hands are known; ``merges`` says whether games with equal hands become one."""
        self.seat, self.merges = seat, merges
        self.games: list[tuple[ReferenceGame, Fraction]] = [(game.copy(), Fraction(1))]

    def see(self, text: str, after: ReferenceGame) -> None:
        """See a move or a draw, and the real game ``after`` it."""
        merged: dict[Any, list[Any]] = {}
        for game, weight in self.games:
            outcomes = self._outcomes(game, text)
            for outcome, share in outcomes:
                other = game if len(outcomes) == 1 else game.copy()
                other.play(outcome)
                if _asked(other) == _asked(after):
                    key = hands_of(other) if self.merges else len(merged)
                    merged.setdefault(key, [other, Fraction(0)])[1] += weight * share
        self.games = [(game, weight) for game, weight in merged.values()]

    def _outcomes(self, game: ReferenceGame, text: str) -> list[tuple[str, Fraction]]:
        """Return what may have happened in a game where the seat has seen as much as of ``text``."""
        legal = game.legal()
        if game.seat != CHANCE:
            return [(text, Fraction(1))] if text in legal else []
        weights = game.weights()
        chances = {outcome: Fraction(weight, sum(weights)) for outcome, weight in zip(legal, weights, strict=True)}
        seers = getattr(game.agenda[-1], "seers", ())
        if text.startswith(HIDDEN) and self.seat not in seers:
            return list(chances.items())
        return [(text, chances[text])] if text in chances else []

    def weights(self) -> dict[Hands, float]:
        """Return how likely each world is."""
        total = sum(weight for _, weight in self.games)
        return {hands_of(game): float(weight / total) for game, weight in self.games}


class CardsSeen:
    """What development cards others may hold: (held by each seat, pile) with the card of this turn, by weight."""

    def __init__(self, players: int, seat: int, pile: dict[str, int]) -> None:
        """Begin before the first draw."""
        self.seat = seat
        nothing = (0,) * len(CARDS)
        self.worlds: dict[Any, Fraction] = {
            ((nothing,) * players, tuple(pile[card] for card in CARDS), None): Fraction(1)
        }
        self.used = Counter[int]()

    def end_turn(self) -> None:
        """Forget which card was bought in the turn."""
        self._change(lambda hands, pile, _: [((hands, pile, None), Fraction(1))])

    def make_pile(self) -> None:
        """Let the played cards become the pile, which is empty."""
        new = tuple(self.used[kind] for kind in range(len(CARDS)))
        self.used.clear()
        self._change(lambda hands, pile, bought: [((hands, new, bought), Fraction(1))] if not any(pile) else [])

    def draw(self, owner: int, card: str) -> None:
        """See that a seat draws, and the card if it is the own one."""
        seen = CARDS.index(card) if owner == self.seat else None

        def after(hands: Hands, pile: tuple[int, ...], _: Any) -> list[Any]:
            kinds = [kind for kind, left in enumerate(pile) if left and seen in (None, kind)]
            return [
                ((_added(hands, owner, kind, 1), _plus(pile, kind, -1), kind), Fraction(pile[kind], sum(pile)))
                for kind in kinds
            ]

        self._change(after)

    def play(self, owner: int, card: str) -> None:
        """See that a seat plays a card, which is not the one that it bought in this turn."""
        kind = CARDS.index(card)
        self.used[kind] += 1

        def after(hands: Hands, pile: tuple[int, ...], bought: Any) -> list[Any]:
            possible = hands[owner][kind] - (bought == kind) > 0
            return [((_added(hands, owner, kind, -1), pile, bought), Fraction(1))] if possible else []

        self._change(after)

    def _change(self, after: Any) -> None:
        found: dict[Any, Fraction] = defaultdict(Fraction)
        for world, weight in self.worlds.items():
            for changed, share in after(*world):
                found[changed] += weight * share
        self.worlds = dict(found)


def _plus(counts: tuple[int, ...], kind: int, number: int) -> tuple[int, ...]:
    return (*counts[:kind], counts[kind] + number, *counts[kind + 1 :])


def _added(hands: Hands, owner: int, kind: int, number: int) -> Hands:
    return (*hands[:owner], _plus(hands[owner], kind, number), *hands[owner + 1 :])
