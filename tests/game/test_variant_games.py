"""Games of every variant through the facade: players, options, moves, scores, winners, and every refusal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.results import ladder_of
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import NUM_ACTIONS, NUM_IDS, NUM_VARIANT_ACTIONS, num_actions
from endeavor_env.errors import GameOverError, IllegalActionError, InvalidOptionError
from tests.kits.games import GAMES, PLAYERS, SOLO_GAMES, TILES, finished, new_game, running
from tests.kits.scores import BREAKDOWN_KEYS

VARIANTS = list(c.VARIANT_NAMES[1:])


# --- starting -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("variant", "players"), [("standard", 4), *PLAYERS.items()])
def test_players_may_be_left_out(variant: str, players: int) -> None:
    game = Game.new(variant=variant, seed=1)
    assert (game.num_players, game.variant) == (players, variant)
    assert type(game.num_players) is int
    assert Game.new(None, variant, 1).state.tobytes() == Game.new(players, variant, 1).state.tobytes()
    number: Any = np.int64(players)
    assert Game.new(number, variant, 1).state.tobytes() == game.state.tobytes()


@pytest.mark.parametrize(
    ("variant", "players", "takes"),
    [
        ("solo", 2, "exactly 1 player$"),
        ("solo", 0, "exactly 1 player$"),
        ("solo", 4, "exactly 1 player$"),
        ("solo", True, "exactly 1 player$"),
        ("solo", 1.0, "exactly 1 player$"),
        ("solo", "1", "exactly 1 player$"),
        ("solo", -1, "exactly 1 player$"),
        ("soloplay_2", 1, "exactly 2 players$"),
        ("soloplay_2", 3, "exactly 2 players$"),
        ("soloplay_3", 2, "exactly 3 players$"),
        ("soloplay_3", 4, "exactly 3 players$"),
        ("neutral_2", 3, "exactly 2 players$"),
        ("neutral_2", [2], "exactly 2 players$"),
        ("standard", 1, "3 to 5 players$"),
        ("standard", 2, "3 to 5 players$"),
        ("standard", 6, "3 to 5 players$"),
        ("exploits", 1, "3 to 5 players$"),
        ("exploits", 2, "3 to 5 players$"),
        ("exploits", 6, "3 to 5 players$"),
        ("exploits", "4", "3 to 5 players$"),
    ],
)
def test_a_number_of_players_a_variant_does_not_take_is_refused(variant: str, players: Any, takes: str) -> None:
    with pytest.raises(InvalidOptionError, match=f"does not fit variant '{variant}': it takes {takes}") as caught:
        Game.new(players, variant)
    assert f"players={players!r}" in str(caught.value)


@pytest.mark.parametrize("exploits", [["venus"], ["haiti", "sun", "voc"], c.EXPLOIT_NAMES, "random"], ids=str)
@pytest.mark.parametrize("variant", [name for name in VARIANTS if name != "exploits"])
def test_X0_2_exploits_are_refused_in_every_variant(variant: str, exploits: Any) -> None:
    with pytest.raises(
        InvalidOptionError, match=f"exploits=.* do not fit variant '{variant}': only the base game has them$"
    ):
        Game.new(variant=variant, exploits=exploits)


def test_X1_1_the_variant_exploits_is_the_base_game_with_exploits() -> None:
    drawn, named = Game.new(seed=3, exploits="random"), Game.new(seed=3, exploits=["spice", "jesuits"])
    assert (drawn.variant, len(drawn.exploits)) == ("exploits", 3)
    assert (named.variant, named.exploits) == ("exploits", ("jesuits", "spice"))
    for exploits in (None, "random"):
        assert Game.new(variant="exploits", seed=3, exploits=exploits).state.tobytes() == drawn.state.tobytes()
    again = Game.new(variant="exploits", seed=3, exploits=("spice", "jesuits"))
    assert again.state.tobytes() == named.state.tobytes()


@pytest.mark.parametrize("name", [name for name in GAMES if name.startswith("exploits")])
def test_X8_N1_the_exploits_of_a_game(name: str) -> None:
    game = new_game(name, 2)
    wanted = TILES.get(name, game.exploits)
    assert game.exploits == tuple(one for one in c.EXPLOIT_NAMES if one in wanted)
    assert len(game.exploits) == len(wanted) == (15 if name == "exploits, all" else 3)
    assert game.record()["exploits"] == list(game.exploits) == list(game.clone().exploits)
    assert game.record()["variant"] == "standard"


@pytest.mark.parametrize("name", GAMES)
def test_the_options_of_a_game(name: str) -> None:
    variant, options = GAMES[name]
    game = new_game(name, 2)
    first = {
        "solo": {"opposition_ties": "player", "difficulty": "normal", "solo_ignore_industry": False},
        "neutral_2": {},
        "exploits": {"exploit_discs": 35, "value1_bonus": False},
    }.get(variant, {"variant_removed_spaces_stay": False})
    assert game.options == {**first, **options}
    assert game.record()["options"] == options
    game.options.clear()
    assert game.clone().options == {**first, **options}


def test_the_base_game_has_no_options() -> None:
    game = Game.new(seed=1, options={"difficulty": "normal"})
    assert game.options == {}
    assert game.record()["options"] == {}
    with pytest.raises(InvalidOptionError, match="variant 'standard' has no options"):
        Game.new(seed=1, options={"difficulty": "easier"})


@pytest.mark.parametrize(
    ("variant", "decision", "phase"),
    [
        ("solo", "opposition", "setup"),
        ("soloplay_2", "remove", "setup"),
        ("soloplay_3", "remove", "setup"),
        ("neutral_2", "build", "build"),
        ("exploits", "build", "build"),
    ],
)
def test_the_first_decision(variant: str, decision: str, phase: str) -> None:
    """Notation 1 and 3: choices of the set-up have phase setup and round 0."""
    game = Game.new(variant=variant, seed=4)
    assert (game.decision, game.phase, game.round) == (decision, phase, 0 if phase == "setup" else 1)


# --- moves ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_random_game_runs_to_its_end(name: str) -> None:
    game = finished(name, 5)
    assert (game.over, game.phase, game.seat, game.decision) == (True, "over", -1, "nothing")
    assert game.round == 7
    assert not game.mask().any()
    assert {seat for seat, _ in game.history} == set(range(game.num_players))
    with pytest.raises(GameOverError, match="the game is over, start another"):
        game.play("pass")
    with pytest.raises(GameOverError, match="the game is over, start another"):
        game.apply(num_actions(game.variant))


def test_a_number_out_of_range_names_the_range_of_the_variant() -> None:
    with pytest.raises(IllegalActionError, match=f"whole numbers 0..{NUM_VARIANT_ACTIONS - 1}; decision 'opposition'"):
        Game.new(variant="solo", seed=4).apply(NUM_VARIANT_ACTIONS)
    game = Game.new(seed=4)
    assert game.mask().shape == (NUM_ACTIONS,)
    with pytest.raises(IllegalActionError, match=f"whole numbers 0..{NUM_ACTIONS - 1}; decision 'build'"):
        game.apply(NUM_ACTIONS)
    game = Game.new(seed=4, exploits="random")
    assert game.mask().shape == (NUM_IDS,)
    assert not game.mask()[NUM_ACTIONS:NUM_VARIANT_ACTIONS].any()
    with pytest.raises(IllegalActionError, match=f"whole numbers 0..{NUM_IDS - 1}; decision 'build'"):
        game.apply(NUM_IDS)
    with pytest.raises(IllegalActionError, match=rf"action {NUM_ACTIONS} \(no move on board .* is illegal for seat"):
        game.apply(NUM_ACTIONS)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_can_be_seen_at_each_of_its_moves(name: str) -> None:
    game, earlier = running(name, 9, 12), running(name, 9, 5)
    before = game.state.tobytes()
    found = game.at_move(5)
    assert found.state.tobytes() == earlier.state.tobytes()
    assert (found.history, found.record()) == (earlier.history, earlier.record())
    assert game.at_move(0).history == []
    assert game.at_move(12).state.tobytes() == before == game.state.tobytes()
    for wrong in (-1, 13, "5", 1.5, True):
        with pytest.raises(InvalidOptionError, match=r"give 0 to 12, the moves made so far"):
            game.at_move(wrong)  # type: ignore[arg-type]


# --- results --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SOLO_GAMES)
def test_S8_1_S8_2_a_solitaire_game_has_two_scores(name: str) -> None:
    for game in (running(name, 2, 40), finished(name, 2)):
        mine, theirs = game.breakdown(0), game.breakdown("opposition")
        assert tuple(mine) == tuple(theirs) == BREAKDOWN_KEYS
        assert game.scores() == [sum(mine.values()), sum(theirs.values())]
        assert [theirs[key] for key in ("governor_slot", "university", "harbor")] == [0, 0, 0]
        owners = game.state["city_owner"][0]
        glory = game.board.array["city_glory"][0]
        assert (mine["cities"], theirs["cities"]) == (glory[owners == 0].sum(), glory[owners > 0].sum())
        table = game.board.array["status_glory"][0]
        for status, key in enumerate(c.STATUS_NAMES):
            assert theirs[key] == table[min(15, game.state["status"][0, 1, status])]


@pytest.mark.parametrize(
    ("name", "seat", "message"),
    [
        ("solo", 1, "seat 1 is not at the table: the seat is 0, the other side 'opposition'"),
        ("solo", -1, "seat -1 is not at the table: the seat is 0"),
        ("solo", "Opposition", "seat 'Opposition' is not at the table"),
        ("solo", None, "seat None is not at the table"),
        ("soloplay_2", 2, "seat 2 is not at the table: seats are 0 to 1"),
        ("soloplay_3", 3, "seat 3 is not at the table: seats are 0 to 2"),
        ("neutral_2", "opposition", "seat 'opposition' is not at the table: seats are 0 to 1"),
        ("neutral_2", [0], "is not at the table: seats are 0 to 1"),
        ("exploits", 4, "seat 4 is not at the table: seats are 0 to 3"),
        ("exploits", "opposition", "seat 'opposition' is not at the table: seats are 0 to 3"),
    ],
)
def test_a_breakdown_is_of_somebody_at_the_table(name: str, seat: Any, message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        running(name, 1, 5).breakdown(seat)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", ["solo", "solo, easier"])
def test_S8_3_winners_and_ladder_follow_the_lead(name: str, seed: int) -> None:
    game = finished(name, seed)
    own, other = game.scores()
    result = game.ladder()
    assert result == ladder_of(own - other, result.panache)
    assert game.winners() == ([0] if own >= other else [])
    assert (result.rung > 0) == bool(game.winners())


@pytest.mark.parametrize(("lead", "winners", "rung"), [(-1, [], 0), (0, [0], 1), (2, [0], 1), (3, [0], 2), (9, [0], 5)])
@pytest.mark.parametrize("level", [4, 5])
def test_S8_3_S8_4_a_draw_is_a_minor_victory_and_level_5_gives_panache(
    lead: int, winners: list[int], rung: int, level: int
) -> None:
    game = Game.new(variant="solo", seed=1)
    facts = game.board.array[0]
    plain = np.flatnonzero((facts["building_level"] == level) & (facts["building_glory"] == 0))[0]
    game.state["buildings"][0, 0, plain] += 1
    own, other = game.scores()
    game.state["harbor"][0, 0] = facts["discs_per_glory"] * (lead - own + other)
    own, other = game.scores()
    assert own - other == lead
    assert game.winners() == winners
    assert game.ladder() == ladder_of(lead, level == 5)
    assert game.ladder().rung == rung
    assert game.ladder().panache is (level == 5 and rung > 0)


@pytest.mark.parametrize("variant", ["standard", "soloplay_2", "soloplay_3", "neutral_2", "exploits"])
def test_S8_3_only_a_solitaire_game_has_a_ladder(variant: str) -> None:
    with pytest.raises(InvalidOptionError, match=f"variant '{variant}' has no ladder of results: only a solo game has"):
        Game.new(variant=variant, seed=1).ladder()


@pytest.mark.parametrize("name", ["soloplay_2", "soloplay_3", "neutral_2", "exploits", "exploits, all"])
def test_winners_have_the_most_glory(name: str) -> None:
    for seed in range(3):
        game = finished(name, seed)
        scores = game.scores()
        assert game.winners() == [seat for seat, score in enumerate(scores) if score == max(scores)]
