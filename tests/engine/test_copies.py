"""Copies of games with chance and hidden parts: what they draw, and what a seat gets of a game."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from endeavor_env.engine.game import Game, GameConfig, game_for
from endeavor_env.engine.kernels.rules import CHANCE, NONE
from endeavor_env.errors import InvalidOptionError
from endeavor_env.merchants.game import MerchantsConfig, MerchantsGame
from endeavor_env.search import Positions
from tests.toy_game.rules import FACES, PLAY, ROLL, TOY_GAME

TOY = GameConfig(TOY_GAME)


def dice(game: Game) -> list[int]:
    """Return what chance draws while everybody rolls to the end of a game of the toy."""
    made = len(game.history)
    while not game.over:
        game.apply(ROLL)
    return [action for seat, action in game.history[made:] if seat == CHANCE]


def merchants_with_a_theft(seed: int) -> tuple[MerchantsGame, int]:
    """Return a game in which seats stole from each other, and a seat that was not told of all that chance did."""
    game, draw = MerchantsGame.new(3, seed=seed), np.random.default_rng(seed)
    while True:
        game.apply(int(draw.choice(game.legal_actions())))
        for seat in range(game.num_players):
            untold = sum(action == NONE for _, action in game.history_seen_by(seat))
            if untold > 2 and game.seat == seat:
                return game, seat


# --- what copies draw ------------------------------------------------------------------------------------------------
def test_a_clone_draws_otherwise_than_the_game_and_than_other_clones() -> None:
    game = TOY.new_game(9)
    clones = [dice(game.clone()) for _ in range(40)]
    assert len({tuple(one) for one in [*clones, dice(game)]}) == 41


def test_a_clone_of_a_clone_and_one_at_a_former_move_draw_otherwise_as_well() -> None:
    game = TOY.new_game(9)
    game.apply(ROLL)
    clone, drawn = game.clone(), dice(game.clone(same_chance=True))
    assert clone.seed is None
    for other in (
        clone.clone(),
        clone.at_move(len(clone.history)),
        clone.at_move(0),
        pickle.loads(pickle.dumps(clone)),
    ):
        assert dice(other)[-len(drawn) :] != drawn


def test_the_dice_of_clones_are_fair_and_tell_nothing_of_those_of_the_game() -> None:
    faces, same = np.zeros(FACES, np.int64), 0
    for seed in range(300):
        game = TOY.new_game(seed)
        shown = [dice(game.clone())[0] for _ in range(4)]
        faces += np.bincount(np.array(shown) - PLAY - 1, minlength=FACES)
        same += shown.count(dice(game)[0])
    assert (abs(faces - 200) < 60).all()
    assert 130 < same < 270  # of 1,200, a sixth


def test_a_program_that_makes_the_same_copies_gets_the_same_draws() -> None:
    games = [TOY.new_game(9) for _ in range(2)]
    assert [dice(games[0].clone()) for _ in range(3)] == [dice(games[1].clone()) for _ in range(3)]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))])
def test_deepcopy_and_pickle_keep_the_chance(copied: Any) -> None:
    game = TOY.new_game(9)
    assert dice(copied(game)) == dice(game.clone(same_chance=True)) == dice(game)


def test_nobody_writes_to_the_setup_through_a_copy() -> None:
    game = TOY.new_game(9)
    for drawn in (game.drawn, game.clone().drawn):
        with pytest.raises(ValueError, match="read-only"):
            drawn["first"] = 0


# --- what a seat gets ------------------------------------------------------------------------------------------------
def test_a_seat_gets_what_it_sees_and_the_rest_drawn_anew() -> None:
    game = TOY.new_game(9)
    hands = set()
    for seed in range(200):
        game = TOY.new_game(seed)
        seen = game.seen_by(game.seat)
        for kind in ("features", "compact"):
            assert seen.observe(game.seat, kind).tolist() == game.observe(game.seat, kind).tolist()
        assert seen.mask().tolist() == game.mask().tolist()
        hands.add((tuple(game.state["hand"][0].tolist()), tuple(seen.state["hand"][0].tolist())))
        assert (seen.seed, seen.played) == (None, None)
        assert dice(seen) != dice(game)
    assert sum(real == drawn for real, drawn in hands) < len(hands) / 10  # 1 of 36 by chance


def test_where_a_seat_knows_the_same_it_gets_the_same_copy_and_its_clones_draw_the_same() -> None:
    game = TOY.new_game(9)
    other = game.clone()
    rows = Positions.of(other)
    rows.resample(game.seat, 5)
    other.take_position(rows.states)
    one, two = game.seen_by(game.seat), other.seen_by(game.seat)
    assert other.state.tobytes() != game.state.tobytes()
    assert one.history == two.history
    assert [dice(one.clone()) for _ in range(3)] == [dice(two.clone()) for _ in range(3)]
    assert one.state["score"].tolist() == two.state["score"].tolist()


def test_a_game_as_a_seat_sees_it_has_no_beginning() -> None:
    seen = TOY.new_game(9).seen_by(0)
    for asked in (seen.setup, seen.record, lambda: seen.at_move(0)):
        with pytest.raises(InvalidOptionError, match="as a seat sees it has no beginning"):
            asked()
    assert seen.clone().seat == seen.seat


def test_moves_that_a_seat_was_not_told_have_no_action() -> None:
    for seed in range(3):
        game, seat = merchants_with_a_theft(seed)
        seen = game.seen_by(seat)
        assert len(seen.history) == len(game.history)
        for (_, action), (_, told), (_, text) in zip(game.history, seen.history, game.moves_seen_by(seat), strict=True):
            assert (told == NONE) == text.endswith(":?")
            assert told in (NONE, action)
        assert seen.moves_seen_by(seat) == game.moves_seen_by(seat)
        assert seen.view(seat) == game.view(seat)
        assert game.rules.presenter.text(seen, seat) == game.rules.presenter.text(game, seat)


def test_a_record_that_a_seat_reads_before_the_end_has_no_seed() -> None:
    entries = (*TOY_GAME.entries[:-1], None)
    public = GameConfig(copy.copy(TOY_GAME))
    object.__setattr__(public.rules, "entries", entries)  # the same game with open cards
    game = public.new_game(9)
    assert game.record()["seed"] == 9
    record = game.record_seen_by(0)
    assert record is not None
    assert record["seed"] is None
    dice(game)
    assert game.record_seen_by(0) == game.record()


# --- what agents get -------------------------------------------------------------------------------------------------
class Asking:
    """An agent that says what it wants."""

    def __init__(self, **said: bool) -> None:
        """Take the attributes."""
        vars(self).update(said)


def test_only_an_agent_that_asks_for_it_gets_everything() -> None:
    game = MerchantsConfig(3).new_game(4)
    while len(game.history) < 200:
        game.apply(game.legal_actions()[-1])
    whole = game_for(Asking(sees_everything=True), game)
    assert (whole.state.tobytes(), whole.chance[0], whole.seed) == (game.state.tobytes(), game.chance[0], 4)
    assert whole is not game
    for agent in (Asking(), Asking(sees_everything=False), Asking(only_reads=True), "greedy"):
        got = game_for(agent, game)
        assert got.chance[0] != game.chance[0]
        assert got.seed is None
        assert got.observe(game.seat).tobytes() == game.observe(game.seat).tobytes()
