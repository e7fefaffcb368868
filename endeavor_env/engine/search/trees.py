"""Tree search of any game on the engine: simulations with chance, and with hidden parts drawn anew."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.hardware import check_memory
from endeavor_env.basics.inputs import one_of, positive_number, real_number, whole_number
from endeavor_env.engine.game import Game, is_game
from endeavor_env.engine.game_rules import WORD, rows_of
from endeavor_env.engine.kernels import tree_search as kernels
from endeavor_env.engine.kernels.endings import REWARD_CODES
from endeavor_env.engine.kernels.masks import words_of
from endeavor_env.engine.kernels.parts import TREE
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.kernels.rules import CHANCE, MAX_SEATS, RESAMPLE
from endeavor_env.engine.players import entry_address
from endeavor_env.engine.rewards import TABLE_NAMES
from endeavor_env.errors import GameOverError, InvalidOptionError, shown
from endeavor_env.kernels.loading.once import ensure_parts

NODES_OF_SIMULATION = 4
"""Nodes that are kept for each simulation: the one that it adds, and draws before it. A full tree grows no more."""
_BYTES_OF_NODE = kernels.COLUMNS * WORD.itemsize + MAX_SEATS * 8


class TreeResult(NamedTuple):
    """What a search found about the moves of the seat that searched, by visits from the most on."""

    actions: npt.NDArray[np.int64]
    """(n,) the moves that were tried, as action ids."""
    visits: npt.NDArray[np.int64]
    """(n,) simulations that made each move first."""
    values: npt.NDArray[np.float64]
    """(n,) the mean reward of the seat after each."""

    @property
    def best(self) -> int:
        """The move with the most visits; of several, the one with the greatest value."""
        return int(self.actions[0])


def tree_search(
    game: Game,
    simulations: int = 400,
    seed: int = 0,
    *,
    limit: int = 200,
    exploration: float = 1.5,
    reward: str = "margin",
    leaves: str | None = None,
) -> TreeResult:
    """Search for the seat to move; see ``engine.kernels.tree_search`` for how.

    The search takes nothing from the game that the seat cannot know: hidden parts and all draws of chance are drawn
    anew in each simulation. It is compiled, and the same seed gives the same result.

    Args:
        game: The game, which stays as it is.
        simulations: How many, at least 1.
        seed: At least 0, for everything that is drawn.
        limit: Most decisions that a simulation plays at random behind the node that it adds; none with ``leaves``.
        exploration: Weight of what was tried little, in units of the reward, above 0.
        reward: What the scores are worth where a simulation stops: a name of ``rewards.TABLE_NAMES``.
        leaves: A player of the game that values positions, such as "value": what each seat sees where a simulation
            stops is valued by it, instead of the scores.

    Raises:
        CheckpointError: The network of ``leaves`` cannot be used.
        GameOverError: The game is over.
        InvalidOptionError: Another argument is not possible, or a draw is due (``Game.draw``).
    """
    if not is_game(game):
        raise InvalidOptionError(f"game={shown(game)} cannot be searched here: give a Game")
    if game.over:
        raise GameOverError("a search is not possible: the game is over")
    if game.seat == CHANCE:
        raise InvalidOptionError("a search is not possible before a draw: call game.draw()")
    number, most = positive_number("simulations", simulations), positive_number("limit", limit)
    weight, start = real_number(exploration), whole_number(seed)
    if weight is None or weight <= 0:
        raise InvalidOptionError(f"exploration={shown(exploration)} is not possible: give a number above 0")
    if start is None or start < 0:
        raise InvalidOptionError(f"seed={shown(seed)} is not possible: give a whole number from 0 on")
    one_of("reward", reward, TABLE_NAMES)
    check_memory("simulations", number, NODES_OF_SIMULATION * _BYTES_OF_NODE)
    tree = _new_tree(1 + NODES_OF_SIMULATION * number)
    ensure_parts(TREE, *game.rules.needs((game.variant,)))
    rules, actions = game.rules, game.rules.num_actions(game.variant)
    kernels.search_tree(
        *rules.given(game.config.board_array, game.state),
        game.seat,
        int(rules.entries[RESAMPLE] is not None),
        words_of(actions),
        number,
        most if leaves is None else 0,
        weight,
        REWARD_CODES[reward],
        rules.scale,
        tree,
        0,
        np.empty(rows_of(game.state).shape[1], WORD),
        seeded(start),
        *_leaves_of(game, leaves),
    )
    return _read_root(tree, game.seat)


def _leaves_of(game: Game, name: str | None) -> tuple[int, npt.NDArray[np.uint8]]:
    """Return the address of the entry by which a player values leaves, and its memory."""
    if name is None:
        return kernels.NO_LEAVES, np.zeros(0, np.uint8)
    player = game.rules.players.player(name, "leaves")
    if player.leaves is None:
        raise InvalidOptionError(f"leaves={shown(name)} is not possible: this player does not value positions")
    player.check_plays(game.variant)
    return entry_address(player.leaves), player.memory(game.rules.num_actions(game.variant))


def _new_tree(nodes: int) -> kernels.Tree:
    """Return a tree that has room for so many nodes."""
    return kernels.Tree(
        np.empty((nodes, kernels.COLUMNS), np.int64),
        np.empty((nodes, MAX_SEATS), np.float64),
        np.empty(kernels.MOST_DEPTH, np.int64),
    )


def _read_root(tree: kernels.Tree, seat: int) -> TreeResult:
    """Return what a tree says about the moves at its root."""
    children, child = [], int(tree.nodes[kernels.ROOT, kernels.FIRST_CHILD])
    while child >= 0:
        children.append(child)
        child = int(tree.nodes[child, kernels.NEXT_SIBLING])
    rows = np.array(children, np.int64)
    visits = tree.nodes[rows, kernels.VISITS]
    values = tree.values[rows, seat] / np.maximum(visits, 1)
    order = np.lexsort((-values, -visits))
    return TreeResult(tree.nodes[rows, kernels.ACTION][order], visits[order], values[order])
