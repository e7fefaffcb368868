"""Moves, decisions and chance (K11-K13)."""

from __future__ import annotations

import random
import re

import pytest

from tests.merchants.reference.agenda import CHANCE
from tests.merchants.reference.game import ReferenceGame
from tests.merchants.reference.map import CARDS, RESOURCES
from tests.merchants.reference.turn import Action
from tests.merchants.rules.find import find, find_case, play_on
from tests.merchants.rules.script import Script

BLOCKS = (
    *("roll", "end", "done", "play", "card", "buy", "bank", "merchant", "caravan", "route", "lift", "walk", "to"),
    *("drive", "step", "stop", "deliver", "discard", "robber", "steal", "token", "take", "income", "gold", "post"),
    *("neutral", "give", "want", "propose", "cancel", "accept", "refuse", "partner"),
)
"""The verbs in the order of their blocks (K11.1)."""
OUTCOMES = ("first", "dice", "stolen", "drawn", "value")
ITEMS = (*RESOURCES, "gold")


def place_in_blocks(game: ReferenceGame, move: str) -> tuple[int, ...]:
    """Return where a move stands: the number of its block, and the index in it (K11.1)."""
    verb, *words = move.split(":")
    numbers = []
    for word in words:
        if verb in ("steal", "partner"):
            numbers.append((int(word) - game.table.mover) % game.players)
        elif verb in ("merchant", "deliver", "post", "neutral"):
            numbers.append(game.map.cities.index(word))
        elif verb == "to":
            numbers.append(game.map.by_name[word])
        elif word in ITEMS:
            numbers.append(ITEMS.index(word))
        elif word in CARDS:
            numbers.append(CARDS.index(word))
        else:
            numbers.append(int(word.lstrip("pt")))
    return ((*BLOCKS, *OUTCOMES).index(verb), *numbers)


@pytest.mark.parametrize("chooser", ["wild", "eager"])
@pytest.mark.parametrize("board", ["short", "expert_bare"])
def test_K11_1_legal_moves_are_listed_in_the_order_of_their_ids(board: str, chooser: str) -> None:
    rng, script = random.Random(3), Script(board, 4, max_rolls=40)
    while not script.plain.over:
        places = [place_in_blocks(script.plain, move) for move in script.legal()]
        assert places == sorted(set(places))
        script.act(_drawn(script, rng, chooser))


def _drawn(script: Script, rng: random.Random, chooser: str) -> str:
    """Return a move that the chooser or chance draws."""
    return play_on(script.plain.copy(), rng, chooser)


def test_K11_2_the_names_in_moves() -> None:
    shapes = {
        **{"play": "CARD", "buy": "RES", "bank": "RES:ITEM", "merchant": "CITY", "caravan": "PATH", "route": "PATH"},
        **{"lift": "SLOT", "walk": "SLOT", "to": "CROSS", "drive": "SLOT", "step": "PATH", "deliver": "CITY"},
        **{"discard": "RES", "robber": "LAND", "steal": "SEAT", "token": "LAND", "take": "LAND", "income": "DIGITS"},
        **{"post": "CITY", "neutral": "CITY", "give": "ITEM", "want": "ITEM", "partner": "SEAT", "first": "SEAT"},
        **{"dice": "DIGITS", "stolen": "RES", "drawn": "CARD", "value": "DIGITS"},
    }
    words = {"RES": "|".join(RESOURCES), "ITEM": "|".join(ITEMS), "CARD": "|".join(CARDS), "CITY": "[a-z_]+"}
    words |= {"PATH": r"p\d+", "LAND": r"t\d+", "SLOT": "[01]", "SEAT": "[0-3]", "DIGITS": r"\d+"}
    words["CROSS"] = r"c\d+|[a-z_]+"
    rng, script, met = random.Random(1), Script("short_bare", 4, max_rolls=120), set[str]()
    while not script.plain.over:
        for move in script.legal():
            verb, _, rest = move.partition(":")
            shape = ":".join(f"({words[word]})" for word in shapes[verb].split(":")) if verb in shapes else ""
            assert re.fullmatch(shape, rest), move
            met.add(verb)
        script.act(_drawn(script, rng, "wild"))
    assert met >= set(shapes) - {"post", "neutral", "take", "lift", "income"}


def test_K12_each_decision_is_asked_of_the_seat_that_the_table_names() -> None:
    others = {"discard", "accept", "refuse", "post", "neutral", "route"}
    for seed, board in enumerate(("short", "expert")):
        rng, script = random.Random(seed), Script(board, 3, max_rolls=60)
        while not script.plain.over:
            verbs = {move.partition(":")[0] for move in script.legal()}
            if script.seat != CHANCE and not verbs & others:
                assert script.seat == script.table.mover
            if "accept" in verbs:
                assert script.seat != script.table.mover
            script.act(_drawn(script, rng, "wild"))


def test_K12_a_lone_done_or_stop_is_never_asked() -> None:
    for seed, chooser in enumerate(("wild", "eager", "builder")):
        rng, script = random.Random(seed), Script("short_bare", 3, max_rolls=60)
        while not script.plain.over:
            assert script.legal() not in ([], ["done"], ["stop"])
            script.act(_drawn(script, rng, chooser))


def test_K12_a_single_legal_move_is_asked() -> None:
    script = Script().act("first:0")
    assert script.legal() == ["roll"]


def test_K12_1_the_turn_can_always_be_ended_and_pieces_start_only_where_they_can_go() -> None:
    rng, script = random.Random(2), Script("short", 3, max_rolls=60)
    while not script.plain.over:
        if isinstance(script.plain.agenda[-1], Action):
            assert script.legal()[0] == "end"
            for verb in ("walk", "drive"):
                for slot in script.moves(verb):
                    begun = script.plain.copy()
                    begun.play(f"{verb}:{slot}")
                    assert begun.legal()[0].partition(":")[0] == {"walk": "to", "drive": "step"}[verb]
        script.act(_drawn(script, rng, "wild"))


def test_K12_2_a_part_of_a_turn_leads_back_to_where_it_was_begun() -> None:
    script = find_case("K4.2 card before the roll", chooser="wild")
    script.play(script.next)
    while script.legal()[0] not in ("end", "roll"):
        script.play(script.legal()[0])
    assert script.legal()[0] == "roll"
    script = find(lambda game: isinstance(game.agenda[-1], Action) and "walk" in str(game.legal()))
    script.act(f"walk:{script.moves('walk')[0]}")
    while script.legal()[0] not in ("end", "roll"):
        script.play(script.legal()[0])
    assert script.legal()[0] == "end"


def test_K13_every_draw_is_a_move_of_its_own_with_the_outcomes_that_have_a_weight() -> None:
    rng, script, met = random.Random(4), Script("short_bare", 4, max_rolls=120), set[str]()
    while not script.plain.over:
        if script.seat == CHANCE:
            weights = script.plain.weights()
            assert len(weights) == len(script.legal())
            assert all(weight > 0 for weight in weights)
            verbs = {move.partition(":")[0] for move in script.legal()}
            assert len(verbs) == 1
            met |= verbs
        script.act(_drawn(script, rng, "wild"))
    assert met == set(OUTCOMES)


def test_K13_a_draw_with_a_single_outcome_is_a_move_too() -> None:
    script = find(lambda game: game.seat == CHANCE and len(game.legal()) == 1)
    assert script.seat == CHANCE
    before = len(script.plain.moves)
    script.play(script.legal()[0])
    assert script.plain.moves[before] == (CHANCE, script.plain.moves[-1][1])
