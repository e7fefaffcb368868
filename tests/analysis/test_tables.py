"""Tables agree with the games they are made from, whatever the variant."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

from endeavor_env import Game, analysis
from endeavor_env.analysis import COLUMNS, Tables
from endeavor_env.endeavor.drawing.view import View, view_position
from endeavor_env.endeavor.drawing.words import move_in_words
from endeavor_env.endeavor.flow.scoring import PARTS
from endeavor_env.endeavor.results import scorers
from endeavor_env.endeavor.rules import constants as c
from tests.kits.compiled import compiled_action
from tests.kits.games import finished, on_the_way, running

NAMES = ("solo", "solo, harder", "soloplay_2", "soloplay_3", "neutral_2", "exploits", "exploits, all")


@functools.cache
def standard(players: int, seed: int = 3) -> Game:
    """A finished game of automa, which opens regions."""
    game = Game.new(players, seed=seed)
    while not game.over:
        game.apply(compiled_action("automa", game))
    return game


@functools.cache
def some_games() -> tuple[Game, ...]:
    """Finished games of all variants, and three under way."""
    unfinished = (running("solo", 4, 60), running("exploits", 2, 80), on_the_way(0, players=3))
    return (*(finished(name, 7) for name in NAMES), standard(4), standard(5), *unfinished)


@functools.cache
def made() -> Tables:
    return analysis.tables(some_games())


def rows_of(table: analysis.Table, game: int) -> list[dict[str, Any]]:
    return list(table.where(table["game"] == game).rows())


@functools.cache
def positions(number: int) -> list[Game]:
    """One of the games at each of its decisions, and at its last position."""
    game = some_games()[number]
    played = [game.at_move(0)]
    for _, action in game.history:
        played.append(played[-1].clone())
        played[-1].apply(action)
    return played


def view_of(game: Game) -> View:
    return view_position(game.board, game.state)


EACH_GAME = pytest.mark.parametrize("number", range(len(NAMES) + 5))


@EACH_GAME
def test_decisions_are_those_of_the_history(number: int) -> None:
    game, rows = some_games()[number], rows_of(made().decisions, number)
    assert [(row["seat"], row["action"]) for row in rows] == game.history
    assert [row["move"] for row in rows] == list(range(len(game.history)))
    played = game.at_move(0)
    for row in rows:
        assert (row["round"], row["phase"], row["decision"]) == (played.round, played.phase, played.decision)
        assert row["legal"] == len(played.legal_actions())
        text = played.describe(row["action"])
        assert text == (f"{row['verb']}:{row['target']}" if row["target"] else row["verb"])
        assert row["words"] == move_in_words(game.board, text)
        assert row["glory"] == played.scores()[row["seat"]]
        played.apply(row["action"])
        assert row["glory"] + row["gain"] == played.scores()[row["seat"]]


@EACH_GAME
def test_seats_have_the_scores_and_breakdowns_of_the_game(number: int) -> None:
    game, rows = some_games()[number], rows_of(made().seats, number)
    assert [row["score"] for row in rows] == game.scores()
    for row, who in zip(rows, scorers(game.state), strict=True):
        breakdown = game.breakdown(who)
        assert {part.key: row[f"glory_{part.key}"] for part in PARTS} == {
            part.key: breakdown.get(part.key, 0) for part in PARTS
        }
        others = [score for seat, score in enumerate(game.scores()) if seat != row["seat"]]
        assert row["lead"] == row["score"] - max(others)
        assert row["rank"] == 1 + sum(score > row["score"] for score in others)
        assert row["opposition"] == (who == "opposition")
    assert sum(row["win_share"] for row in rows) == pytest.approx(1)
    assert [row["seat"] for row in rows if row["win_share"] and not row["opposition"]] == game.winners()


@EACH_GAME
def test_first_players_are_those_of_the_set_up(number: int) -> None:
    game, rows = some_games()[number], rows_of(made().seats, number)
    first = game.setup().get("first_player", 0)
    assert rows_of(made().games, number)[0]["first_player"] == first
    if game.variant != "solo":
        assert [row["first_player_offset"] for row in rows] == [(row["seat"] - first) % len(rows) for row in rows]
    else:
        assert [row["first_player_offset"] for row in rows] == [0, 0]


def check_mat(row: dict[str, Any], view: View) -> None:
    """Compare the numbers of a mat with the view of the position."""
    mat = view.mats[row["seat"]]
    solo = view.solitaire is not None
    sides = view.sides[1:] if solo and row["opposition"] else view.sides[row["seat"] : row["seat"] + 1]
    cities = [city for region in view.regions for city in region.cities]
    discs = [
        sum(city.space.owner in sides for city in region.cities)
        + sum(space.owner in sides for space in region.track)
        + sum(region.beside.get(side, 0) for side in sides)
        for region in view.regions
    ]
    assert {name: row[name] for name in c.STATUS_NAMES} == mat.statuses
    assert row["cities"] == sum(city.space.owner in sides for city in cities)
    assert row["connections"] == sum(connection.space.owner in sides for connection in view.connections)
    assert row["cards"] == len(mat.cards)
    assert row["face_down"] == mat.face_down
    assert row["buildings"] == sum(building.copies for building in mat.buildings)
    assert row["tokens"] == sum(mat.tokens.values())
    assert row["harbor"] == (mat.harbor or 0)
    assert row["supply"] == (
        sum(view.solitaire.supply.values()) if view.solitaire and row["opposition"] else mat.supply
    )
    assert row["discs_on_map"] == sum(discs)
    present = sum(count > 0 for count in discs)
    assert row["regions_present"] >= present if view.exploits else row["regions_present"] == present


@EACH_GAME
def test_seats_have_what_lies_on_their_mats_and_on_the_map(number: int) -> None:
    view = view_position(some_games()[number].board, some_games()[number].state)
    for row in rows_of(made().seats, number):
        check_mat(row, view)
        cards = [view.board.cards.index(card) for card in view.mats[row["seat"]].cards]
        facts = view.board.array[0]
        assert row["governors"] == sum(bool(facts.card_governor[card]) for card in cards)
        assert row["slavery"] == sum(bool(facts.card_slavery[card]) for card in cards)


@EACH_GAME
def test_rounds_have_the_position_at_the_end_of_each_round(number: int) -> None:
    game, rows = some_games()[number], rows_of(made().rounds, number)
    seen = positions(number)
    first_of = [next((one for one in seen if one.round > ended), None) for ended in range(1, 8)]
    ends = [one for one in first_of if one] + ([seen[-1]] if game.over else [])
    before = [mat.glory for mat in view_of(seen[0]).mats]
    seats = len(before)
    assert len(rows) == len(ends) * seats
    for index, view in enumerate(map(view_of, ends)):
        glory = [mat.glory for mat in view.mats]
        for row in rows[index * seats : (index + 1) * seats]:
            assert (row["round"], row["glory"]) == (index + 1, glory[row["seat"]])
            assert row["gain"] == row["glory"] - before[row["seat"]]
            assert row["lead"] == row["glory"] - max(one for seat, one in enumerate(glory) if seat != row["seat"])
            assert row["regions_open"] == sum(region.open for region in view.regions)
            check_mat(row, view)
        before = glory


@EACH_GAME
def test_regions_are_opened_by_the_decision_after_which_they_are_open(number: int) -> None:
    game, rows = some_games()[number], rows_of(made().regions, number)
    seen, last_view = positions(number), view_of(game)
    assert [row["region"] for row in rows] == [region.id for region in last_view.regions if region.track]
    for row in rows:
        index = game.board.regions.index(row["region"])
        assert row["opened"] == last_view.regions[index].open
        if row["opened"]:
            move = int(row["move"])
            before, after = view_of(seen[move]), view_of(seen[move + 1])
            assert not before.regions[index].open
            assert after.regions[index].open
            assert (row["round"], row["seat"]) == (before.round, game.history[move][0])
            last = after.regions[index].track[-1].owner
            assert row["by_opposition"] == (game.variant == "solo" and last != after.sides[0])
        else:
            assert np.isnan([row["move"], row["round"], row["seat"], row["order"]]).all()
    orders = sorted(row["order"] for row in rows if row["opened"])
    assert orders == list(range(1, len(orders) + 1))
    in_order = sorted((row for row in rows if row["opened"]), key=lambda row: row["order"])
    text = " ".join(f"{row['region']}:{row['round']:.0f}" for row in in_order)
    assert rows_of(made().games, number)[0]["openings"] == text


def test_some_regions_are_opened_also_by_the_opposition() -> None:
    regions = made().regions
    assert regions["opened"].sum() > 20
    assert 0 < regions["by_opposition"].sum() < regions["opened"].sum()


@EACH_GAME
def test_games_say_what_was_played_and_how_it_ended(number: int) -> None:
    game, (row,) = some_games()[number], rows_of(made().games, number)
    assert (row["variant"], row["board"], row["players"]) == (game.variant, game.board.id, game.num_players)
    assert (row["seed"], row["exploits"]) == (game.seed, " ".join(game.exploits))
    assert (row["moves"], row["round"], row["over"]) == (len(game.history), game.round, game.over)
    assert row["winners"] == " ".join(map(str, game.winners()))
    scores = game.scores()
    if game.variant == "solo":
        assert (row["best"], row["margin"], row["ladder"]) == (scores[0], scores[0] - scores[1], game.ladder().name)
    else:
        highest, second = sorted(scores, reverse=True)[:2]
        assert (row["best"], row["margin"], row["ladder"]) == (highest, highest - second, "")
    assert row["regions_open"] == sum(view_position(game.board, game.state).regions[i].open for i in range(7))
    assert row["slavery_abolished"] == view_position(game.board, game.state).slavery_abolished


def test_options_are_those_that_are_not_the_default() -> None:
    assert rows_of(made().games, NAMES.index("solo, harder"))[0]["options"] == '{"difficulty": "harder"}'
    assert rows_of(made().games, NAMES.index("soloplay_2"))[0]["options"] == "{}"


@pytest.mark.parametrize("name", COLUMNS)
def test_every_column_is_documented_and_has_the_type_it_says(name: str) -> None:
    table = getattr(made(), name)
    assert table.name == name
    assert table.columns == tuple(column.name for column in COLUMNS[name])
    kinds = {"integer": "i", "number": "f", "flag": "b", "text": "O", "object": "O"}
    for column in COLUMNS[name]:
        assert table[column.name].dtype.kind == kinds[column.type]
        assert len(column.meaning) > 5
        if column.type == "text":
            assert {type(value) for value in table[column.name]} == {str}


@pytest.mark.parametrize("name", COLUMNS)
def test_a_single_table_is_the_same_as_among_all(name: str) -> None:
    alone, among = getattr(analysis, name)(some_games()), getattr(made(), name)
    assert list(map(str, alone.rows())) == list(map(str, among.rows()))
