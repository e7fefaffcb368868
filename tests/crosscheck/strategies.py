"""What Hypothesis draws: variants with options and Exploits, seats, seeds, boards, and positions of random games."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.checks import audit
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.options import options_of
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.testing import MAX_DECISIONS, check_state, random_game

board_of = functools.lru_cache(maxsize=64)(Board.resolve)
"""The board of an id, made once."""

players = st.integers(3, 5)
seeds = st.integers(0, 2**32 - 1)
redraws = st.integers(-4, 4)
boards = st.one_of(st.just("endeavor_2009"), st.integers(0, 15).map("generated_{}".format))
"""The id of the board of 2009, or of one of 16 generated ones."""


tiles = st.one_of(
    st.just("random"),
    st.just(list(c.EXPLOIT_NAMES)),
    st.lists(st.sampled_from(c.EXPLOIT_NAMES), min_size=1, max_size=15, unique=True),
)
"""The Exploits of a game that has some: three random ones, all 15, or any number of others."""


@st.composite
def kinds(draw: st.DrawFn, variants: Sequence[str] = c.VARIANT_NAMES) -> dict[str, Any]:
    """One of ``variants``, a number of seats, options and Exploits, as ``Game.new`` takes them."""
    variant = draw(st.sampled_from(variants))
    return {
        "players": draw(st.integers(*c.VARIANT_PLAYERS[c.VARIANT_NAMES.index(variant)])),
        "variant": variant,
        "exploits": draw(tiles) if variant == "exploits" else None,
        "options": {option.name: draw(st.sampled_from(option.values)) for option in options_of(variant)},
    }


@st.composite
def positions(draw: st.DrawFn, variants: Sequence[str] = c.VARIANT_NAMES, whole_games: bool = False) -> Game:
    """A position after some random moves of a game of ``variants``; with ``whole_games`` the end of the game."""
    return played(
        seed=draw(seeds),
        board=board_of(draw(boards)),
        decisions=MAX_DECISIONS if whole_games else draw(st.integers(0, 240)),
        redraws=draw(redraws),
        **draw(kinds(variants)),
    )


def played(
    *,
    seed: int,
    decisions: int = MAX_DECISIONS,
    redraws: int = 0,
    check: bool = False,
    exploits: Sequence[str] | str | None = None,
    **kind: Any,
) -> Game:
    """A game of random moves as ``random_game`` plays it, which names no Exploits."""
    if not isinstance(exploits, list):
        return random_game(seed=seed, decisions=decisions, redraws=redraws, check=check, **kind)
    game, rng = Game.new(seed=seed, exploits=exploits, **kind), seeded(-1 - seed)
    while not game.over and len(game.history) < decisions:
        if check:
            check_state(game)
        game.apply(int(audit.choose_eager(game.mask().view(np.int8), rng, redraws)))
    if check:
        check_state(game)
    return game


def restarted(game: Game, seed: int | None = None) -> Game:
    """The same game at its first decision, from its set-up or from ``seed``."""
    setup = game.setup() if seed is None else None
    return Game.new(
        game.num_players,
        game.variant,
        seed,
        setup=setup,
        board=game.board,
        exploits=game.exploits,
        options=game.options,
    )
