from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from agents.local_page.guard import LARGEST_BODY
from agents.play import app as apps
from agents.play.app import make_app
from agents.play.store import Store, new_session
from endeavor_env import Game
from endeavor_env.core.constants import EXPLOIT_NAMES
from endeavor_env.records import replay
from tests.kits.playing import HERE, PATIENCE, AppClient, Broken, Gated, first_player, name_agent, play_on, play_out

TOKEN = "the-token"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


@pytest.fixture
def client(store: Store) -> AppClient:
    return AppClient(make_app(store, TOKEN, "greedy"), TOKEN)


@pytest.fixture
def name(store: Store) -> str:
    return store.add(new_session(["human"], variant="solo", seed=7))


def said(answer: Any) -> str:
    """The one sentence of a refusal."""
    assert answer.headers["content-type"] == "application/json"
    assert list(answer.json()) == ["error"]
    sentence = answer.json()["error"]
    assert sentence
    assert "\n" not in sentence
    assert "Traceback" not in sentence
    return sentence


def test_the_page_holds_its_scripts_and_styles_and_allows_no_other(client: AppClient) -> None:
    answer = client.get("/")
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert policy.count("'sha256-") == answer.text.count("<style>") + answer.text.count("<script>")
    assert "frame-ancestors 'none'" in policy
    for outside in ("http:", "https:", "src=", "{play", "{theme}"):
        assert outside not in answer.text


def test_a_game_is_begun_played_taken_back_and_downloaded(client: AppClient) -> None:
    name = client.post("/games", json={"seats": ["human", "greedy", "greedy"], "seed": 1}).json()["name"]
    state = client.get(f"/games/{name}").json()
    while not state["asked"]:
        state = client.get(f"/games/{name}").json()
    move = state["groups"][0]["moves"][0]["move"]
    after = client.post(f"/games/{name}/play", json={"position": state["position"], "move": move}).json()
    assert after["number"] > state["number"]
    back = client.post(f"/games/{name}/undo", json={"position": after["position"]}).json()
    assert back["position"] == state["position"]
    record = client.get(f"/games/{name}/record")
    assert record.headers["content-disposition"] == f'attachment; filename="{name}.json"'
    assert len(replay(record.json()).history) == state["number"]
    assert [game["name"] for game in client.get("/games").json()["games"]] == [name]


def test_what_is_known_already_is_not_sent_again(client: AppClient, store: Store, name: str) -> None:
    tag = client.get(f"/games/{name}").json()["tag"]
    assert client.get(f"/games/{name}", params={"known": tag}).json() == {"same": True}
    play_on(store.session(name), 1)
    assert client.get(f"/games/{name}", params={"known": tag}).json()["number"] == 1


def test_a_stale_move_is_a_conflict(client: AppClient, name: str) -> None:
    state = client.get(f"/games/{name}").json()
    body = {"position": state["position"], "move": state["groups"][0]["moves"][0]["move"]}
    assert client.post(f"/games/{name}/play", json=body).status_code == 200
    for action in ("play", "undo", "hint"):
        answer = client.post(f"/games/{name}/{action}", json=body)
        assert answer.status_code == 409
        assert "the game has gone on" in said(answer)


def test_hints_name_three_legal_moves_and_who_expects_what(client: AppClient, store: Store, name: str) -> None:
    play_on(store.session(name), 1)
    state = client.get(f"/games/{name}").json()
    body = {"position": state["position"]}
    answer = client.post(f"/games/{name}/hint", json=body).json()
    assert answer["by"] == "greedy"
    assert {hint["value_by"] for hint in answer["hints"]} == {"value"}
    legal = [move["move"] for group in state["groups"] for move in group["moves"]]
    assert {hint["move"] for hint in answer["hints"]} <= set(legal)
    assert len(answer["hints"]) == min(3, len(legal))
    other = client.post(f"/games/{name}/hint", json={**body, "by": "search:sims=20"}).json()
    assert (other["by"], other["hints"][0]["value_by"]) == ("search:sims=20", "search:sims=20")


@pytest.mark.parametrize(
    ("by", "sentence"),
    [("robot", "agent 'robot' is unknown"), (3, '"by" must be the name of an agent'), ("checkpoint:no", "no")],
)
def test_an_agent_that_gives_no_hint_is_told(by: object, sentence: str, client: AppClient, name: str) -> None:
    body = {"position": client.get(f"/games/{name}").json()["position"], "by": by}
    refused = client.post(f"/games/{name}/hint", json=body)
    assert refused.status_code == 400
    assert sentence in said(refused)


def test_an_agent_that_does_not_play_a_variant_gives_no_hint_in_it(client: AppClient, store: Store) -> None:
    name = store.add(new_session(["human", "human"], variant="neutral_2", seed=1))
    body = {"position": client.get(f"/games/{name}").json()["position"], "by": "policy"}
    refused = client.post(f"/games/{name}/hint", json=body)
    assert refused.status_code == 400
    assert said(refused) == "agent 'policy' does not play 'neutral_2': it was made for standard, solo"


def test_who_is_ahead_is_told_of_a_game_that_goes_on(client: AppClient, store: Store, name: str) -> None:
    answer = client.get(f"/games/{name}/standing").json()
    assert answer["position"] == client.get(f"/games/{name}").json()["position"]
    assert len(answer["shares"]) == 2
    play_out(store.session(name))
    over = client.get(f"/games/{name}/standing")
    assert over.status_code == 400
    assert "the game is over" in said(over)


