"""What the vectors hold: every documented value, nothing lost, the same from every seat, within the bounds."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from endeavor_env import Game
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.observation import (
    COMPACT,
    FEATURES,
    LAYOUT,
    VARIANT_COMPACT,
    Layout,
    layout_for,
    observe,
    to_state,
)
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.errors import InvalidOptionError
from tests.kits import exploit_observations
from tests.kits.observations import (
    KINDS,
    TABLES,
    VARIANTS,
    digest,
    mats,
    played,
    ranges,
    rotated,
    scrambled,
    sides,
    with_state,
)
from tests.observation import expected, expected_exploits, expected_variants

ROOT = Path(__file__).resolve().parents[2]
ON_EVERY_TABLE = pytest.mark.parametrize(("variant", "players"), TABLES)


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A position some way into a random game, or one with fields drawn at random, of any variant."""
    variant, players = draw(st.sampled_from(TABLES))
    seed = draw(st.integers(0, 2**32))
    if draw(st.booleans()):
        return scrambled(players, seed, variant=variant)
    return played(players, seed, draw(st.integers(0, 400)), variant=variant)


@st.composite
def seen(draw: st.DrawFn) -> tuple[Game, int]:
    """A position and an observer."""
    game = draw(games())
    return game, draw(st.integers(0, game.num_players - 1))


@given(seen())
def test_features_hold_what_the_page_says(case: tuple[Game, int]) -> None:
    game, seat = case
    words = {"standard": expected, "exploits": expected_exploits}.get(game.variant, expected_variants)
    got, want = layout_for(game.variant, "features").unpack(observe(game, seat)), words.features(game, seat)
    assert set(got) == set(want)
    for name, values in got.items():
        np.testing.assert_allclose(values, want[name], rtol=0, atol=1e-6, err_msg=name)


@given(seen())
def test_compact_loses_nothing(case: tuple[Game, int]) -> None:
    game, seat = case
    back, want = to_state(observe(game, seat, "compact"), game.board), rotated(game.state, -seat)
    entry.recount_choices(game.board.array, want)  # drawn states were never asked about the Opposition
    assert back.dtype == STATE
    assert back.tobytes() == want.tobytes()


@given(seen())
def test_compact_gives_the_same_features_and_glory(case: tuple[Game, int]) -> None:
    game, seat = case
    vector = observe(game, seat, "compact")
    again = with_state(game, to_state(vector))
    assert (observe(again, 0) == observe(game, seat)).all()
    assert layout_for(game.variant, "compact").view(vector, "glory")[: mats(game)].tolist() == again.scores()


SOLO_ONLY = ("grid", "pending", "europe_order", "acting")
WAITING = ("num_waiting", "waiting_kind", "waiting_regions")


@given(seen(), st.integers(0, 2**32))
def test_features_see_every_change_that_matters(case: tuple[Game, int], seed: int) -> None:
    game, seat = case
    drawn, changed = scrambled(game.num_players, seed, variant=game.variant), with_state(game, game.state.copy())
    exploits = exploit_observations.ranges(game) if game.variant == "exploits" else ()
    names = (*ranges(game), "card_place", *(SOLO_ONLY if game.variant == "solo" else ()), *exploits)
    name = names[seed % len(names)]
    together = (WAITING, *(exploit_observations.TOGETHER if exploits else ()))
    parts = next((parts for parts in together if name in parts), ())
    if parts:  # these only make sense together
        for part in parts:
            changed.state[part] = drawn.state[part]
    else:
        np.copyto(changed.state[name], drawn.state[name], where=_one_entry(game, name, seed))
    vectors = [observe(one, seat) for one in (game, changed)]
    if _matters(game, changed):
        assert (vectors[0] != vectors[1]).any(), f"{name} changed from {game.state[name]} to {changed.state[name]}"


def _one_entry(game: Game, name: str, seed: int) -> np.ndarray:
    """Return a mask of the field's shape with one entry set."""
    shape = game.state[name].shape
    return (np.arange(int(np.prod(shape))) == seed % int(np.prod(shape))).reshape(shape)


