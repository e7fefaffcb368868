"""Moves as they are offered to people: every legal move of whole games has words, and its place is on the map."""

from __future__ import annotations

import random
import re
from collections import defaultdict

import pytest

from endeavor_env.drawing.shapes import Area
from endeavor_env.engine.kernels.rules import CHANCE, NONE
from endeavor_env.engine.players_info import PlayersInfo
from endeavor_env.engine.presenter import Choice
from endeavor_env.merchants.game import MerchantsGame
from endeavor_env.merchants.presenter import place_in_words, with_article
from endeavor_env.merchants.rules import actions
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.words import place_names

PLACED = (
    *("merchant", "caravan", "route", "lift", "walk", "to", "drive", "step", "deliver", "robber", "token", "take"),
    *("post", "neutral"),
)
NAMES = ["Ada", "Ben", "Cleo", "Dan"]


def games() -> list[MerchantsGame]:
    """Games of both sides that end early."""
    kinds = [{"board": "short"}, {"board": "expert", "players": 3}, {"players": 3, "start": "free"}]
    return [MerchantsGame.new(seed=seed, max_rolls=120, **kind) for seed, kind in enumerate(kinds * 2)]  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def offered() -> dict[str, list[tuple[MerchantsGame, Choice]]]:
    """The choices of random games by verb, each with its position; at most three of a verb and game."""
    found: dict[str, list[tuple[MerchantsGame, Choice]]] = defaultdict(list)
    for number, game in enumerate(games()):
        game.played = PlayersInfo.of(NAMES[: game.num_players])
        draw, faces = random.Random(number), game.rules.presenter
        while not game.over:
            assert faces.question(game)
            assert not faces.question(game).endswith(".")
            for action in game.legal_actions():
                verb = game.describe(action).partition(":")[0]
                if len(found[verb]) < 3 * (number + 1):
                    found[verb].append((game.clone(), faces.choice(game, action)))
            game.apply(draw.choice(game.legal_actions()))
    return found


def test_every_verb_is_offered_in_words(offered: dict[str, list[tuple[MerchantsGame, Choice]]]) -> None:
    verbs = {block.verb for block in actions.BLOCKS if block.offset < actions.NUM_MOVES}
    assert verbs - set(offered) <= {"income", "partner", "take"}  # which random play rarely meets
    for choices in offered.values():
        for _, choice in choices:
            assert choice.words[0].isupper()
            assert choice.label[0].isupper() or choice.label[0].isdigit()
            assert ("?" in choice.words) is ("_" in choice.words) is False
            assert "Seat" not in choice.words


def test_what_belongs_to_a_place_lies_on_the_map(offered: dict[str, list[tuple[MerchantsGame, Choice]]]) -> None:
    for verb, choices in offered.items():
        for game, choice in choices:
            assert (choice.key is not None) == (verb in PLACED)
            if choice.key is not None:
                keys = {shape.key for shape in _map(game) if isinstance(shape, Area)}
                assert choice.key in keys


def _map(game: MerchantsGame) -> tuple[object, ...]:
    shapes: tuple[object, ...] = game.rules.presenter.map_picture(game, NONE).shapes
    return shapes


def test_an_income_says_who_is_paid() -> None:
    found = 0
    for seed in range(40):
        game, draw = MerchantsGame.new(3, seed=seed, max_rolls=150), random.Random(seed)
        while not game.over:
            legal = game.legal_actions()
            if game.describe(legal[0]).startswith("income:"):
                words = [game.rules.presenter.choice(game, action).label for action in legal]
                assert len(set(words)) == len(words) > 1
                assert all(" gold to Seat " in one for one in words)
                told = game.rules.presenter.told(game, game.describe(legal[1]))
                assert told == f"lets the way pay {words[1]}"
                found += 1
            routes = [action for action in legal if game.describe(action).startswith(("route:", "income:"))]
            game.apply(draw.choice(routes or legal))
    assert found


def test_moves_are_told_as_somebody_saw_them() -> None:
    game = MerchantsGame.new(4, seed=2, max_rolls=100)
    game.played = PlayersInfo.of(NAMES)
    draw, faces, hidden = random.Random(2), game.rules.presenter, 0
    while not game.over:
        game.apply(draw.choice(game.legal_actions()))
    texts, again = game.moves_seen_by(NONE), game.at_move(0)
    for (seat, action), (_, text) in zip(game.history, texts, strict=True):
        told = faces.told(again, text)
        assert "?" not in told
        assert "Seat" not in told
        if text.endswith(":?"):
            assert seat == CHANCE
            assert told in ("a card is stolen", "a development card is drawn")
            hidden += 1
        again.apply(action, draws=False)
    assert hidden > 3


