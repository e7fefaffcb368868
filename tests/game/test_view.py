"""The plain description of a position from which pictures and text are drawn."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, is_dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.view import SpaceView, View, view_game, view_position
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.opposition import explain, explain_last, explain_since
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.testing import random_game
from tests.kits.games import GAMES, finished, running


def positions() -> list[Game]:
    """Returns positions of every kind of game, early, late and at its end."""
    games = [running(name, 7, decisions) for name in GAMES for decisions in (0, 25, 60)]
    games += [finished(name, 7) for name in GAMES]
    return games + [random_game(players, 3, decisions=decisions) for players in (3, 5) for decisions in (0, 130, 2000)]


def assert_plain(value: Any) -> None:
    """Checks that a view holds names, Python numbers and its own records only."""
    if is_dataclass(value) and not isinstance(value, Board):
        for field in fields(value):
            assert_plain(getattr(value, field.name))
    elif isinstance(value, dict):
        assert all(type(key) is str for key in value)
        for item in value.values():
            assert_plain(item)
    elif isinstance(value, tuple):
        for item in value:
            assert_plain(item)
    else:
        assert value is None or isinstance(value, Board) or type(value) in (str, int, bool), repr(value)


def spaces_of(view: View, region: int) -> list[SpaceView]:
    found = view.regions[region]
    return [*found.track, *(city.space for city in found.cities)]


def tile_cities(view: View) -> dict[str, list[str]]:
    """The owners of Batavia and Cape Town by region (E5)."""
    spaces = [tile.spaces for tile in view.exploits if tile.id == "voc"]
    owners = {name.partition(" ")[0]: owner for found in spaces for name, owner in found.items() if owner}
    regions = {"batavia": "far_east", "cape_town": "africa"}
    return {regions[city]: [owner] for city, owner in owners.items()}


def stacked_cards(view: View) -> list[str]:
    """The cards on the stack of E15."""
    notes = [note for tile in view.exploits if tile.id == "haiti" for note in tile.notes]
    return [card for note in notes for card in note.removeprefix("stacked: ").split() if card != "nothing"]


def test_a_view_is_plain_says_what_the_game_says_and_changes_nothing() -> None:
    for game in positions():
        before = game.state.tobytes()
        view = view_game(game)
        assert_plain(view)
        assert (view.variant, view.round, view.phase, view.decision, view.seat) == (
            game.variant,
            game.round,
            game.phase,
            game.decision,
            game.seat,
        )
        assert view.options == game.options
        assert [mat.glory for mat in view.mats] == game.scores()
        assert [seat for seat, mat in enumerate(view.mats) if mat.decides] == ([] if game.over else [game.seat])
        assert (view.solitaire is not None) == (game.variant == "solo")
        assert tuple(tile.id for tile in view.exploits) == game.exploits
        assert (view.follow_up is not None) == (game.decision == "follow_up")
        assert game.state.tobytes() == before


def test_discs_lie_where_the_state_counts_them() -> None:
    for game in positions():
        view, presence = view_game(game), game.state[0].presence
        for region in range(len(view.regions)):
            discs = Counter(space.owner for space in spaces_of(view, region) if space.owner is not None)
            discs.update(view.regions[region].beside)
            discs.update(tile_cities(view).get(view.regions[region].id, ()))
            for side, name in enumerate(view.sides):
                assert discs[name] == presence[side, region], (game, name)


def test_every_card_lies_in_one_place() -> None:
    for game in positions():
        view, places = view_game(game), game.state[0].card_place
        cards = [card for region in view.regions for deck in region.decks for card in deck.cards]
        cards += [card for mat in view.mats for card in mat.cards]
        cards += view.solitaire.retained if view.solitaire else ()
        cards += [f"{deck.id}.governor" for region in view.regions for deck in region.decks if deck.governor_apart]
        cards += stacked_cards(view)
        hidden = sum(mat.face_down for mat in view.mats) + int((places == c.CARD_OUT_OF_GAME).sum())
        assert len(cards) == len(set(cards)) == len(game.board.cards) - hidden


def test_every_piece_of_the_exploits_lies_in_one_place() -> None:
    for name in [name for name in GAMES if name.startswith("exploits")]:
        for game in (running(name, 7, 0), running(name, 7, 150), finished(name, 7)):
            view, state = view_game(game), game.state[0]
            pieces: Counter[str] = Counter()
            for counts in (*(tile.left for tile in view.exploits), *(mat.items for mat in view.mats)):
                for piece, count in counts.items():
                    pieces[piece.partition(" ")[0]] += count
            pieces.update(piece for region in view.regions for city in region.cities for piece in city.pieces)
            pieces.update(piece for tile in view.exploits for space in tile.spaces for piece in space.split()[1:])
            pieces["blockade"] += sum(connection.blocked for connection in view.connections)
            assert +pieces == +Counter(pieces_in_play(game.exploits, state)), name


def pieces_in_play(exploits: tuple[str, ...], state: Any) -> dict[str, int]:
    """The pieces that the Exploits bring, less those that have left the game; fortified cities have another word."""
    fortified = int(state.fortified).bit_count()
    free = {"spanish_main": 8, "voc": 2}
    in_city, gone = bool(state.pirate_at >= 0), c.GONE
    return {
        "cannon": 6 * ("saltpetre" in exploits),
        "pirate": int(in_city),
        "blockade": 7 * ("imperialism" in exploits),
        "fortified": fortified,
        "fortification": sum(number for name, number in free.items() if name in exploits) - fortified,
        "missionary": ("jesuits" in exploits) * int((state.missionary != gone).sum()),
        "share": ("south_sea" in exploits) * int((state.share_holder != gone).sum()),
        "galleon": 8 * ("galleons" in exploits),
        "Freedom": 5 * ("railroad" in exploits),
        "Transit": 8 * ("venus" in exploits),
    }


@pytest.mark.parametrize(("icons", "marker"), [(-1, 0), (0, 0), (4, 4), (15, 15), (40, 15)])
def test_R1_8_what_each_status_gives(icons: int, marker: int) -> None:
    game = Game.new(3, seed=1)
    game.state[0].status[1] = icons
    tracks = game.board.to_dict()["status_tracks"]
    level = sum(marker >= threshold for threshold in tracks["thresholds"]) - 1
    mat = view_position(game.board, game.state).mats[1]
    assert set(mat.statuses.values()) == {icons}
    assert list(mat.levels) == list(c.STATUS_NAMES)
    assert list(mat.levels.values()) == [
        tracks[key][level] for key in ("build_level", "growth", "payments", "card_limit")
    ]


def test_the_last_moves_and_what_followed_them() -> None:
    game = finished("solo", 10)
    moves = [(seat, game.describe(action)) for seat, action in game.history]
    for since, shown in ((None, 1), (0, len(moves)), (len(moves) - 3, 3), (len(moves) + 9, 1)):
        view = view_game(game, since)
        assert [(move.seat, move.text) for move in view.moves] == moves[len(moves) - shown :]
    assert view_game(game, 0).opposition_steps == tuple(explain(game)) == tuple(explain_since(game, -1))
    assert view_game(game).opposition_steps == tuple(explain_last(game))
    assert view_game(game).solitaire is not None
    assert view_position(game.board, game.state).moves == view_position(game.board, game.state).opposition_steps == ()


def test_the_result_of_a_solitaire_game_is_shown_once_it_is_over() -> None:
    over, running_on = view_game(finished("solo", 10)).solitaire, view_game(running("solo", 10, 30)).solitaire
    assert over is not None
    assert running_on is not None
    assert over.result == finished("solo", 10).ladder()
    assert running_on.result is None


def test_anything_with_board_state_history_and_set_up_can_be_explained_and_viewed() -> None:
    game = running("solo", 10, 30)
    likeness = SimpleNamespace(board=game.board, state=game.state, history=game.history, drawn=game.drawn)
    assert explain(likeness) == explain(game)  # type: ignore[arg-type]
    assert view_game(likeness, 3) == view_game(game, 3)  # type: ignore[arg-type]
