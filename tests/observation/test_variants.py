"""The observations of the variants: whose place is where, and that nothing of the state is left out."""

from __future__ import annotations

import numpy as np
import pytest

from endeavor_env import Game
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.observation import (
    COMPACT,
    FEATURES,
    LAYOUT,
    VARIANT_COMPACT,
    VARIANT_FEATURES,
    Layout,
    describe,
    layout_for,
    observe,
    to_state,
)
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.errors import InvalidOptionError
from tests.kits.exploit_observations import busy_action
from tests.kits.observations import VARIANTS, mats, played, rotated, scrambled

EXPLOIT_FEATURES, EXPLOIT_COMPACT = LAYOUT.exploit_features, LAYOUT.exploit_compact
ON_EVERY_VARIANT = pytest.mark.parametrize("variant", VARIANTS)
OF_ONE_NAME = {
    "round": "round_number",
    "to_move": "seat",
    "tokens_held": "tokens",
    "cards_held": "num_cards",
    "governors_held": "num_governors",
    "slavery_held": "num_slavery",
    "face_down": "num_face_down",
    "region_open": "open",
    "crown_level": "isb_level",
    "crown_column": "isb_column",
    "exploit": "exploits",
    "spice": "spice_discs",
}


UNSEEN = {"choices", "choices_at", "spare", "padding"}
"""Fields that no layout shows: the first two follow from the others, the last two are empty."""
FLAGS = {"exploits": c.NUM_EXPLOITS, "blocked": c.MAX_CONNECTIONS, "fortified": c.MAX_CITIES + 2}
"""Fields that are shown bit by bit."""


@pytest.mark.parametrize(("layout", "base"), [(VARIANT_COMPACT, True), (EXPLOIT_COMPACT, False)], ids=["variant", "X"])
def test_every_field_of_the_state_is_a_slice_of_compact(layout: Layout, base: bool) -> None:
    names = list(STATE.names or ())
    of_variants, of_exploits = (names.index(name) for name in ("ties_first", "fortified"))
    fields = names[:of_exploits] if base else [*names[:of_variants], *names[of_exploits:]]
    hidden = UNSEEN if base else UNSEEN | {"variant"}  # its length says that this is a game with Exploits
    shown = {OF_ONE_NAME.get(part.name, part.name): part.shape for part in layout if part.name != "glory"}
    assert set(shown) == set(fields) - hidden
    for name, shape in shown.items():
        assert FLAGS.get(name, int(np.prod(STATE[name].shape))) == int(np.prod(shape)), name


def test_a_standard_game_can_be_seen_as_one_of_the_variants() -> None:
    game = played(4, 3, 70)
    for layout, base, kernel in (
        (VARIANT_FEATURES, FEATURES, entry.observe_features),
        (VARIANT_COMPACT, COMPACT, entry.observe_compact),
    ):
        vector = np.empty(layout.size, layout.dtype)
        kernel(game.board.array, game.state, 1, vector)
        assert (vector[: base.size] == observe(game, 1, base.name)).all()
        assert "variant: standard" in describe(vector)
        assert "scale" not in describe(vector)
    assert to_state(vector).tobytes() == rotated(game.state, -1).tobytes()


@pytest.mark.parametrize("difficulty", c.DIFFICULTY_NAMES)
def test_every_step_of_the_opposition_can_be_seen_and_taken_back(difficulty: str) -> None:
    game = Game.new(variant="solo", seed=5, options={"difficulty": difficulty})
    rng, out, tasks = np.random.default_rng(5), np.zeros(4, np.int64), set()
    while not game.over:
        entry.begin_step(game.board.array, game.state, int(rng.choice(game.legal_actions())))
        waiting = True
        while waiting:
            tasks.add(int(game.state["task"][0]))
            assert to_state(observe(game, 0, "compact")).tobytes() == game.state.tobytes()
            task = VARIANT_FEATURES.view(observe(game, 0), "task")
            assert task.argmax() == game.state["task"][0]
            waiting = entry.opposition_step(game.board.array, game.state, out)
    assert tasks == set(range(c.NUM_TASKS)) - ({c.TASK_TOKEN} if difficulty == "easier" else set())


