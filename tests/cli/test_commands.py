"""Every command does what it says, in its smallest form."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from PIL import Image

from endeavor_env.cli.endeavor_view import from_first_disc
from endeavor_env.cli.views import positions, shown_moves, view_of
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.view import view_game
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.records import read_record, replay, write_record
from endeavor_env.testing import divide, perft, random_game
from tests.cli.endeavor import endeavor

SEATS = ("--seats", "random", "random", "random")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def game() -> Game:
    """A finished game of three seats."""
    return random_game(players=3, seed=5)


@pytest.fixture
def record(game: Game, folder: Path) -> str:
    """The name of its record."""
    write_record(game, folder / "game.json")
    return "game.json"


def test_a_picture_of_a_finished_game_takes_one_command(folder: Path) -> None:
    done = endeavor("picture", *SEATS, "--seed", "3")
    assert done.status == 0, done.err
    assert "over after 7 rounds" in done.out
    assert (folder / "game.svg").read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize("arguments", [SEATS, SEATS[1:], ("--seats", "random") * 3], ids=" ".join)
def test_seats_are_named_after_one_option_after_one_each_or_without(arguments: tuple[str, ...], folder: Path) -> None:
    assert endeavor("picture", *arguments, "--seed", "3", "-o", "game.json").status == 0
    record = read_record(folder / "game.json")
    assert (record["players"], record["seed"]) == (3, 3)
    assert endeavor("picture", *SEATS, "--seed", "3", "-o", "again.json").status == 0
    again = read_record(folder / "again.json")
    who, whose = again.pop("played"), record.pop("played")
    assert again == record
    assert who["seats"] == whose["seats"]
    assert [(seat["name"], seat["agent"]) for seat in who["seats"]] == [("random", "random")] * 3
    assert len(who["seconds"]) == len(again["moves"])


def test_each_suffix_is_another_kind_of_picture(folder: Path) -> None:
    for name in ("a.png", "a.gif", "a.html"):
        done = endeavor("picture", *SEATS, "-o", name, "--every", "round", "--width", "320", "--move", "40")
        assert done.status == 0, done.err
    with Image.open(folder / "a.png") as picture:
        assert (picture.format, picture.size) == ("PNG", (1280, 800))
    with Image.open(folder / "a.gif") as film:
        assert (film.format, film.size) == ("GIF", (320, 240))
    assert (
        (folder / "a.html")
        .read_text(encoding="utf-8")
        .startswith('<!doctype html>\n<html lang="en" data-theme="auto">')
    )


def test_a_record_becomes_a_page_beside_it_or_the_pictures_asked_for(record: str, game: Game, folder: Path) -> None:
    assert endeavor("replay", record).status == 0
    assert 'data-theme="auto"' in (folder / "game.html").read_text(encoding="utf-8")
    assert endeavor("replay", record, "-o", "dark.html", "--theme", "dark").status == 0
    assert 'data-theme="dark"' in (folder / "dark.html").read_text(encoding="utf-8")
    asked = ("--svg", "at.svg", "--png", "at.png", "--gif", "at.gif", "--every", "round", "--move", "30")
    assert endeavor("replay", record, *asked, "--width", "320", "--theme", "dark").status == 0
    assert (folder / "at.svg").read_text(encoding="utf-8") == game.at_move(30).svg(theme="dark") + "\n"
    assert not (folder / "at.html").exists()
    with Image.open(folder / "at.gif") as film:
        numbers = shown_moves(game.at_move(30), "round")
        assert getattr(film, "n_frames", 1) == len(from_first_disc(game, numbers))
    whole = ("--gif", "whole.gif", "--every", "round", "--move", "30", "--width", "320", "--whole")
    assert endeavor("replay", record, *whole).status == 0
    with Image.open(folder / "whole.gif") as film:
        assert film.size == (320, 200)
        assert getattr(film, "n_frames", 1) == len(numbers)


def test_a_film_starts_where_something_is_to_be_seen(game: Game) -> None:
    numbers = shown_moves(game, "move")
    left = from_first_disc(game, numbers)
    assert 0 < len(left) < len(numbers)
    assert left == numbers[-len(left) :]

    def discs(number: int) -> int:
        state = game.at_move(number).state[0]
        return int((state.city_owner >= 0).sum() + (state.track_owner >= 0).sum())

    assert discs(left[0]) == 1
    assert not any(discs(number) for number in numbers[: -len(left)])
    assert from_first_disc(game, numbers[:1]) == [0]


def test_a_picture_frames_targets_names_seats_and_has_exploits(folder: Path) -> None:
    options = ("--exploits", "voc,spice,sun", "--names", "Ada, Ben,Cleo", "--seed", "5", "--move", "20")
    assert endeavor("picture", *SEATS, *options, "-o", "a.json").status == 0
    game = replay(folder / "a.json")
    assert set(game.exploits) == {"voc", "spice", "sun"}
    assert [mat.title for mat in view_game(game).mats] == ["Ada", "Ben", "Cleo"]
    assert game.played is not None
    assert [seat.agent for seat in game.played.seats] == ["random"] * 3
    for kind in ("svg", "png"):
        for more in ((), ("--targets",)):
            done = endeavor("picture", *SEATS, *options, *more, "-o", f"a{len(more)}.{kind}")
            assert done.status == 0, done.err
    assert (folder / "a1.svg").read_text("utf-8") == game.svg(targets=True) + "\n"
    assert (folder / "a0.svg").read_text("utf-8") == game.svg() + "\n"
    assert "Cleo" in (folder / "a0.svg").read_text("utf-8")
    with Image.open(folder / "a0.png") as plain, Image.open(folder / "a1.png") as framed:
        assert plain.tobytes() != framed.tobytes()
    assert endeavor("replay", "a.json", "--svg", "again.svg", "--targets").status == 0
    assert (folder / "again.svg").read_text("utf-8") == game.svg(targets=True) + "\n"


def test_what_was_written_is_opened(record: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or True)
    for line in (
        ["picture", *SEATS, "-o", "a b.svg"],
        ["replay", record, "-o", "c.html"],
        ["board", "show", "-o", "d.svg"],
    ):
        assert endeavor(*line).status == 0
        assert opened == []
        assert endeavor(*line, "--force", "--open").status == 0
        assert opened == [(folder / line[-1]).as_uri()]
        opened.clear()
    monkeypatch.setattr("webbrowser.open", lambda address: False)
    done = endeavor("board", "show", "-o", "d.svg", "--force", "--open")
    assert (done.status, done.err) == (0, f"no browser was found: open {(folder / 'd.svg').as_uri()}\n")


def test_a_watched_page_follows_the_system_of_its_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    themes: list[str] = []
    monkeypatch.setattr(
        "endeavor_env.agents.watch.live_game.serve_game", lambda game, *_, theme, **__: themes.append(theme) or game
    )
    for asked in ((), ("--theme", "dark")):
        endeavor("watch", *SEATS, "--browser", "--no-open", *asked)
    assert themes == ["auto", "dark"]


def test_the_demonstration_has_a_game_its_files_a_position_and_a_tournament(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or True)
    done = endeavor("demo", "--out", "shown", "--seconds", "1", "--open")
    assert opened == [(folder / "shown" / "game.html").as_uri()]
    assert done.status == 0, done.err
    for number in range(1, 5):
        assert f"{number} of 4: " in done.out
    assert "(wins)" in done.out
    assert "the best moves:" in done.out
    assert "4 games on endeavor_2009" in done.out
    assert sorted(path.name for path in (folder / "shown").iterdir()) == ["game.html", "game.json", "game.svg"]
    assert replay(folder / "shown" / "game.json").over
    last = done.out.splitlines()[-1]
    assert "The files are in shown" in last
    assert "endeavor play" in last


def test_a_demonstration_can_be_stopped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("endeavor_env.cli.demo.explain", stop)
    done = endeavor("demo", "--out", "shown", "--seconds", "1")
    assert (done.status, done.err) == (130, "interrupted\n")
    assert "game.html" in done.out
    assert (folder / "shown" / "game.html").exists()


@pytest.mark.parametrize("every", ["round", "turn", "move"])
def test_steps_lead_from_the_first_position_to_the_last(every: str, game: Game) -> None:
    numbers = shown_moves(game, every)
    assert numbers[0] == 0
    assert numbers[-1] == len(game.history)
    assert numbers == sorted(set(numbers))
    for number, position in zip(numbers, positions(game, numbers), strict=True):
        assert position.state == game.at_move(number).state
        if 0 < number < len(game.history):
            view = view_of(game)
            assert view.moment(position, every) != view.moment(game.at_move(number - 1), every)
    if every == "move":
        assert len(numbers) == len(game.history) + 1


def test_watching_into_a_pipe_is_a_line_for_each_step_and_a_table(folder: Path) -> None:
    done = endeavor("watch", *SEATS, "--every", "round", "--record", "watched.json")
    assert done.status == 0, done.err
    lines = [line for line in done.out.splitlines() if "; Glory " in line]
    played = replay(folder / "watched.json")
    assert len(lines) == len(shown_moves(played, "round"))
    assert lines[-1].split("; ")[1] == "Glory " + " ".join(str(score) for score in played.scores())
    assert "(wins)" in done.out
    assert played.played is not None
    assert [seat.name for seat in played.played.seats] == ["random"] * 3
    assert len(played.played.seconds) == len(played.history)
    moves = " ".join(line.split("; ")[2] for line in lines[1:])
    assert set(re.findall(r"(\S+) build:", moves)) == {"random", "random#2", "random#3"}
    assert re.search(r"^ *0(?: \(wins\))? +random ", done.out, re.MULTILINE)


def test_the_text_board_can_be_watched(folder: Path) -> None:
    done = endeavor("watch", *SEATS, "--every", "round", "--text", "--record", "watched.json")
    assert done.out.count("Buildings in the supply") == len(shown_moves(replay(folder / "watched.json"), "round"))


def test_the_sequences_of_moves_are_counted(record: str, game: Game, folder: Path) -> None:
    done = endeavor("perft", record, "--move", "30", "--depth", "3", "--divide", "--json", "counts.json")
    assert done.status == 0, done.err
    found = json.loads((folder / "counts.json").read_text())
    position = game.at_move(30)
    assert found["counts"] == perft(position, 3)
    assert found["divide"] == divide(position, 3)
    assert found["position"]["moves"] == position.record()["moves"]
    for move in position.legal_moves():
        assert move in done.out


def test_a_new_game_is_counted_too(folder: Path) -> None:
    assert endeavor("perft", "--depth", "2", "--variant", "solo", "--seed", "4", "--json", "counts.json").status == 0
    found = json.loads((folder / "counts.json").read_text())
    assert found["counts"] == perft(Game.new(variant="solo", seed=4), 2)


def test_a_new_board_is_valid_and_a_faulty_one_is_told_with_all_its_faults(folder: Path) -> None:
    assert endeavor("board", "new", "mine.toml").status == 0
    assert Board.load("mine.toml") == Board.default()
    assert endeavor("board", "new", "random.toml", "--seed", "7").status == 0
    assert Board.load("random.toml") == Board.generate(7)
    sound = endeavor("board", "check", "mine.toml")
    assert (sound.status, sound.err) == (0, "")
    assert "mine.toml is a valid board" in sound.out
    text = Path("mine.toml").read_text(encoding="utf-8").replace('id = "london"', 'id = "londn"')
    Path("mine.toml").write_text(text, encoding="utf-8")
    faulty = endeavor("board", "check", "mine.toml", "--json", "faults.json")
    assert faulty.status == 1
    assert "mine.toml has 3 faults:" in faulty.err
    found = json.loads((folder / "faults.json").read_text())
    assert (found["valid"], len(found["faults"])) == (False, 3)


def test_a_board_is_shown_and_drawn(folder: Path) -> None:
    done = endeavor("board", "show", "generated_7", "-o", "board.svg", "--json", "board.json")
    assert done.status == 0, done.err
    board, found = Board.generate(7), json.loads((folder / "board.json").read_text())
    assert (found["id"], found["hash"]) == (board.id, board.hash)
    assert sum(region["cities"] for region in found["regions"]) == len(board.cities)
    assert (folder / "board.svg").read_text(encoding="utf-8").startswith("<svg")
    assert board.name in done.out


def test_matches_are_the_same_as_with_python_m(folder: Path) -> None:
    done = endeavor("arena", "random", "random", "random", "--games", "3", "--json", "match.json")
    assert done.status == 0, done.err
    assert "3 games on endeavor_2009" in done.out
    assert json.loads((folder / "match.json").read_text())["games"] == 3
    solo = endeavor("solo", "random", "--games", "2", "--difficulty", "normal")
    assert solo.status == 0, solo.err
    assert "2 solo games a row" in solo.out


def test_compiled_players_meet(folder: Path) -> None:
    done = endeavor("train", "match", "greedy", "greedy", "--games", "12", "--no-progress")
    assert done.status == 0, done.err
    assert "greedy among greedy" in done.out


def test_figures_name_the_command_that_measured_them(folder: Path) -> None:
    done = endeavor("bench", "speed", "--smoke", "--only", "core", "--json", "run.json")
    assert done.status == 0, done.err
    command = "endeavor bench speed --smoke --only core --json run.json"
    assert json.loads((folder / "run.json").read_text())["command"] == command
    assert f"`{command}`" in done.out


def test_a_soak_test_runs(folder: Path) -> None:
    done = endeavor("bench", "soak", "--games", "1", "--variants", "standard", "--players", "3", "--boards", "default")
    assert done.status == 0, done.err
    assert "`endeavor bench soak --games 1" in done.out
