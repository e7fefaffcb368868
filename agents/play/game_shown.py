"""A session of any game on the engine as the page shows it to an observer, as JSON takes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from endeavor_env.agents.play.snapshot import SessionSnapshot
from endeavor_env.drawing.shapes import Area, Scene
from endeavor_env.drawing.svg import to_svg
from endeavor_env.endeavor.drawing.scene.theme import THEMES
from endeavor_env.engine.game import Game
from endeavor_env.engine.kernels.rules import CHANCE
from endeavor_env.engine.presenter import Piece, Presenter
from endeavor_env.web.frames import text_scene

LINES = 150
"""Moves that the log lists."""
ROOM, BELOW = 56.0, 30.0
"""Pixels around the areas of a picture that belong to its map: room for names."""
CHANCE_PIECE = Piece("#8a8f96", "#101214", "?")
"""The disc beside what chance decided."""


class _Told(NamedTuple):
    """A move of the log."""

    line: dict[str, Any]
    area: str | None
    """The key of the area where it was made."""
    piece: Piece


def shown_game(snapshot: SessionSnapshot, presenter: Presenter, theme: str, observer: int | None) -> dict[str, Any]:
    """Return everything that the page shows; nothing of it depends on what the observer cannot know.

    Args:
        snapshot: The session as it is now.
        presenter: What people see of the game.
        theme: "light" or "dark".
        observer: As whom the page sees the game: a seat, NONE for what all may see, or None for everything.
    """
    game: Game = snapshot.game
    curtain = snapshot.asked and game.has_secrets and observer != game.seat
    scene = _scene(game, presenter, theme, observer)
    areas = {area.key: area for area in scene.shapes if isinstance(area, Area)}
    choices = [] if curtain or not snapshot.asked else _groups(game, presenter, areas)
    known = _moves_known(game, snapshot.people)
    told = _told(snapshot, presenter, observer, known)
    box, legend = _boxes(scene, areas)
    return {
        "tag": f"{snapshot.tag}-{observer}",
        "position": snapshot.position,
        "number": len(game.history),
        "variant": game.variant,
        "title": presenter.title,
        "unit": presenter.score,
        "period": presenter.period,
        "round": presenter.period_of(game),
        "rounds": None,
        "phase": presenter.turn_note(game),
        "observer": observer,
        "curtain": {"seat": game.seat, "title": snapshot.title} if curtain else None,
        "svg": to_svg(scene),
        "parts": {"map": box, "legend": legend, "mats": None, "supply": None},
        "supply": None,
        "box": box,
        "asked": snapshot.asked,
        "over": game.over,
        "thinking": snapshot.thinking,
        "trouble": snapshot.trouble,
        "question": _question(snapshot, presenter, bool(curtain)),
        "groups": choices,
        "things": _things(game, presenter, areas, snapshot.asked and not curtain),
        "panels": _panels(snapshot, presenter, observer),
        "seats": [_seat(snapshot, presenter, seat) for seat in range(game.num_players)],
        "log": [one.line for one in told],
        "recent": _recent(told, areas),
        "can_undo": False,
        "result": _result(game, presenter) if game.over else None,
    }


def _scene(game: Game, presenter: Presenter, theme: str, observer: int | None) -> Scene:
    """Return the picture; text for a game that draws none."""
    if presenter.has_pictures:
        scene: Scene = presenter.map_picture(game, observer, THEMES[theme])
        return scene
    return text_scene(presenter.text(game, observer), presenter.title, THEMES[theme])


def _boxes(scene: Scene, areas: Mapping[str, Area]) -> tuple[list[float], list[float] | None]:
    """Return the part of the picture in which its areas lie, and the part below, None if there is none."""
    if not areas:
        return [0, 0, scene.width, scene.height], None
    left, top = (max(0.0, min(getattr(area, at) for area in areas.values()) - ROOM) for at in ("x", "y"))
    right = min(scene.width, max(area.x + area.width for area in areas.values()) + ROOM)
    bottom = max(area.y + area.height for area in areas.values()) + BELOW
    map_box = [left, top, right - left, min(scene.height, bottom) - top]
    return map_box, [0, bottom, scene.width, scene.height - bottom] if bottom < scene.height else None


def _question(snapshot: SessionSnapshot, presenter: Presenter, curtain: bool) -> str:
    """Return what the bar at the top says."""
    game = snapshot.game
    if game.over:
        return _outcome(snapshot, presenter)
    if not snapshot.asked:
        return f"{snapshot.title} {'is thinking' if snapshot.thinking is not None else 'cannot move'}"
    if curtain:
        return f"{snapshot.title} is asked: hand the page over"
    asked = presenter.question(game)
    return asked if len(snapshot.people) == 1 else f"{snapshot.title}: {asked[:1].lower()}{asked[1:]}"


def _outcome(snapshot: SessionSnapshot, presenter: Presenter) -> str:
    """Return how a finished game ended."""
    game = snapshot.game
    winners, most = game.winners(), f"{max(game.scores())} {presenter.score}"
    if len(winners) == 1 and snapshot.people == set(winners):  # the one who reads it
        return f"The game is over: you win with {most}"
    names = " and ".join(snapshot.titles[seat] for seat in winners)
    return f"The game is over: {names} {'share the win' if len(winners) > 1 else 'wins'} with {most}"


def _groups(game: Game, presenter: Presenter, areas: Mapping[str, Area]) -> list[dict[str, Any]]:
    """Return the legal moves under headings, those that stand alone first."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for action in game.legal_actions():
        choice = presenter.choice(game, action)
        entry = {
            "move": game.describe(action),
            "label": choice.label,
            "words": choice.words,
            "note": "",
            "area": _box(areas.get(choice.key or "")),
        }
        groups.setdefault(choice.heading, []).append(entry)
    return [{"heading": heading, "moves": groups[heading]} for heading in sorted(groups, key=bool)]


