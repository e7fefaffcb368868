"""Wrong input to any command is one sentence and status 2, and every file stays as it was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.records import write_record
from tests.cli.endeavor import COMMANDS, contents, endeavor

THREE = ("random", "random", "random")
EXISTS = "exists: give --force to replace"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: a record, and files that a command must not replace."""
    game = Game.new(seed=1)
    game.play("build:market")
    write_record(game, tmp_path / "game.json")
    for name in ("old.json", "old.svg", "old.png", "old.gif", "old.html", "old.toml", "old.npz", "game.html"):
        (tmp_path / name).write_text("of before\n")
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "setup_00000_seating_0.json").write_text("of before\n")
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "ratings.svg").write_text("of before\n")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_text("of before\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


MISTAKES: list[tuple[tuple[str, ...], str]] = [
    *(((*words, "--no-such-option"), "--no-such-option") for words in COMMANDS),
    (("fly",), "No such command 'fly'"),
    (("trian",), "Did you mean 'train'?"),
    (("train", "fly"), "No such command 'fly'"),
    (("bench", "fly"), "No such command 'fly'"),
    (("board", "fly"), "No such command 'fly'"),
    # play
    (("play", "--port", "x"), "should be a valid integer"),
    # watch
    (("watch", "robot", "random", "random"), "agent 'robot' is unknown"),
    (("watch", "--seats", "random", "random"), "players=2 does not fit variant 'standard'"),
    (("watch", "--every", "hour"), "every='hour' is not possible: give one of round, turn, move"),
    (("watch", "--delay", "-1"), "'--delay'"),
    (("watch", "--variant", "chess"), "variant 'chess' is unknown"),
    (("watch", "--game", "chess"), "variant 'chess' is unknown"),
    (("watch", "--game", "solo:difficulty"), "write variant:name=value,name=value"),
    (("watch", "--game", "solo:difficulty=easier", "--board", "generated_3"), "says what is played: leave out"),
    (("watch", "--game", "solo", "--variant", "neutral_2"), "--game 'solo' says what is played: leave out"),
    (("watch", "--game", "standard:players=3", "random", "random"), "players=2 does not fit standard:players=3"),
    (("watch", "--seed", "-1"), "seed=-1 is not possible"),
    (("watch", "--board", "atlantis"), "board 'atlantis' is unknown"),
    (("watch", "--option", "difficulty"), "write it as name=value"),
    (("watch", "--record", "old.json"), EXISTS),
    (("watch", "--theme", "dark"), "--theme belong to the page"),
    (("watch", "game.json"), "game.json is a record and no agent: endeavor replay game.json"),
    (("watch", "human", "greedy", "greedy"), "endeavor play --seats human greedy greedy"),
    (("watch", "--port", "8000"), "--port, --notes-by and --theme belong to the page: give --browser too"),
    (("watch", "--browser", "--no-open", "--notes-by", "greedy"), "agent 'greedy' only says what it plays"),
    (("watch", "--browser", "--no-open", "--port", "99999"), "port 99999 is not possible"),
    # replay
    (("replay",), "Missing argument 'record'"),
    (("replay", "nowhere.json"), "record nowhere.json cannot be read"),
    (("replay", "old.svg", "-o", "new.html"), "is not JSON"),
    (("replay", "game.json"), f"game.html {EXISTS}"),
    (("replay", "game.json", "-o", "old.html"), EXISTS),
    (("replay", "game.json", "-o", "page.pdf"), "the name must end in one of .html"),
    (("replay", "game.json", "-o", "no/such/page.html"), "there is no folder no/such"),
    (("replay", "game.json", "-o", "new.html", "--theme", "red"), "theme='red' is not possible"),
    (("replay", "game.json", "--svg", "new.svg", "--move", "2"), "give 0 to 1"),
    (("replay", "game.json", "--svg", "old.svg"), EXISTS),
    (("replay", "game.json", "-o", "new.html", "--notes-by", "greedy"), "agent 'greedy' only says what it plays"),
    (("replay", "game.json", "-o", "new.html", "--notes-by", "robot"), "agent 'robot' is unknown"),
    (("replay", "game.json", "--png", "old.png"), EXISTS),
    (("replay", "game.json", "--gif", "old.gif"), EXISTS),
    (("replay", "game.json", "--gif", "new.svg"), "the name must end in one of .gif"),
    (("replay", "game.json", "--gif", "new.gif", "--every", "hour"), "every='hour' is not possible"),
    (("replay", "game.json", "--gif", "new.gif", "--width", "9"), "'--width'"),
    (("replay", "game.json", "-o", "new.html", "--targets"), "--targets belongs to pictures of one position"),
    # demo
    (("demo", "--seconds", "0"), "'--seconds'"),
    (("demo", "--out", "old.svg"), "old.svg cannot be a folder"),
    (("demo", "--out", "."), f"game.json {EXISTS}"),
    # doctor
    (("doctor", "--json", "old.json"), EXISTS),
    # picture
    (("picture", "--targets", "-o", "new.html"), "--targets belongs to pictures of one position: write a .svg or .png"),
    (("picture", *THREE, "--targets", "-o", "new.svg"), "the game is over: give --move, below "),
    (("picture", "game.json", "-o", "new.svg"), "game.json is a record and no agent: endeavor replay game.json"),
    (("picture", *THREE, "--names", "Ada,Ben", "-o", "new.svg"), "--names has 2 names, and the game 3 seats"),
    (("picture", *THREE, "--names", "Ada,,Ben", "-o", "new.svg"), "who plays is not possible"),
    (("picture", *THREE, "--exploits", "chess", "-o", "new.svg"), "chess"),
    (("picture", "--seats", "human", "greedy"), "endeavor play --seats human greedy"),
    (("picture", "-o", "old.svg"), EXISTS),
    (("picture", "-o", "picture.bmp"), "the name must end in one of .svg, .png, .gif, .html, .json"),
    (("picture", "--seats", "random", "robot", "random"), "agent 'robot' is unknown"),
    (("picture", "--seed", "x"), "should be a valid integer"),
    (("picture", "--board", "generated_-1"), "is unknown"),
    (("picture", *THREE, "--move", "100000"), "number=100000 is not possible"),
    # arena
    (("arena",), "Missing argument 'agents'"),
    (("arena", "random", "random", "robot"), "agent 'robot' is unknown"),
    (("arena", *THREE, "--games", "x"), "should be a valid integer"),
    (("arena", *THREE, "--games", "4"), "games=4 is not possible"),
    (("arena", *THREE, "--json", "old.json"), EXISTS),
    (("arena", *THREE, "--record", "records"), "setup_00000_seating_0.json exists: give --force to replace such files"),
    (("arena", "--round-robin", "random", "automa", "--json", "old.json"), EXISTS),
    (("arena", "--round-robin", "random", "automa", "--record", "records"), "exists: give --force"),
    (("arena", "--round-robin", "random", "automa", "--plots", "pictures"), "ratings.svg exists: give --force"),
    # solo
    (("solo", "robot"), "agent 'robot' is unknown"),
    (("solo", "random", "--games", "1"), "games=1 is not possible"),
    (("solo", "random", "--json", "old.json"), EXISTS),
    # evaluate
    (("evaluate", "nowhere.zip"), "nowhere"),
    (("evaluate", "nowhere.zip", "--games", "x"), "should be a valid integer"),
    # perft
    (("perft", "--depth", "0"), "'--depth'"),
    (("perft", "--depth", "13"), "'--depth'"),
    (("perft", "nowhere.json"), "record nowhere.json cannot be read"),
    (("perft", "game.json", "--move", "2"), "give 0 to 1"),
    (("perft", "--move", "2"), "--move belongs to a record"),
    (("perft", "--players", "9"), "players=9 does not fit"),
    (("perft", "--exploits", "voc,chess"), "chess"),
    (("perft", "--json", "old.json"), EXISTS),
    # datasets
    (("datasets", "robot", "greedy", "greedy", "--out", "new"), "agent 'robot' is unknown"),
    (("datasets", "random", "random", "random"), "Missing option '--out'"),
    (("datasets", *THREE, "--out", "new", "--games", "0"), "games=0 is not possible"),
    (("datasets", *THREE, "--out", "new", "--json", "old.json"), EXISTS),
    # corpus
    (("corpus",), "Missing option '--out'"),
    (("corpus", "--out", "new", "--part", "chess"), "part 'chess' is unknown"),
    (("corpus", "--out", "new", "--as", "chess"), "--as='chess' is not possible"),
    (("corpus", "--out", "new", "--games", "0"), "games=0 is not possible"),
    (("corpus", "--out", "new", "--json", "old.json"), EXISTS),
    # board
    (("board", "check"), "Missing argument 'file'"),
    (("board", "check", "nowhere.toml"), "nowhere.toml cannot be read"),
    (("board", "check", "old.toml", "--json", "old.json"), EXISTS),
    (("board", "new", "old.toml"), EXISTS),
    (("board", "new", "board.txt"), "the name must end in one of .toml"),
    (("board", "new", "new.toml", "--seed", "-1"), "the seed of a generated board is -1"),
    (("board", "show", "atlantis"), "board 'atlantis' is unknown"),
    (("board", "show", "-o", "old.svg"), EXISTS),
    (("board", "show", "-o", "board.gif"), "the name must end in one of .svg, .png"),
    (("board", "show", "--json", "old.json"), EXISTS),
    (("board", "show", "--theme", "red"), "theme='red' is not possible"),
    (("board", "show", "--open"), "--open opens a picture: give --out"),
    # bench
    (("bench", "run", "--task", "table-4"), "Missing option '--agent'"),
    (("bench", "run", "--agent", "greedy", "--task", "table-9"), "task 'table-9' is unknown"),
    (("bench", "run", "--agent", "robot", "--task", "table-4"), "agent 'robot' is unknown"),
    (("bench", "run", "--agent", "policy", "--task", "exploits-4"), "agent 'policy' does not play exploits-4"),
    (("bench", "run", "--agent", "greedy", "--task", "table-4", "--play", "1h"), "track '1h' is unknown"),
    (("bench", "run", "--agent", "greedy", "--task", "table-3", "--play", "language"), "table-3 is not played at"),
    (("bench", "run", "--agent", "greedy", "--task", "table-4", "--seed", "-1"), "seed=-1 is not possible"),
    (("bench", "run", "--agent", "greedy", "--task", "table-4", "--out", "old.json"), "name must end in .jsonl"),
    (("bench", "run", "--agent", "greedy", "--task", "table-4", "--about", "old.toml"), "old.toml cannot be read"),
    (("bench", "run", "--agent", "greedy", "--task", "table-4", "--hidden", "no/such"), "cannot be read"),
    (("bench", "score", "old.json"), "row old.json is not JSON"),
    (("bench", "score", "nothing.jsonl"), "nothing.jsonl cannot be read"),
    (("bench", "score", "nothing.jsonl", "--row", "old.json"), EXISTS),
    (("bench", "score", "nothing.jsonl", "old.json"), "runs and rows are given at once"),
    (("bench", "score", "game.json", "--row", "row.json"), "--row belongs to runs"),
    (("bench", "verify", "nothing.json"), "row nothing.json cannot be read"),
    (("bench", "verify", "game.json"), "this is no row of the benchmark: its format is 'endeavor-game/1'"),
    (("bench", "tasks", "--json", "old.json"), EXISTS),
    (("bench", "speed", "--json", "old.json"), EXISTS),
    (("bench", "speed", "--plot", "old.png"), EXISTS),
    (("bench", "speed", "--only", "nothing"), "--only nothing is not possible"),
    (("bench", "core", "--json", "old.json"), EXISTS),
    (("bench", "merchants", "--json", "old.json"), EXISTS),
    (("bench", "envs", "--json", "no/such/file.json"), "there is no folder no/such"),
    (("bench", "envs", "--json", "old.json"), EXISTS),
    (("bench", "memory", "Batch"), "unexpected extra argument"),
    (("bench", "soak", "--games", "0"), "'--games'"),
    (("bench", "soak", "--agents", "robot"), "'robot'"),
    (("bench", "soak", "--variants", "--games", "1"), "--variants"),
    # train
    (("train", "td", "--preset", "huge"), "preset 'huge' is unknown"),
    (("train", "td", "--out", "run"), "run holds a run already"),
    (("train", "ppo", "--preset", "huge"), "preset 'huge' is unknown"),
    (("train", "ppo", "--seed", "x"), "should be a valid integer"),
    (("train", "ppo", "--out", "run"), "run holds a run already"),
    (("train", "clone", "--from", "robot"), "'robot'"),
    (("train", "clone", "--from", "greedy", "--out", "run"), "run holds a run already"),
    (("train", "exploit", "robot"), "'robot'"),
    (("train", "match", "robot"), "'robot'"),
    (("train", "match", "greedy", "--games", "0"), "games=0 is not possible"),
    (("train", "reference", "alchemy", "--out", "new"), "method 'alchemy' is unknown"),
    (("train", "reference", "td", "--out", "new", "--track", "soon"), "track 'soon' is not possible"),
    (("train", "reference", "td", "--out", "new", "--task", "solo-normal"), "task 'solo-normal' has no references"),
    (("train", "export", "policy.zip", "--out", "old.npz"), "old.npz exists: give --force to replace it"),
    (("train", "export", "policy.zip", "--out", "policy.txt"), "must end in .npz"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), MISTAKES, ids=str)
def test_a_mistake_is_one_sentence_and_changes_no_file(arguments: tuple[str, ...], message: str, folder: Path) -> None:
    before = contents(folder)
    done = endeavor(*arguments)
    assert done.status == 2
    assert done.err.startswith("error: ")
    assert message in done.err
    assert done.err.count("\n") == 1
    assert done.out == ""
    assert contents(folder) == before


def test_every_command_is_among_the_mistakes() -> None:
    met = {arguments[:2] for arguments, _ in MISTAKES} | {arguments[:1] for arguments, _ in MISTAKES}
    assert set(COMMANDS) <= met


def test_a_missing_library_is_named_with_the_extra_that_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(name: str) -> object:
        raise ModuleNotFoundError(f"No module named {name!r}", name="torch")

    monkeypatch.setattr("endeavor_env.cli.lazy_group.import_module", find)
    done = endeavor("train", "ppo", "--preset", "smoke")
    assert done.status == 2
    assert "error: this command needs torch, which is not installed: pip install 'endeavor-env[train]'" in done.err


def test_force_replaces_a_file(folder: Path) -> None:
    assert endeavor("board", "show", "--json", "old.json", "--force").status == 0
    assert json.loads((folder / "old.json").read_text())["id"] == "endeavor_2009"
    assert endeavor("replay", "game.json", "--svg", "old.svg", "--force").status == 0
    assert (folder / "old.svg").read_text().startswith("<svg")
