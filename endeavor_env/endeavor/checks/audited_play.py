"""Compiled loops of the conformance checks: audited random games, and replays.

Nothing in play calls these.
"""

from __future__ import annotations

from endeavor_env.endeavor.checks.audit import ENDLESS, audit
from endeavor_env.endeavor.flow.dispatch import apply, legal_bytes
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import DONE_AT, NUM_WORDS, PASS_AT
from endeavor_env.endeavor.rules.arguments import BOARDS, SHORTS, STATES
from endeavor_env.engine.kernels.masks import choose, new_words, read_bytes
from endeavor_env.engine.kernels.players import PLAYERS
from endeavor_env.engine.kernels.players import choose as choose_by
from endeavor_env.engine.kernels.rng import GENERATOR
from endeavor_env.engine.kernels.rules import BYTES, NUMBERS
from endeavor_env.kernels.entries import entry
from endeavor_env.kernels.kernels import kernel
from endeavor_env.kernels.kinds import INTEGER


@kernel
def _better(action, best, low):
    """Return whether ``action`` beats ``best``: the lower id if ``low``, else the higher; PASS and DONE rank last."""
    if action in (PASS_AT, DONE_AT):
        return False
    return best in (PASS_AT, DONE_AT) or (action < best) == low


@entry(BYTES, GENERATOR, INTEGER)
def choose_eager(mask, rng, redraws):
    """Return the lowest of ``abs(redraws)`` + 1 random legal actions of ``mask``; with ``redraws`` < 0 the highest.

    PASS and DONE are chosen only if nothing else was drawn; with 0 redraws the choice is uniform. Uniform play passes
    early and spreads its discs, so that hardly any region opens. With redraws, games go on longer and fill the first
    regions, cities and decks, which brings Governors, attacks, abolition and the card limit into play. Negative redraws
    fill the last ones, and build the highest buildings.
    """
    best = choose(mask, rng)
    for _ in range(abs(redraws)):
        action = choose(mask, rng)
        if _better(action, best, redraws > 0):
            best = action
    return best


@entry(BOARDS, STATES, GENERATOR, INTEGER, SHORTS, STATES, BYTES, SHORTS)
def play_audited(boards, states, rng, redraws, moves, fresh, mask, points):
    """Play ``states[0]`` to its end with random legal moves, and audit every decision and the end.

    Args:
        boards: (1,) BOARD, read only.
        states: (1,) STATE, played on in place.
        rng: (1,) uint64, advanced in place.
        redraws: As for ``choose_eager``.
        moves: (limit,) int16, receives the moves made.
        fresh: Scratch as for ``audit``.
        mask: Scratch as for ``audit``.
        points: Scratch as for ``audit``.

    Returns:
        The number of decisions made and the flags found; play stops at the first decision with a flag.
    """
    made = 0
    while True:
        flags = audit(boards, states, fresh, mask, points)
        if flags != 0 or states[0].decision == c.DECIDE_NOTHING:
            return made, flags
        if made == moves.size:
            return made, ENDLESS
        action = choose_eager(mask, rng, redraws)
        moves[made] = action
        apply(boards[0], states[0], action)
        made += 1


@entry(BOARDS, STATES, PLAYERS, NUMBERS, GENERATOR, SHORTS, STATES, BYTES, SHORTS)
def play_audited_by(boards, states, players, policies, rng, moves, fresh, mask, points):
    """Do as ``play_audited``, but let compiled players choose.

    Args:
        boards: (1,) BOARD, read only.
        states: (1,) STATE, played on in place.
        players: ``Players`` of this thread.
        policies: (MAX_SEATS,) int64, the code of the player in each seat.
        rng: (1,) uint64, advanced in place.
        moves: (limit,) int16, receives the moves made.
        fresh: Scratch as for ``audit``.
        mask: Scratch as for ``audit``.
        points: Scratch as for ``audit``.
    """
    made, words = 0, new_words(NUM_WORDS[states[0].variant])
    while True:
        flags = audit(boards, states, fresh, mask, points)
        if flags != 0 or states[0].decision == c.DECIDE_NOTHING:
            return made, flags
        if made == moves.size:
            return made, ENDLESS
        read_bytes(mask, words)
        action = choose_by(policies[states[0].seat], players, boards[0], states[0], words, mask, rng)
        moves[made] = action
        apply(boards[0], states[0], action)
        made += 1


@entry(BOARDS, STATES, SHORTS, INTEGER, BYTES)
def play_moves(boards, states, moves, made, mask):
    """Play ``moves[:made]`` up to the first illegal one; return how many were played."""
    for index in range(made):
        legal_bytes(boards[0], states[0], mask)
        if mask[moves[index]] != 1:
            return index
        apply(boards[0], states[0], moves[index])
    return made