def _box(area: Area | None) -> list[float] | None:
    return None if area is None else [area.x, area.y, area.width, area.height]


def _things(game: Game, presenter: Presenter, areas: Mapping[str, Area], asked: bool) -> list[dict[str, Any]]:
    """Return everything in the picture that has something to say.

    Only whoever is asked is told why a thing cannot be used: it shows what they have.
    """
    used = {presenter.choice(game, action).key for action in game.legal_actions()} if asked else set()
    found = []
    for key, area in areas.items():
        said = presenter.about(game, key)
        if said is not None:
            title = area.title[:1].upper() + area.title[1:]
            why = presenter.why_not(game, key) if asked and key not in used else None
            fields = {"title": title, "says": said.text, "clause": said.clause, "why": why}
            found.append({"key": key, "area": _box(area), **fields})
    return found


def _panels(snapshot: SessionSnapshot, presenter: Presenter, observer: int | None) -> list[dict[str, Any]]:
    """Return what lies before each seat, that of the observer first, and in the middle of the table."""
    game = snapshot.game
    seats = sorted(range(game.num_players), key=lambda seat: (seat != observer, seat))
    panels = [
        {
            "title": snapshot.titles[seat],
            "own": seat == observer,
            "disc": presenter.piece(seat)._asdict(),
            "rows": [fact._asdict() for fact in presenter.belongings(game, seat, observer)],
        }
        for seat in seats
    ]
    table = [fact._asdict() for fact in presenter.facts(game, observer)]
    panels.insert(1 if observer in seats else 0, {"title": "Table", "own": False, "disc": None, "rows": table})
    return [panel for panel in panels if panel["rows"]]


def _seat(snapshot: SessionSnapshot, presenter: Presenter, seat: int) -> dict[str, Any]:
    """Return a seat with its score."""
    return {
        "label": snapshot.titles[seat],
        "disc": presenter.piece(seat)._asdict(),
        "glory": snapshot.game.scores()[seat],
        "turn": seat == snapshot.game.seat,
        "passed": False,
    }


def _moves_known(game: Game, people: frozenset[int]) -> int:
    """Return after how many moves a person acted last: the moves after these are news."""
    return max((index for index, (seat, _) in enumerate(game.history, 1) if seat in people), default=0)


def _told(snapshot: SessionSnapshot, presenter: Presenter, observer: int | None, known: int) -> list[_Told]:
    """Return the last moves as the observer was told of them, oldest first."""
    game, texts = snapshot.game, snapshot.game.moves_seen_by(observer)
    first = max(0, len(game.history) - LINES)
    before, told, titles = game.at_move(first), [], snapshot.titles
    for number, (seat, action) in enumerate(game.history[first:], first + 1):
        words, chance = presenter.told(before, texts[number - 1][1]), seat == CHANCE
        piece = CHANCE_PIECE if chance else presenter.piece(seat)
        line = {
            "round": presenter.period_of(before),
            "words": f"{words[:1].upper()}{words[1:]}" if chance else f"{titles[seat]} {words}",
            "why": "",
            "disc": piece._asdict(),
            "new": number > known,
        }
        key = None if chance or number <= known else presenter.choice(before, action).key
        told.append(_Told(line, key, piece))
        before.apply(action, draws=False)
    return told


def _recent(told: Sequence[_Told], areas: Mapping[str, Area]) -> list[dict[str, Any]]:
    """Return where moves that are news were made, with the colour of who made them."""
    found = {one.area: one.piece.fill for one in told if one.area in areas}
    return [{"area": _box(areas[key]), "fill": fill} for key, fill in found.items() if key is not None]


def _result(game: Game, presenter: Presenter) -> dict[str, Any]:
    """Return the table of the result: a row for each source that brought any, and the totals."""
    rows = [{"source": name, "glory": counts} for name, counts in presenter.sources(game) if any(counts)]
    return {"rows": rows, "total": game.scores()[: game.num_players]}
