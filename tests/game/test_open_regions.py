"""Games that begin with all regions open are sound, and are what sailing there would have made of them."""

from __future__ import annotations

import numpy as np
import pytest

from endeavor_env import Game
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.errors import EndeavorError
from endeavor_env.testing import check_state, open_regions
from tests.kits.games import play

BOARDS = ("endeavor_2009", "generated_3")


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("exploits", [None, c.EXPLOIT_NAMES])
def test_every_track_is_full_and_the_game_is_sound_to_its_end(
    board: str, players: int, exploits: tuple[str, ...] | None
) -> None:
    game = open_regions(Game.new(players, seed=players, board=board, exploits=exploits), seed=1)
    state, rules = game.state[0], game.board.array[0]
    assert state.open.all()
    assert state.track_next.tolist() == rules.track_length.tolist()
    on_tracks = np.bincount(state.track_owner[state.track_owner >= 0], minlength=players)
    start = Game.new(players, seed=players, board=board, exploits=exploits).state[0]
    assert (state.supply[:players] + on_tracks).tolist() == start.supply[:players].tolist()
    check_state(game)
    assert play(game, seed=2).over
    check_state(game)


def test_governors_and_tokens_go_to_who_sailed() -> None:
    game = open_regions(Game.new(4, seed=5))
    state, rules = game.state[0], game.board.array[0]
    for region in np.flatnonzero(rules.track_length).tolist():
        discs = np.bincount(state.track_owner[region, : rules.track_length[region]], minlength=4)
        governor = int(state.card_place[rules.governor_card[region]])
        assert discs[governor] == discs.max()
    before = Game.new(4, seed=5).state[0]
    spaces = [space for space in range(c.TRACK_SPACES, c.NUM_SPACES) if before.token[space] != c.NONE]
    taken = np.bincount(before.token[spaces], minlength=c.NUM_TOKEN_KINDS)
    assert (state.token[spaces] == c.NONE).all()
    assert (state.tokens[:4].sum(axis=0) - before.tokens[:4].sum(axis=0)).tolist() == taken.tolist()


def test_equal_seeds_give_equal_positions() -> None:
    first, again, other = (open_regions(Game.new(3, seed=1), seed) for seed in (4, 4, 5))
    assert first.state.tobytes() == again.state.tobytes() != other.state.tobytes()


@pytest.mark.parametrize(
    "game", [play(Game.new(3, seed=1), 1, 5), *(Game.new(variant=name, seed=1) for name in ("solo", "neutral_2"))]
)
def test_only_a_new_game_without_a_variant_can_be_opened(game: Game) -> None:
    before = game.state.tobytes()
    with pytest.raises(EndeavorError, match="give a new game, with Exploits or without"):
        open_regions(game)
    assert game.state.tobytes() == before