def test_places_have_names_that_people_read() -> None:
    game = MerchantsGame.new(4, seed=1)
    assert place_in_words(game, "vienna") == "Vienna"
    assert place_in_words(game, "p10") == "the path north of Stockholm"
    assert place_in_words(game, "p9") == "the second path west of Stockholm"
    assert place_in_words(game, "c6") == "the crossroads north of Stockholm"
    assert place_in_words(game, "t0") == "the salt-works west of Stockholm with a 6"
    assert [with_article(number) for number in (8, 9, 10, 11, 12)] == ["an 8", "a 9", "a 10", "an 11", "a 12"]


@pytest.mark.parametrize("side", ["short", "expert"])
def test_every_place_of_a_map_has_a_name_of_its_own(side: str) -> None:
    board = MerchantsGame.new(board=side, seed=1).config.board
    names = place_names(board)
    assert len(names) == board.num_terrains + board.num_paths + board.num_crossroads
    assert len(set(names.values())) == len(names)


def test_people_read_no_ids_of_places_and_no_wrong_plurals() -> None:
    wrong = re.compile(r"\b[tpc]\d+\b|\b1 (?:cards|merchants|caravans|routes|lancers|bribes)\b|\ba (?:8|11)\b")
    for seed, side in enumerate(["short", "expert"]):
        game, draw = MerchantsGame.new(4, seed=seed, board=side, max_rolls=80), random.Random(seed)
        faces, seen = game.rules.presenter, 0
        while not game.over:
            said = [faces.question(game)]
            for action in game.legal_actions():
                choice = faces.choice(game, action)
                said += [choice.heading, choice.label, choice.words, faces.words(game, action)]
            said += [fact.words for fact in faces.facts(game)]
            said += [fact.words for owner in range(4) for fact in faces.belongings(game, owner)]
            if len(game.history) % 50 == 0:
                said += [area.title for area in _map(game) if isinstance(area, Area)]
            assert not [text for text in said if wrong.search(text)]
            seen += len(said)
            game.apply(draw.choice(game.legal_actions()))
        again = game.at_move(0)
        for seat, action in game.history:
            assert not wrong.search(faces.told(again, again.move_text(seat, action)))
            again.apply(action, draws=False)
        assert seen > 10_000


def test_the_position_in_text_names_places_and_how_moves_call_them() -> None:
    game, draw = MerchantsGame.new(4, seed=3, max_rolls=60), random.Random(3)
    while not game.over:
        for line in game.rules.presenter.text(game).splitlines()[:-1]:
            assert not re.search(r"(?<!\()\b[tpc]\d+\b", line)
            assert not re.search(r"\b1 (?:cards|development cards|routes)\b", line)
        game.apply(draw.choice(game.legal_actions()))


def test_every_place_that_says_something_says_it_with_a_clause() -> None:
    game = MerchantsGame.new(4, seed=4, max_rolls=60)
    draw, faces = random.Random(4), game.rules.presenter
    said = set()
    while not game.over:
        if len(game.history) % 40 == 0:
            for shape in _map(game):
                if isinstance(shape, Area) and (sentence := faces.about(game, shape.key)) is not None:
                    assert sentence.text.endswith(".")
                    assert sentence.clause.startswith("K")
                    said.add(sentence.clause)
        game.apply(draw.choice(game.legal_actions()))
    assert said >= {"K4.4", "K4.6", "K6.7", "K7.5", "K7.3, K7.4", "K8.1, K8.3", "K8.4"}


def test_why_nothing_can_be_done_is_said_where_it_is_so() -> None:
    said: dict[str, int] = defaultdict(int)
    for seed in range(4):
        game, draw = MerchantsGame.new(4, seed=seed, max_rolls=60), random.Random(seed)
        while not game.over:
            faces, state, legal = game.rules.presenter, game.state[0], game.legal_actions()
            used = {faces.choice(game, action).key for action in legal}
            for shape in _map(game) if len(game.history) % 30 == 0 else ():
                if not isinstance(shape, Area) or shape.key in used or faces.about(game, shape.key) is None:
                    continue
                why = faces.why_not(game, shape.key)
                asked_for_action = state["decision"] == c.DECIDE_ACTION
                assert why is None or asked_for_action
                said[why or ""] += 1
                if why is not None and why.startswith("You have no free good"):
                    assert 1 + state["built"][game.seat] == state["delivered"][game.seat]
                if why is not None and "costs 1 ore and 1 wood (" in why:
                    assert min(state["hand"][game.seat][[c.ORE, c.WOOD]]) == 0
            game.apply(draw.choice(legal))
    assert len(said) >= 7
    assert all(re.search(r"\(K\d+\.\d+\)\.$", why) for why in said if why)
