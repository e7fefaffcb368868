"""Odd requests to the server of ``endeavor play``: each gets an answer in JSON or a page, and never a failure."""

from __future__ import annotations

import contextlib
import json
import logging
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from endeavor_env.agents.play.app import make_app
from endeavor_env.agents.play.session import Session
from endeavor_env.agents.play.store import GameStore
from endeavor_env.merchants.declaration import MERCHANTS
from tests.fuzz.test_run_files import NUMBERS, OTHERS
from tests.fuzz.trying import try_many
from tests.kits.playing import AppClient, session_of

TOKEN = "token"
METHODS = ("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS")
POSTED = ("/play", "/play", "/play", "/undo", "/hint", "/rename", "/delete")
READ = ("", "/standing", "/record", "/replay")
ODD = ("/other", "/%00", "/..")
NAMES = ("game", "none", "Game", "..", "%2e%2e", "a" * 300, "%00", "%ff", "ä", "play", "game%2f..", " ")
PLACES = (
    *("/", "/how_to_play", "/how_to_play?theme=x", "/choices", "/games", "/open"),
    *("/games/", "//", "/static/x", "/favicon.ico"),
)
MOST_GAMES = 40
REQUESTS = 1000
PLAYED = ("game", "market")
"""The games that there are: one of Endeavor, and one of Merchants of Europe at which two people sit."""
FIELDS: dict[str, tuple[Any, ...]] = {
    "game": ("endeavor", "merchants", "merchants", "chess", None, 7, ["merchants"]),
    "seats": (["human"], ["human", "random", "random"], ["human", "nobody"], [], "human", [None], ["human"] * 900),
    "variant": ("standard", "solo", "neutral_2", "short", "expert", "other", None, 7, ["solo"]),
    "seed": (1, -1, 1.5, "7", None, 2**70, True),
    "board": ("endeavor_2009", "generated_3", "/etc/passwd", "../x", "", None, {}),
    "exploits": ([], ["haiti"], ["none"], "random", "haiti", 5, [[]]),
    "options": (
        {},
        {"trade": "bank"},
        {"max_rolls": 9},
        {"max_rolls": "9"},
        {"difficulty": "easier"},
        {"difficulty": "none"},
        {"x": 1},
        [],
        "x",
    ),
    "position": ("0-", "x", None, 7, "\ud800"),
    "move": ("build:workshop", "pass", "", None, 7, "x" * 9000, "\ud800"),
    "agent": ("random", "greedy", "nobody", "value:none.npz", None, ["greedy"], "search:sims=1", "tree:sims=2"),
    "name": ("game", "other", "../up", "", None, "a" * 50, 7),
    "record": ({}, {"format": "endeavor-game/1"}, {"format": "merchants-game/1"}, [], None, "x"),
}
HEADERS: tuple[dict[str, str], ...] = (
    *({},) * 60,
    {"X-Token": "wrong"},
    {"X-Token": ""},
    {"Content-Type": "text/plain"},
    {"Origin": "http://elsewhere.example"},
    {"Host": "elsewhere.example"},
    {"Accept": "text/html"},
    {"Content-Length": "-1"},
)


def test_odd_requests_to_the_page_for_play_never_fail(tmp_path: Path) -> None:
    store = GameStore(tmp_path)
    client = AppClient(make_app(store, TOKEN, "random"), TOKEN)

    def attempt(rng: random.Random, what: str) -> list[str]:
        begun = [file.stem for file in tmp_path.glob("*.json") if file.stem not in PLAYED]
        for name in begun if len(begun) > MOST_GAMES else []:  # the list of many games takes long
            store.delete(name)
        if not (tmp_path / "game.json").exists():
            store.rename(store.add(session_of(["human"], variant="solo", seed=1)), "game")
        if not (tmp_path / "market.json").exists():
            store.rename(store.add(_market()), "market")
        return [_try(rng, client, store, what)]

    with _quiet_log():
        outcomes = try_many(attempt, REQUESTS)
    assert outcomes["POST 200"] > REQUESTS // 50
    assert outcomes["POST 400"] > REQUESTS // 4


def _market() -> Session:
    """Return a game of Merchants of Europe."""
    seats = ["human", "human", "random"]
    return Session(Path(), MERCHANTS.configure("short", len(seats), None, {}).new_game(1), seats)


@contextlib.contextmanager
def _quiet_log() -> Iterator[None]:
    """Log no failure of the server meanwhile: the message of the fault says it."""
    log = logging.getLogger("endeavor_env.local_page")
    before = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(before)


def _try(rng: random.Random, client: AppClient, store: GameStore, what: str) -> str:
    """Send a request; return its method and status."""
    method, path = _address(rng)
    played = next((name for name in PLAYED if f"/{name}/" in f"{path}/"), PLAYED[0])
    headers, body = {"Content-Type": "application/json", **rng.choice(HEADERS)}, _body(rng, store, played)
    what = f"{what}: {method} {path} {headers} {body[:300]!r}"
    answer = client.request(method, path, headers=headers, content=body)
    assert answer.status_code < 500, f"{what}: {answer.status_code} {answer.text[:500]}"
    kind = answer.headers.get("content-type", "").partition(";")[0]
    assert kind in ("", "application/json", "text/html", "text/plain"), f"{what}: an answer of type {kind}"
    if kind == "application/json" and answer.content:
        json.loads(answer.content, parse_constant=lambda name: _fail(f"{what}: {name} in the answer"))
    return f"{method} {answer.status_code}"


def _fail(message: str) -> None:
    raise AssertionError(message)


def _address(rng: random.Random) -> tuple[str, str]:
    """Return a method and a path, most of which belong together."""
    if rng.random() < 0.2:
        return rng.choice((("POST", "/games"), ("POST", "/open"), (rng.choice(METHODS), rng.choice(PLACES))))
    name = rng.choice(PLAYED) if rng.random() < 0.8 else rng.choice(NAMES)
    posts = rng.random() < 0.7
    method, action = ("POST", rng.choice(POSTED)) if posts else ("GET", rng.choice(READ))
    if rng.random() < 0.15:
        method, action = rng.choice(METHODS), rng.choice((*POSTED, *READ, *ODD))
    query = rng.choice(
        (
            "",
            "",
            "?seat=0",
            "?seat=1",
            "?seat=2",
            "?seat=x",
            "?seat=99",
            "?theme=dark",
            "?theme=pink",
            "?theme=",
            "?since=1",
            "?since=-1",
            "?since=1e9",
            "?%ff=%00",
        )
    )
    return method, f"/games/{name}{action}{query}"


def _body(rng: random.Random, store: GameStore, played: str) -> bytes:
    """Return the bytes of a body for a game: fields with right and wrong values, or what is no object at all."""
    if rng.random() < 0.15:
        return rng.choice((*NUMBERS, *OTHERS, "", "{", "\x00")).encode()
    chosen = rng.sample(list(FIELDS), rng.randrange(1, 6))
    fields = {name: rng.choice(FIELDS[name]) for name in chosen}
    if rng.random() < 0.6:
        snapshot = store.session(played).snapshot()
        fields["position"] = snapshot.position
        if not snapshot.game.over and rng.random() < 0.7:
            fields["move"] = rng.choice(snapshot.game.legal_moves())
    text = json.dumps(fields)
    if rng.random() < 0.1:
        text = text.replace(":", f":{rng.choice(NUMBERS)},".replace(",", "") + ' , "x":', 1)
    return text.encode()
