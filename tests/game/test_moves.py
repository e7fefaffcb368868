"""Game.apply and Game.play: legal moves are made, everything else is one named error and leaves no trace."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from endeavor_env.basics.inputs import whole_number
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rules.actions import BLOCKS, num_actions
from endeavor_env.errors import GameOverError, IllegalActionError, counted
from endeavor_env.testing import check_actions, random_game
from tests.kits.games import GAMES, running

POSITIONS = {
    "opening": (4, 3, 0),
    "turn": (4, 3, 60),
    "late": (5, 3, 150),
    "over": (3, 3, 2000),
}
"""Positions of the standard game: players, seed and decisions made."""
OF_VARIANTS = {f"{name}, {decisions} decisions": (name, decisions) for name in GAMES for decisions in (0, 25, 30)} | {
    f"{name}, {decisions} decisions": (name, decisions)
    for name in GAMES
    if name.startswith("exploits")
    for decisions in (120, 171)
}
"""Positions of the variants: name in GAMES and decisions made."""


def game_at(name: str) -> Game:
    """Return the game at one of the positions."""
    if name in OF_VARIANTS:
        of, decisions = OF_VARIANTS[name]
        return running(of, 6, decisions)
    players, seed, decisions = POSITIONS[name]
    return random_game(players, seed, decisions=decisions, redraws=1)


def untouched(game: Game, before: Game) -> bool:
    """Whether two games are the same in every respect."""
    return game.state.tobytes() == before.state.tobytes() and game.history == before.history


@pytest.mark.parametrize("where", [*POSITIONS, *OF_VARIANTS])
def test_every_id_is_either_made_or_refused(where: str) -> None:
    game, before = game_at(where), game_at(where)
    check_actions(game)
    assert untouched(game, before)


@pytest.mark.parametrize("where", ["opening", "turn", "late", *OF_VARIANTS])
def test_moves_and_ids_are_listed_in_the_same_order(where: str) -> None:
    game = game_at(where)
    actions = game.legal_actions()
    assert actions == sorted(actions)
    assert game.legal_moves() == [game.describe(action) for action in actions]
    assert [game.encode(move) for move in game.legal_moves()] == actions
    mask = game.mask()
    assert (mask.dtype, mask.shape) == (np.bool_, (num_actions(game.variant),))
    assert np.flatnonzero(mask).tolist() == actions
    mask[:] = True
    assert game.legal_actions() == actions  # the mask is the caller's own


@pytest.mark.parametrize("where", ["opening", "turn", "late", *OF_VARIANTS])
def test_the_message_says_what_was_asked_of_whom_and_what_is_legal(where: str) -> None:
    game = game_at(where)
    illegal = next(action for action in range(num_actions(game.variant)) if action not in game.legal_actions())
    with pytest.raises(IllegalActionError) as caught:
        game.apply(illegal)
    text = str(caught.value)
    assert f"action {illegal} ({game.describe(illegal)}) is illegal for seat {game.seat}" in text
    assert (
        f"decision {game.decision!r} of seat {game.seat} has {counted(len(game.legal_moves()), 'legal move')}:" in text
    )
    assert ", ".join(game.legal_moves()[:12]) in text
    assert "\n" not in text


def test_an_id_without_meaning_on_the_board_is_refused_by_its_number() -> None:
    game = game_at("opening")
    nameless = next(block.offset + 39 for block in BLOCKS if block.name == "OCCUPY")
    with pytest.raises(IllegalActionError, match=f"action {nameless} .no move on board endeavor_2009. is illegal"):
        game.apply(nameless)


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("", "'' is no move: a move is <verb>"),
        ("built:market", "'built:market' is no move: a move is <verb>"),
        ("BUILD:market", "'BUILD:market' is no move"),
        (" build:market", "' build:market' is no move"),
        ("build", "the form is build:<building>, one of colonial_house, market"),
        ("build:", "the form is build:<building>"),
        ("build:london", "the form is build:<building>"),
        ("build:market ", "the form is build:<building>"),
        ("sail:europe.1", "the form is sail:<region>"),
        ("occupy:atlantis", "the form is occupy:<city>"),
        ("draw:europe.1", "the form is draw:<deck>"),
        ("discard:europe.9", "the form is discard:<card>"),
        ("spend:politics", "the form is spend:<blue token kind>"),
        ("pass:now", "the form is pass alone"),
        ("done:", "the form is done alone"),
        ("done", "illegal for seat"),
        ("occupy:london", "illegal for seat"),
        (None, "None is no move"),
        (0, "0 is no move"),
        (b"pass", "b'pass' is no move"),
        (["pass"], "no move: a move is"),
    ],
)
def test_a_text_that_is_no_legal_move_is_refused(move: Any, message: str) -> None:
    game, before = game_at("opening"), game_at("opening")
    with pytest.raises(IllegalActionError, match=message):
        game.play(move)
    assert untouched(game, before)


@pytest.mark.parametrize("move", ["pass", "done", "build:market", "nonsense", None, 5])
def test_a_finished_game_takes_no_move(move: Any) -> None:
    game, before = game_at("over"), game_at("over")
    with pytest.raises(GameOverError, match="the game is over, start another"):
        game.play(move)
    for action in (0, 36, -1, 10**9):
        with pytest.raises(GameOverError, match="the game is over, start another"):
            game.apply(action)
    assert untouched(game, before)
    assert (game.seat, game.decision, game.legal_moves()) == (-1, "nothing", [])


@pytest.mark.parametrize("kind", [int, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint64, np.array])
def test_every_kind_of_whole_number_is_taken_and_kept_as_int(kind: Any) -> None:
    game, plain = game_at("turn"), game_at("turn")
    action = game.legal_actions()[0]
    game.apply(kind(action))
    plain.apply(action)
    assert untouched(game, plain)
    assert [type(entry) for entry in game.history[-1]] == [int, int]


@pytest.mark.parametrize(("value", "number"), [(3, 3), (np.int8(3), 3), (np.array(3), 3), (True, None), (3.0, None)])
def test_whole_number(value: Any, number: int | None) -> None:
    assert whole_number(value) == number


def test_repr_says_where_the_game_stands() -> None:
    assert repr(Game.new(3, seed=1)).startswith("<Game 3 players on endeavor_2009, round 1, build of seat")
    assert "over" in repr(game_at("over"))
