from __future__ import annotations

import json
import re
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from endeavor_env.agents.play.session import StaleMoveError
from endeavor_env.agents.play.store import GameStore, UnknownGameError, sole_use
from endeavor_env.errors import InvalidOptionError, RecordError
from tests.kits.playing import PATIENCE, Gated, first_player, name_agent, play_on, play_out, session_of

HOLD = """
import sys
from pathlib import Path
from endeavor_env.agents.play.store import sole_use
with sole_use(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def store(tmp_path: Path) -> GameStore:
    return GameStore(tmp_path)


def test_several_games_go_on_side_by_side(store: GameStore) -> None:
    names = [store.add(session_of(["human"], variant="solo", seed=seed)) for seed in (1, 2)]
    play_on(store.session(names[0]), 3)
    assert [len(store.session(name).snapshot().game.history) for name in names] == [3, 0]


def test_games_are_found_again_by_another_store(store: GameStore) -> None:
    name = store.add(session_of(["human", "greedy", "greedy"], seed=1))
    play_on(store.session(name), 2)
    again = GameStore(store.folder).session(name)
    assert again.snapshot().game.record() == store.session(name).snapshot().game.record()


def test_the_list_tells_what_each_game_is_and_why_a_file_cannot_be_read(store: GameStore) -> None:
    over = store.add(session_of(["human"], variant="solo", seed=1))
    play_out(store.session(over))
    going = store.add(session_of(["human", "greedy", "greedy"], exploits=["haiti"], seed=1))
    store.session(going).settle(PATIENCE)
    (store.folder / "cut.json").write_text('{"format": "endeavor-se', encoding="utf-8")
    (store.folder / "other.json").write_text('{"format": "x"}', encoding="utf-8")
    (store.folder / "Not A Game.json").write_text("{}", encoding="utf-8")
    listed = {game.pop("name"): game for game in store.games()}
    assert set(listed) == {over, going, "cut", "other"}
    scores = store.session(over).snapshot().game.scores()
    assert (listed[over]["variant"], listed[over]["seats"], listed[over]["scores"]) == ("solo", ["human"], scores)
    assert (listed[going]["variant"], listed[going]["scores"]) == ("exploits", None)
    assert listed[going]["moves"] == len(store.session(going).snapshot().game.history)
    assert "is not JSON, it may be cut off" in listed["cut"]["error"]
    assert "is no session" in listed["other"]["error"]


@pytest.mark.parametrize("digits", ["1e999", "[[1]]", "1.5", '"7"', "[" * 5000])
def test_the_list_is_json_whatever_a_file_holds(digits: str, store: GameStore) -> None:
    name = store.add(session_of(["human"], variant="solo", seed=1))
    play_out(store.session(name))
    file = store.folder / f"{name}.json"
    text = re.sub(r'"scores": \[[^]]*\]', f'"scores": [{digits}, 1]', file.read_text(encoding="utf-8"))
    assert text != file.read_text(encoding="utf-8")
    file.write_text(text, encoding="utf-8")
    listed = GameStore(store.folder).games()
    assert "error" in listed[0]
    json.dumps(listed, allow_nan=False)


def test_a_game_whose_file_was_deleted_is_forgotten(store: GameStore) -> None:
    name = store.add(session_of(["human", "greedy", "greedy"], seed=1))
    session = store.session(name)
    session.settle(PATIENCE)
    (store.folder / f"{name}.json").unlink()
    with pytest.raises(UnknownGameError, match="there is no game of this name"):
        store.session(name)
    with pytest.raises(StaleMoveError, match="this game was deleted"):
        session.play(session.snapshot().position, "build:market")
    assert not (store.folder / f"{name}.json").exists()
    assert store.games() == []


def test_the_list_begins_no_thought(store: GameStore, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Gated()
    name_agent(monkeypatch, "slow", slow)
    slow.gate.set()
    name = store.add(session_of(["slow", "human", "human"], seed=1))
    store.session(name).settle(PATIENCE)
    later = GameStore(store.folder)
    slow.thinks.clear()
    assert len(later.games()) == 1
    assert not slow.thinks.is_set()


@pytest.mark.parametrize("name", ["", "nothing", "../nothing", "/etc/passwd", "A", "a" * 41, "a\n", "..", "a.json"])
def test_names_that_no_game_has_lead_nowhere(name: str, store: GameStore) -> None:
    (store.folder.parent / "nothing.json").write_text("{}", encoding="utf-8")
    with pytest.raises(UnknownGameError, match="no game of this name"):
        store.session(name)


def test_a_file_that_is_cut_off_is_named_and_the_others_are_played(store: GameStore) -> None:
    good = store.add(session_of(["human"], variant="solo", seed=1))
    bad = store.add(session_of(["human"], variant="solo", seed=2))
    file = store.folder / f"{bad}.json"
    file.write_text(file.read_text(encoding="utf-8")[:200], encoding="utf-8")
    later = GameStore(store.folder)
    with pytest.raises(RecordError, match="it may be cut off"):
        later.session(bad)
    play_on(later.session(good), 1)


def test_a_wrong_game_leaves_no_file(store: GameStore) -> None:
    for seat, variant in (("human", "standard"), ("robot", "solo"), ("human", "chess")):
        with pytest.raises(InvalidOptionError):
            store.add(session_of([seat], variant=variant))
    assert list(store.folder.iterdir()) == []


def test_one_process_at_a_time_has_a_folder_and_a_killed_one_gives_it_back(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(InvalidOptionError, match="another process plays the games of"), sole_use(folder):
            pytest.fail("the folder was given twice")
        other.kill()
        other.wait()
        with sole_use(folder):
            assert [path.name for path in folder.iterdir()] == ["play.lock"]


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with (
        pytest.raises(InvalidOptionError, match="cannot be the folder of the games"),
        sole_use(tmp_path / "file" / "x"),
    ):
        pytest.fail("the folder cannot be there")


def test_the_record_of_a_session_is_one_of_the_package(store: GameStore) -> None:
    from endeavor_env.endeavor.records import replay

    name = store.add(session_of(["human"], variant="solo", seed=3))
    play_out(store.session(name))
    kept = json.loads((store.folder / f"{name}.json").read_text(encoding="utf-8"))
    assert replay(kept["record"]).over


def test_the_list_says_when_each_game_was_played_and_whose_turn_it_is(store: GameStore) -> None:
    name = store.add(session_of(["greedy", "human", "human"], seed=1))
    store.session(name).settle(PATIENCE)
    (listed,) = store.games()
    assert listed["turn"] == store.session(name).snapshot().game.seat
    assert datetime.now() - datetime.strptime(listed["date"], "%Y-%m-%d %H:%M") < timedelta(minutes=2)
    file = store.folder / f"{name}.json"
    for turn in (None, 7, -1, True, "x"):
        file.write_text(json.dumps({**json.loads(file.read_text(encoding="utf-8")), "turn": turn}), encoding="utf-8")
        assert store.games()[0]["turn"] is None


def test_a_game_is_renamed_and_goes_on_under_its_new_name(store: GameStore) -> None:
    name, other = (store.add(session_of(["human"], variant="solo", seed=seed)) for seed in (1, 2))
    assert store.rename(name, "my-game") == "my-game"
    play_on(store.session("my-game"), 2)
    assert {game["name"] for game in GameStore(store.folder).games()} == {"my-game", other}
    assert len(GameStore(store.folder).session("my-game").snapshot().game.history) == 2
    with pytest.raises(UnknownGameError):
        store.session(name)
    for wished, why in ((other, "another game is called"), ("../x", "cannot have this name"), (3, "cannot have this")):
        with pytest.raises(InvalidOptionError, match=why):
            store.rename("my-game", wished)
    with pytest.raises(UnknownGameError):
        store.rename("nothing", "something")
    assert {game["name"] for game in store.games()} == {"my-game", other}


def test_a_deleted_game_is_gone_and_agents_do_not_bring_it_back(
    store: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Gated()
    name_agent(monkeypatch, "slow", slow)
    name = store.add(session_of(["slow", "human", "human"], **first_player(0)))
    session = store.session(name)
    assert slow.thinks.wait(PATIENCE)
    store.delete(name)
    slow.gate.set()
    session.settle(PATIENCE)
    assert store.games() == []
    assert list(store.folder.glob("*.json*")) == []
    with pytest.raises(StaleMoveError, match="this game was deleted"):
        session.start()
    for _ in range(2):
        with pytest.raises(UnknownGameError):
            store.delete(name)


def test_a_file_that_cannot_be_read_can_be_deleted(store: GameStore) -> None:
    (store.folder / "cut.json").write_text("{", encoding="utf-8")
    store.delete("cut")
    assert store.games() == []
    outside = store.folder.parent / "outside.json"
    outside.write_text("{}", encoding="utf-8")
    with pytest.raises(UnknownGameError):
        store.delete("../outside")
    assert outside.exists()


def test_agents_of_games_unused_for_longest_give_their_memory_back(
    store: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [store.add(session_of(["human", "value", "value"], **first_player(1))) for _ in range(3)]
    for name in names:
        store.session(name).settle(PATIENCE)
    sessions = [store.session(name) for name in names]
    one = sessions[0].nbytes
    assert [session.nbytes for session in sessions] == [one] * 3
    monkeypatch.setattr("endeavor_env.agents.play.store.MOST_BYTES", 2 * one)
    store.session(names[0])
    assert [session.nbytes for session in sessions] == [one, 0, one]
    assert store.session(names[1]) is sessions[1]
    play_on(sessions[1], 1)
    assert sessions[1].nbytes == one
    store.session(names[0])
    assert [session.nbytes for session in sessions] == [one, one, 0]


def test_agents_that_think_keep_their_memory(store: GameStore, monkeypatch: pytest.MonkeyPatch) -> None:
    gated = Gated()
    monkeypatch.setattr(gated, "nbytes", 5, raising=False)
    name_agent(monkeypatch, "gated", gated)
    thinking = store.session(store.add(session_of(["human", "gated", "greedy"], **first_player(1))))
    assert gated.thinks.wait(PATIENCE)
    monkeypatch.setattr("endeavor_env.agents.play.store.MOST_BYTES", 1)
    store.add(session_of(["human"], variant="solo", seed=1))
    gated.gate.set()
    thinking.settle(PATIENCE)
    assert thinking.trouble is None
    assert len(thinking.snapshot().game.history) >= 1
