"""Games of the variants with neutral discs, played twice: by the kernels and by a plain reading of the rules."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rules import constants as c
from tests.crosscheck import facts
from tests.crosscheck.reference_neutral import PLAYERS, NeutralSides, Soloplay, table_for
from tests.crosscheck.strategies import board_of, boards, redraws, seeds

TABLES = [
    ("soloplay_2", False),
    ("soloplay_2", True),
    ("soloplay_3", False),
    ("soloplay_3", True),
    ("neutral_2", False),
]
"""Every variant, with and without the option variant_removed_spaces_stay where it has a meaning."""

TRACK, CITY, BESIDE = "a neutral disc on a track", "a neutral disc in a city", "a neutral disc beside a full track"
OPENS, ATTACK, LOST = "a neutral disc opens a region", "a neutral disc is attacked", "a neutral side wins a Governor"
"""What a game may show, see ``play_twice``."""


def new_game(variant: str, stay: bool, seed: int, on: Board) -> Game:
    """A game of a variant, from a seed."""
    options = {"variant_removed_spaces_stay": True} if stay else None
    return Game.new(variant=variant, seed=seed, board=on, options=options)


def neutral_facts_of_game(game: Game) -> dict[str, Any]:
    """Return the facts that ``neutral_facts`` of a table returns, from the arrays of the state."""
    state, players = game.state[0], game.num_players
    found: dict[str, Any] = {}
    if game.variant != "neutral_2":
        found["reserve"] = state["neutral_reserve"][:players].tolist()
        found["neutral harbor"] = state["neutral_harbor"][:players].tolist()
        found["closed"] = {
            f"{region}.{space + 1}"
            for region, owners in zip(game.board.regions, state["track_owner"], strict=True)
            for space, owner in enumerate(owners)
            if owner == c.SPACE_CLOSED
        }
    for side in (2, 3) if game.variant == "neutral_2" else (players,):
        found[f"side {side}"] = {
            "supply": int(state["supply"][side]),
            "beside": facts.counted(game.board.regions, state["beside"][side]),
            "presence": facts.counted(game.board.regions, state["presence"][side]),
        }
    return found


def compare_facts(game: Game, table: Soloplay | NeutralSides, context: str) -> None:
    """Assert that both have the same things in the same places."""
    wrong = facts.differences(facts.of_game(game), facts.of_reference(table))
    wrong += facts.differences(neutral_facts_of_game(game), table.neutral_facts())
    assert not wrong, "\n".join([context, *wrong])


SHIPS = {"build:shipyard", "build:cartographer", "activate:shipyard", "activate:cartographer", "activate:dock"}


def choose(moves: list[str], rng: random.Random, eager: int) -> str:
    """A random move, but with ``eager`` other than 0 "pass" and "done" last, and mostly ships, which open regions.

    With ``eager`` > 0 it is the first of 1 + ``eager`` random moves, with ``eager`` < 0 the last: that crowds regions.
    """
    if eager:
        moves = [move for move in moves if move not in ("pass", "done")] or moves
        if rng.random() < 0.7:
            sails = [move for move in moves if move.split(":")[0] in ("sail", "neutral_sail")]
            moves = sails or [move for move in moves if move in SHIPS] or moves
    drawn = [rng.randrange(len(moves)) for _ in range(1 + abs(eager))]
    return moves[min(drawn) if eager > 0 else max(drawn)]


def seen_in(table: Soloplay | NeutralSides, move: str) -> str | None:
    """Name what a move does with a neutral disc, as the table shows it before the move."""
    verb, _, target = move.partition(":")
    if verb == "neutral_sail":
        if table.full(target):
            return BESIDE
        return OPENS if len(table.track[target]) == len(table.spaces[target]) - 1 else TRACK
    if verb == "attack" and table.owner[target] >= len(table.seats):
        return ATTACK
    return CITY if verb == "neutral_occupy" else None


def governors(table: Soloplay | NeutralSides) -> tuple[int, int]:
    """Count the Governors in piles and in hands."""
    piles = sum(card.endswith(".governor") for cards in table.piles.values() for card in cards)
    return piles, sum(card.endswith(".governor") for it in table.seats for card in it.cards)


def play_twice(variant: str, stay: bool, seed: int, eager: int, on: Board | None = None) -> tuple[Game, Counter[str]]:
    """Play a random game on both, comparing at every decision and at the end; return it and what happened in it."""
    game = new_game(variant, stay, seed, on or Board.default())
    table = table_for(variant, game.board, game.setup(), stay)
    rng, seen, last = random.Random(~seed), Counter(), ""
    decisions = table.play()
    seat, moves = next(decisions)
    while True:
        context = f"{game!r}, {variant}, stay={stay}, seed {seed}, eager {eager}, after {last}"
        assert game.seat == seat, context
        assert set(game.legal_moves()) == moves, context
        compare_facts(game, table, context)
        last = choose(game.legal_moves(), rng, eager)
        seen[seen_in(table, last) or "other"] += 1
        before = governors(table)
        game.play(last)
        try:
            seat, moves = decisions.send(last)
        except StopIteration:
            break
        piles, hands = governors(table)
        seen[LOST] += piles < before[0] and hands == before[1]
    assert game.over
    table.first = int(game.state[0]["first_player"])  # after the last round the marker rests
    compare_facts(game, table, f"the end of {game!r}")
    return game, seen


@pytest.mark.parametrize(("variant", "stay"), TABLES)
@settings(max_examples=6)
@given(on=boards, seed=seeds, eager=redraws)
def test_random_games_agree_with_the_reference(variant: str, stay: bool, on: str, seed: int, eager: int) -> None:
    play_twice(variant, stay, seed, eager, board_of(on))


@pytest.mark.parametrize(
    ("variant", "stay", "seed", "eager", "wanted"),
    [
        ("soloplay_2", False, 2, 2, {ATTACK, BESIDE, CITY, TRACK}),
        ("soloplay_2", False, 15, -2, {LOST, OPENS}),
        ("soloplay_2", False, 17, -1, {OPENS}),  # a neutral disc opens the region in which the Dock could go on
        ("soloplay_2", True, 5, -3, {ATTACK, BESIDE, CITY, OPENS, TRACK}),
        ("soloplay_3", False, 10, 3, {ATTACK, BESIDE, CITY, LOST, OPENS, TRACK}),
        ("soloplay_3", True, 19, -1, {ATTACK, BESIDE, CITY, LOST, OPENS, TRACK}),
        ("neutral_2", False, 13, -1, {ATTACK, CITY, LOST, OPENS, TRACK}),
    ],
)
def test_games_full_of_rare_events_agree_with_the_reference(
    variant: str, stay: bool, seed: int, eager: int, wanted: set[str]
) -> None:
    _, seen = play_twice(variant, stay, seed, eager)
    assert wanted <= set(+seen), f"this game shows only {dict(seen)}: find another seed"


DOUBLE = {
    "colonial_house": ("both", ["occupy", "pay"]),
    "guild_hall": ("both", ["attack", "draw"]),
    "barracks": ("both_same_region", ["attack", "attack"]),
    "dock": ("both", ["occupy", "sail"]),
    "fortress": ("both_same_region", ["occupy", "occupy"]),
    "cartographer": ("both", ["sail", "sail"]),
    "trade_office": ("both", ["draw", "occupy"]),
    "shipyard": ("both", ["sail", "draw"]),
    "exchange": ("both", ["attack", "attack"]),
    "museum": ("both", ["sail", "attack"]),
    "parliament": ("either", ["sail", "attack"]),
}
"""Double actions that the board of 2009 has not, and that a board made by a user may have."""


def double_board() -> Board:
    """The default board with other double actions."""
    data = Board.default().to_dict()
    for building in data["buildings"]:
        building["mode"], building["actions"] = DOUBLE.get(building["id"], (building["mode"], building["actions"]))
    return Board.from_dict(data, source="edited by a test")


@pytest.mark.parametrize(
    ("variant", "seed", "eager"), [(v, s, e) for v in PLAYERS for s, e in [(1, 0), (2, 1), (3, -1)]]
)
def test_games_on_a_board_with_other_double_actions_agree(variant: str, seed: int, eager: int) -> None:
    play_twice(variant, False, seed, eager, double_board())


@settings(max_examples=10)
@given(variant=st.sampled_from(sorted(PLAYERS)), seed=seeds)
def test_scores_are_the_sums_of_the_breakdowns_and_the_highest_wins(variant: str, seed: int) -> None:
    game, _ = play_twice(variant, False, seed, 0)
    totals = [sum(game.breakdown(seat).values()) for seat in range(PLAYERS[variant])]
    assert game.scores() == totals
    assert game.winners() == [seat for seat, total in enumerate(totals) if total == max(totals)]
