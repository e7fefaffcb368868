"""The commands with games on the engine: Merchants of Europe by ``--game``, the toy game by their functions."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image
from rich.console import Console

from endeavor_env.agents.watch.live_game import LiveGame
from endeavor_env.cli.drawing import Film, write_picture
from endeavor_env.cli.views import check_notes, positions, replay_any, shown_moves, view_of
from endeavor_env.endeavor.drawing.scene.theme import THEMES
from endeavor_env.endeavor.game import Game
from endeavor_env.engine.game import Game as AnyGame
from endeavor_env.engine.kernels.rules import CHANCE
from endeavor_env.engine.records import write_record
from endeavor_env.errors import InvalidOptionError
from endeavor_env.merchants.board import dump_board, generate_board
from endeavor_env.merchants.game import MerchantsConfig
from endeavor_env.merchants.records import replay
from endeavor_env.testing import perft
from tests.cli.endeavor import endeavor
from tests.kits.listed_toy import list_toy
from tests.kits.toy_envs import TOY
from tests.toy_game.rules import ROUNDS, SEATS

SHORT = ("--game", "merchants:players=3,max_rolls=4")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def toy() -> AnyGame:
    """A finished game of dice and cards."""
    game = TOY.new_game(3)
    while not game.over:
        game.apply(game.legal_actions()[-1])
    return game


def test_agents_of_merchants_play_a_match_with_records_that_can_be_replayed(folder: Path) -> None:
    done = endeavor(
        "arena", "greedy", "planner", "random", *SHORT, "--games", "3", "--record", "games", "--json", "a.json"
    )
    assert done.status == 0, done.err
    assert "3 games of Merchants of Europe, short, 3 seats" in " ".join(done.out.split())
    result = json.loads((folder / "a.json").read_text())
    assert [agent["name"] for agent in result["agents"]] == ["greedy", "planner", "random"]
    assert result["game"] == "merchants"
    games = [replay(file) for file in sorted((folder / "games").glob("*.json"))]
    assert len(games) == 3
    rolls = [[action for seat, action in game.history if seat == CHANCE][:2] for game in games]
    assert rolls[0] == rolls[1] == rolls[2], "every seating has the same dice"
    played = [game.played for game in games if game.played is not None]
    assert [one.seats[number].agent for number, one in enumerate(played)] == ["greedy"] * 3


@pytest.mark.parametrize("kind", ["svg", "png", "gif", "html", "json"])
def test_a_game_of_merchants_is_drawn(kind: str, folder: Path) -> None:
    done = endeavor(
        "picture", *SHORT, "-o", f"game.{kind}", "--seats", "greedy", "random", "planner", "--names", "A,B,C"
    )
    assert done.status == 0, done.err
    assert "goods" in done.out
    content = (folder / f"game.{kind}").read_bytes()
    assert content.startswith({"svg": b"<svg", "png": b"\x89PNG", "gif": b"GIF8", "html": b"<!", "json": b"{"}[kind])
    if kind == "gif":
        with Image.open(folder / "game.gif") as film:
            assert getattr(film, "n_frames", 1) == 6  # the set-up, four turns, the end
    if kind == "json":
        assert [player.name for player in replay(folder / "game.json").played.seats] == ["A", "B", "C"]  # type: ignore[union-attr]


def test_a_record_of_merchants_becomes_a_page_and_pictures(folder: Path) -> None:
    assert endeavor("picture", *SHORT, "-o", "game.json").status == 0
    done = endeavor("replay", "game.json", "-o", "page.html", "--svg", "map.svg", "--move", "9", "--theme", "dark")
    assert done.status == 0, done.err
    assert {file.name for file in folder.iterdir()} == {"game.json", "page.html", "map.svg"}
    record = json.loads((folder / "game.json").read_text())
    record["moves"][3][1] = "dice:13"
    (folder / "wrong.json").write_text(json.dumps(record))
    refused = endeavor("replay", "wrong.json")
    assert refused.status == 2
    assert "move 3" in refused.err


@pytest.mark.parametrize("text", [(), ("--text",)], ids=["lines", "text"])
def test_a_game_of_merchants_is_watched(text: tuple[str, ...], folder: Path) -> None:
    done = endeavor("watch", *SHORT, "--every", "round", "--record", "game.json", *text)
    assert done.status == 0, done.err
    assert "Chance dice:" in done.out
    assert done.out.count("Merchants of Europe, short") == 5  # turns 1 to 4, and the end
    assert replay(folder / "game.json").over


def test_sequences_of_merchants_are_counted_with_every_outcome_of_chance(folder: Path) -> None:
    done = endeavor("perft", "--game", "merchants:players=3", "--depth", "3", "--divide", "--json", "new.json")
    assert done.status == 0, done.err
    found, game = json.loads((folder / "new.json").read_text()), MerchantsConfig(3).new_game(0)
    assert found["position"] == game.record()
    assert found["counts"] == perft(game, 3)
    assert found["counts"][:2] == [1, 11]  # a roll, and the sums of two dice
    assert list(found["divide"]) == ["roll"]
    assert "sequences of 3 decisions by the first" in " ".join(done.out.split())
    assert endeavor("picture", *SHORT, "-o", "game.json").status == 0
    assert endeavor("perft", "game.json", "--move", "2", "--depth", "2", "--json", "later.json").status == 0
    later = json.loads((folder / "later.json").read_text())
    assert list(later["divide"]) == [f"dice:{total}" for total in range(2, 13)]
    assert later["counts"] == perft(replay(folder / "game.json").at_move(2), 2)


def test_a_picture_of_merchants_frames_the_targets_of_legal_moves(folder: Path) -> None:
    words = ("picture", "--game", "merchants:players=3,max_rolls=2,start=free", "--move", "1")
    for file in ("map.svg", "map.png", "game.json"):
        assert endeavor(*words, *(() if file == "game.json" else ("--targets",)), "-o", file).status == 0
    assert endeavor(*words, "-o", "plain.png").status == 0
    assert (folder / "map.png").read_bytes() != (folder / "plain.png").read_bytes()
    shapes = list(ElementTree.parse(folder / "map.svg").iter())
    areas = {middle(shape): shape.attrib["data-key"] for shape in shapes if "data-key" in shape.attrib}
    colour = THEMES["light"].highlight
    framed = [areas[middle(shape)] for shape in shapes if shape.get("stroke") == colour]
    legal = [move.partition(":") for move in replay(folder / "game.json").legal_moves()]
    assert {verb for verb, _, _ in legal} == {"post"}
    assert sorted(framed) == sorted(f"crossroads:{city}" for _, _, city in legal)


def middle(shape: ElementTree.Element) -> tuple[float, float]:
    """Return the middle of a rectangle of an SVG file, to a pixel."""
    x, y, width, height = (float(shape.attrib[name]) for name in ("x", "y", "width", "height"))
    return round(x + width / 2), round(y + height / 2)


def test_a_page_that_follows_merchants_shows_the_game_that_the_terminal_shows(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("endeavor_env.agents.watch.live_game.serve_until_interrupted", lambda *_: None)
    monkeypatch.setattr(LiveGame, "stop", lambda live: live.join(60))
    done = endeavor("watch", *SHORT, "--browser", "--no-open", "--delay", "0", "--record", "page.json")
    assert done.status == 0, done.err
    assert done.out.startswith("Watch at http://127.0.0.1:")
    assert done.out.endswith("Record page.json\n")
    assert endeavor("watch", *SHORT, "--record", "terminal.json").status == 0
    page, terminal = replay(folder / "page.json"), replay(folder / "terminal.json")
    assert page.over
    assert page.history == terminal.history


def test_a_record_on_a_board_of_a_file_is_replayed_with_the_board(folder: Path) -> None:
    (folder / "map.toml").write_text(dump_board(generate_board(3, "short")), encoding="utf-8")
    game = ("--game", "merchants:players=3,max_rolls=2,board=map.toml")
    assert endeavor("picture", *game, "-o", "game.json").status == 0
    refused = endeavor("replay", "game.json", "-o", "page.html")
    assert (refused.status, "give its board" in refused.err) == (2, True)
    assert endeavor("replay", "game.json", "-o", "page.html", "--board", "map.toml").status == 0
    assert endeavor("perft", "game.json", "--board", "map.toml", "--move", "1", "--depth", "2").status == 0
    missing = endeavor("replay", "game.json", "-o", "other.html", "--board", "nowhere.toml")
    assert (missing.status, "nowhere.toml" in missing.err) == (2, True)


def test_records_of_any_game_of_the_table_are_replayed(
    toy: AnyGame, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    list_toy(monkeypatch)
    write_record(toy, folder / "toy.json")
    assert replay_any(folder / "toy.json").history == toy.history
    assert endeavor("picture", *SHORT, "-o", "game.json").status == 0
    played = replay_any(folder / "game.json").played
    assert played is not None
    assert dict(played.versions)["environment"] == "Merchants-v0"


def test_any_game_is_shown_as_text(toy: AnyGame) -> None:
    view = view_of(toy)
    assert view.headline(toy) == "Dice and cards, toy: over"
    assert view.line(toy, len(toy.history) - 1).startswith("Dice and cards, toy: over; points ")
    assert view.text(toy, 0).count("Chance die:") == sum(seat == CHANCE for seat, _ in toy.history)
    console = Console(record=True, width=100, quiet=True)
    console.print(view.screen(toy, 0)("paused"), view.final_table(toy))
    assert view.final_table(toy).row_count == SEATS


def test_any_game_is_gone_through_by_moves_and_by_rounds(toy: AnyGame) -> None:
    assert shown_moves(toy, "move") == list(range(len(toy.history) + 1))
    assert shown_moves(toy, "round") == [0, len(toy.history)]  # it does not say where a round begins
    assert [position.history for position in positions(toy, [0, 2, len(toy.history)])][-1] == toy.history
    assert len(toy.history) >= SEATS * ROUNDS


def test_a_game_without_pictures_says_so(toy: AnyGame, folder: Path) -> None:
    with pytest.raises(InvalidOptionError, match=r"Dice and cards has no pictures: write a \.html or \.json"):
        write_picture("svg", toy, folder / "toy.svg", Film())
    assert not (folder / "toy.svg").exists()


def test_only_positions_that_an_agent_annotates_take_notes(toy: AnyGame) -> None:
    check_notes(Game.new(seed=1), notes_by="search")
    with pytest.raises(InvalidOptionError, match="--notes-by is not possible for Dice and cards: leave it out"):
        check_notes(toy, notes_by="search")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("perft", "--game", "merchants:players=2"), "players=2"),
        (("perft", "--game", "merchants", "--board", "expert"), "leave out the other options of the game"),
        (("arena", "greedy", "random", "--game", "merchants"), "players=2"),
        (("arena", "greedy", "random", "automa", "--game", "merchants"), "agent 'automa' is unknown"),
        (("arena", "greedy", "random", "random", "--game", "merchants", "--exploits", "sun"), "leave out the other"),
        (("picture", *SHORT, "--targets"), "and the game is over: give --move"),
        (("picture", *SHORT, "--targets", "--move", "2"), "and chance decides: give another --move"),
        (("picture", "--game", "merchants:trade=all"), "trade='all' is not possible"),
        (
            ("watch", *SHORT, "--browser", "--no-open", "--notes-by", "search"),
            "--notes-by is not possible for Merchants of Europe",
        ),
        (("watch", "--game", "merchants:rounds=3"), "Merchants of Europe has no option 'rounds'"),
    ],
)
def test_what_a_command_cannot_do_with_merchants_is_one_sentence(arguments: tuple[str, ...], message: str) -> None:
    done = endeavor(*arguments)
    assert done.status == 2
    assert message in " ".join(done.err.split())
    assert done.err.count("\n") == 1
