"""How a game is shown to people: what a game tells the engine for text, pictures, replay pages, and for play on a page.

Where a method takes a ``seat``, it shows what this seat may see: everything for None, and what everybody may see for
``NONE``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from endeavor_env.engine.kernels.rules import CHANCE, CHANCE_NAME

if TYPE_CHECKING:
    from endeavor_env.engine.game import Game


class Piece(NamedTuple):
    """How what belongs to a seat looks."""

    fill: str
    """A colour such as "#b3261e"."""
    ink: str
    """The colour of the letter on it."""
    letter: str


class Choice(NamedTuple):
    """How a legal move is offered to a person."""

    heading: str
    """Heading over the buttons of moves of its kind; empty for a move that stands alone."""
    label: str
    """Text of its button below the heading."""
    words: str
    """The whole move as a request, such as "Lay a route on the path north of Kiev"."""
    key: str | None = None
    """The area of the picture to which it belongs, if there is one."""


class Fact(NamedTuple):
    """Something that lies on the table, for a list of such things."""

    name: str
    """Name, such as "Hand"."""
    words: str
    """State in words, such as "2 wood, 1 ore"."""


class Explained(NamedTuple):
    """What a thing in the picture is."""

    text: str
    clause: str
    """Clause of the rules."""


PIECES = tuple(
    Piece(fill, ink, str(seat))
    for seat, (fill, ink) in enumerate(
        [
            ("#0072b2", "#ffffff"),
            ("#d55e00", "#101214"),
            ("#009e73", "#101214"),
            ("#f0e442", "#101214"),
            ("#cc79a7", "#101214"),
        ]
    )
)
"""Colours of Okabe and Ito, which people with any kind of colour blindness tell apart, for games that have no own."""


class Presenter:
    """What people see of a game: scores and moves as text, unless a game has more to show and overrides it.

    Attributes:
        title: The name of the game.
        score: What scores count, such as "points".
        period: What ``period_of`` numbers, such as "Round".
        has_pictures: Whether ``picture`` draws one.
        shows_positions: Whether ``position_text`` and ``position_picture`` show positions of which no moves are known.
    """

    has_pictures = shows_positions = False

    def __init__(self, title: str, score: str = "points", period: str = "Move") -> None:
        """Take the names of the game, of what scores count, and of what ``period_of`` numbers."""
        self.title, self.score, self.period = title, score, period

    def period_of(self, game: Any) -> int:
        """Return the number of the round or turn in which a game stands, from 1; 0 before the first.

        It is 1 unless a game says otherwise: moves alone do not tell where a round begins.
        """
        return 1

    def words(self, game: Any, action: int) -> str:
        """Return a legal move in words, as what its seat does."""
        text: str = game.describe(action)
        return text

    def text(self, game: Any, seat: int | None = None) -> str:
        """Return the position as lines of text: what ``seat`` may see, all of it for None."""
        scores = (f"Seat {number}: {score} {self.score}" for number, score in enumerate(game.scores()))
        return "\n".join([self.title, *scores, decision_text(game)])

    def picture(self, game: Any, seat: int | None = None, theme: Any = None) -> Any:
        """Return the position as a ``endeavor.drawing.scene.Scene``: what ``seat`` may see, all of it for None.

        ``theme`` is a ``endeavor.drawing.scene.theme.Theme``, the light one for None.
        """
        raise NotImplementedError(f"{self.title} has no pictures")

    # --- for environments --------------------------------------------------------------------------------------------
    def news(self, game: Any, since: int | None) -> str:
        """Return the whole position as lines of text, below the moves from number ``since`` on.

        For None the game decides which moves are shown: none, unless it says otherwise.
        """
        made = [] if since is None else game.history[since:]
        moves = [f"{mover_name(seat)}: {game.move_text(seat, action)}" for seat, action in made]
        return "\n".join([*moves, self.text(game)])

    def position_text(self, config: Any, state: Any) -> str:
        """Return a bare position, (1,), of a game of ``config`` as lines of text."""
        raise NotImplementedError("positions are not shown without their games")

    def position_picture(self, config: Any, state: Any) -> Any:
        """Return a bare position, (1,), of a game of ``config`` as a scene."""
        raise NotImplementedError("positions are not shown without their games")

    # --- for play on a page ------------------------------------------------------------------------------------------
    def map_picture(self, game: Any, seat: int | None = None, theme: Any = None) -> Any:
        """Return the picture of the position without what ``facts`` and ``belongings`` say in words."""
        return self.picture(game, seat, theme)

    def piece(self, seat: int) -> Piece:
        """Return how what belongs to a seat looks, in pictures as in the colours of its name."""
        return PIECES[seat]

    def choice(self, game: Any, action: int) -> Choice:
        """Return how a legal move is offered to the person who is to move."""
        words = self.words(game, action)
        return Choice("", words, words)

    def question(self, game: Any) -> str:
        """Return what the seat to move is asked, as a sentence without a full stop."""
        return "Choose a move"

    def turn_note(self, game: Any) -> str:
        """Return in a few words how far the turn has come, such as "dice 8"; empty for nothing."""
        return ""

    def told(self, game: Any, text: str) -> str:
        """Return a move that is about to be made in words, of which ``Game.moves_seen_by`` gives the ``text``."""
        return text

    def facts(self, game: Any, seat: int | None = None) -> Sequence[Fact]:
        """Return what lies in the middle of the table, for all: dice, reserves, offers."""
        return ()

    def belongings(self, game: Any, owner: int, seat: int | None = None) -> Sequence[Fact]:
        """Return what belongs to the seat ``owner``, as ``seat`` sees it."""
        return ()

    def sources(self, game: Any) -> Sequence[tuple[str, list[int]]]:
        """Return where the scores come from: the name of each source, and what it brought each seat."""
        return ((self.score, game.scores()[: game.num_players]),)

    def about(self, game: Any, key: str) -> Explained | None:
        """Return what an area of the picture stands for; None if there is nothing to say."""
        return None

    def why_not(self, game: Any, key: str) -> str | None:
        """Return why the seat to move has no move in an area of the picture, with its clause; None for no reason."""
        return None


def decision_text(game: Game) -> str:
    """Return whose decision it is with the first of its legal moves, or how the game ended, as a line."""
    if game.over:
        return f"The game is over; won by {', '.join(f'seat {seat}' for seat in game.winners())}"
    return f"{mover_name(game.seat)} is to move: {game.first_moves_text()}"


def mover_name(seat: int) -> str:
    """Return the name of a seat, or of chance, at the beginning of a line."""
    return CHANCE_NAME.capitalize() if seat == CHANCE else f"Seat {seat}"
