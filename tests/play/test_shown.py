from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from endeavor_env import Game
from endeavor_env.agents.play.phrases import move_heading, move_phrase, target_words
from endeavor_env.agents.play.seats import played_by
from endeavor_env.agents.play.shown import shown_snapshot
from endeavor_env.agents.play.snapshot import SessionSnapshot
from endeavor_env.agents.players.compiled import GreedyAgent
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.scene import Label, draw_scene
from endeavor_env.endeavor.drawing.view import view_game
from endeavor_env.endeavor.opposition import explain
from tests.kits.able_games import able_moves
from tests.kits.playing import begun, play_on


def seen(game: Game, *people: int) -> dict[str, Any]:
    """What the page shows of a game in which these seats are people, and agents play the others."""
    seats = tuple("human" if seat in people else "greedy" for seat in range(game.num_players))
    game = game.clone()
    game.played = played_by(game, seats, {seat: GreedyAgent() for seat in range(len(seats)) if seat not in people})
    return shown_snapshot(SessionSnapshot(game, seats, frozenset(people), None, "0"), "light")


def questions(game: Game, *people: int) -> dict[str, set[str]]:
    """What is asked in a whole game, by the kind of the decision."""
    asked: dict[str, set[str]] = {}
    for _ in able_moves(game, 1):
        if game.seat in people:
            asked.setdefault(game.decision, set()).add(seen(game, *people)["question"])
    return asked


def test_every_kind_of_decision_is_asked_in_words(board: Board) -> None:
    asked = questions(Game.new(variant="solo", seed=7), 0)
    assert asked["build"] == {"Build phase: choose a building"}
    assert asked["salary"] == {"Salary phase: choose a building whose disc comes back to your harbor"}
    assert "Your turn: activate a building or pass" in asked["turn"]
    assert all(text.startswith("Your turn: ") for text in asked["turn"])
    assert {"Occupy a city or stop"} <= asked["target"]
    assert "Choose for the Opposition (violet): occupy a city" in asked["opposition"]
    assert all(text.startswith("Choose for the Opposition (") for text in asked["opposition"])


def test_the_opposition_has_one_name_and_one_letter_on_mat_chip_and_log() -> None:
    game = Game.new(variant="solo", seed=7)
    for _ in able_moves(game, 1):
        shown = seen(game, 0)
        assert [(seat["label"], seat["disc"]["letter"]) for seat in shown["seats"]] == [
            ("Player", "W"),
            ("Opposition", "O"),
        ]
        letters = {line["words"].split()[0]: line["disc"]["letter"] for line in shown["log"]}
        assert letters.get("Opposition", "O") == "O"
        assert "opposition" not in shown["question"]
    labels = [shape.text for shape in draw_scene(view_game(game, 0)).shapes if isinstance(shape, Label)]
    assert labels[labels.index("Opposition") - 1] == "O"


def test_exploits_and_neutral_discs_are_asked_in_words() -> None:
    asked = questions(Game.new(3, seed=3, exploits=["galleons", "globalisation", "haiti"]), 0, 1, 2)
    assert "Seat 0: attack a city or use Globalisation" in asked["target"]
    assert "Seat 0: your turn: you can only pass" in asked["turn"]
    assert {"Seat 0: choose a Draw in Far East", "Seat 0: choose a card for Caribbean 2"} <= asked["follow_up"]
    two = questions(Game.new(variant="soloplay_2", seed=3), 0)
    assert two["remove"] == {"Set-up: choose a token that leaves the board"}
    assert any("neutral disc" in text for text in two["neutral"])


@pytest.mark.parametrize(
    ("move", "phrase", "heading"),
    [
        ("occupy:london", "Occupy London", "Occupy"),
        ("spend:occupy_draw", "Spend the token Occupy or Draw", "Spend a trade token"),
        ("discard:india.2", "Discard India 2", "Discard"),
        ("discard:india.governor", "Discard Governor of India", "Discard"),
        ("remove:india.2", "Remove the token of India, space 2", "Remove the token of"),
        ("take:politics", "Take a token of Politics", "Take a token of"),
        ("pass", "Pass for this round", ""),
        ("done", "Stop here", ""),
        ("galleons_from:manila", "Galleons: from: manila", "Galleons: from"),
        ("sun_place:disc", "Sun: place: disc", "Sun: place"),
        ("spanish_main_pay:dock", "Spanish Main: pay: Dock", "Spanish Main: pay"),
        ("marque_push:india.2", "Marque: push: India, space 2", "Marque: push"),
    ],
)
def test_moves_are_phrases_in_the_imperative(move: str, phrase: str, heading: str, board: Board) -> None:
    assert move_phrase(board, move) == phrase
    assert move_heading(move) == heading


