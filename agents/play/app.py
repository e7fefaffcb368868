"""The application behind the page: its addresses, and what each answers."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from importlib import resources
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from endeavor_env.agents.local_page import RefusedError
from endeavor_env.agents.local_page.application import Work, make_application
from endeavor_env.agents.play.advice import HINTING
from endeavor_env.agents.play.lobby import choices
from endeavor_env.agents.play.session import NotKeptError, Session, StaleMoveError
from endeavor_env.agents.play.snapshot import SessionSnapshot
from endeavor_env.agents.play.store import GameStore, UnknownGameError, new_session, opened_session
from endeavor_env.agents.play.tables import table_in, table_named
from endeavor_env.agents.play.tooltips import action_rows, token_rows
from endeavor_env.basics.inputs import is_list_of_texts
from endeavor_env.endeavor.drawing.scene.theme import THEMES
from endeavor_env.engine.games import named_games
from endeavor_env.errors import EndeavorError
from endeavor_env.web import page_policy

AUTOMATIC = "auto"
"""The theme of the reader's system."""
QUICK = 0.4
"""Seconds that an answer waits for the moves of agents; the page asks for later ones again and again."""
PARTS = ("play.css", "asking.js", "game.js", "board.js", "things.js", "advice.js", "lobby.js", "play.js")
"""The files that stand inside the page."""
_NOWHERE = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""Directives that the content security policies of all pages share."""
_FILES = resources.files("endeavor_env.agents.play")
_STATUSES = ((UnknownGameError, 404), (StaleMoveError, 409), (NotKeptError, 507), (EndeavorError, 400))


def make_app(store: GameStore, token: str, hint_by: str, theme: str = AUTOMATIC) -> Starlette:
    """Return the application.

    Args:
        store: The games.
        token: What every request must carry, in the query or in the header X-Token.
        hint_by: The agent that hints if the page names none.
        theme: The theme of readers who have chosen none: "light", "dark" or AUTOMATIC.
    """
    play = _Play(store, hint_by, theme)
    addresses: list[tuple[str, str, Work]] = [
        ("GET", "/", play.page),
        ("GET", "/how_to_play", play.how_to_play),
        ("GET", "/choices", play.choices),
        ("GET", "/games", play.games),
        ("POST", "/games", play.begin),
        ("POST", "/open", play.open),
        ("GET", "/games/{name}", play.state),
        ("POST", "/games/{name}/play", play.move),
        ("POST", "/games/{name}/undo", play.undo),
        ("POST", "/games/{name}/hint", play.hint),
        ("GET", "/games/{name}/standing", play.standing),
        ("POST", "/games/{name}/rename", play.rename),
        ("POST", "/games/{name}/delete", play.delete),
        ("GET", "/games/{name}/record", play.record),
        ("GET", "/games/{name}/replay", play.replay),
    ]
    return make_application(addresses, token, statuses=_STATUSES, files=lambda path: path == "/open")


class _Play:
    """The handlers of all addresses."""

    def __init__(self, store: GameStore, hint_by: str, theme: str) -> None:
        """Keep what all of them need."""
        self._store, self._hint_by = store, hint_by
        self._page, self._policy = _page(theme)

    def page(self, request: Request, body: dict[str, Any]) -> Response:
        """Return the page itself."""
        return HTMLResponse(self._page, headers={"Content-Security-Policy": self._policy})

    def how_to_play(self, request: Request, body: dict[str, Any]) -> Response:
        """Return the page that tells a whole game."""
        page = table_named(request.query_params.get("game")).how_to_play()
        style = page.partition("<style>")[2].partition("</style>")[0]
        policy = f"default-src 'none'; style-src {_hash(style)}; img-src data:; {_NOWHERE}"
        page = page.replace("{theme}", _theme(request))
        return HTMLResponse(page, headers={"Content-Security-Policy": policy})

    def choices(self, request: Request, body: dict[str, Any]) -> dict[str, Any]:
        """Return what can be chosen for a new game."""
        others = [one for game in named_games().values() for one in table_in(game).variants()]
        offered = choices()
        offered["variants"] = [*offered["variants"], *others]
        return {**offered, "hint_by": self._hint_by, "hinting": list(HINTING)}

    def games(self, request: Request, body: dict[str, Any]) -> dict[str, Any]:
        """Return the list of the games."""
        return {"games": self._store.games()}

    def begin(self, request: Request, body: dict[str, Any]) -> dict[str, Any]:
        """Begin a game and return its name."""
        table = table_named(body.get("game"))
        fields = {name: value for name, value in body.items() if name != "game"}
        return {"name": self._store.add(new_session(*table.read_new_game(fields)))}

    def open(self, request: Request, body: dict[str, Any]) -> dict[str, Any]:
        """Go on with a record or session that the page sends, as a new game, and return its name."""
        file = body.get("file")
        if not isinstance(file, dict):
            raise RefusedError(400, 'opening a game needs "file": the fields of a record or session')
        seats = body.get("seats")
        if seats is not None and not is_list_of_texts(seats):
            raise RefusedError(400, '"seats" must be a list of names')
        return {"name": self._store.add(opened_session(file, "the file", seats))}

    def state(self, request: Request, body: dict[str, Any]) -> dict[str, Any]:
        """Return the game as the page shows it; only that nothing is new if the page knows it already."""
        session = self._session(request)
        snapshot = session.snapshot()
        observer, known = _observer(request, session, snapshot), request.query_params.get("known")
        if known in (snapshot.tag, f"{snapshot.tag}-{observer}"):
            return {"same": True}
        return session.table.shown(snapshot, _theme(request), observer)

    def move(self, request: Request, body: dict[str, Any]) -> dict[str, Any]:
        """Make the move of a person and return the new position."""
        session, theme = self._acting(request), _theme(request)
        move = body.get("move")
        if not isinstance(move, str):
            raise RefusedError(400, 'a move needs "move", a text such as "occupy:london"')
        session.play(_position(body), move)
        return _settled(request, session, theme)

    def undo(self, request: Request, body: dict[str, Any]) -> dict[str, Any]:
        """Take back the last turn of a person and return the new position."""
        session, theme = self._acting(request), _theme(request)
        session.undo(_position(body))
        return _settled(request, session, theme)

    def hint(self, request: Request, body: dict[str, Any]) -> dict[str, Any]:
        """Return the moves that an agent likes best, and what each is expected to bring."""
        session = self._acting(request)
        by = body.get("by", session.table.hint_by or self._hint_by)
        if not isinstance(by, str):
            raise RefusedError(400, '"by" must be the name of an agent')
        found = session.hint(_position(body), by)
        return {"by": by, "hints": [hint._asdict() for hint in found]}

    def standing(self, request: Request, body: dict[str, Any]) -> dict[str, Any]:
        """Return who is ahead, and in which position."""
        session = self._session(request)
        snapshot = session.snapshot()
        return {"position": snapshot.position, **session.table.standing(snapshot.game)._asdict()}

    def rename(self, request: Request, body: dict[str, Any]) -> dict[str, Any]:
        """Give the game another name and return it."""
        return {"name": self._store.rename(request.path_params["name"], body.get("to"))}

    def delete(self, request: Request, body: dict[str, Any]) -> dict[str, Any]:
        """Forget the game; the page has asked before, and says so."""
        if body.get("sure") is not True:
            raise RefusedError(400, 'deleting a game needs "sure": true')
        self._store.delete(request.path_params["name"])
        return {"deleted": request.path_params["name"]}

    def record(self, request: Request, body: dict[str, Any]) -> Response:
        """Return the record of the game as a file."""
        session = self._session(request)
        snapshot = session.snapshot()
        text = json.dumps(session.table.record(snapshot.game, _observer(request, session, snapshot)), indent=1)
        name = f'attachment; filename="{request.path_params["name"]}.json"'
        return Response(text + "\n", media_type="application/json", headers={"Content-Disposition": name})

    def replay(self, request: Request, body: dict[str, Any]) -> Response:
        """Return the page on which the game is watched again."""
        session = self._session(request)
        snapshot = session.snapshot()
        page = session.table.replay_page(snapshot.game, _theme(request), _observer(request, session, snapshot))
        return HTMLResponse(page, headers={"Content-Security-Policy": page_policy()})

    def _session(self, request: Request) -> Session:
        return self._store.session(request.path_params["name"])

    def _acting(self, request: Request) -> Session:
        """Return the session, in which whoever sends the request may decide what is asked.

        Raises:
            RefusedError: Another person at this page is asked, whose legal moves are hidden.
        """
        session = self._session(request)
        snapshot = session.snapshot()
        if snapshot.asked and snapshot.game.has_secrets and _observer(request, session, snapshot) != snapshot.game.seat:
            raise RefusedError(403, f"{snapshot.title} is asked: only who says to be {snapshot.title} can decide")
        return session


def _settled(request: Request, session: Session, theme: str) -> dict[str, Any]:
    """Return the game as the page shows it after the moves of agents that are quick."""
    session.settle(QUICK)
    snapshot = session.snapshot()
    return session.table.shown(snapshot, theme, _observer(request, session, snapshot))


def _observer(request: Request, session: Session, snapshot: SessionSnapshot) -> int | None:
    """Return as whom the page sees a game; a page at which several people sit names the seat."""
    wanted = request.query_params.get("seat", "")
    seat = int(wanted) if re.fullmatch("[0-9]{1,2}", wanted) else None
    return session.table.observer(snapshot, seat)


def _theme(request: Request) -> str:
    """Return the theme that a request names, light by default; raise RefusedError if there is no such theme."""
    theme = request.query_params.get("theme", "light")
    if theme not in THEMES:
        raise RefusedError(400, f'"theme" must be one of {", ".join(THEMES)}')
    return theme


def _position(body: dict[str, Any]) -> str:
    """Return the position that a request is about; raise RefusedError without one."""
    position = body.get("position")
    if not isinstance(position, str):
        raise RefusedError(400, 'this needs "position": that of the game as it was shown')
    return position


def _page(theme: str) -> tuple[str, str]:
    """Return the page, and the policy that allows no script and no style but its own."""
    page = (_FILES / "play.html").read_text(encoding="utf-8").replace("{theme}", theme)
    page = page.replace("{tokens}", token_rows()).replace("{actions}", action_rows())
    hashes: dict[str, list[str]] = {".css": [], ".js": []}
    for name in PARTS:
        text = "\n" + (_FILES / name).read_text(encoding="utf-8")
        page = page.replace(f"\n{{{name}}}", text)
        hashes[Path(name).suffix].append(_hash(text))
    policy = (
        f"default-src 'none'; style-src {' '.join(hashes['.css'])}; script-src {' '.join(hashes['.js'])}; "
        f"connect-src 'self'; img-src data:; {_NOWHERE}"
    )
    return page, policy


def _hash(text: str) -> str:
    """Return how a policy names a style or a script that stands inside a page."""
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