def test_a_record_is_opened_as_a_new_game(client: AppClient, store: Store, name: str) -> None:
    play_on(store.session(name), 2)
    record = client.get(f"/games/{name}/record").json()
    other = client.post("/open", json={"file": record}).json()["name"]
    assert other != name
    assert client.get(f"/games/{other}").json()["position"] == client.get(f"/games/{name}").json()["position"]
    kept = json.loads((store.folder / f"{name}.json").read_text(encoding="utf-8"))
    assert client.post("/open", json={"file": kept}).status_code == 200
    record["moves"].append([0, "pass:x"])
    refused = client.post("/open", json={"file": record})
    assert refused.status_code == 400
    assert "move 2 (pass:x) is illegal" in said(refused)
    assert len(list(store.folder.glob("*.json"))) == 3


def test_a_finished_game_shows_its_result_and_its_replay(client: AppClient, store: Store, name: str) -> None:
    play_out(store.session(name))
    state = client.get(f"/games/{name}").json()
    game = store.session(name).moment().game
    assert state["over"]
    assert state["result"]["total"] == game.scores()
    assert [sum(row["glory"][side] for row in state["result"]["rows"]) for side in (0, 1)] == game.scores()
    assert state["question"].startswith("The game is over: ")
    replayed = client.get(f"/games/{name}/replay", params={"theme": "dark"})
    assert replayed.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in replayed.headers["content-security-policy"]


def test_while_an_agent_thinks_requests_are_answered(
    client: AppClient, store: Store, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Gated()
    name_agent(monkeypatch, "slow", slow)
    monkeypatch.setattr(apps, "QUICK", 0.01)
    thinking = store.add(new_session(["slow", "human", "human"], **first_player(0)))
    assert slow.thinks.wait(PATIENCE)
    state = client.get(f"/games/{thinking}").json()
    assert (state["thinking"], state["asked"], state["groups"]) == (0, False, [])
    assert state["question"] == "gated is thinking"
    other = client.get(f"/games/{name}").json()  # another game goes on meanwhile
    body = {"position": other["position"], "move": other["groups"][0]["moves"][0]["move"]}
    assert client.post(f"/games/{name}/play", json=body).status_code == 200
    slow.gate.set()
    store.session(thinking).settle(PATIENCE)
    assert client.get(f"/games/{thinking}", params={"known": state["tag"]}).json()["asked"]


def test_a_game_is_renamed_and_deleted_by_the_page(client: AppClient, store: Store, name: str) -> None:
    assert client.post(f"/games/{name}/rename", json={"to": "mine"}).json() == {"name": "mine"}
    assert client.get(f"/games/{name}").status_code == 404
    assert client.get("/games/mine").status_code == 200
    for body, sentence in (({}, "cannot have this name"), ({"to": "a/b"}, "cannot have this name")):
        assert sentence in said(client.post("/games/mine/rename", json=body))
    assert 'needs "sure": true' in said(client.post("/games/mine/delete", json={"sure": "yes"}))
    assert client.post("/games/mine/delete", json={"sure": True}).json() == {"deleted": "mine"}
    assert client.get("/games").json() == {"games": []}
    assert client.post("/games/mine/delete", json={"sure": True}).status_code == 404


def test_what_can_be_chosen_is_told_in_words(client: AppClient) -> None:
    offered = client.get("/choices").json()
    options = [option for variant in offered["variants"] for option in variant["options"]]
    titles = {value["title"] for option in options for value in option["values"]}
    assert {"Yes", "No", "Normal", "Player"} <= titles
    assert not {"true", "false", "True", "False"} & titles
    assert all("_" not in option["title"] for option in options)
    assert [tile["name"] for tile in offered["exploits"]] == list(EXPLOIT_NAMES)
    assert all(
        tile["title"] and len(tile["effect"]) > 15 and " and " in tile["regions"] for tile in offered["exploits"]
    )
    assert offered["hint_by"] == "greedy"
    assert "search:ms=500" in offered["hinting"]


# --- refusals --------------------------------------------------------------------------------------------------------
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
    body: dict[str, Any], sentence: str, client: AppClient, store: Store
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
    client: AppClient, store: Store, name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("a secret of the machine")

    monkeypatch.setattr(apps, "shown_moment", fail)
    answer = client.get(f"/games/{name}")
    assert answer.status_code == 500
    assert "secret" not in said(answer)
    assert "ZeroDivisionError" in caplog.text
    monkeypatch.undo()
    assert client.get(f"/games/{name}").status_code == 200


def test_a_broken_agent_is_shown_as_trouble(client: AppClient, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_every_legal_move_has_a_button_in_every_variant(client: AppClient, store: Store) -> None:
    for seats, new in (
        (["human"], {"variant": "solo"}),
        (["human", "human"], {"variant": "soloplay_2"}),
        (["human", "human"], {"variant": "neutral_2"}),
        (["human"] * 5, {"exploits": "random"}),
    ):
        session = store.session(store.add(new_session(seats, seed=2, **new)))
        while not session.moment().game.over:
            shown = client.get(f"/games/{session.file.stem}").json()
            buttons = [move for group in shown["groups"] for move in group["moves"]]
            game: Game = session.moment().game
            assert sorted(move["move"] for move in buttons) == sorted(game.legal_moves())
            assert all(move["label"] and move["words"] for move in buttons)
            for move in buttons:
                verb = move["move"].partition(":")[0]
                assert move["area"] or verb in ("pass", "done") or "_" in verb, move
            play_on(session, 7) if len(game.history) < 60 else play_out(session)
