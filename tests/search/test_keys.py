"""Keys: equal for positions that different orders of moves lead to, and for no others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.search import Positions
from tests.kits.games import random_walk
from tests.kits.search import KINDS


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_positions_after_two_moves_share_keys_exactly_if_they_are_the_same(kind: dict[str, Any]) -> None:
    met, transpositions = {}, 0
    for game in random_walk(11, **kind):
        if game.over:
            break
        children = Positions.of(game).expand().positions
        if children.over().all():
            continue
        after, _, parents = children.expand()
        keys = after.keys()
        by_key: dict[bytes, set[int]] = {}
        for key, parent, state in zip(keys, parents.tolist(), after.states, strict=True):
            assert met.setdefault(key, state.tobytes()) == state.tobytes()
            by_key.setdefault(key, set()).add(parent)
        assert len(set(keys)) == len({state.tobytes() for state in after.states})
        transpositions += sum(len(parents_of) > 1 for parents_of in by_key.values())
    assert len(set(met.values())) == len(met) > 100
    assert transpositions > 0


def test_two_orders_of_paying_salaries_meet() -> None:
    for seed in range(20):
        for game in random_walk(seed, players=3):
            left = int(game.state["payments_left"][0])
            if game.decision == "salary" and left >= 2 and len(game.legal_actions()) >= 2:
                first, second = game.legal_actions()[:2]
                ends = Positions.of(game, copies=2)
                ends.step([first, second])
                assert len(set(ends.keys())) == 2
                ends.step([second, first])
                assert len(set(ends.keys())) == 1
                return
    raise AssertionError("no seat had two payments to make")


@pytest.mark.parametrize(("variant", "uncounted"), [("solo", ["opposition_first"]), ("standard", []), ("exploits", [])])
def test_any_field_that_counts_changes_the_key(variant: str, uncounted: list[str]) -> None:
    game = Game.new(variant=variant, seed=3)
    position = Positions.of(game)
    key = position.keys()
    for name in position.states.dtype.names or ():
        changed = position.copy()
        changed.states[name][..., -1:] += 1
        assert (changed.keys() == key) == (name in uncounted), name


def test_what_a_solitaire_game_never_looks_at_again_does_not_count() -> None:
    stale = 0
    for game in random_walk(4, variant="solo"):
        position = Positions.of(game)
        other = position.copy()
        other.states["europe_order"] = other.states["europe_order"][:, ::-1]
        outside = game.round > 0 and game.state["phase"][0] != c.PHASE_ACTION
        if outside:
            other.states["opposition_first"] ^= 1
        assert (other.keys() == position.keys()) == (game.round > 0)
        if not outside:
            continue
        stale += 1
        for _ in range(30):  # the game goes on in the same way
            assert (other.masks() == position.masks()).all()
            if position.over()[0]:
                break
            action = position.masks().argmax(axis=1)
            position.step(action)
            other.step(action)
        assert other.scores().tolist() == position.scores().tolist()
        assert other.keys() == position.keys()
    assert stale >= 7


def test_boards_and_variants_have_keys_of_their_own() -> None:
    starts = [Game.new(players=3, seed=0), Game.new(players=3, seed=0, board="generated_7"), Game.new(4, seed=0)]
    here, there, four = (Positions.of(game) for game in starts)
    elsewhere = Positions(starts[1].config, here.states.copy())
    assert len({*here.keys(), *there.keys(), *four.keys(), *elsewhere.keys()}) == 4
    tiles = [Game.new(4, seed=0, exploits=names) for names in (["sun"], ["marque"], ["sun", "marque"])]
    assert len({*four.keys(), *Positions.of(tiles).keys()}) == 4
    assert here.keys() == Positions.of(starts[0]).keys()
    assert here.copy().repeat(3).keys() == here.keys() * 3
    assert all(len(key) == 16 and isinstance(key, bytes) for key in np.array(here.keys()).tolist())
