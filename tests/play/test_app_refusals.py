"""What the server of the page refuses, each with one sentence, and what stays as it was."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from endeavor_env.agents.local_page.application import LARGEST_BODY
from endeavor_env.agents.play import endeavor_table
from endeavor_env.agents.play.store import GameStore
from tests.kits.playing import (
    HERE,
    PATIENCE,
    TOKEN,
    AppClient,
    Broken,
    name_agent,
    said,
)


def test_without_the_token_nothing_is_told_apart(client: AppClient, name: str) -> None:
    for path in ("/", "/games", f"/games/{name}", "/games/nothing", "/nowhere"):
        for headers, query in (({"X-Token": ""}, ""), ({"X-Token": "wrong"}, ""), ({"X-Token": ""}, "?token=wrong")):
            answer = client.get(path + query, headers=headers)
            assert answer.status_code == 403
            assert "the token is wrong or missing" in said(answer)
    assert client.get(f"/games?token={TOKEN}", headers={"X-Token": ""}).status_code == 200


def test_a_person_who_opens_a_wrong_address_gets_a_page_to_read(client: AppClient, name: str) -> None:
    browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    for path, headers, status, words in (
        ("/", {"X-Token": "wrong"}, 403, "The token is wrong or missing"),
        (f"/games/{name}/replay", {"X-Token": ""}, 403, "open the address that it printed"),
        ("/", {"Host": "evil.example"}, 403, "Only this machine is served"),
        ("/games/nothing/replay", {}, 404, "There is no game of this name"),
        ("/nowhere", {}, 404, "There is no such address"),
        (f"/games/{name}/replay?theme=%3Cscript%3E", {}, 400, "must be one of light, dark"),
    ):
        answer = client.get(path, headers={**browser, **headers})
        assert answer.status_code == status
        assert answer.headers["content-type"].startswith("text/html")
        assert words in answer.text
        policy = answer.headers["content-security-policy"]
        assert "unsafe" not in policy
        style = answer.text.partition("<style>")[2].partition("</style>")[0]
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        assert f"style-src 'sha256-{digest}'" in policy
        assert TOKEN not in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1.evil.example"},
        {"Host": ""},
        {"Host": "[::1"},
        {"Host": "127.0.0.1:99999999"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:8000"},
        {"Origin": "http://127.0.0.1:9999"},
    ],
    ids=str,
)
def test_other_sites_and_other_names_of_the_machine_are_refused(
    headers: dict[str, str], client: AppClient, name: str
) -> None:
    for method, path in (("GET", "/"), ("GET", f"/games/{name}"), ("POST", "/games")):
        answer = client.request(method, path, headers=headers)
        assert answer.status_code == 403
        assert "refused" in said(answer) or "only this machine" in said(answer)


def test_the_page_itself_may_send_its_origin(client: AppClient) -> None:
    assert client.get("/games", headers={"Origin": HERE}).status_code == 200


BODIES: list[tuple[bytes, str, int, str]] = [
    (b"{}", "text/plain", 415, "the body must be JSON"),
    (b"", "application/json", 400, "must be a JSON object"),
    (b"[]", "application/json", 400, "must be a JSON object"),
    (b"{", "application/json", 400, "must be a JSON object"),
    (b"\xff\xfe", "application/json", 400, "must be a JSON object"),
    (b"[" * 5000, "application/json", 400, "must be a JSON object"),
    (b'{"a":' + b"9" * 5000 + b"}", "application/json", 400, "must be a JSON object"),
    (b" " * (LARGEST_BODY + 1), "application/json", 413, "the body is too large"),
    (b'{"position": 3, "move": "pass"}', "application/json", 400, 'this needs "position"'),
    (b'{"position": "x"}', "application/json", 400, 'a move needs "move"'),
    (b'{"position": "x", "move": "pass"}', "application/json", 409, "the game has gone on"),
]


@pytest.mark.parametrize(("body", "kind", "status", "sentence"), BODIES, ids=lambda value: str(value)[:30])
def test_bodies_that_are_no_move_are_refused(
    body: bytes, kind: str, status: int, sentence: str, client: AppClient, name: str
) -> None:
    answer = client.post(f"/games/{name}/play", content=body, headers={"Content-Type": kind})
    assert answer.status_code == status
    assert sentence in said(answer)


def test_a_large_body_in_chunks_is_refused_too(client: AppClient, name: str) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(LARGEST_BODY // 1000 + 2):
            yield b" " * 1000

    answer = client.post(f"/games/{name}/play", content=chunks(), headers={"Content-Type": "application/json"})
    assert answer.status_code == 413
    assert "the body is too large" in said(answer)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({}, '"seats" must be a list'),
        ({"seats": []}, '"seats" must be a list'),
        ({"seats": ["human"] * 6}, '"seats" must be a list'),
        ({"seats": [1]}, '"seats" must be a list'),
        ({"seats": ["human"], "variant": "chess"}, "variant 'chess' is unknown"),
        ({"seats": ["human"], "variant": ["solo"]}, "is unknown"),
        ({"seats": ["robot"], "variant": "solo"}, "agent 'robot' is unknown"),
        ({"seats": ["human"], "variant": "solo", "seed": -1}, "seed=-1 is not possible"),
        ({"seats": ["human"], "variant": "solo", "seed": True}, "seed=True is not possible"),
        ({"seats": ["human"], "variant": "solo", "board": "/etc/passwd"}, '"board" must be'),
        ({"seats": ["human"], "variant": "solo", "board": 3}, '"board" must be'),
        ({"seats": ["human"] * 3, "exploits": "all"}, '"exploits" must be a list'),
        ({"seats": ["human"] * 3, "exploits": ["atlantis"]}, "'atlantis'"),
        ({"seats": ["human"], "variant": "solo", "options": {"difficulty": "mad"}}, "difficulty"),
        ({"seats": ["human"], "variant": "solo", "options": 3}, "options"),
        ({"seats": ["human"], "setup": {}}, "a new game has no field 'setup'"),
        ({"seats": ["\ud800"], "variant": "solo"}, "holds half of a character"),
    ],
    ids=str,
)
def test_games_that_are_not_possible_are_refused_and_leave_no_file(
    body: dict[str, Any], sentence: str, client: AppClient, store: GameStore
) -> None:
    answer = client.post("/games", content=json.dumps(body), headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert sentence in said(answer)
    assert list(store.folder.iterdir()) == []


def test_addresses_that_are_not_there_are_told_in_words(client: AppClient, name: str) -> None:
    for path in ("/nowhere", "/games/", "/games/x/y/z", "/..%2f..%2fetc%2fpasswd", f"/games/{name}/", "/play.js"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert said(answer) == "there is no such address"
    for unknown in ("nothing", "..%2f..%2fetc%2fpasswd", "%00", "A" * 100, "..", "%2e%2e"):
        answer = client.get(f"/games/{unknown}")
        assert answer.status_code in (200 if unknown in ("..", "%2e%2e") else 404, 404)
    assert "no game of this name" in said(client.get("/games/nothing"))


def test_wrong_methods_are_told_in_words(client: AppClient, name: str) -> None:
    wrong = [("POST", "/"), ("DELETE", f"/games/{name}"), ("GET", f"/games/{name}/play"), ("OPTIONS", "/games")]
    for method, path in wrong:
        answer = client.request(method, path)
        assert answer.status_code == 405
        assert said(answer) == "this address does not take such requests"


def test_a_failure_of_the_server_leaks_nothing_and_leaves_the_game(
    client: AppClient, store: GameStore, name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("a secret of the machine")

    monkeypatch.setattr(endeavor_table, "shown_snapshot", fail)
    answer = client.get(f"/games/{name}")
    assert answer.status_code == 500
    assert "secret" not in said(answer)
    assert "ZeroDivisionError" in caplog.text
    monkeypatch.undo()
    assert client.get(f"/games/{name}").status_code == 200


def test_a_broken_agent_is_shown_as_trouble(
    client: AppClient, store: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    name_agent(monkeypatch, "broken", Broken(RuntimeError("no")))
    name = client.post("/games", json={"seats": ["broken"], "variant": "solo", "seed": 3}).json()["name"]
    store.session(name).settle(PATIENCE)
    state = client.get(f"/games/{name}").json()
    assert state["trouble"] == "broken cannot move: RuntimeError: no"
    assert state["question"] == "broken cannot move"


def test_a_theme_that_is_none_is_refused_before_a_move_is_made(client: AppClient, name: str) -> None:
    state = client.get(f"/games/{name}").json()
    body = {"position": state["position"], "move": state["groups"][0]["moves"][0]["move"]}
    answer = client.post(f"/games/{name}/play?theme=pink", json=body)
    assert answer.status_code == 400
    assert said(answer) == '"theme" must be one of light, dark'
    assert client.get(f"/games/{name}").json()["position"] == state["position"]
