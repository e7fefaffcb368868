"""The whole text board: headline, last moves, seats, map, supply and legend."""

from __future__ import annotations

from collections.abc import Sequence

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.ansi import exploit_text, solo_text
from endeavor_env.endeavor.drawing.ansi.lines import CLOSED, all_counted, plain, wrapped
from endeavor_env.endeavor.drawing.ansi.map_text import connection_lines, region_lines
from endeavor_env.endeavor.drawing.ansi.seat_text import seat_lines
from endeavor_env.endeavor.drawing.view import View, view_game, view_position
from endeavor_env.endeavor.game_like import GameLike
from endeavor_env.endeavor.options import without_defaults
from endeavor_env.endeavor.results import States
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.played import is_named

_LEGEND = (
    "> decides, * holds the first-player marker, <n> a disc of seat n; tracks run from the far end",
    "a city has one * a Glory; a connection shows its token, - once taken, then the seat that controls it",
)


def render(game: GameLike, since: int | None = None) -> str:
    """Return the whole table of ``game`` as text, with its last moves and, in ``solo``, what the Opposition then did.

    Args:
        game: Any game, also a finished one.
        since: How many moves the reader has seen already; None stands for all but the last. Without new moves the
            last one is shown again.
    """
    return draw(view_game(game, since))


def render_position(board: Board, states: States, moves: Sequence[tuple[int, int]] = ()) -> str:
    """Return a bare position as text.

    Args:
        board: The board played on.
        states: (1,) STATE, read only.
        moves: The (seat, action id) pairs to show as the last moves, oldest first.
    """
    return draw(view_position(board, states, moves))


def draw(view: View) -> str:
    """Return ``view`` as text, without a final newline."""
    table = view.solitaire
    lines = [*_headline(view), *_last_moves(view)]
    lines += solo_text.step_lines(view.opposition_steps)
    if table is not None:
        lines += solo_text.result_lines(view, table)
    lines += ["", *seat_lines(view)]
    if table is not None:
        opposition = view.mats[c.OPPOSITION]
        lines += [*solo_text.opposition_lines(opposition, table), "", *solo_text.scale_lines(table)]
        lines += ["", *solo_text.grid_lines(table, view.board.buildings)]
    for region in view.regions:
        lines += ["", *region_lines(region, view.board.names[region.id])]
    lines += exploit_text.exploit_lines(view.exploits)
    lines += ["", "Connections", *wrapped(connection_lines(view.connections))]
    lines += ["", "Buildings in the supply", *wrapped(all_counted(view.building_supply))]
    return "\n".join([*lines, "", *(_LEGEND if table is None else solo_text.LEGEND), *_extra_legend(view)])


def _headline(view: View) -> list[str]:
    title = view.board.name if view.variant == c.VARIANT_NAMES[0] else f"{view.board.name}, {view.variant}"
    if view.phase == "over":
        return [f"{title}: the game is over after {view.num_rounds} rounds", *_options(view)]
    when = "set-up" if view.phase == "setup" else f"round {view.round} of {view.num_rounds}, {view.phase} phase"
    lines = [f"{title}: {when}"]
    if view.solitaire is None:
        lines.append(
            f"{plain(view.mats[view.seat].title)} decides: {view.decision.replace('_', ' ')}{_decision_note(view)}"
        )
    else:
        lines += solo_text.decision_lines(view, view.solitaire)
    if view.slavery_abolished:
        lines.append("Slavery is abolished")
    return lines + _options(view)


def _decision_note(view: View) -> str:
    """Return what to add to a decision: how many tokens are to go, whose disc is placed, what an ability brings."""
    if view.follow_up is not None:
        return f" ({view.follow_up})"
    if view.decision == "remove":
        return f" (tokens still to leave the tracks: {view.removals_left})"
    if view.decision == "neutral" and view.variant == "neutral_2":
        return f" (a disc of neutral-{view.seat})"
    return ""


def _options(view: View) -> list[str]:
    """Return the options that differ from their default, if any do."""
    chosen = without_defaults(view.options)
    shown = [name if value is True else f"{name} {value}" for name, value in chosen.items()]
    return wrapped(shown, "Options: ", indent=0) if shown else []


def _last_moves(view: View) -> list[str]:
    if not view.moves:
        return []
    alone = view.solitaire is not None and not is_named(view.mats[0].title)
    shown = [move.text if alone else f"{plain(view.who(move.seat))} {move.text}" for move in view.moves]
    return wrapped(shown, "Last move: " if len(shown) == 1 else "Last moves: ", indent=0)


def _extra_legend(view: View) -> list[str]:
    """Return the line that explains neutral discs or Exploits, in games that have them."""
    if view.exploits:
        return [*exploit_text.LEGEND]
    if "neutral" in view.sides:
        stays = view.options["variant_removed_spaces_stay"]
        takes = "still takes a disc" if stays else f"is {CLOSED}: it takes no disc"
        return [f"<neutral> a neutral disc; a shipping space whose token was removed {takes}"]
    if view.variant == "neutral_2":
        return ["<neutral-n> a disc of the neutral side that seat n places"]
    return []
