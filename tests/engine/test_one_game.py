"""One game of any rules: played to its end, cloned, taken back, recorded and replayed, with nothing hidden shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from endeavor_env.basics.version import VERSION
from endeavor_env.engine.game import Game, GameConfig
from endeavor_env.engine.kernels.rules import CHANCE
from endeavor_env.engine.players_info import PlayersInfo
from endeavor_env.engine.records import plain_form, read_record, replay, write_record
from endeavor_env.engine.words import NumberWords
from endeavor_env.errors import (
    EndeavorError,
    GameOverError,
    IllegalActionError,
    InvalidOptionError,
    InvalidSetupError,
    RecordError,
)
from tests.kits.toy_reference import ReferenceGame
from tests.toy_game.rules import FACE_1, FACES, NUM_ACTIONS, PLAY, ROLL, ROUNDS, SEATS, TOY_GAME

SETUP = {"hand": [4, 2, 6], "first": 1}


def advanced(seed: int, decisions: int = ROUNDS * SEATS) -> Game:
    """Return a toy game after some decisions; the seats play their cards in the second round."""
    game = GameConfig(TOY_GAME).new_game(seed)
    for number in range(decisions):
        game.apply(PLAY if SEATS <= number < 2 * SEATS else ROLL)
    return game


def decision(game: Game) -> tuple[Any, ...]:
    """Return what a decision looks like."""
    return game.state.tobytes(), game.seat, game.legal_moves(), game.scores(), game.over


# --- playing ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(8))
def test_a_game_is_that_of_plain_python(seed: int) -> None:
    game, reference = GameConfig(TOY_GAME).new_game(seed), ReferenceGame(seed)
    for turn in range(ROUNDS * SEATS):
        assert (game.seat, game.legal_actions(), game.over) == (reference.turn, reference.legal, False)
        assert np.flatnonzero(game.mask()).tolist() == reference.legal
        for observation in ("features", "compact"):
            assert game.observe(game.seat, observation).tolist() == reference.seen()
        action = reference.legal[(turn + seed) % len(reference.legal)]
        game.apply(action)
        reference.play(action)
        assert game.scores() == reference.score
    assert game.over
    assert (game.seat, game.legal_actions(), game.mask().any()) == (-1, [], False)
    assert game.winners() == [seat for seat, score in enumerate(reference.score) if score == max(reference.score)]


def test_what_chance_decided_stands_in_the_history() -> None:
    game = advanced(3, 4)
    movers = [seat for seat, _ in game.history]
    first = movers[0]
    seats = [(first + turn) % SEATS for turn in range(4)]
    assert movers == [seats[0], CHANCE, seats[1], CHANCE, seats[2], CHANCE, seats[3]]
    assert all(FACE_1 <= action < NUM_ACTIONS for seat, action in game.history if seat == CHANCE)
    assert all(action in (ROLL, PLAY) for seat, action in game.history if seat != CHANCE)


def test_moves_have_words() -> None:
    game = GameConfig(TOY_GAME).new_game(1)
    assert game.legal_moves() == ["roll", "card"]
    game.play("card")
    assert [game.describe(action) for action in range(NUM_ACTIONS)][2:4] == ["die:1", "die:2"]
    assert game.encode("die:6") == NUM_ACTIONS - 1
    assert str(game) == repr(game) == f"<Game toy, the decision of seat {game.seat}, 1 moves>"


def test_a_wrong_move_changes_nothing_and_says_what_is_legal() -> None:
    game = advanced(5, 6)
    before, chance = decision(game), game.chance.tolist()
    legal = f"the decision of seat {game.seat} has 1 legal move: roll"
    for wrong, sentence in {
        PLAY: f"action 1 (card) is illegal for seat {game.seat}; {legal}",
        FACE_1: f"action 2 (die:1) is illegal for seat {game.seat}; {legal}",
        NUM_ACTIONS: f"action {NUM_ACTIONS} is no action id: those are whole numbers 0..{NUM_ACTIONS - 1}; {legal}",
        -1: f"action -1 is no action id: those are whole numbers 0..{NUM_ACTIONS - 1}; {legal}",
        "roll": f"action 'roll' is no action id: those are whole numbers 0..{NUM_ACTIONS - 1}; {legal}",
    }.items():
        with pytest.raises(IllegalActionError) as caught:
            game.apply(wrong)  # type: ignore[arg-type]
        assert str(caught.value) == sentence
    with pytest.raises(IllegalActionError, match="'bow' is no move of the game 'toy'"):
        game.play("bow")
    with pytest.raises(IllegalActionError, match=f"action {NUM_ACTIONS} names no move of the game 'toy'"):
        game.describe(NUM_ACTIONS)
    assert (decision(game), game.chance.tolist()) == (before, chance)


def test_a_finished_game_takes_no_move() -> None:
    game = advanced(5)
    for move in (lambda: game.apply(ROLL), lambda: game.play("roll"), lambda: game.apply(ROLL, draws=False)):
        with pytest.raises(GameOverError, match=r"the game is over, start another with new_game of its config"):
            move()


@pytest.mark.parametrize("wrong", [
    {"players": 2}, {"players": "3"}, {"variant": "chess"}, {"seed": -1}, {"options": [1] * 9}, {"options": [1 << 15]},
    {"options": [True]}, {"board": np.zeros(2, TOY_GAME.board)}, {"board": np.zeros(1, TOY_GAME.setup)},
])  # fmt: skip
def test_a_game_that_is_not_possible_is_refused(wrong: dict[str, Any]) -> None:
    seed = wrong.pop("seed", None)
    with pytest.raises(InvalidOptionError, match=r"(is|are) not possible|does not fit"):
        GameConfig(TOY_GAME, **wrong).new_game(seed)


def test_a_given_setup_is_played_and_a_wrong_one_refused() -> None:
    game = GameConfig(TOY_GAME).new_game(setup=SETUP)
    assert (game.seat, game.setup(), game.seed) == (1, SETUP, None)
    for wrong, sentence in (
        ({**SETUP, "first": 3}, "setup begins with seat 3: give 0 to 2"),
        ({**SETUP, "hand": [4, 2, 7]}, "setup deals [4, 2, 7]: cards are 1 to 6"),
        ({**SETUP, "hand": [4, 2]}, "setup.hand is [4, 2]: it must be a list of 3 whole numbers from"),
        ({**SETUP, "first": True}, "setup.first is True: it must be a whole number from"),
        ({**SETUP, "first": 1 << 63}, "setup.first is 9223372036854775808: it must be a whole number from"),
        ({"hand": [4, 2, 6]}, "setup has hand: it must be a mapping of hand, first"),
        ([4, 2, 6], "setup has the form list: it must be a mapping of hand, first"),
    ):
        with pytest.raises(InvalidSetupError) as caught:
            GameConfig(TOY_GAME).new_game(setup=wrong)  # type: ignore[arg-type]
        assert str(caught.value).startswith(sentence)


# --- what a seat may see ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("observation", ["features", "compact"])
@pytest.mark.parametrize("decisions", range(ROUNDS * SEATS))
def test_neither_mask_nor_observation_tells_a_seat_of_the_cards_of_others(decisions: int, observation: str) -> None:
    game = advanced(2, decisions)
    for seat in range(SEATS):
        seen, mask = game.observe(seat, observation).tolist(), game.mask().tolist()
        other = game.clone()
        for one in range(SEATS):
            card = int(other.state["hand"][0, one])
            if one != seat and card > 0:
                other.state["hand"][0, one] = card % FACES + 1
        assert other.observe(seat, observation).tolist() == seen
        assert other.mask().tolist() == mask


def test_a_seat_that_is_not_there_sees_nothing() -> None:
    game = GameConfig(TOY_GAME).new_game(1)
    for wrong in (-1, SEATS, True):
        with pytest.raises(InvalidOptionError, match="give a seat, 0 to 2"):
            game.observe(wrong)
    with pytest.raises(InvalidOptionError, match="give 'features' or 'compact'"):
        game.observe(0, "everything")


# --- copies ----------------------------------------------------------------------------------------------------------
def test_a_clone_with_the_same_chance_draws_the_same_dice_and_is_a_game_of_its_own() -> None:
    game = advanced(9, 4)
    copy, before = game.clone(same_chance=True), decision(game)
    while not copy.over:
        copy.apply(ROLL)
    assert decision(game) == before
    while not game.over:
        game.apply(ROLL)
    assert (decision(copy), copy.history) == (decision(game), game.history)
    assert copy.record() == game.record()


@pytest.mark.parametrize("given", [{"seed": 11}, {"setup": SETUP}, {"seed": 11, "setup": SETUP}])
def test_a_game_at_a_move_goes_on_with_the_same_dice(given: dict[str, Any]) -> None:
    game = GameConfig(TOY_GAME).new_game(**given)
    standing = {0: decision(game)}
    while not game.over:
        game.apply(ROLL)
        standing[len(game.history)] = decision(game)
    for number in range(len(game.history) + 1):
        back = game.at_move(number)
        assert back.history == game.history[:number]
        assert back.seed == game.seed
        assert (back.seat == CHANCE) == (number not in standing)
        back.draw()
        assert decision(back) == standing[len(back.history)]
        while not back.over:
            back.apply(ROLL)
        assert back.history == game.history


def test_a_game_before_a_draw_asks_chance_and_nobody_else() -> None:
    back = advanced(4).at_move(1)
    assert (back.seat, back.over) == (CHANCE, False)
    assert back.legal_moves() == [f"die:{face}" for face in range(1, FACES + 1)]
    assert repr(back) == "<Game toy, what chance decides, 1 moves>"
    with pytest.raises(IllegalActionError, match="is illegal for chance; what chance decides has 6 legal moves"):
        back.apply(ROLL)
    back.apply(FACE_1 + 4)
    assert max(back.scores()) == 5
    with pytest.raises(InvalidOptionError, match="number=25 is not possible"):
        back.at_move(25)


# --- records ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("decisions", [0, 1, 5, ROUNDS * SEATS])
def test_a_record_replays_to_the_same_game(tmp_path: Path, decisions: int) -> None:
    game = advanced(6, decisions)
    game.played = PlayersInfo.of(["Ada", None, "Bob"], environment=None)
    write_record(game, tmp_path / "toy.json")
    again = replay(tmp_path / "toy.json", plain_form(TOY_GAME))
    assert (decision(again), again.history, again.played) == (decision(game), game.history, game.played)
    assert again.record() == game.record() == read_record(tmp_path / "toy.json", plain_form(TOY_GAME))
    assert dict(again.played.versions).keys() == {"endeavor-env"}  # type: ignore[union-attr]
    while not game.over:  # the dice of both go on in the same way
        game.apply(ROLL)
        again.apply(ROLL)
    assert again.history == game.history


def record_of(decisions: int = ROUNDS * SEATS) -> dict[str, Any]:
    """Return the record of a game, as JSON holds it."""
    record: dict[str, Any] = json.loads(json.dumps(advanced(6, decisions).record()))
    return record


def refused(record: dict[str, Any]) -> str:
    """Return why a record is refused."""
    with pytest.raises(RecordError) as caught:
        replay(record, plain_form(TOY_GAME))
    return str(caught.value).removesuffix(
        f" (the record does not say which version wrote it; this is endeavor-env {VERSION})"
    )


def test_a_die_that_was_changed_is_refused() -> None:
    record = record_of()
    scores, face = record["result"]["scores"], int(record["moves"][1][1].removeprefix("die:"))
    record["moves"][1][1] = f"die:{face % FACES + 1}"
    gained = list(scores)
    gained[record["moves"][0][0]] += (face % FACES + 1) - face
    assert refused(record) == f"the record's result has scores {scores}: the moves lead to {gained}"


EDITS: dict[str, tuple[Callable[[list[Any]], Any], str]] = {
    "a face that no die has": (
        lambda moves: moves[1].__setitem__(1, "die:7"),
        "move 1 (die:7) is illegal: 'die:7' is no move of the game 'toy'; all legal moves there: die:1, die:2, die:3, "
        "die:4, die:5, die:6",
    ),
    "chance does what seats do": (
        lambda moves: moves[1].__setitem__(1, "roll"),
        "move 1 (roll) is illegal: action 0 (roll) is illegal for chance; what chance decides has 6 legal moves: "
        "die:1, die:2, die:3, die:4, die:5, die:6; all legal moves there: die:1, die:2, die:3, die:4, die:5, die:6",
    ),
    "a seat throws": (
        lambda moves: moves[1].__setitem__(0, moves[0][0]),
        " is for chance to decide",
    ),
    "chance takes a seat's move": (
        lambda moves: moves[0].__setitem__(0, "chance"),
        "move 0 (roll) is by chance: the decision is seat ",
    ),
    "nobody moves": (lambda moves: moves[0].__setitem__(0, None), "move 0 is [None, 'roll']: a move is [seat, text]"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_moves_that_were_changed_are_refused(edit: str) -> None:
    record = record_of()
    change, sentence = EDITS[edit]
    change(record["moves"])
    assert sentence in refused(record)


def test_a_move_that_was_taken_out_is_missed() -> None:
    record = record_of()
    (mover, _), (_, die) = record["moves"].pop(0), record["moves"][0]
    assert refused(record) == f"move 0 ({die}) is by chance: the decision is seat {mover}'s"


def test_a_record_that_ends_before_chance_decides_is_refused() -> None:
    record = record_of(2)
    record["moves"].pop()
    assert refused(record) == "the record ends before move 3, which chance makes: add what it showed"


def test_what_is_not_of_this_game_is_refused() -> None:
    for change, sentence in (
        ({"game": "go"}, "the record is of the game 'go', not of 'toy'"),
        ({"board": "0" * 16}, "the record was played on a board with the hash '0000000000000000': give that board"),
        ({"players": 2}, "the record's game cannot be set up: players=2 does not fit variant 'toy': it takes 3"),
        ({"setup": {**SETUP, "first": 9}}, "the record's game cannot be set up: setup begins with seat 9"),
        ({"result": {"scores": [0, 0, 0]}}, "the record's result has scores [0, 0, 0]: the moves lead to"),
        ({"result": {}}, "the record's result lacks scores: it needs scores"),
        ({"format": "endeavor-game/1"}, "record has the format 'endeavor-game/1': this version reads 'rails-game/1'"),
        ({"notes": {}}, "record has unknown fields notes: known are format, game, board,"),
        ({"moves": {}}, "record has moves of type dict: it must be list"),
    ):
        assert refused({**record_of(), **change}).startswith(sentence)
    early = record_of(3)
    assert refused({**early, "result": {"scores": [1, 2, 3]}}).startswith(
        "the record has a result, but its moves end after 6 moves"
    )
    late = record_of()
    del late["result"]
    assert refused(late) == "the record's game is over, but it has no result: add scores"


def test_a_record_holds_what_chance_showed_and_a_replay_draws_nothing() -> None:
    """The seed of a record that was given by hand need not be that of its dice."""
    record = record_of(5)
    again = replay({**record, "seed": 1 << 60}, plain_form(TOY_GAME))
    assert again.record()["moves"] == record["moves"]


# --- other games -----------------------------------------------------------------------------------------------------
def test_a_game_without_words_has_its_ids() -> None:
    words = NumberWords()
    assert [words.action(str(words.text(action))) for action in (0, 7, 250)] == [0, 7, 250]
    assert [words.action(text) for text in ("", "07", "-1", "\u0663", "9" * 30)] == [None] * 5


def test_a_config_says_what_is_played() -> None:
    config = GameConfig(TOY_GAME, options=[3])
    assert config.to_dict() == {
        "game": "toy",
        "board": config.to_dict()["board"],
        "variant": "toy",
        "players": 3,
        "options": [3, 0, 0, 0, 0, 0, 0, 0],
    }
    assert config.new_game(4).config is config
    with pytest.raises(EndeavorError, match="give 'toy'"):
        GameConfig(TOY_GAME, variant="")
