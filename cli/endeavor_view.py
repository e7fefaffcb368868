"""What commands show of a game of Endeavor: a coloured screen with everybody's mat, the text board, its pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import cast

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from endeavor_env.cli.views import MOST_MOVES, GameView, positions
from endeavor_env.endeavor.drawing import ansi
from endeavor_env.endeavor.drawing.scene import Scene, draw_game, draw_game_for_film
from endeavor_env.endeavor.drawing.scene.theme import SIDES
from endeavor_env.endeavor.drawing.view import MatView, SpaceView, View, view_game
from endeavor_env.endeavor.drawing.words import move_in_words
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rules.constants import STATUS_NAMES
from endeavor_env.endeavor.setups import SOLO
from endeavor_env.engine.players_info import is_named

FREE, TAKEN = "○", "·"
_MATS = {"player": "white", "Opposition": "black"}


class EndeavorView(GameView):
    """What commands show of a game of Endeavor."""

    def moment(self, game: Game, every: str) -> tuple[object, ...]:
        """Return what stays the same until the next position is to be shown."""
        if every == "round":
            return game.round, game.over
        if every == "turn":
            return game.round, game.phase, game.seat
        return (len(game.history),)

    def headline(self, game: Game) -> str:
        """Return board, round and phase in one line."""
        return headline(view_game(game))

    def line(self, game: Game, since: int) -> str:
        """Return a position as one line, for files and for terminals that cannot move the cursor."""
        view = view_game(game, since)
        moves = ", ".join(move.text if view.solitaire else f"{view.who(move.seat)} {move.text}" for move in view.moves)
        glory = " ".join(str(mat.glory) for mat in view.mats)
        return f"{headline(view)}; Glory {glory}" + (f"; {moves}" if moves else "")

    def text(self, game: Game, since: int) -> str:
        """Return the text board, after the moves from number ``since`` on."""
        return ansi.render(game, since)

    def screen(self, game: Game, since: int) -> Callable[[str], RenderableType]:
        """Return what makes the screen of a position, given the words below its first line."""
        view = view_game(game, since)
        return lambda below: screen_of(view, below)

    def final_table(self, game: Game) -> Table:
        """Return how a game ended, or how it stands: a row for everybody who scores."""
        view = view_game(game)
        table = Table(title=headline(view), box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
        table.add_column("seat", no_wrap=True)
        table.add_column("agent", overflow="fold")
        for heading in ("Glory", *STATUS_NAMES):
            table.add_column(heading, justify="right", no_wrap=True)
        won = game.winners()
        for row, mat in enumerate(view.mats):
            winner = " (wins)" if game.over and row in won else ""
            statuses = [str(value) for value in mat.statuses.values()]
            name = mat.title if is_named(mat.title) else ""
            table.add_row(mat.name + winner, name, str(mat.glory), *statuses)
        if game.variant == SOLO and game.over:
            table.caption = game.ladder().name
        return table

    def scene(self, game: Game, theme: str, targets: bool = False) -> Scene:
        """Return the picture of a position, with a frame round the targets of legal moves if ``targets`` says so."""
        return draw_game(game, theme, game.legal_moves() if targets else ())

    def film(self, game: Game, numbers: list[int], whole: bool) -> tuple[list[int], Callable[[Game, str], Scene]]:
        """Return the positions of an animation: all, or from the first disc on those of the map with less around it."""
        if whole:
            return numbers, self.scene
        return from_first_disc(game, numbers), cast(Callable[[Game, str], Scene], draw_game_for_film)


def from_first_disc(game: Game, numbers: list[int]) -> list[int]:
    """Return those of the numbers from the first on whose position has a disc on the map; the last one if none has."""
    for index, position in enumerate(positions(game, numbers)):
        state = position.state[0]
        if (state.city_owner >= 0).any() or (state.track_owner >= 0).any():
            return numbers[index:]
    return numbers[-1:]


def headline(view: View) -> str:
    """Return board, round and phase in one line."""
    where = view.board.name if view.variant == "standard" else f"{view.board.name}, {view.variant}"
    if view.phase == "over":
        return f"{where}: over after {view.num_rounds} rounds"
    return f"{where}: round {view.round} of {view.num_rounds}, {view.phase}"


# --- the screen ------------------------------------------------------------------------------------------------------


def screen_of(view: View, below: str = "") -> Group:
    """Return a position to print, with a line below the first that says what else there is to say."""
    lines = [Text(headline(view), style="bold"), *([Text(below, style="dim")] if below else [])]
    return Group(*lines, mats_table(view), regions_table(view), *move_lines(view))


def disc(side: str) -> Text:
    """Return the disc of a side: its digit or letter on its colour, so that it is told by either."""
    piece = SIDES[_MATS.get(side, side)]
    return Text(piece.letter, style=f"bold {piece.ink} on {piece.fill}")


def mats_table(view: View) -> Table:
    """Return a row for each mat: Glory, statuses, and what lies on it."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column("seat", no_wrap=True)
    table.add_column("agent", overflow="ellipsis", no_wrap=True)
    for heading in ("Glory", *STATUS_NAMES, "cards", "tokens"):
        table.add_column(heading, justify="right", no_wrap=True)
    for mat in view.mats:
        table.add_row(*_mat_cells(mat))
    return table


def _mat_cells(mat: MatView) -> tuple[Text | str, ...]:
    """Return the cells of a mat; an arrow shows who decides."""
    sign = disc(mat.name)
    seat = Text.assemble(sign, "" if sign.plain == mat.name else f" {mat.name}", " <" if mat.decides else "")
    counts = (len(mat.cards), sum(mat.tokens.values()))
    statuses = (str(value) for value in mat.statuses.values())
    return seat, mat.title if is_named(mat.title) else "", str(mat.glory), *statuses, *(str(value) for value in counts)


def regions_table(view: View) -> Table:
    """Return a row for each region: who has its shipping spaces and its cities."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for heading in ("region", "shipping track", "cities"):
        table.add_column(heading, no_wrap=True)
    for region in view.regions:
        name = Text(view.board.names[region.id], style="" if region.open else "dim")
        table.add_row(name, _signs(region.track), _signs(city.space for city in region.cities))
    return table


def _signs(spaces: Iterable[SpaceView]) -> Text:
    """Return a sign for each space: a disc, a token that can still be taken, or nothing."""
    parts = Text()
    for space in spaces:
        sign = Text(FREE if space.token else TAKEN, style="dim") if space.owner is None else disc(space.owner)
        parts.append_text(sign)
        parts.append(" ")
    return parts


def move_lines(view: View) -> list[Text]:
    """Return the last moves in words, and what the Opposition did."""
    lines = []
    for move in view.moves[-MOST_MOVES:]:
        mat = view.mats[move.seat]
        lines.append(Text.assemble(disc(mat.name), f" {mat.title} {move_in_words(view.board, move.text)}"))
    return [*lines, *(Text(f"  {step}") for step in view.opposition_steps[-MOST_MOVES:])]
