"""Conformance checks for everybody who edits a board, changes a rule, or plays games of their own making.

    from endeavor_env.testing import check_state, divide, perft, random_game, replay_golden

    game = random_game(players=4, seed=7, check=True)    # every decision audited
    game = random_game(variant="solo", seed=7, check=True, options={"difficulty": "harder"})
    perft(Game.new(seed=7), 4)                           # sequences of 1, 2, 3 and 4 decisions
    replay_golden("tests/golden/four_seats_greedy.txt")  # line by line

Failed checks are AssertionErrors, so that they read well in a test.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from endeavor_env.board import Board
from endeavor_env.core import constants as c
from endeavor_env.core import entry
from endeavor_env.core.actions import num_actions
from endeavor_env.core.checks import audit
from endeavor_env.core.checks import audited_play as soak
from endeavor_env.core.engine.scoring import NUM_PARTS
from endeavor_env.core.rng import seeded
from endeavor_env.core.state import STATE
from endeavor_env.errors import GameOverError, IllegalActionError
from endeavor_env.game import OPPOSITION_NAME, Game
from endeavor_env.options import without_defaults

MAX_DECISIONS = 2000
"""No game has more decisions; the longest have five seats.

A seat's buildings are activated once a round, 35 times with one building more each round, and 7 times more when its
one level-5 building pays; the 16 blue tokens bring 16 activations at most: 226 for five seats, with three decisions
each and at most two cards, each discarded once. With 35 builds and passes, 226 payments and 35 declined discards the
sum stays below 1,600.
"""
GOLDEN_FORMAT = "endeavor-golden/1"
_STANDARD, _SOLO = c.VARIANT_NAMES[0], c.VARIANT_NAMES[c.VARIANT_SOLO]


class UnsoundStateError(AssertionError):
    """A state that breaks invariants; ``violations`` names each."""

    def __init__(self, game: Game, violations: list[str]) -> None:
        """Says of ``game`` that it breaks ``violations``."""
        self.violations = violations
        super().__init__(f"{game!r} is unsound: {'; '.join(violations)}")


class ActionMismatchError(AssertionError):
    """``Game.apply`` and ``Game.mask`` disagree, or a refused action changed the game."""


class GoldenMismatchError(AssertionError):
    """A golden game that does not replay; the message shows the first line that differs."""


def flag_names(flags: int) -> list[str]:
    """Returns the violations that the bits of ``flags`` stand for, see ``core.audit.FLAG_NAMES``."""
    return [name for flag, name in audit.FLAG_NAMES.items() if flags & flag]


def violations(game: Game) -> list[str]:
    """Returns the name of every invariant that the game's state, decision or mask breaks; empty if sound."""
    mask = np.empty(num_actions(game.variant), np.int8)
    flags = audit.audit(game.board.array, game.state, np.zeros(1, STATE), mask, np.empty(NUM_PARTS, np.int16))
    return flag_names(flags)


def check_state(game: Game) -> None:
    """Raises UnsoundStateError, naming what is wrong, unless every invariant holds (discs, cards, mask, ...)."""
    found = violations(game)
    if found:
        raise UnsoundStateError(game, found)


def check_actions(game: Game) -> None:
    """Tries every action id on clones: legal ones must be accepted, all others refused without a trace.

    Raises:
        ActionMismatchError: ``apply`` takes an action the mask forbids, refuses one it allows, or leaves a trace of a
            refused one in state or history.
    """
    legal = set(game.legal_actions())
    before, history = game.state.tobytes(), list(game.history)
    refused = game.clone()
    for action in range(-1, num_actions(game.variant) + 1):
        tried = game.clone() if action in legal else refused
        try:
            tried.apply(action)
        except IllegalActionError as error:
            if action in legal:
                raise ActionMismatchError(f"action {action} is legal at {game!r} but refused: {error}") from error
            if isinstance(error, GameOverError) != game.over:
                raise ActionMismatchError(f"action {action} at {game!r} raises {type(error).__name__}") from error
        else:
            if action not in legal:
                raise ActionMismatchError(f"action {action} is illegal at {game!r} but accepted")
        if action not in legal and (tried.state.tobytes() != before or tried.history != history):
            raise ActionMismatchError(f"the refused action {action} changed the game at {game!r}")
    if game.state.tobytes() != before or game.history != history:
        raise ActionMismatchError(f"moves of clones changed the game at {game!r}")