def _matters(one: Game, other: Game) -> bool:
    """Return whether two positions differ in more than which card lies out of reach where, or tokens under discs.

    Nor does it matter who goes first in solo before that is settled, which task is at which step if it has none, or
    who was placed in Europe.
    """
    states = [game.state.copy() for game in (one, other)]
    for state in states:
        task, step = state["task"][0], state["task_step"][0]
        if state["phase"][0] != c.PHASE_ACTION:
            state["opposition_first"] = 0
        if task not in (c.TASK_EUROPE, c.TASK_ACTION, c.TASK_TOKEN):
            state["task_step"] = 0
        state["europe_order"][0][: step if task == c.TASK_EUROPE else None] = c.NONE
        gone = (state["card_place"] == c.CARD_OUT_OF_GAME) | (state["card_place"] >= c.CARD_FACE_DOWN)
        state["card_place"][gone] = c.CARD_OUT_OF_GAME
        filled = np.arange(c.MAX_TRACK) < state["track_next"][0][:, None]
        state["token"][0, c.TRACK_SPACES :][filled.ravel()] = c.NONE
        exists = np.arange(c.MAX_TRACK) < one.board.array["track_length"][0][:, None]
        state["track_owner"][0][~exists] = c.NONE
    if one.variant == "exploits":
        told = [exploit_observations.told_apart(one.board.array[0], state[0]) for state in states]
        for state in states:
            state["fewer_discs"] = 0
            for name in exploit_observations.LUMPED:
                state[name] = 0
        if told[0] != told[1]:
            return True
    return states[0].tobytes() != states[1].tobytes()


@given(seen(), st.integers(1, 4), st.sampled_from(KINDS))
def test_seat_numbers_do_not_matter(case: tuple[Game, int], by: int, kind: str) -> None:
    game, seat = case
    turned = with_state(game, rotated(game.state, by))
    assert (observe(turned, (seat + by) % game.num_players, kind) == observe(game, seat, kind)).all()


@given(seen(), st.sampled_from(KINDS))
def test_vectors_are_fresh_and_leave_the_game_alone(case: tuple[Game, int], kind: str) -> None:
    game, seat = case
    before = game.state.tobytes(), game.board.array.tobytes()
    first, second = observe(game, seat, kind), observe(game, seat, kind)
    assert not np.shares_memory(first, second)
    assert first.dtype == layout_for(game.variant, kind).dtype
    assert first.flags.c_contiguous
    assert first.tobytes() == second.tobytes()
    assert (game.state.tobytes(), game.board.array.tobytes()) == before


def _check_bounds_and_one_hots(layout: Layout, vector: np.ndarray) -> None:
    assert vector.shape == (layout.size,)
    assert (layout.low <= vector).all(), layout.slices
    assert (vector <= layout.high).all()
    for part in layout:
        values, where = layout.view(vector, part.name), f"{layout.name}.{part.name}"
        if part.encoding in ("one-hot", "one-hot or zeros", "flags"):
            assert np.isin(values, (0, 1)).all(), where
        if part.encoding == "one-hot":
            assert (values.sum(axis=-1) == 1).all(), where
        if part.encoding == "one-hot or zeros":
            assert (values.sum(axis=-1) <= 1).all(), where


@given(seen(), st.sampled_from(KINDS))
def test_bounds_and_one_hots(case: tuple[Game, int], kind: str) -> None:
    _check_bounds_and_one_hots(layout_for(case[0].variant, kind), observe(*case, kind))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", KINDS)
def test_any_board_has_the_same_shape_and_bounds(kind: str, seed: int) -> None:
    board = Board.generate(seed)
    for variant, players in (("standard", 3 + seed % 3), ("neutral_2", 2), ("exploits", 3 + seed % 3)):
        layout = layout_for(variant, kind)
        for game in (played(players, seed, 100, board, variant), scrambled(players, seed, board, variant)):
            _check_bounds_and_one_hots(layout, observe(game, observation=kind))


@ON_EVERY_TABLE
@pytest.mark.parametrize("kind", KINDS)
def test_bounds_hold_for_absurd_counts(kind: str, variant: str, players: int) -> None:
    game, layout = Game.new(players, variant, seed=0), layout_for(variant, kind)
    game.state["status"] = np.iinfo(np.int16).max
    counts = ("harbor", "supply", "tokens", "buildings", "occupied", "presence", "beside", "payments_left", "sweep")
    counts += ("neutral_reserve", "neutral_harbor", "removals_left") if variant in VARIANTS else ()
    counts += ("blockades", "sun", "spice_discs", "follow_left") if variant == "exploits" else ()
    for name in (*counts, "num_cards", "num_governors", "num_slavery", "num_face_down"):
        game.state[name] = 5 if name == "sweep" else 40
    _check_bounds_and_one_hots(layout, observe(game, 0, kind))
    game.state["status"] = -5
    _check_bounds_and_one_hots(layout, observe(game, 0, kind))


