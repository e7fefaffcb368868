"""Players in processes of their own: files, commands, and what becomes of games when they fail."""

from __future__ import annotations

import gc
import os
import shlex
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from endeavor_env import Game
from endeavor_env.agents.base import Agent
from endeavor_env.agents.forfeits import Forfeit, fault_of, forfeits_in_words
from endeavor_env.agents.matches import Match, SoloMatch
from endeavor_env.agents.own_process.agent import ProgramAgent
from endeavor_env.agents.play.endeavor_table import TRUSTED, EndeavorTable
from endeavor_env.agents.registry import make_agent, weights_hash
from endeavor_env.agents.runner import play_game
from endeavor_env.agents.tournament.playing import WorkItemPlayer, all_work_items, open_store, read_settings
from endeavor_env.agents.tournament.result import make_result
from endeavor_env.endeavor.declaration import ENDEAVOR
from endeavor_env.endeavor.players import agent_named
from endeavor_env.endeavor.players.program_name import PROCESS, command_files, read_program_name
from endeavor_env.errors import InvalidOptionError

EXAMPLE = "docs/clients/code_player.py"
PATIENT = ",seconds=60"
"""Longer than any answer takes, whatever else the machine does."""
FIRST = "def act(message):\n    return message['legal_moves'][0]\n"
SPEAKER = """
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": "endeavor-player/1"}), flush=True)
    elif said["type"] == "act":
        print(ANSWER, flush=True)
"""
"""A program that answers decisions with what stands in the place of ANSWER."""
MOVE = 'json.dumps({"type": "move", "id": said["id"], "move": said["message"]["legal_moves"][-1], "more": 1})'


def player(folder: Path, code: str, limits: str = PATIENT) -> str:
    """The name of a player with this code."""
    file = folder / "player.py"
    file.write_text(code)
    return f"code:{file}{limits}"


def command(folder: Path, code: str, limits: str = PATIENT) -> str:
    """The name of a command that runs this code."""
    file = folder / "speaker.py"
    file.write_text(code)
    return f"process:{shlex.join([sys.executable, str(file)])}{limits}"


def test_the_example_plays_a_game_and_beats_random_players() -> None:
    lines = Path(EXAMPLE).read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 60
    agents = [make_agent(f"code:{EXAMPLE}{PATIENT}"), *(make_agent("random") for _ in range(3))]
    game = Game.new(4, seed=5)
    for seat, agent in enumerate(agents):
        agent.reset(seat)
    scores = play_game(agents, game)
    assert fault_of(agents[0]) is None
    assert scores[0] == max(scores)


def test_a_player_is_told_of_the_game_its_seed_and_all_moves_since_it_was_asked(tmp_path: Path) -> None:
    code = """
import random
told = []
drawn = None
def new_game(message):
    global drawn
    drawn = random.random()
    told.clear()
    assert message["game"]["variant"] == "soloplay_3" and message["seed"] == 7
def act(message):
    told.extend(message["events"])
    assert message["format"] == "endeavor-text/1" and message["result"] is None
    print("this disturbs nobody")
    moves = [one["move"] for one in told]
    if len(moves) > 20:
        raise ValueError(f"{drawn} {moves}")
    return message["legal_moves"][-1]
"""
    agent, others = make_agent(player(tmp_path, code)), [make_agent("random") for _ in range(2)]
    errors = []
    for _ in range(2):
        game = Game.new(3, seed=1, variant="soloplay_3")
        for one in (agent, *others):
            one.reset(7)
        play_game([agent, *others], game)
        fault = fault_of(agent)
        assert fault is not None
        moves = [game.describe(action) for _, action in game.history[: fault.decision]]
        errors.append(fault.text)
        assert fault.text.startswith("ValueError: 0.")
        assert fault.traceback.endswith(f"{moves}\n")
        assert "in act" in fault.traceback
    assert errors[0] == errors[1]


@pytest.mark.parametrize(
    ("body", "kind", "text"),
    [
        ("return 'build:moon'", "illegal", "the move 'build:moon' is not legal"),
        ("return 3", "error", "TypeError: act returned 3, which is no text"),
        ("raise SystemExit(1)", "error", "SystemExit: 1"),
        ("while True: pass", "timeout", "there was no answer within 0.2 seconds"),
        ("os._exit(3)", "died", "the program ended with status 3"),
        ("return 'x' * (3 << 30)", "error", "MemoryError"),
        ("open('here', 'wb').write(bytes(1 << 25))", "error", "OSError: [Errno 27] File too large"),
    ],
)
def test_the_first_fault_of_a_game_loses_it(body: str, kind: str, text: str, tmp_path: Path) -> None:
    if sys.platform != "linux" and kind == "error" and ("Memory" in text or "large" in text):
        pytest.skip("this system limits neither memory nor files so")
    code = f"import os\nasked = 0\ndef act(message):\n    global asked\n    asked += 1\n    {body}"
    agent = make_agent(player(tmp_path, code, f",memory=1000{PATIENT if 'while' not in body else ',seconds=0.2'}"))
    game = Game.new(3, seed=2)
    agent.reset(4)
    twin = make_agent("random")
    twin.reset(4)
    for _ in range(3):
        assert agent.act(game) == twin.act(game)
    fault = fault_of(agent)
    assert fault is not None
    assert (fault.kind, fault.decision) == (kind, 0)
    assert fault.text.startswith(text)
    agent.reset(5)
    assert fault_of(agent) is None
    agent.act(game)  # a program that was ended starts again
    assert fault_of(agent) is not None


