"""Move texts: every id of every board there and back, and one named error for everything else."""

from __future__ import annotations

from typing import Any

import pytest

from endeavor_env.endeavor import notation
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import (
    BLOCKS,
    NUM_ACTIONS,
    NUM_IDS,
    NUM_VARIANT_ACTIONS,
    layout_hash,
    num_actions,
)
from endeavor_env.errors import IllegalActionError

BOARDS = ["endeavor_2009", *(f"generated_{seed}" for seed in range(6))]
RULESETS = [None, "standard", "solo", "exploits"]
"""A variant of each ruleset, and None for all blocks there are."""
WITHOUT_EXPLOITS = [name for name in c.VARIANT_NAMES[1:] if name != "exploits"]


def moves_of_variants(board: Board) -> int:
    """The number of moves that only the variants have."""
    cities, tracks = len(board.cities), int(board.array["track_length"].sum())
    return tracks + cities + 7 + cities + 4


def moves_of_exploits(board: Board) -> int:
    """The number of moves that only games with Exploits have."""
    cities, tracks = len(board.cities), int(board.array["track_length"].sum())
    in_cities = 3 * cities + 3 * (cities + 2) + cities + 3
    on_the_board = len(board.connections) + cities + len(board.connections) + 2 * tracks
    on_mats = 5 * len(board.buildings) + 4 * 48 + 8 + 2 * 4
    on_tiles = 3 * 2 + 2 * 3 + 8 + 8 + 5 + 3 + 6
    return in_cities + on_the_board + 6 * 7 + on_mats + on_tiles + 8


@pytest.mark.parametrize("variant", RULESETS)
@pytest.mark.parametrize("name", BOARDS)
def test_every_id_goes_to_text_and_back(name: str, variant: str | None) -> None:
    board = Board.resolve(name)
    texts: dict[str, int] = {}
    for block in notation.blocks(variant):
        known = notation.targets(board, block)
        for index in range(block.size):
            action = block.offset + index
            target = known[index] if index < len(known) else None
            if target is None:
                with pytest.raises(IllegalActionError, match=f"action {action} names no move on board {name}"):
                    notation.to_text(board, action, variant)
                continue
            text = notation.to_text(board, action, variant)
            assert text == (f"{block.verb}:{target}" if target else block.verb)
            assert notation.to_action(board, text, variant) == action
            texts[text] = action
    base = 3 * len(board.buildings) + 4 + 1 + 1 + 7 + 2 * len(board.cities) + 8 + 48
    of_variants = moves_of_variants(board) if variant in (None, "solo") else 0
    of_exploits = moves_of_exploits(board) if variant in (None, "exploits") else 0
    assert len(texts) == base + of_variants + of_exploits


def test_the_blocks_of_a_variant_fill_its_ids() -> None:
    ids = {
        variant: [action for block in notation.blocks(variant) for action in range(block.offset, block.end)]
        for variant in (None, *c.VARIANT_NAMES)
    }
    assert ids["standard"] == [*range(NUM_ACTIONS)]
    for variant in WITHOUT_EXPLOITS:
        assert ids[variant] == [*range(NUM_VARIANT_ACTIONS)]
    assert ids["exploits"] == [*range(NUM_ACTIONS), *range(NUM_VARIANT_ACTIONS, NUM_IDS)]
    assert ids[None] == [*range(NUM_IDS)]
    assert {variant: num_actions(variant) for variant in c.VARIANT_NAMES} == {
        "standard": NUM_ACTIONS,
        **dict.fromkeys(WITHOUT_EXPLOITS, NUM_VARIANT_ACTIONS),
        "exploits": NUM_IDS,
    }
    assert (NUM_ACTIONS, NUM_VARIANT_ACTIONS, NUM_IDS) == (197, 344, 1245)
    assert notation.blocks("standard") == BLOCKS[:11]
    assert notation.blocks("neutral_2") == BLOCKS[:16]
    assert notation.blocks("exploits") == (*BLOCKS[:11], *BLOCKS[16:])
    assert notation.blocks() == BLOCKS


