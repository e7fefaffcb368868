"""The search agent: a tree of whole turns within a time or a number of simulations."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

from endeavor_env import Game
from endeavor_env.agents.base import ActionValue, best_choices
from endeavor_env.basics.inputs import fresh_seed
from endeavor_env.basics.thread_guard import ThreadGuard, guarded
from endeavor_env.endeavor.ensure import ensure_players_compiled
from endeavor_env.endeavor.notes import Note
from endeavor_env.endeavor.players.search.player import NO_LIMIT, forget, search_entry
from endeavor_env.endeavor.players.search.settings import read_search_name
from endeavor_env.endeavor.players.search.tree import tree_of
from endeavor_env.endeavor.rules.actions import RULESETS, num_actions
from endeavor_env.engine.kernels.players import FIRST_ENTRY, NOBODY
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.kernels.single import choose_action
from endeavor_env.engine.players import entry_address
from endeavor_env.engine.seating import join_players
from endeavor_env.errors import InvalidOptionError, shown

# --- The time of a decision, in simulations: how many more fit into it -----------------------------------------------

_FORMER = 10.0
"""As many simulations those of former decisions count as, most."""
_LEAST_SECONDS = 1e-9


class SearchClock:
    """Measures how long simulations take, and says how many more fit into the time for a decision."""

    def __init__(self, seconds: float) -> None:
        """Make a clock for decisions of ``seconds``, by the clock on the wall."""
        self._seconds = seconds
        self._made, self._spent = 0.0, 0.0
        self._begun = self._last = 0.0

    def begin(self) -> None:
        """Begin a decision."""
        if self._made > _FORMER:
            self._spent *= _FORMER / self._made
            self._made = _FORMER
        self._begun = self._last = perf_counter()

    def more(self) -> int:
        """Note that a simulation was made; return how many more fit in, 0 or less for none."""
        now = perf_counter()
        self._made += 1
        self._spent += now - self._last
        self._last = now
        left = self._seconds - (now - self._begun)
        return round(left * self._made / max(self._spent, _LEAST_SECONDS))


# --- The search agent: a tree of whole turns, with values and priors from a value network ----------------------------
# The kernels are in ``endeavor_env.endeavor.players.search``; ``docs/search.md`` explains the settings.
#
# - **The tree is one of whole turns.** A node is a position in which a seat begins a turn, a building or another
# decision; its branches are the best complete turns that the lookahead of the value player finds there. - **Every seat
# maximises its own value** (max^n). Branches are chosen by PUCT; one that was not yet visited is estimated   by the
# mean of its node, plus what the network makes of the turn beside the best one. - **Values of a leaf.** The network is
# trained on positions after a seat's own turn, seen by that seat. So the value of   a leaf for a seat is read after the
# next best turn of that seat (``turn``), or, better, after the best turns of all   seats have brought the round to its
# end (``round``). ``none`` asks the network for each seat at the leaf itself. - **No opponent model**, with
# ``playout=none``. ``turn`` and ``round`` suppose that all seats play like the value player   beyond the tree, for at
# most a round. A search that supposes more wins against that opponent and loses against others. - **The policy's prior
# of a turn** is the product of the probabilities of its decisions, among the turns that are looked   at. - **Halving**
# is the root of Gumbel AlphaZero without its noise: every considered turn gets equally many simulations,   the worse
# half is put aside, and so on. - **Time** is counted in simulations: as many as fit into what is left of it, by how
# long those of this decision and the   ones before took. Each round of a halving gets its number of them when it
# begins. - **Agents keep the part of the tree below the position that was reached**, compiled players only the rest of
# the turn   that they chose.

_NODES_OF_MILLISECOND, _SPARE_NODES, _MOST_NODES = 40, 1000, 100_000


class SearchAgent:
    """Searches for a number of simulations or for a time, and keeps what it found from one decision to the next."""

    def __init__(self, settings: str = "") -> None:
        """Make an agent with a seed of its own until its first ``reset``; the first on a machine compiles its kernels.

        Args:
            settings: As in the name: "sims=100", "ms=20,c=0.3,network=<path>".

        Raises:
            InvalidOptionError: An unknown setting, or a value that it cannot take.
            CheckpointError: The network cannot be used.
        """
        read = read_search_name(settings)
        ensure_players_compiled()
        self.name = f"search:{settings}" if settings else "search"
        self._read, self._clock, self._size = read, None, 0
        self._changed: dict[str, Any] = {"keeps": True}
        if read.milliseconds is not None:
            self._clock = SearchClock(read.milliseconds / 1000)
            room = min(_SPARE_NODES + int(_NODES_OF_MILLISECOND * read.milliseconds), _MOST_NODES)
            self._changed |= {"at_once": 1, "room": room}
        self._players = NOBODY
        self._masks = {rules.num_actions: np.zeros(rules.num_actions, np.int8) for rules in RULESETS.values()}
        self._guard = ThreadGuard()
        self.reset(fresh_seed())

    @guarded
    def reset(self, seed: int) -> None:
        """Forget the last game."""
        self._rng = seeded(seed)
        if self._size:
            forget(self._players.memory)

    @property
    def nbytes(self) -> int:
        """Bytes of memory that the networks and the tree take since the first decision."""
        return self._players.memory.nbytes

    def _sit_down(self, game: Game) -> None:
        """Take memory for a game, unless it is there since a game with as many action ids.

        Raises:
            InvalidOptionError: The networks do not play this variant.
        """
        if game.variant not in self._read.variants:
            raise InvalidOptionError(
                f"player {shown(self.name)} does not play {game.variant!r}: it was made for "
                f"{', '.join(self._read.variants)}"
            )
        size = num_actions(game.variant)
        if size != self._size:
            memory = self._read.memory(size, **self._changed)
            self._players = join_players({FIRST_ENTRY: entry_address(search_entry)}, {FIRST_ENTRY: memory})
            self._tree, self._size = tree_of(self._players.memory), size

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the tree, a view of the memory: its copy would be another tree than the one that is searched."""
        return {name: value for name, value in self.__dict__.items() if name != "_tree"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a copy, which goes on with the tree of its own memory."""
        self.__dict__.update(state)
        if self._size:
            self._tree = tree_of(self._players.memory)

    @guarded
    def act(self, game: Game) -> int:
        """Return the first action of the turn that the search likes best.

        Raises:
            InvalidOptionError: The networks do not play this variant.
        """
        self._sit_down(game)
        return self._choose(game) if self._clock is None else self._choose_in_time(game, self._clock)

    @guarded
    def note(self, game: Game) -> Note:
        """Return what a fresh search expects for each seat, and how it divided its simulations among the moves.

        Args:
            game: A game that is not over.

        Raises:
            InvalidOptionError: The networks do not play this variant.
        """
        self._sit_down(game)
        forget(self._players.memory)
        action = self.act(game)
        found = self._searched(game)
        if not found:  # one legal move, or one turn: nothing to search
            return Note((), ((game.describe(action), 1.0),))
        root = self._tree.nodes[0]
        values = root["sums"][: game.num_players] / root["visits"]
        return Note(
            tuple(round(float(value), 3) for value in values),
            best_choices({game.describe(move): visits for move, (visits, _) in found.items()}),
        )

    @guarded
    def expect(self, game: Game) -> list[ActionValue]:
        """Return the moves that a fresh search looked at, each with the mean of its values and its share of the visits.

        Raises:
            InvalidOptionError: The networks do not play this variant.
        """
        self._sit_down(game)
        forget(self._players.memory)
        chosen = self.act(game)
        found = {move: one for move, one in self._searched(game).items() if one[0]}
        total = sum(visits for visits, _ in found.values())
        expectations = [ActionValue(move, values / visits, visits / total) for move, (visits, values) in found.items()]
        expectations.sort(key=lambda one: (one.action != chosen, -(one.share or 0.0)))
        return expectations or [ActionValue(chosen, None, None)]

    def _searched(self, game: Game) -> dict[int, tuple[int, float]]:
        """Return the first moves of the turns that the last search knows, each with its visits and the sum of values.

        The values are those of the seat to move. Nothing is returned if there was nothing to search.
        """
        tree, root = self._tree, self._tree.nodes[0]
        if not tree.search["nodes"][0] or not root["visits"]:
            return {}
        found: dict[int, tuple[int, float]] = {}
        for turn in tree.branches[0, : root["branches"]]:
            first, child = int(turn["path"][0]), int(turn["child"])
            visits, values = found.get(first, (0, 0.0))
            if child >= 0:
                visits += int(tree.nodes["visits"][child])
                values += float(tree.nodes["sums"][child, game.seat])
            found[first] = visits, values
        return found

    @guarded
    def root_visits(self) -> int:
        """Return the simulations that the last decision rests on, those kept from earlier decisions included."""
        return int(self._tree.nodes["visits"][0])

    def _choose_in_time(self, game: Game, clock: SearchClock) -> int:
        """Return the choice after one simulation upon the other, until the time for a decision is over.

        The first one is for the clock: a halving that knew no number of simulations begins again with one.
        """
        clock.begin()
        search, visits = self._tree.search, self._tree.nodes["visits"]
        search["simulations"], search["goes_on"] = NO_LIMIT, 0
        action, calls = self._choose(game), 1
        while search["made"][0]:
            more = clock.more()
            if more < 1:
                break
            search["simulations"], search["goes_on"] = visits[0] + more, calls > 1
            action = self._choose(game)
            calls += 1
        return action

    def _choose(self, game: Game) -> int:
        """Return the choice of the compiled player, which goes on with its search if the position is the same."""
        mask = self._masks[num_actions(game.variant)]
        return int(choose_action(FIRST_ENTRY, self._players, *game.given, mask, self._rng))
