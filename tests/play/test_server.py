from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from endeavor_env import Game, GameConfig
from endeavor_env.agents.play.__main__ import first_session
from endeavor_env.agents.play.server import TOKEN
from endeavor_env.endeavor.records import write_record
from tests.kits.commands import run_command
from tests.kits.malformed import refuse_all
from tests.kits.play_server import Begun, PlayServer

ONE_SENTENCE: list[tuple[list[str], str]] = [
    (["human", "robot", "greedy"], "agent 'robot' is unknown"),
    (["human", "greedy"], "players=2 does not fit variant 'standard': it takes 3 to 5 players"),
    (["--variant", "chess"], "variant 'chess' is unknown"),
    (["--variant", "solo", "--seed", "-1"], "seed=-1 is not possible"),
    (["--variant", "solo", "--board", "atlantis"], "board 'atlantis' is unknown"),
    (["--variant", "solo", "--option", "difficulty"], "write it as name=value"),
    (["--variant", "solo", "--option", "difficulty=mad"], "difficulty='mad' is not possible"),
    (["--variant", "solo", "--exploits", "random"], "only the base game has them"),
    (["--exploits", "venus,mars", "--seats", "human", "greedy", "greedy"], "exploit 'mars' is unknown"),
    (["--hint-by", "oracle"], "agent 'oracle' is unknown"),
    (["--game", "chess"], "variant 'chess' is unknown"),
    (["--game", "solo", "--option", "difficulty=easier"], "--game 'solo' says what is played"),
    (["--theme", "pink"], "theme='pink' is not possible"),
    (["--port", "99999"], "port 99999 is not possible"),
    (["--port", "-1"], "port -1 is not possible"),
    (["--seed", "3"], "no game is begun: give its seats"),
    (["--resume", "nothing.json"], "game nothing.json cannot be read"),
    (["--resume", __file__], "is not JSON"),
    (["--folder", __file__], "cannot be the folder of the games"),
    (["--folder", f"{__file__}/below"], "cannot be the folder of the games"),
]