def test_games_without_exploits_keep_the_ids_they_had_before_there_were_exploits() -> None:
    hashes = {variant: layout_hash(variant) for variant in c.VARIANT_NAMES}
    exploits = hashes.pop("exploits")
    assert hashes == {"standard": "5a504bd0169b55a3", **dict.fromkeys(WITHOUT_EXPLOITS, "bc6004f1a1c84123")}
    assert exploits not in hashes.values()


@pytest.mark.parametrize(
    ("move", "block", "index"),
    [
        ("remove:far_east.1", "REMOVE_SPACE", c.MAX_TRACK),
        ("remove:far_east.8", "REMOVE_SPACE", c.MAX_TRACK + 7),
        ("remove:africa.6", "REMOVE_SPACE", 6 * c.MAX_TRACK + 5),
        ("remove:london", "REMOVE_CITY", 0),
        ("neutral_sail:africa", "NEUTRAL_SAIL", 6),
        ("neutral_occupy:london", "NEUTRAL_OCCUPY", 0),
        ("take:industry", "TAKE", 0),
        ("take:politics", "TAKE", 3),
    ],
)
def test_moves_of_the_variants(move: str, block: str, index: int) -> None:
    action = next(one for one in BLOCKS if one.name == block).offset + index
    board = Board.default()
    assert notation.to_action(board, move, "solo") == action
    assert notation.to_text(board, action, "solo") == move
    with pytest.raises(IllegalActionError, match=f"{move!r} is no move: a move is .* verbs build, .*, pay, discard$"):
        notation.to_action(board, move, "standard")
    with pytest.raises(IllegalActionError, match=f"action {action} names no move .*: ids 0..{NUM_ACTIONS - 1} are"):
        notation.to_text(board, action, "standard")
    with pytest.raises(IllegalActionError, match=f"{move!r} is no move: a move is .* pay, discard, saltpetre_attack, "):
        notation.to_action(board, move, "exploits")
    with pytest.raises(IllegalActionError, match=f"action {action} names no move .*: ids 0..{NUM_IDS - 1} are"):
        notation.to_text(board, action, "exploits")


@pytest.mark.parametrize(
    ("move", "block", "index"),
    [
        ("saltpetre_attack:london", "SALTPETRE_ATTACK", 0),
        ("saltpetre_cannon:industry", "SALTPETRE_CANNON", 0),
        ("saltpetre_activate:market", "SALTPETRE_ACTIVATE", 1),
        ("pirates_govern:africa.governor", "PIRATES_GOVERN", 42),
        ("imperialism_sail:far_east", "IMPERIALISM_SAIL", 1),
        ("imperialism_claim:london--paris", "IMPERIALISM_CLAIM", 1),
        ("spanish_main_pay:market", "SPANISH_MAIN_PAY", 1),
        ("voc_take:market", "VOC_TAKE", 1),
        ("voc_occupy:batavia", "VOC_OCCUPY", 0),
        ("voc_fortify:cape_town", "VOC_FORTIFY", 1),
        ("jesuits_mission:london", "JESUITS_MISSION", 0),
        ("jesuits_mission:batavia", "JESUITS_MISSION", c.MAX_CITIES),
        ("jesuits_place:cape_town", "JESUITS_PLACE", c.MAX_CITIES + 1),
        ("jesuits_move:tile", "JESUITS_MOVE", c.MAX_CITIES + 2),
        ("jesuits_spend:culture", "JESUITS_SPEND", 0),
        ("south_sea_invest:next", "SOUTH_SEA_INVEST", 0),
        ("south_sea_keep:s3", "SOUTH_SEA_KEEP", 2),
        ("galleons_from:manila", "GALLEONS_FROM", 0),
        ("galleons_from:africa", "GALLEONS_FROM", 7),
        ("galleons_to:africa", "GALLEONS_TO", 6),
        ("galleons_give:pay", "GALLEONS_GIVE", 7),
        ("galleons_get:london", "GALLEONS_GET", c.CITY_SPACES),
        ("galleons_get:far_east.2", "GALLEONS_GET", c.TRACK_SPACES + c.MAX_TRACK + 1),
        ("galleons_gain:disc", "GALLEONS_GAIN", 0),
        ("railroad_discard:slavery", "RAILROAD_DISCARD", 0),
        ("railroad_free:politics", "RAILROAD_FREE", 3),
        ("venus_place:tahiti", "VENUS_PLACE", 3),
        ("venus_place:australia_2", "VENUS_PLACE", 7),
        ("venus_token:glory", "VENUS_TOKEN", 4),
        ("venus_finance:two_payments", "VENUS_FINANCE", 2),
        ("sun_place:disc", "SUN_PLACE", 0),
        ("spice_politics:india", "SPICE_POLITICS", 2),
        ("globalisation_attack:batavia", "GLOBALISATION_ATTACK", c.MAX_CITIES),
        ("globalisation_for:europe.1", "GLOBALISATION_FOR", 1),
        ("marque_push:africa.6", "MARQUE_PUSH", 6 * c.MAX_TRACK + 5),
        ("marque_steal:industry", "MARQUE_STEAL", 0),
        ("marque_recall:far_east", "MARQUE_RECALL", 1),
        ("haiti_stack:slavery", "HAITI_STACK", 1),
        ("haiti_take:slavery.1", "HAITI_TAKE", 7),
    ],
)
def test_X8_N2_moves_of_the_exploits(move: str, block: str, index: int) -> None:
    action = next(one for one in BLOCKS if one.name == block).offset + index
    board = Board.default()
    assert notation.to_action(board, move, "exploits") == action
    assert notation.to_text(board, action, "exploits") == move
    for variant, last, ids in (("standard", "discard", NUM_ACTIONS), ("solo", "take", NUM_VARIANT_ACTIONS)):
        with pytest.raises(IllegalActionError, match=f"{move!r} is no move: a move is .* verbs build, .*, {last}$"):
            notation.to_action(board, move, variant)
        with pytest.raises(IllegalActionError, match=f"action {action} names no move .*: ids 0..{ids - 1} are"):
            notation.to_text(board, action, variant)


