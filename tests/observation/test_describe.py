"""``describe``: observations in words."""

from __future__ import annotations

import numpy as np
import pytest

from endeavor_env import Game
from endeavor_env.endeavor.observation import FEATURES, VARIANT_COMPACT, describe, layout_for, observe
from endeavor_env.endeavor.observe.layouts import SOLO_SLICES
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.errors import InvalidOptionError
from tests.kits.observations import KINDS, TABLES, scrambled


def said(game: Game, kind: str, seat: int | None = None, *, ids: bool = True) -> dict[str, list[str]]:
    """Return the words of every slice that says something."""
    text = describe(observe(game, seat, kind), game.board if ids else None)
    return {line.partition(": ")[0]: line.partition(": ")[2].split(", ") for line in text.splitlines()}


def test_features_of_an_opening() -> None:
    game = Game.new(4, seed=7)
    words = said(game, "features")
    assert words["players"] == ["4"]
    assert words["phase"] == words["decision"] == ["build"]
    assert words["to_move"] == words["first_player"] == ["me"]
    assert words["present"] == ["me", "+1", "+2", "+3"]
    assert words["supply"] == ["me=1", "+1=1", "+2=1", "+3=1"]
    assert words["region_open"] == ["europe"]
    assert words["pile_top"][:2] == ["europe 0", "slavery 0"]
    assert words["city_token"][0] == f"london {game.setup()['tokens']['london']}"
    assert "last_round" not in words
    assert "harbor" not in words


def test_compact_of_an_opening() -> None:
    game = Game.new(5, seed=7)
    words = said(game, "compact", (game.seat + 4) % 5)
    assert words["num_seats"] == ["5"]
    assert words["decision"] == ["build"]
    assert words["to_move"] == ["+1"]
    assert words["buildings"] == [f"{seat} colonial_house=1" for seat in ("me", "+1", "+2", "+3", "+4")]
    assert "city_owner" not in words
    assert "card_place" not in words
    lying = game.setup()["tokens"]
    assert dict(word.split("=") for word in words["token"]) == lying


def test_places_of_cards_in_words() -> None:
    game = Game.new(3, seed=0)
    cards = game.board.cards
    for card, place in (("europe.3", 1), ("slavery.0", 8 + 2), ("india.governor", -2)):
        game.state["card_place"][0, cards.index(card)] = place
    words = said(game, "compact", 1)
    assert words["card_place"] == ["europe.3=me", "slavery.0=+1 face down", "india.governor=out of the game"]
    assert said(game, "features", 1)["card_holder"] == ["europe.3 me"]


def test_without_a_board_things_are_numbered() -> None:
    game = Game.new(3, seed=0)
    game.state["city_owner"][0, 4] = 0
    assert said(game, "compact", 0, ids=False)["city_owner"] == ["city 4=me"]
    assert said(game, "features", 0, ids=False)["city_owner"] == ["city 4 me"]


def test_entries_the_board_does_not_have_are_numbered() -> None:
    vector = np.zeros(FEATURES.size, np.float32)
    FEATURES.view(vector, "city_owner")[39, 2] = 1
    assert describe(vector, Game.new(3, seed=0).board) == "city_owner: city 39 +2"