def random_game(
    players: int | None = None,
    seed: int = 0,
    *,
    variant: str = "standard",
    options: Mapping[str, Any] | None = None,
    board: Board | str | Path | None = None,
    decisions: int = MAX_DECISIONS,
    redraws: int = 0,
    check: bool = False,
) -> Game:
    """Returns a game played with random legal moves, to its end or for so many decisions.

    Args:
        players: As for ``Game.new``: 3 to 5 in the standard game, 4 if left out.
        seed: Of the set-up and of the moves; equal arguments give equal games.
        variant: As for ``Game.new``.
        options: As for ``Game.new``.
        board: As for ``Game.new``.
        decisions: How many to make at most.
        redraws: 0 is uniform play; 1 to 4 make long games that crowd the first regions, -1 to -4 the last, with higher
            buildings (``core.soak.choose_eager``).
        check: Audit the state at every decision (``check_state``).

    Raises:
        UnsoundStateError: With ``check``, at the first unsound state, or if the game does not end by MAX_DECISIONS.
    """
    game = Game.new(players, variant, seed, board=board, options=options)
    rng = seeded(-1 - seed)
    mask = np.empty(num_actions(variant), np.int8)
    for _ in range(decisions):
        if check:
            check_state(game)
        if entry.legal(game.board.array, game.state, mask) == 0:
            break
        game.apply(int(soak.choose_eager(mask, rng, redraws)))
    if check:
        check_state(game)
        if not game.over and decisions >= MAX_DECISIONS:
            raise UnsoundStateError(game, [audit.FLAG_NAMES[audit.ENDLESS]])
    return game


def perft(game: Game, depth: int) -> list[int]:
    """Returns how many sequences of 1, 2, ... ``depth`` legal decisions there are from here, counted one by one."""
    if depth < 1:
        return []
    stack = np.zeros(depth, STATE)
    stack[0] = game.state[0]
    counts = np.zeros(depth, np.int64)
    soak.count_sequences(game.board.array, stack, np.zeros((depth, num_actions(game.variant)), np.int8), counts)
    return counts.tolist()


def divide(game: Game, depth: int) -> dict[str, int]:
    """Returns ``perft``'s last count split by the first move: sequences of ``depth`` decisions that start with it.

    Compare it with that of another implementation, play the move that differs, and divide again one decision less deep.
    """
    split = {}
    for move in game.legal_moves():
        after = game.clone()
        after.play(move)
        split[move] = perft(after, depth - 1)[-1] if depth > 1 else 1
    return split


def divide_text(game: Game, depth: int) -> str:
    """Returns ``divide`` as a table for a failure message."""
    split = divide(game, depth)
    lines = [f"  {move:<28}{count:>12,}" for move, count in split.items()]
    return "\n".join([f"{game!r}, depth {depth}:", *lines, f"  {'in all':<28}{sum(split.values()):>12,}"])


# --- golden games ----------------------------------------------------------------------------------------------


def golden_text(game: Game, played_by: str) -> str:
    """Returns a finished game as a golden file: set-up, one line a decision with a digest of every seat, final scores.

    Args:
        game: A finished game.
        played_by: A word on where the moves come from; it is kept, not interpreted.
    """
    if not game.over:
        raise GoldenMismatchError(f"{game!r} is not over: a golden game runs to its end")
    head = [GOLDEN_FORMAT, f"board {game.board.id}", f"players {game.num_players}", f"played-by {played_by}"]
    moves = [game.describe(action) for _, action in game.history]
    again = Game.new(game.num_players, game.variant, setup=game.setup(), board=game.board, options=game.options)
    return "\n".join([*head, *_variant_lines(game), *_setup_lines(game), *_play_lines(again, moves)]) + "\n"


def _variant_lines(game: Game) -> list[str]:
    """Returns the variant and the options that are not as they are unless asked for; nothing of a standard game."""
    if game.variant == _STANDARD:
        return []
    options = without_defaults(game.options)
    return [f"variant {game.variant}", *(f"option {name} {str(value).lower()}" for name, value in options.items())]


def _setup_lines(game: Game) -> list[str]:
    """Returns the first player, for each kind the spaces its tokens lie on, and what a solo game draws besides."""
    setup = game.setup()
    lines = [f"first-player {setup['first_player']}"]
    for kind in c.TOKEN_NAMES:
        spaces = [space for space, lying in setup["tokens"].items() if lying == kind]
        lines.append(f"tokens {kind} {' '.join(spaces)}".rstrip())
    if game.variant == _SOLO:
        lines += [f"grid {' '.join(row)}" for row in setup["grid"]]
        lines.append(f"scale {' '.join(setup['scale'])}")
        lines += [f"track-discs {region} {' '.join(discs)}" for region, discs in setup["track_discs"].items()]
        lines.append(f"europe-order {' '.join(setup['europe_order'])}")
    return lines