@ON_EVERY_TABLE
@pytest.mark.parametrize("kind", KINDS)
def test_places_of_nobody_hold_zeros(kind: str, variant: str, players: int) -> None:
    layout, empty = layout_for(variant, kind), set()
    for seed in range(1, 9 if variant == "exploits" else 2):  # tiles that are not in play have no pieces
        game = scrambled(players, seed, variant=variant)
        vector, here = observe(game, players - 1, kind), set()
        for part in layout:
            for axis, used in (("relative seat", mats(game)), ("relative side", sides(game))):
                if axis in part.axes and part.name != "present":
                    rows = np.moveaxis(layout.view(vector, part.name), part.axes.index(axis), 0)
                    assert not rows[used:].any(), part.name
                    here |= set() if rows[:used].any() else {part.name}
        empty = here if seed == 1 else empty & here
    assert empty <= {"to_move", "first_player", "neutral_reserve", "neutral_harbor"}
    shown = layout_for(variant, "features").view(observe(game, 0), "present")
    assert shown.tolist() == [1.0] * players + [0.0] * (5 - players)


@ON_EVERY_TABLE
def test_kernels_overwrite_every_entry(variant: str, players: int) -> None:
    game = played(players, 3, 60, variant=variant)
    for kind, kernel, junk in (("features", entry.observe_features, np.nan), ("compact", entry.observe_compact, 99)):
        layout = layout_for(variant, kind)
        dirty = np.full(layout.size, junk, layout.dtype)
        kernel(game.board.array, game.state, players - 1, dirty)
        assert (dirty == observe(game, players - 1, kind)).all()


def test_larger_track_order_wins_the_tie_for_the_governor() -> None:
    game = Game.new(3, seed=0)
    region = game.board.regions.index("india")
    length = int(game.board.array["track_length"][0, region])
    owners = [0, 1, 0, 1, 2, 2]
    assert length == len(owners)
    game.state["track_owner"][0, region, :length] = owners
    order = FEATURES.view(observe(game, 0), "track_order")[:, region]
    assert order[2] > order[1] > order[0], "seat 2 lies nearest the pile, then seat 1"


def test_finished_game_has_nobody_to_move() -> None:
    game = played(3, 5, 10_000)
    assert game.over
    features, compact = observe(game), observe(game, observation="compact")
    assert not FEATURES.view(features, "to_move").any()
    assert COMPACT.view(compact, "to_move") == c.NONE
    assert (features == observe(game, 0)).all(), "the observer is seat 0 unless named"
    assert COMPACT.view(compact, "glory")[:3].tolist() == game.scores()


def test_seat_to_move_is_the_observer_unless_named() -> None:
    game = played(4, 8, 17)
    assert (observe(game) == observe(game, game.seat)).all()
    assert FEATURES.view(observe(game), "to_move").tolist() == [1, 0, 0, 0, 0]
    other = (game.seat + 3) % 4
    assert FEATURES.view(observe(game, other), "to_move").tolist() == [0, 1, 0, 0, 0]


def test_two_positions_of_a_game_differ() -> None:
    game, seen_before = Game.new(3, seed=1), set()
    while not game.over:
        seen_before.add(observe(game, 0).tobytes())
        game.apply(game.legal_actions()[-1])
    assert len(seen_before) == len(game.history)


@pytest.mark.parametrize("seat", [-1, 3, 5, 1.5, "one"])
def test_seats_not_at_the_table_are_refused(seat: int) -> None:
    with pytest.raises(InvalidOptionError, match="is not at the table: seats are 0 to 2"):
        observe(Game.new(3, seed=0), seat)


def test_unknown_kinds_and_shapes_are_refused() -> None:
    with pytest.raises(InvalidOptionError, match="choose one of features, compact"):
        observe(Game.new(3, seed=0), 0, "raw")
    with pytest.raises(
        InvalidOptionError,
        match=rf"no single compact observation: .* \({COMPACT.size},\) .* \({VARIANT_COMPACT.size},\) .* "
        rf"\({LAYOUT.exploit_compact.size},\) of exploit_compact",
    ):
        to_state(np.zeros((2, COMPACT.size), np.int8))


@pytest.mark.machine_code
def test_uncompiled_kernels_write_the_same_without_warnings() -> None:
    """Runs the kernels as plain Python; an overflow of a small integer would be a RuntimeWarning."""
    program = "from tests.kits.observations import digest; print(digest())"
    command = [sys.executable, "-W", "error::RuntimeWarning", "-c", program]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path}
    plain = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.strip() == digest()
