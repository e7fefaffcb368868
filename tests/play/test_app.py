from __future__ import annotations

import json

import pytest

from endeavor_env import Game
from endeavor_env.agents.play import app as apps
from endeavor_env.agents.play.store import GameStore
from endeavor_env.agents.registry import make_agent
from endeavor_env.endeavor.records import replay
from endeavor_env.endeavor.rules.constants import EXPLOIT_NAMES
from endeavor_env.engine.players_info import HUMAN
from tests.kits.playing import (
    PATIENCE,
    AppClient,
    Gated,
    first_player,
    name_agent,
    play_on,
    play_out,
    said,
    session_of,
)


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


def test_what_is_known_already_is_not_sent_again(client: AppClient, store: GameStore, name: str) -> None:
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


def test_hints_name_three_legal_moves_and_who_expects_what(client: AppClient, store: GameStore, name: str) -> None:
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
    [
        ("robot", "agent 'robot' is unknown"),
        (3, '"by" must be the name of an agent'),
        ("checkpoint:no", "names a file of this machine"),
    ],
)
def test_an_agent_that_gives_no_hint_is_told(by: object, sentence: str, client: AppClient, name: str) -> None:
    body = {"position": client.get(f"/games/{name}").json()["position"], "by": by}
    refused = client.post(f"/games/{name}/hint", json=body)
    assert refused.status_code == 400
    assert sentence in said(refused)


def test_an_agent_that_does_not_play_a_variant_gives_no_hint_in_it(client: AppClient, store: GameStore) -> None:
    name = store.add(session_of(["human", "human"], variant="neutral_2", seed=1))
    body = {"position": client.get(f"/games/{name}").json()["position"], "by": "policy"}
    refused = client.post(f"/games/{name}/hint", json=body)
    assert refused.status_code == 400
    assert said(refused) == "agent 'policy' does not play 'neutral_2': it was made for standard, solo"


def test_who_is_ahead_is_told_of_a_game_that_goes_on(client: AppClient, store: GameStore, name: str) -> None:
    answer = client.get(f"/games/{name}/standing").json()
    assert answer["position"] == client.get(f"/games/{name}").json()["position"]
    assert len(answer["shares"]) == 2
    play_out(store.session(name))
    over = client.get(f"/games/{name}/standing")
    assert over.status_code == 400
    assert "the game is over" in said(over)


def test_a_record_is_opened_as_a_new_game(client: AppClient, store: GameStore, name: str) -> None:
    play_on(store.session(name), 2)
    record = client.get(f"/games/{name}/record").json()
    other = client.post("/open", json={"file": record}).json()["name"]
    assert other != name
    assert client.get(f"/games/{other}").json()["svg"] == client.get(f"/games/{name}").json()["svg"]
    kept = json.loads((store.folder / f"{name}.json").read_text(encoding="utf-8"))
    assert client.post("/open", json={"file": kept}).status_code == 200
    record["moves"].append([0, "pass:x"])
    refused = client.post("/open", json={"file": record})
    assert refused.status_code == 400
    assert "move 2 (pass:x) is illegal" in said(refused)
    assert len(list(store.folder.glob("*.json"))) == 3


def test_a_finished_game_shows_its_result_and_its_replay(client: AppClient, store: GameStore, name: str) -> None:
    play_out(store.session(name))
    state = client.get(f"/games/{name}").json()
    game = store.session(name).snapshot().game
    assert state["over"]
    assert state["result"]["total"] == game.scores()
    assert [sum(row["glory"][side] for row in state["result"]["rows"]) for side in (0, 1)] == game.scores()
    assert state["question"].startswith("The game is over: ")
    replayed = client.get(f"/games/{name}/replay", params={"theme": "dark"})
    assert replayed.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in replayed.headers["content-security-policy"]


def test_while_an_agent_thinks_requests_are_answered(
    client: AppClient, store: GameStore, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Gated()
    name_agent(monkeypatch, "slow", slow)
    monkeypatch.setattr(apps, "QUICK", 0.01)
    thinking = store.add(session_of(["slow", "human", "human"], **first_player(0)))
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


def test_a_game_is_renamed_and_deleted_by_the_page(client: AppClient, store: GameStore, name: str) -> None:
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
    agents = [agent["name"] for agent in offered["agents"] if agent["name"] != HUMAN]
    assert [make_agent(name).name.partition(":")[0] for name in agents] == [one.partition(":")[0] for one in agents]
    assert all(len(agent["about"]) > 15 for agent in offered["agents"])
    assert offered["hint_by"] == "greedy"
    assert "search:ms=500" in offered["hinting"]


def test_every_legal_move_has_a_button_in_every_variant(client: AppClient, store: GameStore) -> None:
    for seats, new in (
        (["human"], {"variant": "solo"}),
        (["human", "human"], {"variant": "soloplay_2"}),
        (["human", "human"], {"variant": "neutral_2"}),
        (["human"] * 5, {"exploits": "random"}),
    ):
        session = store.session(store.add(session_of(seats, seed=2, **new)))
        while not session.snapshot().game.over:
            shown = client.get(f"/games/{session.file.stem}").json()
            buttons = [move for group in shown["groups"] for move in group["moves"]]
            game: Game = session.snapshot().game
            assert sorted(move["move"] for move in buttons) == sorted(game.legal_moves())
            assert all(move["label"] and move["words"] for move in buttons)
            for move in buttons:
                verb = move["move"].partition(":")[0]
                assert move["area"] or verb in ("pass", "done") or "_" in verb, move
            play_on(session, 7) if len(game.history) < 60 else play_out(session)