def test_neutral_2_shows_the_own_neutral_side_first() -> None:
    game = Game.new(variant="neutral_2", seed=0)
    state = game.state[0]
    state["supply"] = 20, 21, 22, 23, 0
    state["presence"][2:4, 5] = 4, 5
    state["track_owner"][1, :4] = 0, 1, 2, 3
    expected = {0: [20, 21, 22, 23, 0], 1: [21, 20, 23, 22, 0]}
    for seat, supply in expected.items():
        compact, features = observe(game, seat, "compact"), observe(game, seat)
        assert VARIANT_COMPACT.view(compact, "supply").tolist() == supply
        assert VARIANT_FEATURES.view(features, "supply") == pytest.approx(np.array(supply) / 30)
        assert VARIANT_COMPACT.view(compact, "presence")[2:4, 5].tolist() == ([4, 5] if seat == 0 else [5, 4])
        order = [0, 1, 2, 3] if seat == 0 else [1, 0, 3, 2]
        assert VARIANT_COMPACT.view(compact, "track_owner")[1, :4].tolist() == order
        weights = VARIANT_FEATURES.view(features, "track_order")[:4, 1] * 2**8
        assert weights.tolist() == [2**place for place in order]
        assert VARIANT_FEATURES.view(features, "present").tolist() == [1, 1, 0, 0, 0]
        assert not VARIANT_FEATURES.view(features, "glory")[2:].any(), "neutral sides score nothing (V2F.11)"


@pytest.mark.parametrize(("variant", "players"), [("soloplay_2", 2), ("soloplay_3", 3)])
def test_soloplay_shows_the_neutral_side_after_the_seats(variant: str, players: int) -> None:
    game = Game.new(variant=variant, seed=0)
    state = game.state[0]
    state["city_owner"][:4] = players, 0, 1, players - 1
    state["neutral_reserve"][:players] = np.arange(players)
    state["neutral_harbor"][:players] = np.arange(players)[::-1]
    state["supply"][players] = 2
    for seat in range(players):
        compact = observe(game, seat, "compact")
        owners = VARIANT_COMPACT.view(compact, "city_owner")[:4].tolist()
        assert owners == [players, -seat % players, (1 - seat) % players, (players - 1 - seat) % players]
        turned = [(seat + place) % players for place in range(players)]
        assert VARIANT_COMPACT.view(compact, "neutral_reserve")[:players].tolist() == turned
        assert VARIANT_COMPACT.view(compact, "neutral_harbor")[:players].tolist() == [players - 1 - n for n in turned]
        assert VARIANT_COMPACT.view(compact, "supply")[players] == 2
        assert VARIANT_FEATURES.view(observe(game, seat), "present").tolist() == [1] * players + [0] * (5 - players)


def test_place_1_of_a_solo_mat_is_the_oppositions_and_of_a_side_reds() -> None:
    game = Game.new(variant="solo", seed=0)
    state = game.state[0]
    state["supply"][:5] = 11, 12, 13, 14, 15
    state["status"][1] = 3, 16, 5, 6
    state["card_place"][7] = c.OPPOSITION
    compact, features = observe(game, 0, "compact"), observe(game, 0)
    assert VARIANT_COMPACT.view(compact, "supply").tolist() == [11, 12, 13, 14, 15]
    assert VARIANT_COMPACT.view(compact, "status")[1].tolist() == [3, 16, 5, 6]
    assert VARIANT_COMPACT.view(compact, "card_place")[7] == 1
    assert VARIANT_FEATURES.view(features, "marker")[1] * 15 == pytest.approx([3, 15, 5, 6])
    assert VARIANT_FEATURES.view(features, "card_holder")[7].tolist() == [0, 1, 0, 0, 0]
    assert VARIANT_COMPACT.view(compact, "glory")[:2].tolist() == game.scores()
    assert not VARIANT_COMPACT.view(compact, "status")[2:].any()


@pytest.mark.parametrize("lead", [-60, -1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 60])
def test_the_lead_is_the_rung_of_the_ladder(lead: int) -> None:
    game = played(1, 3, 10_000, variant="solo")
    mine, theirs = game.scores()
    loser = 0 if mine - theirs > lead else 1
    game.state["num_face_down"][0, loser] += abs(mine - theirs - lead)  # each costs a Glory (R12.8, S8.2)
    mine, theirs = game.scores()
    assert mine - theirs == lead
    assert VARIANT_FEATURES.view(observe(game), "lead_at_least").sum() == game.ladder().rung
    assert VARIANT_FEATURES.view(observe(game), "glory_lead")[0] == pytest.approx(np.clip(lead / 20, -2, 2))


@ON_EVERY_VARIANT
def test_the_lead_is_over_the_best_of_the_others(variant: str) -> None:
    game = scrambled(c.VARIANT_PLAYERS[c.VARIANT_NAMES.index(variant)][0], 9, variant=variant)
    for seat in range(game.num_players):
        scores = game.scores()
        lead = scores[seat] - max(score for place, score in enumerate(scores) if place != seat)
        shown = VARIANT_FEATURES.view(observe(game, seat), "glory_lead")[0]
        assert shown == pytest.approx(np.clip(lead / 20, -2, 2))
    assert len(game.scores()) == mats(game)


