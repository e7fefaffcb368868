"""Batch: N games as arrays, played by compiled kernels on several threads.

Ownership: all arrays belong to the batch and are changed by its methods; copy what you keep. Any of them may be viewed
by PyTorch without a copy (``torch.from_numpy(batch.words)``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import MAX_CYCLES, one_of
from endeavor_env.basics.thread_guard import ThreadGuard, guarded
from endeavor_env.engine.batch import threads
from endeavor_env.engine.batch.threads import HelpingThreads, run_shared
from endeavor_env.engine.game import GameConfig
from endeavor_env.engine.game_rules import GameRules, copied, rows_of
from endeavor_env.engine.kernels import turn as kernels
from endeavor_env.engine.kernels.endings import ENDED, REWARD_WIN
from endeavor_env.engine.kernels.masks import words_of
from endeavor_env.engine.kernels.parts import BATCH
from endeavor_env.engine.kernels.players import SEAT_CALLABLE, SEAT_RANDOM, Players
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.kernels.rules import MAX_SEATS, NONE
from endeavor_env.engine.kernels.tables import KIND, TABLE, Games
from endeavor_env.engine.kernels.turn import CLOSES, CLOSES_NOTHING, RESTARTS
from endeavor_env.engine.seating import BatchPolicy, SeatedPlayers, Seats, cumulative_shares, legal_answers
from endeavor_env.errors import InvalidOptionError
from endeavor_env.kernels.loading.once import ensure_parts

# --- The kinds of game that are played side by side, and as kernels take them ----------------------------------------

GAME_CHOICES = ("row", "draw")
MAX_KINDS = 1 << 15


class Kinds:
    """All kinds of game of one environment.

    Attributes:
        games: (K,) what is played in each kind.
        weights: (K,): how often games of each kind are drawn, in proportion to the others.
        drawn: Whether each game draws its kind; otherwise row i has kind i modulo their number.
        layout_variant: The variant whose masks and observations every row has: the one with most action ids.
        variants: The variants of all kinds, each once.
        variant: The variant of all kinds, None if they differ.
        least: Fewest seats of a kind.
        most: Most seats of a kind.
        scores: Most scores of a kind.
    """

    def __init__(
        self, games: Sequence[GameConfig], choice: Any = "row", weights: Sequence[float] | None = None
    ) -> None:
        """Take at least one kind, one of GAME_CHOICES, and checked weights; refuse another choice.

        Without ``weights`` all kinds are drawn equally often.
        """
        self.games = tuple(games)
        self.weights = (1.0,) * len(self.games) if weights is None else tuple(weights)
        drawn = one_of("game_choice", choice, GAME_CHOICES) == "draw"
        if len(games) >= MAX_KINDS:
            raise InvalidOptionError(f"{len(games)} kinds of game are too many: give fewer than {MAX_KINDS}")
        self.drawn = drawn and len(games) > 1
        variants = [game.variant for game in games]
        if (fault := self.rules.mixing_fault(variants)) is not None:
            raise InvalidOptionError(fault)
        self.layout_variant = max(variants, key=self.rules.num_actions)
        self.variants = tuple(dict.fromkeys(variants))
        self.variant = variants[0] if len(self.variants) == 1 else None
        self.least, self.most = min(game.players for game in games), max(game.players for game in games)
        self.scores = max(game.num_scores for game in games)

    @property
    def rules(self) -> GameRules:
        """The game of all kinds."""
        return self.games[0].rules

    def boards(self) -> list[npt.NDArray[np.void]]:
        """Return each board once, (1,) of the game's boards."""
        return list({id(game.board_array): game.board_array for game in self.games}.values())

    def array(self) -> npt.NDArray[np.void]:
        """Return (K,) KIND, in which ``board`` is an index into ``boards()``."""
        ensure_parts(*self.rules.needs(self.variants))
        boards, kinds = [id(board) for board in self.boards()], np.zeros(len(self.games), KIND)
        for row, game in zip(kinds, self.games, strict=True):
            row["players"], row["variant"], row["board"] = game.players, game.code, boards.index(id(game.board_array))
            options = game.option_array()
            row["options"][: options.size] = options
        kinds["until"] = cumulative_shares(self.weights)
        return kinds


# --- Batch: N games as arrays, played by compiled kernels on several threads -----------------------------------------
# Ownership: all arrays belong to the batch and are changed by its methods; copy what you keep. Any of them may be
# viewed by PyTorch without a copy (``torch.from_numpy(batch.words)``).