def test_what_the_fence_refuses(tmp_path: Path) -> None:
    code = """
import os, socket, subprocess
def act(message):
    open("inside", "w").close()
    os.remove("inside")
    told = []
    for harm in (
        lambda: open("../elsewhere", "w"),
        lambda: os.open(__file__, os.O_RDWR),
        lambda: os.remove(__file__),
        lambda: os.rename(__file__, "inside"),
        lambda: os.symlink("/", "root"),
        lambda: socket.socket(),
        lambda: socket.getaddrinfo("localhost", 80),
        lambda: os.system("true"),
        lambda: os.fork(),
        lambda: subprocess.run(["true"]),
    ):
        try:
            harm()
        except PermissionError as error:
            told.append(str(error).rpartition("(")[2][:-1])
    raise ValueError(told)
"""
    agent = make_agent(player(tmp_path, code))
    agent.act(Game.new(3, seed=2))
    fault = fault_of(agent)
    assert fault is not None
    refused = ["open", "open", "os.remove", "os.rename", "os.symlink", "socket.__new__", "socket.getaddrinfo"]
    assert fault.traceback.rstrip().endswith(f"ValueError: {[*refused, 'os.system', 'os.fork', 'subprocess.Popen']}")


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("def act(:", "SyntaxError"),
        ("x = 1", "the file defines no function act"),
    ],
)
def test_a_file_that_does_not_start_is_refused_before_the_first_game(code: str, why: str, tmp_path: Path) -> None:
    match = Match([player(tmp_path, code), "random", "random"], 3)
    with pytest.raises(InvalidOptionError, match=f"agent player does not start: .*{why}"):
        next(match.play())


def test_a_command_plays_and_its_faults_are_told_apart(tmp_path: Path) -> None:
    agent = make_agent(command(tmp_path, SPEAKER.replace("ANSWER", MOVE)))
    game = Game.new(3, seed=2)
    assert game.describe(agent.act(game)) == game.legal_moves()[-1]
    assert fault_of(agent) is None
    for said, kind, text in (
        ("'[]'", "garbled", "is no JSON object"),
        ("json.dumps({'type': 'move', 'id': 0, 'move': 'pass'})", "garbled", "is no answer to decision 1"),
        ("json.dumps({'type': 'error', 'id': said['id']})", "error", "the program gave the decision up"),
        ("sys.exit('no more')", "died", "the program ended with status 1"),
    ):
        agent = make_agent(command(tmp_path, SPEAKER.replace("ANSWER", said)))
        agent.act(game)
        fault = fault_of(agent)
        assert fault is not None
        assert (fault.kind, text in fault.text) == (kind, True)
        assert ("no more" in fault.traceback) == (kind == "died")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("process:/no/such/program", "does not start: No such file"),
        ("process:true", "does not start: the program ended with status 0"),
        (f"process:{sys.executable} -c 'print(1)'", "does not start: the line '1.n' is no JSON object"),
    ],
)
def test_a_command_that_does_not_start_is_refused(name: str, why: str) -> None:
    agent = make_agent(name)
    with pytest.raises(InvalidOptionError, match=why):
        agent.act(Game.new(3, seed=2))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("code:missing.py", "the file missing.py cannot be read: No such file or directory"),
        ("code:,seconds=1", "name a file"),
        ("process: ", "name a command"),
        ("process:'open", "its command has no closing quotation"),
        ("process:true,memory=5", "only code:<file> limits the memory"),
        ("code:a.py,seconds=0", "seconds must be a number above 0"),
        ("code:a.py,memory=nan", "memory must be a number above 0"),
        ("code:a.py,seconds=1,seconds=2", "once"),
    ],
)
def test_names_of_programs_that_are_not_possible(name: str, why: str) -> None:
    with pytest.raises(InvalidOptionError, match=why):
        make_agent(name)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes have no names in folders there")
def test_a_file_that_is_none_or_too_large_is_refused_unread(tmp_path: Path) -> None:
    large = tmp_path / "large.py"
    with large.open("wb") as file:
        file.truncate(1 << 40)
    os.symlink("loop.py", tmp_path / "loop.py")
    os.mkfifo(tmp_path / "pipe.py")
    cases = {large: "has 1,099,511,627,776 bytes", tmp_path / "pipe.py": "it is a pipe", tmp_path: "it is a folder"}
    cases |= {Path("/dev/zero"): "it is a device", tmp_path / "loop.py": "symbolic links", Path("n" * 9999): "too long"}
    for path, why in cases.items():
        with pytest.raises(InvalidOptionError, match=why):
            make_agent(f"code:{path}")
    assert weights_hash(f"process:cat {'n' * 9999}", "standard") is None


