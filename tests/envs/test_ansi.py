"""The text board tells what the state holds."""

from __future__ import annotations

import re

import numpy as np
import pytest

from endeavor_env.board import Board
from endeavor_env.core import constants as c
from endeavor_env.core import entry
from endeavor_env.game import Game
from endeavor_env.render.ansi import WIDTH, render, render_position
from endeavor_env.sampling import generator, sample_action


def played(players: int, seed: int, moves: int) -> Game:
    game, rng = Game.new(players, seed=seed), generator(seed)
    while not game.over and len(game.history) < moves:
        game.apply(sample_action(game.mask(), rng))
    return game


def part(text: str, heading: str) -> str:
    """Returns the indented lines under ``heading``, joined."""
    lines = text.partition("\n\n")[2].split("\n")
    start = next(index for index, line in enumerate(lines) if line.startswith(heading)) + 1
    end = next(index for index in range(start, len(lines)) if not lines[index].startswith("  "))
    return " ".join(line.strip() for line in lines[start:end])


def test_the_opening_of_a_game() -> None:
    text = render(Game.new(3, seed=1))
    assert text.startswith("Endeavor (2009): round 1 of 7, build phase\nSeat ")
    assert "decides: build" in text
    assert "Last move" not in text
    assert part(text, "Seat 2") == "buildings: colonial_house cards: none tokens: none"
    assert "europe [0 1 2 3 4 5], slavery [0 1 2 3 4 5]" in part(text, "Europe")
    assert "market x5" in part(text, "Buildings in the supply")


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("moves", [40, 90, 150])
def test_the_table_of_seats(players: int, moves: int) -> None:
    game = played(players, 7, moves)
    state, scores = game.state[0], game.scores()
    rows = re.findall(r"^  ([> ])([* ]) +(\d)((?: +-?\d+){7})(  passed)?$", render(game), re.MULTILINE)
    assert len(rows) == players
    for seat, (turn, first, number, values, passed) in enumerate(rows):
        assert int(number) == seat
        told = [*state.status[seat], state.harbor[seat], state.supply[seat], scores[seat]]
        assert [int(value) for value in values.split()] == told
        assert (turn == ">", first == "*", passed != "") == (
            game.seat == seat,
            state.first_player == seat,
            bool(state.passed[seat]),
        )
    assert len(c.STATUS_NAMES) == 4


@pytest.mark.parametrize("seed", range(4))
def test_every_space_of_the_board_is_told(seed: int) -> None:
    game = played(4, seed, 130)
    board, state, text = game.board, game.state[0], render(game)

    def on(owner: int, space: int) -> str:
        if owner != c.NONE:
            return f"<{owner}>"
        return c.TOKEN_NAMES[state.token[space]] if state.token[space] != c.NONE else "-"

    for region, name in enumerate(board.regions):
        told = part(text, f"{board.names[name]} ({'open' if state.open[region] else 'closed'})")
        length = int(board.array["track_length"][0, region])
        track = [on(state.track_owner[region, n], c.TRACK_SPACES + region * 8 + n) for n in range(length)]
        assert not length or f"track: {', '.join(track)} " in told
        for city, city_name in enumerate(board.cities):
            if board.array["city_region"][0, city] == region:
                assert re.search(
                    rf"\b{city_name}\*+ {re.escape(on(state.city_owner[city], c.CITY_SPACES + city))}", told
                )
    told = part(text, "Connections")
    for connection, name in enumerate(board.connections):
        first, second = state.city_owner[board.array["connection_city"][0, connection]]
        held = f" <{first}>" if first == second != c.NONE else ""
        assert f"{name} {on(c.NONE, c.CONNECTION_SPACES + connection)}{held}" in told


@pytest.mark.parametrize("seed", range(4))
def test_every_card_and_building_is_told(seed: int) -> None:
    game = played(3, seed, 140)
    board, state, text = game.board, game.state[0], render(game)
    for seat in range(3):
        told = part(text, f"Seat {seat}")
        for card, name in enumerate(board.cards):
            assert (re.search(rf"\b{re.escape(name)}\b", told) is not None) == (state.card_place[card] == seat)
        for building, name in enumerate(board.buildings):
            copies, used = int(state.buildings[seat, building]), int(state.occupied[seat, building])
            shown = re.search(rf"\b{name}(?: x(\d))?(?: \((\d) in use\))?", told.partition("cards:")[0])
            assert (int(shown[1] or 1), int(shown[2] or 0)) == (copies, used) if shown else copies == 0
        for kind, name in enumerate(c.TOKEN_NAMES):
            shown = re.search(rf"\b{name}(?: x(\d+))?(?:,|$)", told.partition("tokens:")[2])
            assert (int(shown[1] or 1) if shown else 0) == state.tokens[seat, kind]


def test_what_random_play_seldom_reaches() -> None:
    """Slavery abolished, cards face down and out of the game, discs beside a full track."""
    game = Game.new(3, seed=1)
    state, board = game.state[0], game.board
    state.abolished = 1
    state.beside[2, 1] = 3
    for card, place in ((6, c.CARD_FACE_DOWN), (7, c.CARD_FACE_DOWN), (8, c.CARD_OUT_OF_GAME), (9, 1)):
        assert board.cards[card].startswith("slavery.")
        state.card_place[card] = place
    text = render(game)
    assert "Slavery is abolished" in text
    assert "cards: face down x2 tokens" in part(text, "Seat 0")
    assert "cards: slavery.3 tokens" in part(text, "Seat 1")
    assert "slavery [4 5]" in part(text, "Europe")
    assert "beside the track: seat 2 x3" in part(text, "Far East")


def test_the_end_of_a_game_and_its_last_moves() -> None:
    game = played(4, 3, 10_000)
    text = render(game)
    assert text.startswith("Endeavor (2009): the game is over after 7 rounds\nLast move: seat ")
    assert "decides" not in text.partition("\n\n")[0]
    shown = [f"seat {seat} {game.describe(action)}" for seat, action in game.history]
    told = render_position(game.board, game.state, game.history)
    lines = told.partition("\n\n")[0].split("\n")[1:]
    assert " ".join(line.strip() for line in lines) == "Last moves: " + ", ".join(shown)


@pytest.mark.parametrize("seed", range(3))
def test_it_is_plain_text_of_moderate_width_and_changes_nothing(seed: int) -> None:
    for game in (played(5, seed, 120), Game.new(3, seed=seed, board=Board.generate(seed))):
        before = game.state.tobytes()
        text = str(game)
        assert text == render(game)
        assert game.state.tobytes() == before
        assert text.isascii()
        assert max(map(len, text.split("\n"))) <= WIDTH
        assert not text.endswith("\n")


def test_totals_shown_are_those_of_the_rules() -> None:
    game = played(3, 9, 100)
    out = np.zeros(5, np.int16)
    entry.total(game.board.array, game.state, out)
    assert out[:3].tolist() == game.scores()