MOST_CYCLES = (1 << 31) - 1
"""A limit of decisions above this one would take hours to reach; the kernels count in 32 bits."""
MOST_DRAWN = 1000
"""Games that are drawn one after another for one in which the learner is asked for a decision."""
_MANY = 1024
"""Fewer rows than this for each thread are not worth waking it for work that is done by a pool of threads."""
_NO_FEATURES, _NO_COMPACT = np.zeros((0, 0), np.float32), np.zeros((0, 0), np.int8)
_NONE_ENDED = np.empty(0, ENDED)
_GIVEN = ["given_setup", "given_first", "given_learner"]
"""The fields of TABLE that say what is given of a row's next game."""


def never_asked(seat: int) -> InvalidOptionError:
    """Return the error for options with which games end before the learner's first decision."""
    return InvalidOptionError(
        f"seat {seat} of the learner is not asked for a decision in {MOST_DRAWN:,} games, which all end before: "
        "let games be longer, or the learner begin"
    )


class Pay(NamedTuple):
    """The rewards at the end of a game."""

    reward: int = REWARD_WIN
    """REWARD_*; with REWARD_GIVEN the caller computes it."""
    illegal_reward: float = -1.0
    """The reward of the seat that chose an illegal action."""


class Ended(NamedTuple):
    """The games that a turn ended, by row."""

    games: npt.NDArray[np.void]
    """(n,) ENDED, see ``engine.kernels.endings``."""
    observations: npt.NDArray[Any] | None
    """(n, size): their last observations, if other games started in the same turn; otherwise None."""


def bytes_of_game(rules: GameRules, actions: int) -> int:
    """Return the memory of one game with a mask of ``actions`` ids, without its observation.

    That is the state, the mask as bits, and what a batch keeps beside them: table, status, seat to move, row, chosen
    action, and end.
    """
    return rules.position.itemsize + 8 * words_of(actions) + TABLE.itemsize + 1 + 1 + 8 + 8 + ENDED.itemsize