def test_every_target_has_a_name_without_underscores(board: Board) -> None:
    for variant in ("solo", "soloplay_2", "exploits"):
        game = Game.new(variant=variant, seed=1)
        for action in range(len(game.mask())):
            try:
                move = game.describe(action)
            except ValueError:
                continue
            assert "_" not in target_words(board, move)


def test_notes_say_what_a_building_does_and_which_token_lies_where() -> None:
    game = Game.new(3, seed=1)
    notes = {move["move"]: move["note"] for group in seen(game, 0, 1, 2)["groups"] for move in group["moves"]}
    assert notes == {"build:market": "Draw", "build:shipyard": "Sail, 1 Culture", "build:workshop": "2 Industry"}
    game = Game.new(variant="soloplay_2", seed=1)
    tokens = game.setup()["tokens"]
    for group in seen(game, 0, 1)["groups"]:
        for move in group["moves"]:
            kind = tokens[move["move"].partition(":")[2]]
            assert move["note"].lower().replace(" or ", "_").startswith(kind.replace("pay", "payment"))


def test_the_log_has_what_the_opposition_did_and_why(tmp_path: Path) -> None:
    session = begun(tmp_path / "game.json", "human", variant="solo", seed=7)
    play_on(session, 8)
    snapshot = session.snapshot()
    log, steps = shown_snapshot(snapshot, "light")["log"], [step for step in explain(snapshot.game) if not step.asked]
    assert [line["why"] for line in log if line["why"]] == [f"{step.clause} {step.reason}" for step in steps]
    own = [line["words"] for line in log if not line["why"]]
    assert len(own) + sum(step.decided_by == "player" for step in steps) == len(snapshot.game.history)
    assert any(line["words"].endswith(", as you chose") for line in log)
    assert all(words.startswith("Player ") for words in own)
    colours = {line["words"].split()[0] for line in log if line["why"]}
    assert colours
    assert colours <= {"Red", "Green", "Violet", "Black", "Opposition"}


def test_what_others_did_since_a_person_moved_is_new_and_marked(tmp_path: Path) -> None:
    session = begun(tmp_path / "game.json", "human", "greedy", "greedy", seed=4)
    play_on(session, 1)
    shown = shown_snapshot(session.snapshot(), "light")
    last = max(index for index, (seat, _) in enumerate(session.snapshot().game.history) if seat == 0)
    assert [line["new"] for line in shown["log"]] == [index > last for index in range(shown["number"])]
    assert len(shown["recent"]) >= 1
    assert shown["recent"][0]["fill"] in (shown["seats"][1]["disc"]["fill"], shown["seats"][2]["disc"]["fill"])


def test_seats_are_named_and_the_winner_is_told() -> None:
    game = Game.new(3, seed=2)
    for _ in able_moves(game, 2):
        pass
    assert [seat["label"] for seat in seen(game, 0)["seats"]] == ["Human", "greedy", "greedy#2"]
    assert [seat["label"] for seat in seen(game, 0, 1, 2)["seats"]] == ["Seat 0", "Seat 1", "Seat 2"]
    most, (winner,) = max(game.scores()), game.winners()
    name = ["Seat 0", "Seat 1", "Seat 2"][winner]
    assert seen(game, 0, 1, 2)["question"] == f"The game is over: {name} wins with {most} Glory"
    assert seen(game, winner)["question"] == f"The game is over: you win with {most} Glory"


def test_a_shared_win_names_all_winners(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.new(3, seed=2)
    for _ in able_moves(game, 2):
        pass
    monkeypatch.setattr(Game, "winners", lambda _: [0, 2])
    assert seen(game, 0)["question"].startswith("The game is over: Human and greedy#2 share the win with ")


def test_a_solitaire_game_ends_with_its_rung() -> None:
    game = Game.new(variant="solo", seed=2)
    for _ in able_moves(game, 2):
        pass
    own, other = game.scores()
    assert seen(game, 0)["question"].startswith(f"The game is over: {game.ladder().name}")
    assert seen(game, 0)["question"].endswith(f"{own} to {other} Glory")