def test_X8_N2_every_move_of_the_exploits_begins_with_the_name_of_its_exploit() -> None:
    names = [block.verb.removesuffix("_" + block.verb.rpartition("_")[2]) for block in BLOCKS[16:]]
    assert list(dict.fromkeys(names)) == list(c.EXPLOIT_NAMES)


@pytest.mark.parametrize("name", ["REMOVE_SPACE", "MARQUE_PUSH"])
def test_shipping_spaces_have_a_gap_where_a_track_is_shorter(name: str) -> None:
    block = next(one for one in BLOCKS if one.name == name)
    board = Board.default()
    targets = notation.targets(board, block)
    assert len(targets) == block.size == c.NUM_REGIONS * c.MAX_TRACK
    lengths = board.array["track_length"][0].tolist()
    for region, length in enumerate(lengths):
        row = targets[region * c.MAX_TRACK : (region + 1) * c.MAX_TRACK]
        assert row == tuple(f"{board.regions[region]}.{n + 1}" if n < length else None for n in range(c.MAX_TRACK))


@pytest.mark.parametrize("variant", [None, *WITHOUT_EXPLOITS])
@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("remove:", "the form is remove:<shipping space>, one of far_east.1, .*, or remove:<city>, one of london, "),
        ("remove:far_east", "the form is remove:<shipping space>"),
        ("remove:africa.7", "the form is remove:<shipping space>"),
        ("remove:europe.1", "the form is remove:<shipping space>"),
        ("neutral_sail:london", "the form is neutral_sail:<region>, one of europe, far_east"),
        ("neutral_occupy:europe", "the form is neutral_occupy:<city>, one of london"),
        ("take:attack", "the form is take:<status>, one of industry, culture, finance, politics$"),
        ("take", "the form is take:<status>"),
        ("neutral:london", "verbs build, activate, .*, discard, remove, neutral_sail, neutral_occupy, take{more}$"),
    ],
)
def test_a_text_that_is_no_move_of_a_variant_is_named(move: str, message: str, variant: str | None) -> None:
    more = "" if variant else ", saltpetre_attack, .*, haiti_take"
    with pytest.raises(IllegalActionError, match=message.replace("{more}", more)):
        notation.to_action(Board.default(), move, variant)