class Batch:
    """N games. Every method that changes games works on the rows it names and on no other.

    Attributes:
        size: N.
        rules: The game.
        boards: (B,) boards.
        kinds: (K,) KIND, the kinds of game; see ``engine.kernels.tables``.
        tables: (N,) TABLE, the kind of each game, the learner's seat and the opponents; see ``engine.kernels.tables``.
        states: (N,) positions.
        words: (N, words) int64, the legal actions of the seat to move as bits: bit b of word w stands for the id
            64 w + b. All ids are legal when a game has ended: any is ignored. ``write_masks`` gives them as bytes.
        num_actions: Number of action ids.
        status: (N,) int8: RUNNING, WAITING, OVER, ILLEGAL or TRUNCATED of ``engine.kernels.turn``.
        movers: (N,) int8, the seat to move, NONE when a game is over by the rules.
        decisions: Decisions made by all seats so far.
        layout: The layout of the observations.
        seats: The players of new games.
    """

    def __init__(
        self,
        size: int,
        *,
        rules: GameRules,
        boards: npt.NDArray[np.void],
        kinds: npt.NDArray[np.void],
        draws: bool,
        variant: str,
        observation: str,
        pay: Pay = Pay(),  # noqa: B008 (a constant)
        max_cycles: int = MAX_CYCLES,
        threads: int | None = None,
    ) -> None:
        """Make the arrays; ``seats`` sets who plays and ``restart`` begins games. The caller checks all arguments.

        Args:
            size: Number of games.
            rules: The game.
            boards: (B,) of its dtype, the boards that ``kinds`` refers to by index.
            kinds: (K,) KIND.
            draws: Whether each game draws its kind; otherwise kind i is that of rows i, i + K, ...
            variant: The name of the variant whose masks and observations every row has.
            observation: "features" or "compact".
            pay: The rewards at the end of a game.
            max_cycles: Decisions of all seats after which a game is cut short.
            threads: At most this many; None for all cores.
        """
        self.size = size
        self.rules, self.boards = rules, boards
        self.kinds = kinds
        self.layout = rules.layout_for(variant, observation)
        self.tables = np.zeros(size, TABLE)
        self.states = np.zeros(size, rules.position)
        self.num_actions = rules.num_actions(variant)
        self.words = np.zeros((size, words_of(self.num_actions)), np.int64)
        self.status, self.movers = np.full(size, kernels.OVER, np.int8), np.full(size, NONE, np.int8)
        self.decisions = 0
        self.pay, self.max_cycles = pay, min(max_cycles, MOST_CYCLES)
        self._rows = np.arange(size)
        self._chosen, self._over = np.full(size, NONE, np.int64), np.empty(size, np.int64)
        self._begun = self._over[:0]
        self._ended = np.empty(size, ENDED)
        self._guard = ThreadGuard()
        self._last: npt.NDArray[Any] | None = None
        self._helpers = HelpingThreads(threads, size)
        self._players = SeatedPlayers(self.num_actions, rules.players, self.threads)
        self._compiled = False  # whether the parts of the machine code are known to be there
        self.seats = Seats(self.tables, self.status, self._players)
        self._setups = np.zeros(self.threads, rules.setup)
        self._scratch = np.zeros((self.threads, self.num_actions), np.int8)
        self.tables["kind"] = self._rows % kinds.size
        self.tables["draws_kind"] = draws and kinds.size > 1
        for field in ("board", "players", "variant"):
            self.tables[field] = kinds[field][self.tables["kind"]]
        self.tables["given_first"] = self.tables["given_learner"] = NONE
        self._view_rows()

    def _view_rows(self) -> None:
        """Make the rows of words that kernels take, in the memory of boards and positions."""
        self.boards.flags.writeable = False  # as a board's own array: kernels would be compiled again for another kind
        self._board_rows, self._positions = rows_of(self.boards), rows_of(self.states)
        self._setup_rows = rows_of(self._setups)
        self._given: Games | None = None
        self._seated: Players | None = None
        self._seated_codes: frozenset[int] = frozenset()

    def _ensure_compiled(self) -> None:
        """Make the machine code of the batch and of its game if needed."""
        ensure_parts(BATCH, *self.rules.needs(()))
        self._compiled = True

    @property
    def _games(self) -> Games:
        """The games as kernels take them, kept until other opponents sit down."""
        games, mix = self._given, self.seats.mix
        if games is None or games.mix is not mix:
            arrays = self.tables, self._positions, self.words, self.status
            games = self._given = Games(self.rules.addresses, self._board_rows, self.kinds, mix, *arrays)
        return games

    @property
    def threads(self) -> int:
        """Most threads that work on the games at once."""
        return self._helpers.threads

    # --- starting ----------------------------------------------------------------------------------------------------
    def seed_game(self, row: int, seed: int) -> None:
        """Make the next game of ``row`` the game of ``seed``, below 2**63; later games follow from the seed, too.

        Where the stream draws the kind or the opponents of this game already, it is another one than that of its
        set-up: with equal numbers some spaces would have only some tokens in each kind of game.
        """
        draws = self.tables["draws_kind"][row] or self.seats.mix.size
        self.tables["stream"][row] = seeded(~seed if draws else seed)
        self.tables["game_seed"][row] = seed
        self.tables["seeded"][row] = 1

    def seed_stream(self, row: int, seed: int) -> None:
        """Draw the seeds of all next games of ``row`` from a stream that depends on ``seed`` alone."""
        self.tables["stream"][row] = seeded(seed)
        self.tables["seeded"][row] = 0

    @guarded
    def restart(self, rows: npt.NDArray[np.int64], setups: npt.NDArray[np.void] | None = None) -> None:
        """Start new games in ``rows`` and let the opponents play up to the learner's first decision.

        Where a game ends before, the next of its row is drawn, with what is given of the first.

        Args:
            rows: (n,) games.
            setups: (n,) SETUP, used where ``TABLE.given_setup`` is 1.

        Raises:
            InvalidOptionError: Of MOST_DRAWN games none comes to a decision of the learner.
        """
        given = self.tables[_GIVEN][rows].copy()
        for _ in range(MOST_DRAWN):
            self._play(rows, np.full(rows.size, kernels.BEGIN, np.int64), setups=setups)
            self._play_functions()
            over = self.status[rows] >= kernels.OVER
            if not over.any():
                return
            rows, given, setups = rows[over], given[over], None if setups is None else setups[over]
            for name in _GIVEN:
                self.tables[name][rows] = given[name]
        raise never_asked(int(self.tables["learner"][rows[0]]))

    # --- playing -----------------------------------------------------------------------------------------------------
    @guarded
    def check(
        self, actions: npt.NDArray[np.int64], legality: bool, autoreset: bool
    ) -> tuple[int, npt.NDArray[np.int64]]:
        """Take the actions of the next turn, (N,) int64; those of games that are over do not matter.

        Args:
            actions: Read, not kept.
            legality: Whether they must be legal; otherwise an illegal id ends its game.
            autoreset: Whether games that are over start again.

        Returns:
            The first game with a wrong action, NONE if there is none; the turn may be taken only with NONE. And the
            games that are over, (n,).
        """
        if not self._compiled:
            self._ensure_compiled()
        wrong, over = kernels.check_actions(
            actions, self.words, self.num_actions, self.status, legality, autoreset, self._chosen, self._over
        )
        games = self._over[:over].copy()
        self._begun = games if autoreset else games[:0]
        return int(wrong), games

    @guarded
    def turn(
        self,
        same_step: bool = False,
        out: npt.NDArray[Any] | None = None,
        masks: npt.NDArray[np.int8] | None = None,
    ) -> Ended:
        """Carry out the actions last checked and let the opponents play up to the learner's next decisions.

        A game whose action is illegal stays as it is, with the status ILLEGAL. One that reaches the limit of decisions
        gets the status TRUNCATED, pays nothing, and ends with its scores as they stand. One that begins here, and ends
        before the learner's first decision, gives way to the next one as in ``restart``.

        Args:
            same_step: Whether games that end start again in the same turn.
            out: (N, size) of the layout's dtype, gets the observations; None if nobody needs them.
            masks: (N, actions) int8, gets the masks; None if nobody needs them as bytes.

        Returns:
            The games that ended.
        """
        closes = RESTARTS if same_step else CLOSES
        if not self.seats.functions:
            ended = self._play(self._rows, self._chosen, closes=closes, out=out, masks=masks)
        else:
            self._play(self._rows, self._chosen)  # functions are asked for all games at once, before any of them ends
            self._play_functions()
            ended = self._play(self._rows, self._no_actions(self.size), closes=closes)
            self._play_functions()
            if out is not None:
                self.observe(None, out)
            if masks is not None:
                self.write_masks(masks)
        begun = ended.games["row"] if same_step else self._begun
        if begun.size and (self.status[begun] >= kernels.OVER).any():
            again = begun[self.status[begun] >= kernels.OVER]
            self.restart(again)
            if out is not None:
                out[again] = self.observe(again)
            if masks is not None:
                masks[again] = self.masks(again)
            if not same_step:
                ended = Ended(ended.games[~np.isin(ended.games["row"], again)], None)
        return ended

    @guarded
    def close_rows(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.void]:
        """Return how the games of ``rows``, which are over, ended, (n,) ENDED."""
        return self._play(rows, self._no_actions(rows.size), closes=CLOSES).games

    def _no_actions(self, count: int) -> npt.NDArray[np.int64]:
        """Return actions, (``count``,), that leave their games as they are."""
        return np.full(count, NONE, np.int64)

    def _play(
        self,
        rows: npt.NDArray[np.int64],
        actions: npt.NDArray[np.int64],
        *,
        setups: npt.NDArray[np.void] | None = None,
        closes: int = CLOSES_NOTHING,
        out: npt.NDArray[Any] | None = None,
        masks: npt.NDArray[np.int8] | None = None,
    ) -> Ended:
        """Call the turn kernel for ``rows``, shared by all threads; its docstring explains the arguments."""
        if not self._compiled:
            self._ensure_compiled()
        given = self._setup_rows if setups is None else rows_of(np.concatenate([self._setups, setups]))
        last = self._last_observations(closes)
        parts, size = self._helpers.share(rows.size, self._least())
        made, closed = kernels.turn(
            self._games,
            self.movers,
            rows,
            actions,
            given,
            _NO_COMPACT if masks is None else masks,
            *self._by_dtype(out),
            closes,
            self.pay.reward,
            self.rules.scale,
            self.max_cycles,
            self.pay.illegal_reward,
            self._ended,
            *self._by_dtype(last),
            self._scratch,
            self._seated_players(),
            self._helpers.words,
            parts,
            size,
            self._helpers.found,
        )
        self.decisions += int(made)
        games = copied(self._ended[:closed]) if closed else _NONE_ENDED
        return Ended(games, None if last is None else last[:closed].copy())

    def _seated_players(self) -> Players:
        """Return the players that have seats, kept until others sit down."""
        codes = self.seats.codes
        if self._seated is None or self._seated_codes is not codes:
            self._seated, self._seated_codes = self._players.seat(codes), codes
        return self._seated

    def _least(self) -> int:
        """Return how many rows each thread must have for a turn to be shared, by what a row takes."""
        thinks = any(SEAT_RANDOM < code < SEAT_CALLABLE for code in self.seats.codes)
        return threads.THINKING if thinks else threads.SMALL

    def _by_dtype(self, out: npt.NDArray[Any] | None) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Return an array for features and one for compact observations; one that is not wanted has no rows."""
        if out is None:
            return _NO_FEATURES, _NO_COMPACT
        return (out, _NO_COMPACT) if out.dtype == np.float32 else (_NO_FEATURES, out)

    def _last_observations(self, closes: int) -> npt.NDArray[Any] | None:
        """Return the array for the last observations of games; None unless games start again in the same turn.

        Memory is used only for as many rows as games ever ended at once.
        """
        if closes == RESTARTS and self._last is None:
            self._last = np.empty((self.size, self.layout.size), self.layout.dtype)
        return self._last if closes == RESTARTS else None

    def _play_functions(self) -> None:
        """Let the caller's functions play until none of their seats is to move."""
        while self.seats.functions:
            waiting = np.flatnonzero(self.status == kernels.WAITING)
            if not waiting.size:
                return
            codes = self.tables["policies"][waiting, self.states["seat"][waiting]]
            actions = np.empty(waiting.size, np.int64)
            for code in np.unique(codes).tolist():
                asked = codes == code
                actions[asked] = self._function_actions(self.seats.function(code), waiting[asked])
            self._play(waiting, actions)

    def _function_actions(self, policy: BatchPolicy, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the actions of ``policy`` for ``rows``; raise IllegalActionError unless all are legal."""
        masks = self.masks(rows)
        answers = policy(self.observe(rows), masks.copy())  # a copy: it may write into it
        chosen = legal_answers("opponent", policy, answers, masks, lambda row: f"game {rows[row]}")
        return chosen.astype(np.int64)

    # --- reading -----------------------------------------------------------------------------------------------------
    @guarded
    def observe(
        self, rows: npt.NDArray[np.int64] | None = None, out: npt.NDArray[Any] | None = None
    ) -> npt.NDArray[Any]:
        """Write and return the observations of ``rows`` (None: all), (n, size), from the learner's seat.

        A row that waits for a function of the caller is observed from the seat to move.
        """
        rows = self._rows if rows is None else rows
        target = np.empty((rows.size, self.layout.size), self.layout.dtype) if out is None else out
        self._play(rows, self._no_actions(int(rows.size)), out=target)
        return target

    @guarded
    def leads(self, rows: npt.NDArray[np.int64] | None = None) -> npt.NDArray[np.int64]:
        """Return the learner's score less the best other's, (n,), as if the games of ``rows`` (None: all) ended now."""
        rows = self._rows if rows is None else rows
        out, games = np.empty(rows.size, np.int64), self._games

        def work(low: int, high: int) -> None:
            scores = np.zeros(MAX_SEATS, np.int64)
            kernels.leads(games, rows, low, high, scores, out)

        run_shared(work, int(rows.size), self.threads, _MANY)
        return out

    @guarded
    def sample(self, rngs: npt.NDArray[np.uint64], out: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Write and return a random legal action for each game, (N,); for one that has ended any id, which is ignored.

        ``rngs`` (N, 1) uint64 are the generators of the choice, as ``engine.kernels.rng.seeded`` makes them.
        """
        parts, size = self._helpers.share(self.size, threads.SMALL)
        kernels.sample_actions(self.words, rngs, out, self._helpers.words, parts, size)
        return out

    @guarded
    def masks(self, rows: npt.NDArray[np.int64] | None = None) -> npt.NDArray[np.int8]:
        """Return the masks of ``rows`` (None: all) as bytes, 1 = legal: a fresh (n, actions) int8 array."""
        words = self.words if rows is None else self.words[rows]
        masks = np.empty((len(words), self.num_actions), np.int8)
        kernels.write_masks(words, masks, 0, len(words))
        return masks

    @guarded
    def write_masks(self, out: npt.NDArray[np.int8]) -> None:
        """Write the masks of all games as bytes, 1 = legal, to ``out``, (N, actions) int8."""
        kernels.write_masks(self.words, out, 0, self.size)

    @property
    def bytes_a_game(self) -> int:
        """Memory of one game without its observation, see ``bytes_of_game``."""
        return bytes_of_game(self.rules, self.num_actions)

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes without what kernels are given, which means nothing in another process."""
        return {**self.__dict__, "_given": None, "_seated": None, "_compiled": False}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a copy, which goes on with the same games on threads of its own."""
        self.__dict__.update(state)
        self._view_rows()  # copies of views have memory of their own

    def close(self) -> None:
        """End the threads."""
        self._helpers.close()