def _play_lines(game: Game, moves: list[str]) -> list[str]:
    """Plays ``moves`` and returns a line for each, then the final scores; an illegal one is the last line."""
    lines = ["#  no round phase  seat move, legal moves there | of seats that changed: statuses, harbor, glory"]
    before: list[str] = []
    for number, move in enumerate(moves, 1):
        where = f"{number:4} {game.round} {game.phase:<6} {game.seat} {move}"
        count = len(game.legal_actions())
        try:
            game.play(move)
        except IllegalActionError as error:
            return [*lines, f"{where}: {error}"]
        after = _digest(game)
        changed = "  ".join(now for now in after if now not in before)
        lines.append(f"{where:<48} of {count:2} | {changed}".rstrip())
        before = after
    if not game.over:
        return [*lines, f"not over: {game!r}"]
    for name, score in zip(_names(game), game.scores(), strict=True):
        parts = " ".join(f"{key} {glory}" for key, glory in game.breakdown(name).items())
        lines.append(f"{name if name == OPPOSITION_NAME else f'seat {name}'} scores {score}: {parts}")
    if game.variant == _SOLO:
        return [*lines, f"ladder {game.ladder().name}"]
    return [*lines, f"winners {' '.join(str(seat) for seat in game.winners())}"]


def _names(game: Game) -> list[int | str]:
    """Returns those who score: the seats, in a solo game the Opposition too."""
    return [0, OPPOSITION_NAME] if game.variant == _SOLO else list(range(game.num_players))


def _digest(game: Game) -> list[str]:
    """Returns of everybody who scores the statuses (industry.culture.finance.politics), harbor and Glory."""
    state, lines = game.state[0], []
    for mat, (name, score) in enumerate(zip(_names(game), game.scores(), strict=True)):
        statuses = ".".join(str(state["status"][mat, status]) for status in range(len(c.STATUS_NAMES)))
        lines.append(f"{name}: {statuses} h{state['harbor'][mat]} g{score}")
    return lines


def replay_golden(path: str | Path) -> Game:
    """Replays a golden file and returns the finished game.

    Raises:
        GoldenMismatchError: The file is no golden file, or the rules give another line than it has; the message shows
            the first such line as it stands and as it comes out now.
    """
    wanted = Path(path).read_text(encoding="utf-8").splitlines()
    game, body = _golden_start(path, wanted)
    words = [line.split() for line in wanted[body:] if line[:4].strip().isdigit()]
    moves = [line[4] for line in words if len(line) > 4]
    got = wanted[:body] + _play_lines(game, moves)
    for number, (want, have) in enumerate(zip_longest(wanted, got, fillvalue="(no line)"), 1):
        if want != have:
            raise GoldenMismatchError(f"{path}, line {number}: the file has\n  {want}\nbut the rules give\n  {have}")
    return game


def _golden_start(path: str | Path, lines: list[str]) -> tuple[Game, int]:
    """Returns the game set up from the head of a golden file, and the number of head lines."""
    if not lines or lines[0] != GOLDEN_FORMAT:
        raise GoldenMismatchError(f"{path} is no golden game: its first line must be {GOLDEN_FORMAT!r}")
    body = next((index for index, line in enumerate(lines) if line.startswith("#")), len(lines))
    head: dict[str, list[list[str]]] = {}  # the words of each line, by its first word
    for line in lines[1:body]:
        word, *rest = line.split()
        head.setdefault(word, []).append(rest)
    variant = head.get("variant", [[_STANDARD]])[0][0]
    solo = ("grid", "scale", "track-discs", "europe-order") if variant == _SOLO else ()
    missing = [word for word in ("board", "players", "first-player", *solo) if word not in head]
    if missing:
        raise GoldenMismatchError(f"{path} lacks {', '.join(missing)} in its head")
    try:
        options = {name: {"true": True, "false": False}.get(value, value) for name, value in head.get("option", [])}
        players, board = int(head["players"][0][0]), head["board"][0][0]
        return Game.new(players, variant, setup=_golden_setup(head), board=board, options=options), body
    except (ValueError, IndexError) as error:  # EndeavorError is a ValueError
        raise GoldenMismatchError(f"{path} cannot be set up: {error}") from error


def _golden_setup(head: dict[str, list[list[str]]]) -> dict[str, Any]:
    """Returns the set-up that the head of a golden file holds."""
    tokens = {space: kind for kind, *spaces in head.get("tokens", []) for space in spaces}
    setup: dict[str, Any] = {"first_player": int(head["first-player"][0][0]), "tokens": tokens}
    if "grid" in head:
        setup["grid"] = head["grid"]
        setup["scale"] = head["scale"][0]
        setup["track_discs"] = {region: discs for region, *discs in head["track-discs"]}
        setup["europe_order"] = head["europe-order"][0]
    return setup