@pytest.mark.parametrize("variant", [None, "exploits"])
@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("saltpetre_attack:batavia", "the form is saltpetre_attack:<city>, one of london, "),
        ("saltpetre_cannon:", "the form is saltpetre_cannon:<industry token>, one of industry$"),
        ("saltpetre_cannon:culture", "the form is saltpetre_cannon:<industry token>, one of industry$"),
        ("imperialism_claim:london", "the form is imperialism_claim:<connection>, one of "),
        ("voc_occupy:london", "the form is voc_occupy:<city of the tile>, one of batavia, cape_town$"),
        ("jesuits_mission:tile", "the form is jesuits_mission:<city or city of the tile>, one of .*, cape_town$"),
        ("jesuits_move:", "the form is jesuits_move:<city, city of the tile or tile>, one of .*, cape_town, tile$"),
        ("south_sea_invest", "the form is south_sea_invest:<next space>, one of next$"),
        ("south_sea_cash:s4", "the form is south_sea_cash:<share>, one of s1, s2, s3$"),
        ("galleons_from:london", "the form is galleons_from:<Manila or region>, one of manila, europe, far_east, "),
        ("galleons_give:glory", "the form is galleons_give:<token kind>, one of industry, .*, sail_draw, pay$"),
        ("galleons_get:africa.7", "the form is galleons_get:<space>, one of london, "),
        ("venus_place:pacific_4", "the form is venus_place:<Pacific space>, one of pacific_1, .*, australia_2$"),
        ("venus_token:pay", "the form is venus_token:<status or Glory>, one of industry, .*, politics, glory$"),
        ("venus_finance:disc", "the form is venus_finance:<Financier space>, one of three_discs, two_discs, two_pay"),
        ("marque_push:africa.7", "the form is marque_push:<shipping space>, one of far_east.1, "),
        ("sun_place", "the form is sun_place:<disc>, one of disc$"),
        ("haiti_stack:haiti", "the form is haiti_stack:<deck>, one of europe, "),
        (
            "venus:tahiti",
            "verbs build, activate, .*, discard, {variants}saltpetre_attack, .*, haiti_stack, haiti_take$",
        ),
    ],
)
def test_a_text_that_is_no_move_of_the_exploits_is_named(move: str, message: str, variant: str | None) -> None:
    of_variants = "" if variant else "remove, neutral_sail, neutral_occupy, take, "
    with pytest.raises(IllegalActionError, match=message.replace("{variants}", of_variants)):
        notation.to_action(Board.default(), move, variant)


def test_two_boards_share_ids_but_not_texts() -> None:
    first, second = Board.default(), Board.generate(1)
    action = notation.to_action(first, "occupy:london")
    assert notation.to_text(second, action) == "occupy:europe_1"
    with pytest.raises(IllegalActionError, match="'occupy:london' is no move on board generated_1"):
        notation.to_action(second, "occupy:london")
    assert notation.to_action(first, "pass") == notation.to_action(second, "pass")


@pytest.mark.parametrize("variant", RULESETS)
@pytest.mark.parametrize("action", [-1, NUM_IDS, 10**9, 1.5, "pass", None, True, float("nan")])
def test_an_id_that_is_none_is_named(action: Any, variant: str | None) -> None:
    with pytest.raises(IllegalActionError, match="names no move"):
        notation.to_text(Board.default(), action, variant)


@pytest.mark.parametrize(
    ("variant", "first", "end"),
    [
        ("standard", NUM_ACTIONS, NUM_IDS),
        ("solo", NUM_VARIANT_ACTIONS, NUM_IDS),
        ("exploits", NUM_ACTIONS, NUM_VARIANT_ACTIONS),
    ],
)
def test_ids_of_other_rulesets_are_none(variant: str, first: int, end: int) -> None:
    ids = num_actions(variant)
    for action in range(first, end):
        with pytest.raises(IllegalActionError, match=f"action {action} names no move .*: ids 0..{ids - 1} are"):
            notation.to_text(Board.default(), action, variant)


@pytest.mark.parametrize("variant", RULESETS)
@pytest.mark.parametrize("move", [None, 3, b"pass", ["pass"], "", "pass ", "PASS", "walk:london"])
def test_a_text_that_is_none_is_named(move: Any, variant: str | None) -> None:
    with pytest.raises(IllegalActionError, match="is no move"):
        notation.to_action(Board.default(), move, variant)