@pytest.mark.parametrize(("variant", "players"), TABLES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_entry_that_is_not_empty_is_mentioned(kind: str, variant: str, players: int) -> None:
    game = scrambled(players, 4, variant=variant)
    layout, words = layout_for(variant, kind), said(game, kind)
    for name, values in layout.unpack(observe(game, observation=kind)).items():
        if name in SOLO_SLICES and variant != "solo":
            assert name not in words
            continue
        empty = -1 if layout[name].encoding in ("id", "relative seat", "relative side", "place") else 0
        assert len(words.get(name, [])) == np.count_nonzero(values != empty), name


def test_a_solo_game_in_words() -> None:
    game = Game.new(variant="solo", seed=7, options={"difficulty": "harder"})
    state, setup = game.state[0], game.setup()
    state["card_place"][[game.board.cards.index("india.governor"), game.board.cards.index("slavery.2")]] = -3, 9
    colours = [f"{position}={colour}" for position, colour in enumerate(setup["scale"], 1)]
    for kind in KINDS:
        words = said(game, kind)
        assert words["variant"] == ["solo"]
        assert words["difficulty"] == ["harder"]
        assert words["scale"] == (colours if kind == "compact" else [colour.replace("=", " ") for colour in colours])
        assert words["ipf"] == ["3"]
        assert words["crown_level"] == words["crown_column"] == ["1"]
        assert {word.partition("=")[0] for word in words["supply"]} == {"me", "red", "green", "violet", "black"}
        assert {word.split()[0] for word in words["presence"]} == {"red", "green", "violet", "black"}
        assert words["tokens_held"][0].startswith("opposition ")
    compact, features = said(game, "compact"), said(game, "features")
    first = setup["grid"][0]
    assert compact["grid"][:3] == [f"1 {column}={building}" for column, building in enumerate(first, 1)]
    assert f"{first[2]} 3" in features["grid_column"]
    assert f"{first[2]}=1" in features["extra_actions"]
    assert compact["card_place"] == ["slavery.2=opposition face down", "india.governor=kept for its Glory"]
    assert features["retained"] == ["india"]
    assert features["present"] == ["me"]
    assert {word.partition("=")[2] for word in compact["city_owner"]} <= {"red", "green", "violet", "black"}


def test_what_the_opposition_is_about_in_words() -> None:
    game = Game.new(variant="solo", seed=7)
    state = game.state[0]
    state["decision"], state["task"], state["task_step"], state["acting"] = c.DECIDE_OPPOSITION, c.TASK_TOKEN, 1, 3
    state["num_waiting"] = 2
    state["waiting_kind"][:2] = c.TOKEN_PAY, c.TOKEN_ATTACK
    state["waiting_regions"][:2] = 1, 5
    features, compact = said(game, "features"), said(game, "compact")
    assert features["variant_decision"] == compact["decision"] == ["opposition"]
    assert features["task"] == compact["task"] == ["token"]
    assert features["acting"] == compact["acting"] == ["violet"]
    assert features["scale_at"] == ["2"]
    assert features["waiting"] == ["attack=0.25", "pay=0.25"]
    assert features["waiting_order"] == ["attack=0.5", "pay=0.25"]
    assert features["waiting_regions"] == ["europe=0.75", "india=0.5"]
    assert compact["waiting_kind"] == ["1=pay", "2=attack"]
    assert compact["waiting_regions"] == ["1=europe", "2=europe+india"]
    state["task"], state["task_step"] = c.TASK_EUROPE, 2
    order = list(state["europe_order"])
    features = said(game, "features")
    assert features["europe_step"] == ["finance"]
    assert features["europe_order"] == [
        f"{status} {c.COLOUR_NAMES[side]}" for status, side in zip(c.STATUS_NAMES[2:], order[2:], strict=True)
    ]


@pytest.mark.parametrize(
    ("variant", "words"),
    [("soloplay_2", ("me", "+1", "neutral")), ("neutral_2", ("me", "+1", "my neutral", "neutral of +1"))],
)
def test_neutral_sides_in_words(variant: str, words: tuple[str, ...]) -> None:
    game = Game.new(variant=variant, seed=7)
    own_first = [1, 0, *([2] if variant == "soloplay_2" else [3, 2])]
    game.state["city_owner"][0, : len(words)] = own_first
    owners = [f"{city} {word}" for city, word in zip(game.board.cities, words, strict=False)]
    assert said(game, "features", 1)["city_owner"] == owners
    assert said(game, "compact", 1)["city_owner"] == [owner.replace(" ", "=") for owner in owners[:2]] + [
        "=".join(owner.split(" ", 1)) for owner in owners[2:]
    ]


def test_closed_spaces_and_neutral_discs_in_words() -> None:
    game = Game.new(variant="soloplay_2", seed=7)
    features, compact = said(game, "features"), said(game, "compact")
    overseas = [region for region in game.board.regions if region != "europe"]
    assert features["track_closed"] == [f"{region} 1" for region in overseas]
    assert compact["track_owner"] == [f"{region} 1=closed" for region in overseas]
    assert compact["removals_left"] == ["6"]
    assert compact["neutral_reserve"] == ["me=3", "+1=3"]
    assert features["neutral_reserve"] == ["me=1", "+1=1"]
    assert features["variant_decision"] == compact["decision"] == ["remove"]
    game.state["neutral_regions"] = 0b1000001
    assert said(game, "compact")["neutral_regions"] == ["europe+africa"]
    assert said(game, "features")["neutral_regions"] == ["europe", "africa"]


def test_other_arrays_are_refused() -> None:
    with pytest.raises(
        InvalidOptionError,
        match=rf"shape must be \({FEATURES.size},\) of features or .* \({VARIANT_COMPACT.size},\) of",
    ):
        describe(np.zeros(3))
