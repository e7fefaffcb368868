"""What the Opposition did and why: the steps, and the game they explain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.opposition import Step, explain, explain_last
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.variants.solo.priority_list import ITEM_CLAUSES, ITEM_TEXTS
from endeavor_env.errors import InvalidOptionError
from tests.kits.games import GAMES, GAMES_AND_SEEDS, SEEDS, SOLO_GAMES, finished, running

# --- the steps and the game they explain -----------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "seed"), GAMES_AND_SEEDS)
def test_S10_the_steps_left_to_the_player_are_the_choices_made(name: str, seed: int) -> None:
    """Notation 3.11: asked only with two options at least, and what was asked for is a move of the record."""
    game = finished(name, seed)
    asked = [step for step in explain(game) if step.decided_by == "player"]
    here, chosen = Game.new(variant="solo", setup=game.setup(), options=game.options), []
    for number, (seat, action) in enumerate(game.history):
        if here.decision == "opposition":
            chosen.append((number, here.round, here.describe(action), tuple(here.legal_moves())))
            assert (seat, len(chosen[-1][3]) >= 2) == (0, True)
        here.apply(action)
    assert [(step.after, step.round, step.move, step.options) for step in asked] == chosen
    assert bool(asked) == (game.options["opposition_ties"] == "player")


@pytest.mark.parametrize(("name", "seed"), GAMES_AND_SEEDS)
def test_steps_are_in_order_and_complete_in_themselves(name: str, seed: int) -> None:
    game = finished(name, seed)
    steps = explain(game)
    assert [step.after for step in steps] == sorted(step.after for step in steps)
    assert [step.round for step in steps] == sorted(step.round for step in steps)
    for step in steps:
        assert step.clause in ITEM_CLAUSES
        assert step.reason in ITEM_TEXTS
        assert step.colour in (*c.COLOUR_NAMES[1:], "opposition")
        assert (step.colour == "opposition") == (step.clause in ("S1.9", "S7.1"))
        assert (step.position is None) == (step.round == 0 or step.clause == "S7.1")
        assert not step.asked
        if step.options:
            assert step.move in step.options
            assert step.decided_by == ("rules" if len(step.options) == 1 else game.options["opposition_ties"])
        else:
            assert (step.move, step.reason, step.decided_by) == ("", "nothing is feasible", "rules")
        if step.decided_by == "first":
            assert step.move == step.options[0]


def test_S1_8_S1_9_the_set_up_has_five_steps() -> None:
    for seed in range(6):
        game = Game.new(variant="solo", seed=seed, options={"opposition_ties": "first"})
        steps = explain(game)
        assert [step.colour for step in steps] == [*game.setup()["europe_order"], "opposition"]
        assert [step.clause[:4] for step in steps] == ["S1.8"] * 4 + ["S1.9"]
        assert [(step.after, step.round, step.position) for step in steps] == [(0, 0, None)] * 5
        assert [step.move.partition(":")[0] for step in steps] == ["occupy"] * 4 + ["remove"]
        tokens = game.setup()["tokens"]
        kinds = [tokens[step.move.partition(":")[2]] for step in steps]
        assert kinds[:4] == ["industry", "culture", "finance", "politics"]
        assert kinds[4] in ("attack", "occupy_draw", "sail_draw", "pay")
        assert explain_last(game) == steps


@pytest.mark.parametrize("name", ["solo", "solo, harder", "solo, first"])
def test_explain_last_says_of_each_move_what_it_led_to(name: str) -> None:
    game = finished(name, 7)
    here = Game.new(variant="solo", setup=game.setup(), options=game.options)
    collected = explain_last(here)
    for number, (_, action) in enumerate(game.history, 1):
        if collected and collected[-1].asked:
            collected.pop()  # it comes again, settled
        here.apply(action)
        last = explain_last(here)
        assert all(step.after in (number - 1, number) for step in last)
        collected += last
    assert collected == explain(game)


@pytest.mark.parametrize("decisions", [0, 1, 6, 20, 33])
def test_S10_an_open_question_is_the_last_step(decisions: int) -> None:
    game = running("solo", 10, decisions)
    while game.decision != "opposition":
        game.play(game.legal_moves()[0])
    question = explain(game)[-1]
    assert question.asked
    assert (question.move, question.decided_by) == ("", "player")
    assert question.options == tuple(game.legal_moves())
    assert question.after == len(game.history)
    assert str(question).endswith(")")
    assert f"asks for one of {', '.join(question.options)}" in str(question)
    move = question.options[-1]
    game.play(move)
    answer = explain_last(game)[0]
    assert (answer.move, answer.asked, answer.after) == (move, False, question.after)
    assert f": {move} (" in str(answer)
    assert f"player of {len(question.options)} options" in str(answer)


def test_explaining_leaves_no_trace() -> None:
    game = running("solo", 3, 30)
    state, history = game.state.tobytes(), list(game.history)
    assert explain(game) == explain(game) == explain(game.clone())
    assert (game.state.tobytes(), game.history) == (state, history)


@pytest.mark.parametrize("variant", ["standard", "soloplay_2", "soloplay_3", "neutral_2", "exploits"])
@pytest.mark.parametrize("function", [explain, explain_last])
def test_only_a_solitaire_game_is_explained(variant: str, function: Callable[[Game], list[Step]]) -> None:
    with pytest.raises(
        InvalidOptionError, match=f"variant '{variant}' has no Opposition to explain: only a game of var"
    ):
        function(Game.new(variant=variant, seed=1))


# --- as text ---------------------------------------------------------------------------------------------------------


def step_with(**changes: Any) -> Step:
    """A step."""
    values: dict[str, Any] = {
        "after": 12,
        "round": 3,
        "colour": "red",
        "position": 2,
        "token": "",
        "move": "occupy:tangier",
        "clause": "S4.1b",
        "reason": "a free city",
        "useless": False,
        "tie_breaks": (),
        "options": ("occupy:tangier",),
        "decided_by": "rules",
    }
    return Step(**{**values, **changes})


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({}, "round 3, red, disc 2: occupy:tangier (S4.1b a free city)"),
        ({"tie_breaks": ("T1", "T2")}, "round 3, red, disc 2: occupy:tangier (S4.1b a free city; by T1, T2)"),
        (
            {"options": ("occupy:rome", "occupy:tangier"), "decided_by": "first"},
            "round 3, red, disc 2: occupy:tangier (S4.1b a free city; first of 2 options)",
        ),
        (
            {"options": ("occupy:rome", "occupy:tangier"), "decided_by": "player", "move": ""},
            "round 3, red, disc 2: asks for one of occupy:rome, occupy:tangier (S4.1b a free city)",
        ),
        (
            {"move": "", "options": (), "clause": "S5.5", "reason": "nothing is feasible", "token": "attack"},
            "round 3, red, disc 2, attack token: nothing (S5.5 nothing is feasible)",
        ),
        (
            {"useless": True, "move": "sail:india", "clause": "S4.1d.i", "reason": "a track"},
            "round 3, red, disc 2: sail:india (S4.1d.i a track; nothing useful is left (S4.3))",
        ),
        (
            {"position": None, "colour": "opposition", "move": "discard:india.2", "clause": "S7.1", "reason": "limit"},
            "round 3, opposition: discard:india.2 (S7.1 limit)",
        ),
    ],
)
def test_a_step_as_one_line(changes: dict[str, Any], text: str) -> None:
    assert str(step_with(**changes)) == text


def test_all_solitaire_games_of_the_kit_are_explained() -> None:
    """Together they show every way a step comes about."""
    steps = [step for name in SOLO_GAMES for seed in SEEDS for step in explain(finished(name, seed))]
    assert {step.decided_by for step in steps} == {"rules", "player", "first"}
    assert any(step.useless for step in steps)
    assert {step.token for step in steps} == {"", "attack", "occupy_draw", "sail_draw", "pay"}
    assert {step.clause for step in steps} >= set(ITEM_CLAUSES) - {"S4.2"}
    assert {name for step in steps for name in step.tie_breaks} >= {"T1", "T2", "S5.2", "C1", "C2", "swing"}
    assert {GAMES[name][1].get("difficulty", "normal") for name in SOLO_GAMES} == {"normal", "easier", "harder"}