@pytest.mark.parametrize("target", ["a\0b", "\ud800", "a\udcff"])
def test_a_name_with_half_of_a_character_or_a_null_byte_is_refused(target: str) -> None:
    for kind in ("code", "process"):
        with pytest.raises(InvalidOptionError, match="a null byte or half of a character"):
            make_agent(f"{kind}:{target}")


def test_what_a_name_says(tmp_path: Path) -> None:
    assert read_program_name(PROCESS, "./a,b --x=1,2,seconds=0.5") == ("./a,b --x=1,2", 0.5, 2048)
    file = tmp_path / "a b.py"
    file.write_text(FIRST)
    assert command_files(f"python '{file}' {tmp_path},seconds=3") == [file]
    known = weights_hash(f"code:{file}", "standard")
    assert known == weights_hash(f"process:python '{file}'", "standard")
    file.write_text(FIRST + "\n")
    assert weights_hash(f"code:{file}", "standard") != known


def test_names_from_pages_and_networks_run_no_programs(tmp_path: Path) -> None:
    name = player(tmp_path, FIRST)
    for refusing in (agent_named, lambda name: EndeavorTable(ENDEAVOR).agent(Game.new(3, seed=1), name)):
        with pytest.raises(InvalidOptionError, match="it would run a program of this machine"):
            refusing(name)
    TRUSTED.add(name)  # as the command line does
    try:
        assert isinstance(EndeavorTable(ENDEAVOR).agent(Game.new(3, seed=1), name), Agent)
    finally:
        TRUSTED.clear()


@pytest.mark.skipif(sys.platform == "win32", reason="asks for a process by its number")
def test_no_process_outlives_its_agent(tmp_path: Path) -> None:
    agent = make_agent(player(tmp_path, "import os\ndef act(message):\n    raise ValueError(os.getpid(), os.getcwd())"))
    assert isinstance(agent, ProgramAgent)
    agent.act(Game.new(3, seed=2))
    assert agent.fault is not None
    number, folder = agent.fault.text.removeprefix("ValueError: (").removesuffix(")").split(", ")
    assert Path(folder.strip("'")).is_dir()
    del agent
    gc.collect()
    for _ in range(100):
        try:
            os.kill(int(number), 0)
        except ProcessLookupError:
            break
        time.sleep(0.01)
    else:
        raise AssertionError("the process still runs")
    assert not Path(folder.strip("'")).exists()


FAILS_LATE = """
def act(message):
    if message["position"]["round"] == 2:
        return message["nothing"]
    return message["legal_moves"][0]
"""


def test_a_match_counts_forfeited_games_as_lost(tmp_path: Path) -> None:
    match = Match([player(tmp_path, FAILS_LATE), "random", "random"], 3, seed=1)
    assert list(match.play()) == [1]
    result = match.result()
    first, *others = result.agents
    assert (first.win_rate, first.mean_score, first.mean_rank) == (0, 0, 3)
    assert sum(other.win_rate for other in others) == pytest.approx(1)
    assert [(one.setup, one.game, one.agent) for one in result.forfeits] == [(0, 0, 0), (0, 1, 0), (0, 2, 0)]
    told = result.to_dict()["forfeits"]
    assert {one["kind"] for one in told} == {"error"}
    assert all("KeyError: 'nothing'" in one["traceback"] for one in told)
    assert [Forfeit.from_dict(one) for one in told] == list(result.forfeits)
    lines = forfeits_in_words(result.forfeits, match.names)
    assert lines[0] == "player forfeited 3 games (3 error); first: KeyError: 'nothing'"
    assert lines[-1] == "    KeyError: 'nothing'"


def test_a_forfeited_solitaire_game_is_a_defeat(tmp_path: Path) -> None:
    match = SoloMatch([player(tmp_path, FAILS_LATE)], 2, difficulties=["easier"])
    assert list(match.play()) == [1, 2]
    row = match.result().rows[0]
    assert row.scores[:, 0].tolist() == [0, 0]
    assert (row.win_rate, row.panache.any()) == (0, False)
    assert len(match.result().to_dict()["forfeits"]) == 2


def test_a_tournament_keeps_forfeits_with_its_games(tmp_path: Path) -> None:
    name = player(tmp_path, FAILS_LATE)
    settings = read_settings([name, "random"], 1, 3, players=[3], mixed=0)
    assert settings.weights == {name: weights_hash(name, "standard")}
    unit, *units = all_work_items(settings)
    with open_store(tmp_path / "out", settings) as store:
        played = WorkItemPlayer(settings).play(unit)
        store.add(played)
    assert len(played.forfeits) >= 3
    with open_store(tmp_path / "out", settings) as store:
        assert store.units[unit.key] == played
    result = make_result(settings, [played, *(replace(played, unit=one, forfeits=()) for one in units)], 2)
    told = result.to_dict()["forfeits"]
    assert {(one["table"], one["field"], one["agent"]) for one in told} == {(0, 0, 0)}
    assert len(told) == len(played.forfeits)