@pytest.mark.parametrize(("arguments", "sentence"), ONE_SENTENCE, ids=str)
def test_what_cannot_be_played_is_one_sentence_and_leaves_nothing(
    arguments: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run_command("endeavor_env.agents.play", "--no-browser", *arguments)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert sentence in done.err
    assert done.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_port_that_is_taken_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = run_command("endeavor_env.agents.play", "--no-browser", "--port", str(taken.getsockname()[1]))
    assert done.status == 2
    assert "another program uses it; give another, or 0 for a free one" in done.err
    assert list(tmp_path.iterdir()) == []


def test_a_record_with_other_options_of_the_game_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_record(Game.new(3, seed=1), tmp_path / "record.json")
    for more in (["--variant", "solo"], ["--game", "solo"], ["--seed", "0"], ["--exploits", "random"]):
        done = run_command("endeavor_env.agents.play", "--no-browser", "--resume", "record.json", *more)
        assert done.status == 2
        assert "record.json says what is played: leave out the other options" in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["record.json"]


@pytest.mark.parametrize("library", ["uvicorn", "starlette"])
def test_without_the_libraries_of_the_server_the_command_says_how_to_install_them(
    library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in [
        name for name in sys.modules if name.partition(".")[0] == library or name == "endeavor_env.agents.play.app"
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    done = run_command("endeavor_env.agents.play", "--no-browser", "--variant", "solo")
    assert done.status == 2
    assert f"playing in the browser needs {library}: install it with pip install 'endeavor-env[play]'" in done.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("seats", "variant", "expected"),
    [
        ((), "solo", ("human",)),
        ((), "standard", ("human", "greedy", "greedy")),
        ((), "neutral_2", ("human", "greedy")),
        (("human",), None, ("human",)),
        (("random", "human", "greedy", "greedy"), None, ("random", "human", "greedy", "greedy")),
    ],
    ids=str,
)
def test_seats_that_are_left_out_are_filled(
    seats: tuple[str, ...], variant: str | None, expected: tuple[str, ...]
) -> None:
    session = first_session(seats, variant=variant)
    assert session is not None
    assert session.seats == expected


@pytest.mark.parametrize(
    ("seats", "text", "expected"),
    [
        ((), "solo:difficulty=harder", GameConfig("solo", options={"difficulty": "harder"})),
        ((), "standard:players=3,board=generated_2", GameConfig(players=3, board="generated_2")),
        (("human", "random", "random"), "exploits:exploits=sun", GameConfig("exploits", 3, exploits=["sun"])),
    ],
    ids=str,
)
def test_a_game_begins_as_one_text_says(seats: tuple[str, ...], text: str, expected: GameConfig) -> None:
    session = first_session(seats, game=text)
    assert session is not None
    assert session.snapshot().game.config == expected
    assert session.seats == (seats or ("human", *("greedy",) * (expected.players - 1)))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayServer]:
    """A server for the tests that do not end it."""
    with PlayServer(tmp_path_factory.mktemp("play") / "games", "--variant", "solo", "--seed", "7") as server:
        yield server
    assert "Traceback" not in server.errors


def test_a_second_server_on_the_folder_is_refused(server: PlayServer) -> None:
    done = run_command("endeavor_env.agents.play", "--no-browser", "--folder", str(server.folder))
    assert done.status == 2
    assert "another process plays the games of" in done.err


def test_other_machines_are_not_served(server: PlayServer) -> None:
    with socket.socket() as elsewhere:  # every address of 127.0.0.0/8 is this machine, and one is served
        assert elsewhere.connect_ex(("127.0.0.2", server.port)) != 0


def test_malformed_requests_are_refused_in_words_and_the_game_is_intact(server: PlayServer) -> None:
    begun, files = server.first, sorted(server.folder.iterdir())
    before, kept = begun.state(), begun.kept()
    assert refuse_all(begun) >= 200
    assert (begun.state(), begun.kept()) == (before, kept)
    assert sorted(server.folder.iterdir()) == files
    assert play_first(begun)["number"] == before["number"] + 1


def test_a_token_that_others_could_read_is_not_used(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    with PlayServer(folder) as server:
        kept = folder / TOKEN
        assert server.token in kept.read_text(encoding="utf-8")
        assert kept.stat().st_mode & 0o777 == 0o600
    kept.chmod(0o644)
    done = run_command("endeavor_env.agents.play", "--no-browser", "--folder", str(folder))
    assert done.status == 2
    assert "play.token keeps the token of the page and is open to other users" in done.err
    assert done.err.count("\n") == 1
    kept.unlink()
    with PlayServer(folder) as again:
        assert again.token != server.token


def test_ctrl_c_ends_the_server_cleanly_and_a_game_that_was_killed_goes_on(tmp_path: Path) -> None:
    with PlayServer(tmp_path / "games", "--seats", "human", "human", "greedy", "--seed", "1") as server:
        for _ in range(3):
            play_first(server.first)
        before = server.first.state()
    assert server.process.returncode == -signal.SIGKILL
    with PlayServer(server.folder) as again:
        assert (again.token, again.port) == (server.token, server.port)  # an open tab finds it where it was
        after = Begun(again, server.name).state()
        assert (after["position"], after["log"]) == (before["position"], before["log"])
        os.kill(again.process.pid, signal.SIGINT)
        out, err = again.process.communicate(timeout=30)
    assert (again.process.returncode, err) == (0, "")
    assert "Stopped." in out
    copy = first_session((), resume=server.folder / f"{server.name}.json")
    assert copy is not None
    assert (len(copy.snapshot().game.history), copy.seats) == (before["number"], ("human", "human", "greedy"))


def play_first(begun: Begun) -> dict[str, Any]:
    """Make the first move that the page lists, once a person is asked, and return what is shown then."""
    state = begun.state()
    while not state["asked"]:
        state = begun.state()
    body = {"position": state["position"], "move": state["groups"][0]["moves"][0]["move"]}
    answer = begun.server.request("POST", f"/games/{begun.name}/play", json=body)
    assert answer.status_code == 200
    return answer.json()