def test_free_spaces_leave_out_the_closed_ones() -> None:
    for stay in (False, True):
        game = Game.new(variant="soloplay_2", seed=1, options={"variant_removed_spaces_stay": stay})
        length = game.board.array["track_length"][0]
        left = VARIANT_FEATURES.view(observe(game), "track_left")
        assert (left * 8).tolist() == [max(0, count - (not stay)) for count in length]
        assert VARIANT_FEATURES.view(observe(game), "removed_stay") == stay


@ON_EVERY_VARIANT
def test_the_compact_vector_says_which_variant_it_is(variant: str) -> None:
    game = played(c.VARIANT_PLAYERS[c.VARIANT_NAMES.index(variant)][0], 2, 30, variant=variant)
    assert c.VARIANT_NAMES[to_state(observe(game, 0, "compact"))["variant"][0]] == variant
    assert VARIANT_FEATURES.view(observe(game), "variant").argmax() == c.VARIANT_NAMES.index(variant)


@pytest.mark.parametrize("seed", [4, 3], ids=["three drawn", "all"])
def test_every_decision_of_a_game_with_exploits_can_be_seen_and_taken_back(seed: int) -> None:
    game, rng, decisions = played(3, seed, 0, variant="exploits"), np.random.default_rng(seed), set()
    while not game.over:
        decisions.add(game.decision)
        for seat in range(3):
            back = to_state(observe(game, seat, "compact"))
            assert back.tobytes() == rotated(game.state, -seat).tobytes()
        assert EXPLOIT_FEATURES.view(observe(game), "decision").any() == (game.decision != "follow_up")
        assert EXPLOIT_FEATURES.view(observe(game), "follow_up").any() == (game.decision == "follow_up")
        game.apply(busy_action(game, rng))
    assert seed % 2 == 0 or "follow_up" in decisions


def test_the_piles_of_a_game_with_exploits_show_their_top_cards_wherever_these_belong() -> None:
    game = Game.new(3, seed=0, exploits=["globalisation"])
    state, cards, decks = game.state[0], game.board.cards, game.board.decks
    africa, india = decks.index("africa"), decks.index("india")
    fourth = cards.index("india.4")
    below = state["pile_head"][africa]
    state["pile_head"][africa], state["pile_below"][fourth] = fourth, below
    state["pile_top"][africa] = fourth % c.CARDS_PER_DECK
    state["presence"][0, game.board.regions.index("africa")] = 1
    state["presence"][0, game.board.regions.index("india")] = 5
    vector = observe(game, 0)
    assert EXPLOIT_FEATURES.view(vector, "pile_card")[africa].argmax() == fourth
    assert EXPLOIT_FEATURES.view(vector, "pile_top")[africa].argmax() == fourth % c.CARDS_PER_DECK
    assert EXPLOIT_FEATURES.view(vector, "pile_value")[africa] == pytest.approx(4 / 5)
    assert EXPLOIT_FEATURES.view(vector, "pile_missing")[africa] == pytest.approx(3 / 5), "presence in Africa counts"
    assert np.flatnonzero(EXPLOIT_FEATURES.view(vector, "foreign")).tolist() == [fourth]
    assert EXPLOIT_FEATURES.view(vector, "pile_card")[india].argmax() == cards.index("india.1")
    compact = observe(game, 0, "compact")
    assert EXPLOIT_COMPACT.view(compact, "pile_head")[africa] == fourth
    assert EXPLOIT_COMPACT.view(compact, "pile_below")[fourth] == cards.index("africa.1")


def test_shields_and_active_exploits_follow_from_open_regions_and_presence() -> None:
    game = Game.new(3, seed=0, exploits=["spice", "sun"])
    state = game.state[0]
    africa, india, caribbean = (game.board.regions.index(name) for name in ("africa", "india", "caribbean"))
    state["open"][[africa, india]] = 1
    state["presence"][1, [africa, india, caribbean]] = 1
    state["presence"][2, india] = 3
    spice, sun = (c.EXPLOIT_NAMES.index(name) for name in ("spice", "sun"))
    vector = observe(game, 2)
    assert np.flatnonzero(EXPLOIT_FEATURES.view(vector, "exploit")).tolist() == [sun, spice]
    assert np.flatnonzero(EXPLOIT_FEATURES.view(vector, "exploit_active")).tolist() == [spice]
    assert np.argwhere(EXPLOIT_FEATURES.view(vector, "shield")).tolist() == [[spice, 2]], "seat 1 is the last from 2"


def test_the_only_seat_of_a_solo_game() -> None:
    game = Game.new(variant="solo", seed=0)
    assert observe(game).size == layout_for("solo", "features").size
    with pytest.raises(InvalidOptionError, match="seat 1 is not at the table: the only seat is 0"):
        observe(game, 1)
