"""What holds at every decision of every game (design, section 6)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import TAKE_AT
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.testing import MAX_DECISIONS, check_actions
from tests.crosscheck.strategies import board_of, boards, kinds, played, positions, redraws, restarted, seeds
from tests.kits.scores import BREAKDOWN_KEYS, NEUTRAL_KEY

RANGES = {
    **dict.fromkeys(("spare", "padding"), (0, 0)),
    "status": (0, 300),
    "num_seats": (3, 5),
    "first_player": (0, 4),
    "round_number": (1, 7),
    "phase": (1, 5),
    "decision": (0, 6),
    "seat": (-1, 4),
    "sweep": (0, 5),
    "payments_left": (0, 5),
    "abolished": (0, 1),
    "source": (-1, 15),
    "mode": (0, 5),
    "parts": (-1, 4),
    "parts_done": (0, 2),
    "lock_region": (-1, 6),
    "lock_deck": (-1, 7),
    "passed": (0, 1),
    "supply": (0, 30),
    "harbor": (0, 30),
    "tokens": (0, 25),
    "buildings": (0, 7),
    "occupied": (0, 7),
    "num_cards": (0, 48),
    "num_governors": (0, 6),
    "num_slavery": (0, 6),
    "num_face_down": (0, 6),
    "building_supply": (0, 5),
    "card_place": (-2, 12),
    "pile_top": (0, 6),
    "token": (-1, 7),
    "open": (0, 1),
    "city_owner": (-1, 4),
    "track_owner": (-1, 4),
    "track_next": (0, 8),
    "beside": (0, 30),
    "presence": (0, 30),
    # what only variants have
    **dict.fromkeys(("variant", "ties_first", "difficulty", "ignore_industry", "removed_stay"), (0, 0)),
    **dict.fromkeys(("removals_left", "neutral_reserve", "neutral_harbor", "neutral_regions"), (0, 0)),
    **dict.fromkeys(("ipf", "bonus_due", "opposition_first", "task", "task_step"), (0, 0)),
    **dict.fromkeys(("num_waiting", "waiting_regions", "choices", "choices_at"), (0, 0)),
    **dict.fromkeys(("neutral_due", "scale", "grid", "last_built", "isb_level", "isb_column"), (-1, -1)),
    **dict.fromkeys(("pending", "europe_order", "acting", "waiting_kind"), (-1, -1)),
    # what only games with Exploits have
    **dict.fromkeys(("fortified", "blocked", "exploits", "follow_left", "with_cannon", "fewer_discs"), (0, 0)),
    **dict.fromkeys(("value1_bonus", "casualty_disc", "blockades", "mains_paid", "burst", "manila"), (0, 0)),
    **dict.fromkeys(("galleons", "financier", "sun", "spice_discs"), (0, 0)),
    **dict.fromkeys(("follow_up", "follow_item", "turn_seat", "cannon_seat", "cannon_building"), (-1, -1)),
    **dict.fromkeys(("nassau", "nassau_governor", "pirate_at", "tile_city_owner", "missionary"), (-1, -1)),
    **dict.fromkeys(("invested", "share_holder", "railroad", "freedom_holder", "pacific"), (-1, -1)),
    **dict.fromkeys(("transit_holder", "pile_head", "pile_below"), (-1, -1)),
}
"""Every field of STATE with the least and the greatest value a standard game may give it."""
SOLOPLAY = {"round_number": (0, 7), "phase": (0, 5), "decision": (0, 8), "removed_stay": (0, 1)}
SOLOPLAY_2 = {
    **SOLOPLAY,
    **{"variant": (2, 2), "num_seats": (2, 2), "first_player": (0, 1), "seat": (-1, 1), "sweep": (0, 2)},
    **{"removals_left": (0, 6), "neutral_reserve": (0, 3), "neutral_harbor": (0, 3), "neutral_regions": (0, 127)},
    **{"city_owner": (-1, 2), "track_owner": (-2, 2), "card_place": (-2, 9)},
}
SOLOPLAY_3 = {
    **SOLOPLAY,
    **{"variant": (3, 3), "num_seats": (3, 3), "first_player": (0, 2), "seat": (-1, 2), "sweep": (0, 3)},
    **{"removals_left": (0, 8), "neutral_reserve": (0, 2), "neutral_harbor": (0, 2), "neutral_regions": (0, 127)},
    **{"city_owner": (-1, 3), "track_owner": (-2, 3), "card_place": (-2, 10)},
}
NEUTRAL_2 = {
    **{"variant": (4, 4), "num_seats": (2, 2), "first_player": (0, 1), "seat": (-1, 1), "sweep": (0, 2)},
    **{"decision": (0, 8), "neutral_regions": (0, 127), "neutral_due": (-1, 1)},
    **{"city_owner": (-1, 3), "track_owner": (-1, 3), "card_place": (-2, 9)},
}
SOLO = {
    **{"variant": (1, 1), "num_seats": (1, 1), "first_player": (0, 0), "seat": (-1, 0), "sweep": (0, 1)},
    **{"round_number": (0, 7), "phase": (0, 5), "decision": (0, 9), "card_place": (-3, 9)},
    **{"ties_first": (0, 1), "difficulty": (0, 2), "ignore_industry": (0, 1)},
    **{"scale": (1, 4), "ipf": (3, 7), "bonus_due": (0, 1), "europe_order": (1, 4), "opposition_first": (0, 1)},
    **{"grid": (-1, 15), "last_built": (-1, 15), "isb_level": (0, 4), "isb_column": (0, 2), "pending": (-1, 15)},
    **{"task": (0, 7), "task_step": (0, 7), "acting": (-1, 4)},
    **{"num_waiting": (0, 16), "waiting_kind": (-1, 7), "waiting_regions": (0, 127)},
    **{"choices": (0, 2**48 - 1), "choices_at": (0, TAKE_AT)},
}
EXPLOITS = {
    **{"variant": (5, 5), "decision": (0, 10), "card_place": (-4, 12)},
    **dict.fromkeys(("supply", "harbor", "beside", "presence", "sun", "spice_discs"), (0, 35)),
    **{"exploits": (1, 2**15 - 1), "fewer_discs": (0, 1), "value1_bonus": (0, 1)},
    **{"follow_up": (-1, 19), "follow_item": (-1, 47), "follow_left": (0, 10), "turn_seat": (-1, 4)},
    **{"with_cannon": (0, 1), "cannon_seat": (-1, 4), "cannon_building": (-1, 15), "casualty_disc": (0, 1)},
    **{"nassau": (-1, 4), "nassau_governor": (-1, 4), "pirate_at": (-2, 39)},
    **{"blocked": (0, 2**40 - 1), "blockades": (0, 40), "fortified": (0, 2**42 - 1), "mains_paid": (0, 1)},
    **{"tile_city_owner": (-1, 4), "missionary": (-2, 41)},
    **{"invested": (-1, 4), "share_holder": (-2, 4), "burst": (0, 1), "manila": (0, 1), "galleons": (0, 8)},
    **{"railroad": (-1, 4), "freedom_holder": (-1, 4)},
    **{"pacific": (-1, 4), "transit_holder": (-1, 4), "financier": (0, 1)},
    **{"pile_head": (-1, 47), "pile_below": (-1, 47)},
}
"""All Exploits may be in play, see ``OF_EXPLOIT`` for those that are not."""
OF_EXPLOIT = {
    "saltpetre": ("cannon_seat", "cannon_building", "casualty_disc", "with_cannon"),
    "pirates": ("nassau", "nassau_governor", "pirate_at"),
    "imperialism": ("blocked", "blockades"),
    "spanish_main": ("mains_paid",),
    "voc": ("tile_city_owner",),
    "jesuits": ("missionary",),
    "south_sea": ("invested", "share_holder", "burst"),
    "galleons": ("manila", "galleons"),
    "railroad": ("railroad", "freedom_holder"),
    "venus": ("pacific", "transit_holder", "financier"),
    "sun": ("sun",),
    "spice": ("spice_discs",),
}
"""The fields that keep their range of a standard game if this Exploit is not in play."""
DIFFERENT = {
    "solo": SOLO,
    "soloplay_2": SOLOPLAY_2,
    "soloplay_3": SOLOPLAY_3,
    "neutral_2": NEUTRAL_2,
    "exploits": EXPLOITS,
}
"""What a variant changes of RANGES."""
SIDES = {"standard": 0, "solo": 4, "soloplay_2": 1, "soloplay_3": 1, "neutral_2": 2, "exploits": 0}
"""Sides that own discs on the map without having a seat."""
ALL = list(c.EXPLOIT_NAMES)
OF_SIDES = ("supply", "beside", "presence")
OF_MATS = ("status", "tokens", "num_cards", "num_governors", "num_slavery", "num_face_down")
OF_SEATS = (
    *("passed", "harbor", "buildings", "occupied", "neutral_reserve", "neutral_harbor"),
    *("casualty_disc", "blockades", "mains_paid", "manila", "galleons", "sun", "spice_discs"),
)
DERIVED = (*OF_MATS[:1], *OF_MATS[2:], "presence", "pile_top", "track_next")


def ranges_of(game: Game) -> dict[str, tuple[int, int]]:
    """Every field of STATE with the least and the greatest value that this game may give it."""
    ranges = {**RANGES, **DIFFERENT.get(game.variant, {})}
    for name, fields in OF_EXPLOIT.items():
        if name not in game.exploits:
            ranges.update({field: RANGES[field] for field in fields})
    return ranges


def names_of(game: Game) -> list[Any]:
    """Those who score, as ``Game.breakdown`` takes them."""
    return [0, "opposition"] if game.variant == "solo" else list(range(game.num_players))


def more_keys(game: Game) -> tuple[str, ...]:
    """The keys of the breakdown that the variant has besides."""
    if game.variant == "exploits":
        return c.EXPLOIT_NAMES
    return (NEUTRAL_KEY,) if "soloplay" in game.variant else ()


@settings(max_examples=60)
@given(on=boards, kind=kinds(), seed=seeds, eager=redraws)
def test_every_decision_of_a_game_is_sound(on: str, kind: dict[str, Any], seed: int, eager: int) -> None:
    game = played(seed=seed, board=board_of(on), redraws=eager, check=True, **kind)
    assert game.over
    assert len(game.history) < MAX_DECISIONS


@settings(max_examples=25)
@given(on=boards, kind=kinds(), seed=seeds, eager=redraws)
def test_the_mask_is_exactly_what_apply_accepts(on: str, kind: dict[str, Any], seed: int, eager: int) -> None:
    whole = played(seed=seed, board=board_of(on), redraws=eager, **kind)
    game = restarted(whole, seed)
    for number, (_, action) in enumerate(whole.history):
        if number % 5 == seed % 5:
            check_actions(game)
        game.apply(action)
    check_actions(game)
    assert game.state.tobytes() == whole.state.tobytes()


@settings(max_examples=100)
@given(game=positions())
def test_fields_stay_in_their_ranges_and_absent_seats_stay_empty(game: Game) -> None:
    assert set(RANGES) == set(STATE.names or ())
    state, seats = game.state[0], game.num_players
    for name, (low, high) in ranges_of(game).items():
        values = np.atleast_1d(state[name])
        assert values.min() >= low, f"{name} is {values.min()}"
        assert values.max() <= high, f"{name} is {values.max()}"
    for names, rows in ((OF_SIDES, seats + SIDES[game.variant]), (OF_MATS, len(names_of(game))), (OF_SEATS, seats)):
        for name in names:
            assert state[name].shape[0] == c.MAX_SEATS
            assert not state[name][rows:].any(), f"{name} of nobody"


@settings(max_examples=100)
@given(game=positions(whole_games=True))
def test_scores_are_the_sum_of_their_breakdown_and_the_total_of_the_kernel(game: Game) -> None:
    totals = np.empty(c.MAX_SEATS, np.int16)
    entry.total(game.board.array, game.state, totals)
    names = names_of(game)
    sums = [sum(game.breakdown(name).values()) for name in names]
    assert game.scores() == sums == totals[: len(names)].tolist()
    assert not totals[len(names) :].any()
    for name in names:
        parts = game.breakdown(name)
        assert tuple(parts) == (*BREAKDOWN_KEYS, *more_keys(game))
        assert parts["slavery"] <= 0 <= min(value for key, value in parts.items() if key not in ("slavery", "haiti"))
        assert not any(parts.get(tile) for tile in c.EXPLOIT_NAMES if tile not in game.exploits)


@settings(max_examples=40)
@given(game=positions(whole_games=True))
def test_a_finished_game_offers_nothing_and_keeps_every_round(game: Game) -> None:
    assert game.over
    assert game.seat == -1
    assert game.legal_actions() == []
    assert not game.mask().any()
    builds = [seat for seat, action in game.history if game.describe(action).startswith("build:")]
    passes = [seat for seat, action in game.history if game.describe(action) == "pass"]
    for moves in (builds, passes):
        assert [moves.count(seat) for seat in range(game.num_players)] == [7] * game.num_players


@settings(max_examples=100)
@given(game=positions())
def test_a_recount_finds_what_the_running_counts_say(game: Game) -> None:
    again = game.state.copy()
    for name in DERIVED:
        again[name] = 99
    entry.recount(game.board.array, again)
    for name in DERIVED:
        assert np.array_equal(game.state[0][name], again[0][name]), name


@given(game=positions(("solo",)))
def test_the_action_scale_only_turns(game: Game) -> None:
    drawn, now = game.setup()["scale"], [c.COLOUR_NAMES[side] for side in game.state["scale"][0]]
    assert now in [drawn[turn:] + drawn[:turn] for turn in range(c.SCALE_SIZE)]


@given(game=positions(("soloplay_2", "soloplay_3")))
def test_as_many_shipping_spaces_are_closed_as_tokens_were_removed(game: Game) -> None:
    state, all_of_them = game.state[0], 12 if game.variant == "soloplay_2" else 8
    closed = 0 if game.options["variant_removed_spaces_stay"] else all_of_them - int(state["removals_left"])
    assert (state["track_owner"] == c.SPACE_CLOSED).sum() == closed
    assert game.round == 0 or state["removals_left"] == 0


@pytest.mark.parametrize(
    ("kind", "least"),
    [
        *(({"players": players}, least) for players, least in ((3, 170), (4, 210), (5, 250))),
        *(({"variant": variant}, least) for variant, least in (("solo", 60), ("neutral_2", 120))),
        *(({"variant": variant}, least) for variant, least in (("soloplay_2", 120), ("soloplay_3", 170))),
        *(({"variant": "exploits", "players": players}, least) for players, least in ((3, 150), (5, 240))),
        *(({"exploits": ALL, "players": players}, least) for players, least in ((3, 150), (5, 240))),
    ],
    ids=lambda it: "-".join(map(str, it.values())) if isinstance(it, dict) else str(it),
)
def test_the_longest_game_stays_far_below_the_bound(kind: dict[str, Any], least: int) -> None:
    longest = max(len(played(seed=seed, redraws=seed % 6, **kind).history) for seed in range(120))
    assert least < longest < MAX_DECISIONS // 4
