"""Games on the engine on the page for play: whole games through the server, and nothing that a seat cannot know."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest

from endeavor_env.agents.play import tables
from endeavor_env.agents.play.__main__ import first_session
from endeavor_env.agents.play.app import make_app
from endeavor_env.agents.play.game_shown import shown_game
from endeavor_env.agents.play.game_table import GameTable
from endeavor_env.agents.play.session import Session
from endeavor_env.agents.play.snapshot import SessionSnapshot
from endeavor_env.agents.play.store import GameStore
from endeavor_env.engine.kernels.rules import CHANCE, NONE
from endeavor_env.errors import InvalidOptionError, counted
from endeavor_env.merchants.game import MerchantsConfig
from endeavor_env.merchants.records import replay
from tests.kits.listed_toy import list_toy
from tests.kits.playing import PATIENCE, TOKEN, AppClient, said
from tests.toy_game.declaration import TOY

MERCHANTS = tables.table_named("merchants")
HIDDEN = re.compile(r"(stolen|drawn):(\w+)")


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> GameTable:
    """The toy game among the games of the page."""
    list_toy(monkeypatch)
    table = tables.table_in(TOY)
    assert isinstance(table, GameTable)
    return table


def merchants(store: GameStore, *seats: str, seed: int = 3, **fields: Any) -> str:
    """Begin a game of Merchants of Europe and return its name."""
    body = {"seats": list(seats), "seed": seed, **fields}
    new = MERCHANTS.read_new_game(body)
    return store.add(Session(Path(), new.config.new_game(new.seed), new.seats))


def settled(client: AppClient, store: GameStore, name: str, **query: Any) -> dict[str, Any]:
    """Return what the page shows when no agent is to move."""
    store.session(name).settle(PATIENCE)
    state: dict[str, Any] = client.get(f"/games/{name}", params=query).json()
    assert state["trouble"] is None
    return state


def advised(client: AppClient, name: str, state: dict[str, Any], by: str) -> str:
    """Return the move that an agent hints at."""
    answer = client.post(f"/games/{name}/hint", json={"position": state["position"], "by": by})
    assert answer.status_code == 200, answer.text
    move: str = answer.json()["hints"][0]["move"]
    return move


def play(client: AppClient, name: str, state: dict[str, Any], move: str, **query: Any) -> dict[str, Any]:
    """Make a move and return the answer."""
    body = {"position": state["position"], "move": move}
    answer = client.post(f"/games/{name}/play", json=body, params=query)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_a_whole_game_is_played_kept_and_replayed(client: AppClient, store: GameStore) -> None:
    begun = client.post("/games", json={"game": "merchants", "seats": ["human", "planner", "greedy", "random"]})
    name = begun.json()["name"]
    headings = set()
    while not (state := settled(client, store, name))["over"]:
        buttons = [move["move"] for group in state["groups"] for move in group["moves"]]
        assert sorted(buttons) == sorted(store.session(name).snapshot().game.legal_moves())
        headings |= {group["heading"] for group in state["groups"]}
        play(client, name, state, advised(client, name, state, "planner"))
    assert {"", "Lay a route for 1 ore, 1 wood", "Deliver a good to"} <= headings
    assert state["question"].startswith("The game is over: ")
    assert [sum(row["glory"][seat] for row in state["result"]["rows"]) for seat in range(4)] == state["result"]["total"]
    record = client.get(f"/games/{name}/record").json()
    assert replay(record).scores() == state["result"]["total"]
    kept = json.loads((store.folder / f"{name}.json").read_text(encoding="utf-8"))
    assert kept["record"] == record
    assert client.get("/games").json()["games"][0]["scores"] == state["result"]["total"]
    assert client.get(f"/games/{name}/replay").status_code == 200


def test_a_game_goes_on_from_its_file(client: AppClient, store: GameStore) -> None:
    name = merchants(store, "human", "planner", "planner", board="generated_5")
    for _ in range(8):
        state = settled(client, store, name)
        play(client, name, state, advised(client, name, state, "planner"))
    state = settled(client, store, name)
    again = AppClient(make_app(GameStore(store.folder), TOKEN, "greedy"), TOKEN)
    assert again.get(f"/games/{name}").json()["position"] == state["position"]
    kept = json.loads((store.folder / f"{name}.json").read_text(encoding="utf-8"))
    assert kept["board"]["side"] == "short"
    other = client.post("/open", json={"file": kept}).json()["name"]
    assert settled(client, store, other)["svg"] == state["svg"]
    kept["record"]["moves"][1][1] = "gold"
    assert "is illegal" in said(client.post("/open", json={"file": kept}))


def test_nothing_that_is_shown_depends_on_what_the_seat_cannot_know(client: AppClient, store: GameStore) -> None:
    name, changed = merchants(store, "human", "greedy", "greedy", "planner"), 0
    for _ in range(60):
        state = settled(client, store, name)
        snapshot = store.session(name).snapshot()
        for observer in (0, NONE):
            drawn_anew = snapshot.game.clone()
            drawn_anew.take_position(snapshot.game.seen_by(max(observer, 0)).state)
            other = snapshot._replace(game=drawn_anew)
            changed += drawn_anew.state.tobytes() != snapshot.game.state.tobytes()
            assert _shown(snapshot, observer) == _shown(other, observer)
        if state["over"]:
            break
        play(client, name, state, advised(client, name, state, "greedy"))
    assert changed > 4


def test_the_text_of_a_position_does_not_follow_from_the_moves_made() -> None:
    """Or whoever tries out what was hidden finds the moves that lead to it."""
    game = MerchantsConfig(3).new_game(5)
    positions = {Session(Path(), game, ["human"] * 3).snapshot().position for _ in range(20)}
    assert len(positions) == 20
    assert {position.partition("-")[0] for position in positions} == {str(len(game.history))}


def _shown(snapshot: SessionSnapshot, observer: int) -> str:
    faces = snapshot.game.rules.presenter
    return json.dumps(shown_game(snapshot, faces, "light", observer))


def test_no_answer_tells_the_hand_of_another_seat(client: AppClient, store: GameStore) -> None:
    """Every third decision is looked at: what is hidden stays so for many of them."""
    name, films, looks = merchants(store, "human", "greedy", "planner", "greedy", seed=5), 0, 0
    session, hidden = store.session(name), 0
    for number in itertools.count():
        session.settle(PATIENCE)
        snapshot = session.snapshot()
        if snapshot.game.over:
            break
        if number % 3 == 0:
            hidden = _hidden_moves(snapshot)
            told = _check_answers(client, name, snapshot)
            if films * 60 < len(snapshot.game.history):
                films += 1
                film = client.get(f"/games/{name}/replay", params={"seat": 2}).text
                assert len(HIDDEN.findall(film)) == len(HIDDEN.findall(json.dumps(told)))
            looks += 1
        session.play(snapshot.position, advised(client, name, {"position": snapshot.position}, "greedy"))
    assert hidden > 0
    assert films > 3
    assert looks > 30
    whole = client.get(f"/games/{name}/record").json()["moves"]
    assert whole == session.snapshot().game.moves_seen_by(None)


def _hidden_moves(snapshot: SessionSnapshot) -> int:
    """Return how many moves seat 0 was told otherwise than they were."""
    seen, whole = snapshot.game.moves_seen_by(0), snapshot.game.moves_seen_by(None)
    return sum(told != made for told, made in zip(seen, whole, strict=True))


def _check_answers(client: AppClient, name: str, snapshot: SessionSnapshot) -> list[Any]:
    """Check what the page shows and what the record tells; return the moves of the record."""
    for query in ({}, {"seat": 2}):  # the seat of an agent
        panels = client.get(f"/games/{name}", params=query).json()["panels"]
        hands = {panel["title"]: {row["name"]: row["words"] for row in panel["rows"]} for panel in panels}
        for seat, title in enumerate(snapshot.titles):
            total = int(snapshot.game.state["hand"][0, seat].sum())
            assert (hands[title]["Hand"] == counted(total, "card")) == (seat != 0)
            assert seat == 0 or re.fullmatch(r"1 card|\d+ cards", hands[title]["Development"])
    told: list[Any] = client.get(f"/games/{name}/record", params={"seat": 2}).json()["moves"]
    assert told == snapshot.game.moves_seen_by(0)
    return told


def test_a_move_is_taken_back_only_while_nothing_was_shown_since(client: AppClient, store: GameStore) -> None:
    name, taken_back = merchants(store, "human", "planner", "planner"), 0
    for _ in range(50):
        state = settled(client, store, name)
        last = store.session(name).snapshot().game.history[-1:]
        assert state["can_undo"] == (bool(last) and last[0][0] == 0)
        body = {"position": state["position"]}
        if not state["can_undo"]:
            assert "no move to take back" in said(client.post(f"/games/{name}/undo", json=body))
        after = play(client, name, state, advised(client, name, state, "planner"))
        if after["can_undo"]:
            back = client.post(f"/games/{name}/undo", json={"position": after["position"]}).json()
            assert back["position"] == state["position"]
            assert back["svg"] == state["svg"]
            play(client, name, back, advised(client, name, back, "planner"))
            taken_back += 1
        if settled(client, store, name)["over"]:
            break
    assert taken_back > 3


def test_where_several_people_sit_nobody_sees_a_hand_before_it_is_asked_for(
    client: AppClient, store: GameStore
) -> None:
    name = merchants(store, "human:Ada", "human:Ben", "planner")
    looked = set()
    for _ in range(30):
        state = settled(client, store, name)
        seat = store.session(name).snapshot().game.seat
        assert state["curtain"] == {"seat": seat, "title": ("Ada", "Ben")[seat]}
        assert state["groups"] == []
        assert not state["can_undo"]
        assert all(re.fullmatch(r"1 card|\d+ cards", _hand(panel)) for panel in state["panels"] if panel["disc"])
        assert settled(client, store, name, seat=1 - seat)["curtain"] is not None  # the other one does not see it
        for path, query in (("play", {}), ("hint", {}), ("undo", {"seat": 1 - seat})):
            body = {"position": state["position"], "move": "nonsense"}
            refused = client.post(f"/games/{name}/{path}", json=body, params=query)
            assert refused.status_code == 403
            assert said(refused).startswith(f"{('Ada', 'Ben')[seat]} is asked")
        own = settled(client, store, name, seat=seat)
        assert own["curtain"] is None
        assert own["panels"][0]["own"]
        looked.add(seat)
        play(client, name, own, own["groups"][0]["moves"][0]["move"], seat=seat)
    assert looked == {0, 1}


def _hand(panel: dict[str, Any]) -> str:
    return next(str(row["words"]) for row in panel["rows"] if row["name"] == "Hand")


def test_the_toy_plays_through_the_same_server(client: AppClient, store: GameStore, toys: GameTable) -> None:
    name = client.post("/games", json={"game": "toy", "seats": ["human", "random", "random"], "seed": 4}).json()["name"]
    while not (state := settled(client, store, name))["over"]:
        assert "hidden" in said(client.get(f"/games/{name}/record"))
        assert client.get(f"/games/{name}/replay").status_code == 200
        move = advised(client, name, state, "tree:sims=20")
        assert move in [one["move"] for group in state["groups"] for one in group["moves"]]
        play(client, name, state, move)
    assert state["result"]["total"] == store.session(name).snapshot().game.scores()
    record = client.get(f"/games/{name}/record").json()
    other = client.post("/open", json={"file": record, "seats": ["human", "random", "random"]}).json()["name"]
    assert client.get(f"/games/{other}").json()["result"] == state["result"]
    assert any(variant.get("game") == "toy" for variant in client.get("/choices").json()["variants"])
    assert "how to play Dice and cards" in said(client.get("/how_to_play", params={"game": "toy"}))


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"game": "merchants", "seats": ["human"]}, "takes 3 to 4"),
        ({"game": "merchants", "seats": ["human", "automa", "planner"]}, "agent 'automa' is unknown"),
        ({"game": "merchants", "seats": ["human", "tree:depth=3", "planner"]}, "write tree:sims=400"),
        ({"game": "merchants", "seats": ["human"] * 3, "board": "/etc/passwd"}, '"board" must be generated_<number>'),
        ({"game": "merchants", "seats": ["human"] * 3, "options": {"speed": 1}}, "has no option 'speed'"),
        ({"game": "merchants", "seats": ["human"] * 3, "exploits": []}, "a new game has no field 'exploits'"),
        ({"game": "merchants", "seats": ["human"] * 3, "variant": "long"}, "variant='long' is not possible"),
    ],
)
def test_what_is_not_possible_is_said(body: dict[str, Any], sentence: str, client: AppClient) -> None:
    assert sentence in said(client.post("/games", json=body))


def test_nobody_says_who_is_ahead(client: AppClient, store: GameStore) -> None:
    assert "nobody says" in said(client.get(f"/games/{merchants(store, *['human'] * 3)}/standing"))


def test_the_command_begins_the_other_game() -> None:
    begun = first_session(
        [], game="merchants:variant=expert,players=3,trade=bank,max_rolls=60,board=generated_2", seed=1
    )
    assert begun is not None
    assert begun.seats == ("human", "planner", "planner")
    config = begun.game.config  # type: ignore[attr-defined]
    assert (config.variant, config.trade, config.max_rolls) == ("expert", "bank", 60)
    assert config.board.id.startswith("generated")
    for more, sentence in (
        ({"exploits": "random"}, "has no Exploits"),
        ({"variant": "expert", "game": "merchants:variant=short"}, "variant is given twice"),
        ({"options": ["trade=bank"], "game": "merchants:trade=none"}, "trade is given twice"),
        ({"options": ["variant=short"], "variant": "expert"}, "'variant' is given twice"),
        ({"options": ["speed=1"]}, "has no option 'speed'"),
        ({"game": "merchants:speed=1"}, "Merchants of Europe has no option 'speed'"),
        ({"seats": ["human"] * 3, "game": "merchants:players=4"}, "does not fit the 3 seats"),
    ):
        with pytest.raises(InvalidOptionError, match=sentence):
            first_session(**{"seats": [], "game": "merchants", **more})  # type: ignore[arg-type]


def test_chance_is_in_the_log_without_a_seat(client: AppClient, store: GameStore) -> None:
    name = merchants(store, "human", "random", "random")
    state = settled(client, store, name)
    if state["question"] == "Your turn: roll the dice":
        state = play(client, name, state, "roll")
    state = settled(client, store, name)
    assert any(line["words"].startswith("The dice show ") for line in state["log"])
    assert len(state["log"]) == sum(1 for _ in store.session(name).snapshot().game.history)
    assert sum(line["disc"]["letter"] == "?" for line in state["log"]) == sum(
        seat == CHANCE for seat, _ in store.session(name).snapshot().game.history
    )
