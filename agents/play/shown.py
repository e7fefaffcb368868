"""A session as the page shows it: picture, question, moves, log, scores and result, as JSON takes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from endeavor_env.agents.play.log import disc_of, log_of
from endeavor_env.agents.play.phrases import button_words, move_heading, move_note, move_phrase, question
from endeavor_env.agents.play.snapshot import SessionSnapshot
from endeavor_env.agents.play.timeline import TimelineMove, last_turn, moves_known, moves_made
from endeavor_env.agents.play.tooltips import tooltips
from endeavor_env.drawing.svg import to_svg
from endeavor_env.endeavor.drawing.scene import Area, Scene, draw_scene
from endeavor_env.endeavor.drawing.scene.compose import HEAD, MAP, MATS, SIDE, SUPPLY, areas_of_moves
from endeavor_env.endeavor.drawing.scene.map import Box
from endeavor_env.endeavor.drawing.scene.mats import side_of
from endeavor_env.endeavor.drawing.scene.table import legend_box, supply_columns, supply_row
from endeavor_env.endeavor.drawing.view import View, view_game
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.opposition import Step, explain
from endeavor_env.endeavor.results import scorers

PARTS = {"map": MAP, "mats": MATS, "supply": SUPPLY, "side": SIDE}
"""The parts of the picture, which a small screen shows one at a time."""
LISTED = 12
"""Moves that the picture lists."""
SOLO = "solo"


def shown_snapshot(snapshot: SessionSnapshot, theme: str) -> dict[str, Any]:
    """Return everything that the page shows, as JSON takes it.

    Args:
        snapshot: The session as it is now.
        theme: "light" or "dark".
    """
    game = snapshot.game
    moves = game.legal_moves() if snapshot.asked else []
    made = moves_made(game)
    known = moves_known(made, snapshot.people)
    steps = explain(game) if game.variant == SOLO else []
    view = view_game(game, max(0, len(made) - LISTED))
    scene = draw_scene(view, theme)
    areas = areas_of_moves(scene, moves, _mat_of(game))
    return {
        "tag": snapshot.tag,
        "position": snapshot.position,
        "number": len(made),
        "variant": game.variant,
        "round": game.round,
        "rounds": view.num_rounds,
        "phase": game.phase,
        "svg": to_svg(scene),
        "parts": {name: _box(area) for name, area in PARTS.items()},
        "supply": {
            "columns": [_box(column) for column in supply_columns(view, SUPPLY)],
            "row": supply_row(view),
            "legend": _box(legend_box(SUPPLY)),
        },
        "box": [0, HEAD.y + HEAD.height, scene.width, scene.height - HEAD.y - HEAD.height],
        "asked": snapshot.asked,
        "over": game.over,
        "thinking": snapshot.thinking,
        "trouble": snapshot.trouble,
        "question": _question(snapshot, view, moves, steps),
        "groups": _groups(game, view, areas, moves),
        "things": tooltips(game, scene, list(areas.values()), snapshot.asked),
        "seats": _seats(snapshot, view),
        "log": log_of(game, made, steps, known, snapshot.titles),
        "recent": _recent(game, scene, made[known:], [step for step in steps if step.after >= known]),
        "can_undo": last_turn(made, snapshot.people) is not None,
        "result": _result(game) if game.over else None,
    }


def _question(snapshot: SessionSnapshot, view: View, moves: Sequence[str], steps: Sequence[Step]) -> str:
    """Return what the bar at the top says."""
    game = snapshot.game
    if game.over:
        return _outcome(snapshot)
    if not moves:
        return f"{snapshot.title} {'is thinking' if snapshot.thinking is not None else 'cannot move'}"
    asked = question(game, view, moves, steps[-1] if steps and steps[-1].asked else None)
    return asked if len(snapshot.people) == 1 else f"{snapshot.title}: {asked[:1].lower()}{asked[1:]}"


def _groups(game: Game, view: View, areas: Mapping[str, Area], moves: Sequence[str]) -> list[dict[str, Any]]:
    """Return the legal moves under headings, those that stand alone first."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for move in moves:
        entry = {
            "move": move,
            "label": button_words(game.board, move),
            "words": move_phrase(game.board, move),
            "note": move_note(game.board, view, move),
            "area": _box(areas.get(move)),
        }
        groups.setdefault(move_heading(move), []).append(entry)
    return [{"heading": heading, "moves": groups[heading]} for heading in sorted(groups, key=bool)]


def _mat_of(game: Game) -> str:
    """Return the name of the mat of whoever the choice is for."""
    if game.variant != SOLO:
        return str(game.seat)
    return "Opposition" if game.decision == "opposition" else "player"


def _box(area: Area | Box | None) -> list[float] | None:
    return None if area is None else [area.x, area.y, area.width, area.height]


def _seats(snapshot: SessionSnapshot, view: View) -> list[dict[str, Any]]:
    """Return a line for everybody who scores."""
    game = snapshot.game
    found = []
    for row, mat in enumerate(view.mats):
        found.append(
            {
                "label": mat.title,
                "disc": disc_of(side_of(mat)),
                "glory": mat.glory,
                "turn": row == game.seat,
                "passed": mat.passed,
            }
        )
    return found


def _recent(game: Game, scene: Scene, made: Sequence[TimelineMove], steps: Sequence[Step]) -> list[dict[str, Any]]:
    """Return where moves that are news were made, with the colour of who made them."""
    solo = game.variant == SOLO
    moved = [] if solo else [(str(move.seat), game.describe(move.action)) for move in made]
    moved += [(step.colour, step.move) for step in steps if step.move]
    found = {}
    for side, move in moved:
        for area in areas_of_moves(scene, [move], "Opposition" if solo else side).values():
            found[area] = disc_of(side)["fill"]
    return [{"area": _box(area), "fill": fill} for area, fill in found.items()]


def _outcome(snapshot: SessionSnapshot) -> str:
    """Return how a finished game ended."""
    game = snapshot.game
    if game.variant == SOLO:
        own, other = game.scores()
        ladder = game.ladder()
        panache = " with panache" if ladder.panache else ""
        return f"The game is over: {ladder.name}{panache}, {own} to {other} Glory"
    winners, most = game.winners(), max(game.scores())
    if len(winners) == 1 and snapshot.people == set(winners):  # the one who reads it
        return f"The game is over: you win with {most} Glory"
    names = [snapshot.titles[seat] for seat in winners]
    if len(names) > 1:
        return f"The game is over: {' and '.join(names)} share the win with {most} Glory"
    return f"The game is over: {names[0]} wins with {most} Glory"


def _result(game: Game) -> dict[str, Any]:
    """Return the table of the result: a row for each source of Glory that brought any, and the totals."""
    parts = [game.breakdown(scorer) for scorer in scorers(game.state)]
    rows = [
        {"source": name.replace("_", " "), "glory": [part[name] for part in parts]}
        for name in parts[0]
        if any(part[name] for part in parts)
    ]
    return {"rows": rows, "total": game.scores()}
