"""Positions of any game on the engine as an array, with the toy game: rows, draws, hidden cards, rollouts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from endeavor_env.engine.game import Game, GameConfig
from endeavor_env.engine.kernels import single
from endeavor_env.engine.kernels.rng import next_seed, seeded
from endeavor_env.engine.kernels.rules import CHANCE, NONE
from endeavor_env.engine.search.positions import LEAST
from endeavor_env.errors import IllegalActionError, InvalidOptionError, RecordError
from endeavor_env.merchants.game import MerchantsConfig
from endeavor_env.search import Positions, rollout
from tests.kits.toy_envs import SETUP, TOY
from tests.toy_game.rules import FACE_1, FACES, NUM_ACTIONS, PLAY, ROLL, ROUNDS, SEATS, TOY_GAME

DECISIONS = ROUNDS * SEATS
OTHER_BOARD = GameConfig(TOY_GAME, board=np.frombuffer(bytes([1]) * TOY_GAME.board.itemsize, TOY_GAME.board))
CHI_SQUARE_5 = 20.5
"""What a fair die stays below in 999 of 1000 samples, for five degrees of freedom."""


def games_at(*decisions: int, seed: int = 3) -> list[Game]:
    """Return games of consecutive seeds after some decisions each; the second round plays the cards."""
    games = []
    for number, count in enumerate(decisions):
        game = TOY.new_game(seed + number)
        for made in range(count):
            game.apply(PLAY if SEATS <= made < 2 * SEATS else ROLL)
        games.append(game)
    return games


def before_a_draw(count: int) -> Positions:
    """Return copies of a position where the die is to be thrown."""
    game = TOY.new_game(setup=SETUP)
    game.apply(ROLL, draws=False)
    return Positions.of(game, count)


def fair(faces: Any) -> bool:
    """Return whether 1 to 6 come about as often as each other."""
    counts = np.bincount(np.asarray(faces), minlength=FACES + 1)
    assert counts[0] == 0
    mean = counts.sum() / FACES
    return float(((counts[1:] - mean) ** 2 / mean).sum()) < CHI_SQUARE_5


# --- rows ------------------------------------------------------------------------------------------------------------
def test_rows_are_the_games() -> None:
    games = games_at(0, 1, 5, 8, DECISIONS)
    rows = Positions.of(games, copies=2)
    assert (len(rows), rows.players, rows.variant, rows.num_scores, rows.rules) == (10, SEATS, "toy", SEATS, TOY_GAME)
    assert repr(rows) == f"<Positions: 10 positions of toy, toy, 3 seats, on {TOY.with_names()['board']}>"
    masks, scores = rows.masks(), rows.scores()
    for row in range(len(rows)):
        game = games[row // 2]
        assert rows.states[row : row + 1].tobytes() == game.state.tobytes()
        assert rows.seats()[row] == game.seat
        assert rows.over()[row] == game.over
        assert masks[row].tolist() == game.mask().tolist()
        assert rows.legal_counts()[row] == len(game.legal_actions())
        assert scores[row].tolist() == game.scores()
        for kind in ("features", "compact"):
            for seat in range(SEATS):
                assert rows.observe(kind, seat)[row].tolist() == game.observe(seat, kind).tolist()
            assert rows.observe(kind)[row].tolist() == game.observe(max(game.seat, 0), kind).tolist()
        best = [seat in game.winners() for seat in range(SEATS)]
        assert rows.returns("win")[row].tolist() == pytest.approx([one / sum(best) for one in best])


def test_rows_with_other_options_stand_side_by_side_and_join() -> None:
    games = [TOY.new_game(1), GameConfig(TOY_GAME, options=[1]).new_game(1)]
    rows = Positions.of(games)
    assert rows.states.tobytes() == b"".join(game.state.tobytes() for game in games)
    whole = Positions.join([rows, rows[1]])
    assert whole.states.tobytes() == rows.states.tobytes() + games[1].state.tobytes()


def test_bytes_and_keys_are_those_of_the_game_and_its_board() -> None:
    rows = Positions.of(games_at(0, 3, 3, DECISIONS))
    data = rows.to_bytes()
    assert data.startswith(b"toy\0\0\0ps")
    assert len(data) == 52 + rows.states.nbytes
    again = Positions.from_bytes(data, TOY)
    assert again.states.tobytes() == rows.states.tobytes()
    keys = rows.keys()
    assert again.keys() == keys
    assert len(set(keys)) == len({state.tobytes() for state in rows.states}) == 4
    assert not set(Positions(OTHER_BOARD, rows.states.copy()).keys()) & set(keys)
    with pytest.raises(RecordError, match=r"board '\w{16}' has \w{16}; give a config with theirs"):
        Positions.from_bytes(data, OTHER_BOARD)
    with pytest.raises(RecordError, match=r"the first of them b'merchaps'"):
        Positions.from_bytes(data, MerchantsConfig())
    with pytest.raises(RecordError, match="damaged"):
        Positions.from_bytes(data[:-1] + bytes([data[-1] ^ 1]), TOY)
    with pytest.raises(InvalidOptionError, match="config None is not possible here"):
        Positions.from_bytes(data, None)  # type: ignore[arg-type]


def test_positions_of_merchants_come_back_from_bytes_and_play_on() -> None:
    config = MerchantsConfig(3, "expert", trade="bank")
    game = config.new_game(8)
    for _ in range(60):
        game.apply(game.legal_actions()[0])
    rows = Positions.of(game, copies=2)
    again = Positions.from_bytes(rows.to_bytes(), config)
    assert (again.variant, again.players, again.num_scores) == ("expert", 3, 3)
    assert again.decisions().tolist() == rows.decisions().tolist() == [int(game.state["decision"][0])] * 2
    for positions in (rows, again):
        positions.step(positions.masks().argmax(axis=1))
        positions.draw(5)
    assert again.keys() == rows.keys()


# --- draws -----------------------------------------------------------------------------------------------------------
def test_a_row_before_a_draw_has_its_outcomes_as_moves() -> None:
    rows = before_a_draw(2)
    assert rows.seats().tolist() == [CHANCE, CHANCE]
    assert not rows.over().any()
    assert [np.flatnonzero(mask).tolist() for mask in rows.masks()] == [list(range(FACE_1, NUM_ACTIONS))] * 2
    children = rows.expand()
    assert children.actions.tolist() == [*range(FACE_1, NUM_ACTIONS)] * 2
    assert children.rows.tolist() == [0] * FACES + [1] * FACES
    assert children.positions.scores()[:, 1].tolist() == [*range(1, FACES + 1)] * 2
    assert (children.positions.seats() == 2).all()
    rows.step([FACE_1 + 4, NONE])
    assert rows.scores().tolist() == [[0, 5, 0], [0, 0, 0]]
    assert rows.seats().tolist() == [2, CHANCE]


def test_steps_stop_before_draws_as_moves_of_a_game_do() -> None:
    games = games_at(0, 1, 4, 7)
    rows, actions = Positions.of(games), [PLAY, ROLL, PLAY, ROLL]
    rows.step(actions)
    for game, action in zip(games, actions, strict=True):
        game.apply(action, draws=False)
    assert [state.tobytes() for state in rows.states] == [game.state[0].tobytes() for game in games]
    children = Positions.of(games_at(0)).expand()
    assert children.actions.tolist() == [ROLL, PLAY]
    assert (children.positions.seats() == [CHANCE, (TOY.new_game(3).seat + 1) % SEATS]).all()


def test_the_same_seeds_draw_the_same() -> None:
    first, second, third = (before_a_draw(600) for _ in range(3))
    first.draw(8)
    second.draw(8)
    third.draw(9)
    assert first.states.tobytes() == second.states.tobytes() != third.states.tobytes()
    assert (first.seats() == 2).all()
    before = first.states.tobytes()
    first.draw(8)  # nothing is due
    assert first.states.tobytes() == before
    source = seeded(8)
    again, more = before_a_draw(600), before_a_draw(600)
    again.draw(source)
    more.draw(source)
    assert again.states.tobytes() == before != more.states.tobytes()


def test_what_is_drawn_in_a_row_depends_on_its_seed_alone() -> None:
    seeds = np.arange(100, 100 + 2 * LEAST)
    rows, mixed = (before_a_draw(2 * LEAST) for _ in range(2))
    rows.draw(seeds)
    order = np.random.default_rng(1).permutation(2 * LEAST)
    mixed.draw(seeds[order])
    assert rows[order].states.tobytes() == mixed.states.tobytes()
    one = before_a_draw(1)
    one.draw([int(seeds[7])])
    assert one.states.tobytes() == rows.states[7].tobytes()
    single_game = TOY.new_game(setup=SETUP)
    single_game.apply(ROLL, draws=False)
    single_game.chance[:] = seeded(int(next_seed(seeded(107))))
    single_game.draw()
    assert single_game.state.tobytes() == one.states.tobytes()


@pytest.mark.parametrize("seed", range(4))
def test_dice_are_fair(seed: int) -> None:
    rows = before_a_draw(3000)
    rows.draw(seed)
    assert fair(rows.scores()[:, 1])
    assert not fair(np.minimum(rows.scores()[:, 1] + (np.arange(3000) % 4 == 0), FACES))


# --- hidden cards ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("decisions", range(DECISIONS + 1))
def test_cards_drawn_anew_are_those_that_a_seat_has_not_seen(decisions: int) -> None:
    rows = Positions.of(games_at(decisions), copies=60)
    before, hands = rows.copy(), rows.states["hand"].copy()
    for seat in range(SEATS):
        other = before.copy()
        other.resample(seat, decisions)
        for kind in ("features", "compact"):
            assert other.observe(kind, seat).tolist() == before.observe(kind, seat).tolist()
        assert other.masks().tolist() == before.masks().tolist()
        assert other.scores().tolist() == before.scores().tolist()
        found = other.states["hand"]
        assert (found[:, seat] == hands[:, seat]).all()
        assert ((found > 0) == (hands > 0)).all()
        for one in range(SEATS):
            if one != seat and hands[0, one] > 0:
                assert set(found[:, one].tolist()) == set(range(1, FACES + 1))
        other.states["hand"] = hands
        assert other.states.tobytes() == before.states.tobytes()


def test_each_row_draws_anew_for_its_own_seat() -> None:
    rows = Positions.of(games_at(0, 1, 2), copies=80)
    before, seats = rows.states["hand"].copy(), rows.seats()
    rows.resample(None, 5)
    same = rows.states["hand"] == before
    assert same[np.arange(len(rows)), seats].all()
    assert 0.05 < same.mean() - 1 / SEATS < 0.2  # a sixth of two thirds
    over = Positions.of(games_at(DECISIONS))
    over.states["hand"] = 4
    over.resample(None, 5)
    assert (over.states["hand"] == 4).all()
    draw_due = before_a_draw(20)
    draw_due.resample(None, 5)
    assert (draw_due.states["hand"] == SETUP["hand"]).all()
    draw_due.resample(1, 5)
    assert (draw_due.states["hand"][:, 1] == SETUP["hand"][1]).all()
    assert (draw_due.states["hand"][:, 0] != SETUP["hand"][0]).any()


def test_cards_drawn_anew_are_fair_and_independent() -> None:
    rows, again = (Positions.of(games_at(0), copies=3600) for _ in range(2))
    rows.resample(0, 12)
    again.resample(0, 12)
    assert rows.states.tobytes() == again.states.tobytes()
    second, third = (rows.states["hand"][:, seat] for seat in (1, 2))
    assert fair(second)
    assert fair(third)
    pairs = np.array(list(Counter(zip(second.tolist(), third.tolist(), strict=True)).values()))
    assert pairs.size == FACES * FACES
    assert ((pairs - 100) ** 2 / 100).sum() < 66.6  # 999 of 1000 samples, for 35 degrees of freedom


# --- rollouts --------------------------------------------------------------------------------------------------------
def lowest(observations: npt.NDArray[Any], masks: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Roll."""
    return masks.argmax(axis=1)


def early(observations: npt.NDArray[Any], masks: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Play a card of 4 or more as soon as possible, lower ones never."""
    assert observations.dtype == np.float32
    return np.where((masks[:, PLAY] == 1) & (observations[:, 0] >= 4), PLAY, ROLL)


def played(game: Game, policies: list[Any], seed: int, repeat: int, limit: int) -> tuple[list[int], int, bool]:
    """Return scores, decisions and end of a rollout that is played with a single game."""
    game, made = game.clone(), 0
    game.chance[:] = rng = seeded(int(next_seed(seeded(seed))) + repeat)

    def draw() -> None:
        game.chance[:] = rng
        game.draw()
        rng[:] = game.chance

    draw()
    while made < limit and not game.over:
        policy = policies[game.seat]
        if policy == "random":
            action = int(single.choose(game.mask().view(np.int8), rng))
        else:
            action = int(policy(game.observe(game.seat)[None], game.mask()[None].view(np.int8))[0])
        game.apply(action, draws=False)
        draw()
        made += 1
    return game.scores(), made, game.over


@pytest.mark.parametrize("limit", [1, 5, 100])
@pytest.mark.parametrize(
    "policies", [["random"] * SEATS, [lowest] * SEATS, [lowest, early, "random"]], ids=["random", "lowest", "mixed"]
)
def test_a_rollout_is_a_game_with_its_generator(policies: list[Any], limit: int) -> None:
    games, seeds = games_at(0, 3, 7, DECISIONS), [5, 6, 5, 1 << 40]
    rows = Positions.of(games)
    before = rows.states.tobytes()
    found = rollout(rows, policies, seeds, repeats=3, limit=limit)
    for row, (game, seed) in enumerate(zip(games, seeds, strict=True)):
        for repeat in range(3):
            expected = played(game, policies, seed, repeat, limit)
            assert found.scores[row, repeat].tolist() == expected[0]
            assert (found.decisions[row, repeat], found.over[row, repeat]) == expected[1:]
    assert rows.states.tobytes() == before
    margins = found.returns("margin")
    assert margins.shape == (len(games), 3, SEATS)
    ordered = np.sort(found.scores, axis=2)
    assert margins.max(axis=2) == pytest.approx(np.minimum((ordered[:, :, 2] - ordered[:, :, 1]) / 6.0, 1.0))


def test_a_rollout_begins_with_the_draw_that_is_due() -> None:
    found = rollout(before_a_draw(3000), "random", 4, limit=1)
    first = rollout(before_a_draw(3000), [lowest] * SEATS, 4, limit=1)
    for one in (found, first):
        assert fair(one.scores[:, 0, 1])
        assert (one.decisions == 1).all()
    assert (found.scores[:, 0, 1] == first.scores[:, 0, 1]).all()


@pytest.mark.parametrize("policy", ["random", [lowest, "random", early]])
def test_threads_change_nothing(policy: Any) -> None:
    one, two = (Positions.of(games_at(0, 4), copies=LEAST, threads=threads) for threads in (1, 2))
    found, same = (rollout(rows, policy, 3) for rows in (one, two))
    for first, second in zip(found.scores, same.scores, strict=True):
        assert first.tolist() == second.tolist()
    assert found.decisions.tolist() == same.decisions.tolist()
    for rows in (one, two):
        rows.resample(1, 3)
        rows.step(np.full(2 * LEAST, ROLL))
        rows.draw(3)
    assert one.states.tobytes() == two.states.tobytes()
    for kind in ("features", "compact"):
        assert one.observe(kind).tobytes() == two.observe(kind).tobytes()
    assert one.expand().positions.states.tobytes() == two.expand().positions.states.tobytes()
    assert one.scores().tolist() == two.scores().tolist()


# --- what is not possible --------------------------------------------------------------------------------------------
def test_moves_that_are_not_legal_change_no_row() -> None:
    rows = Positions.of(games_at(0, 7, DECISIONS))
    before = rows.states.tobytes()
    for actions in ([ROLL, PLAY, NONE], [FACE_1, NONE, NONE], [NUM_ACTIONS, NONE, NONE]):
        with pytest.raises(IllegalActionError, match="is not possible in row"):
            rows.step(actions)
        assert rows.states.tobytes() == before
    with pytest.raises(IllegalActionError, match=r"row 0; legal there are \[2, 3, 4, 5, 6, 7\]"):
        before_a_draw(1).step([ROLL])


WRONG: dict[str, tuple[Callable[[Positions], Any], str]] = {
    "two games": (
        lambda rows: Positions.of([TOY.new_game(1), MerchantsConfig().new_game(1)]),
        "these games are on different boards: positions are those of one board",
    ),
    "rows of two boards": (
        lambda rows: Positions.join([rows, Positions.of(OTHER_BOARD.new_game(1))]),
        "positions of different boards, or none at all, cannot be joined",
    ),
    "a seat": (lambda rows: rows.resample(3, 1), "seat=3 is not possible: give a seat, 0 to 2"),
    "chance as a seat": (lambda rows: rows.resample(CHANCE, 1), "seat=-2 is not possible"),
    "a negative seed": (lambda rows: rows.draw(-1), "rng=-1 is not possible: give a non-negative whole number"),
    "seeds": (lambda rows: rows.resample(0, [1]), "rng is not possible"),
    "a missing seed": (lambda rows: rows.draw([1, None]), "each of the 2 rows needs a seed"),  # type: ignore[list-item]
    "an observer": (lambda rows: rows.observe(seat=3), "seat 3 is not at the table: seats are 0 to 2"),
    "a player": (lambda rows: rollout(rows, "greedy", 1), "policy 'greedy'"),
    "a reward": (lambda rows: rows.returns("ladder"), "reward 'ladder' is not possible"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_not_possible_is_said_and_changes_nothing(wrong: str) -> None:
    rows = Positions.of(games_at(0, 1))
    before, (asked, sentence) = rows.states.tobytes(), WRONG[wrong]
    with pytest.raises(InvalidOptionError, match=sentence):
        asked(rows)
    assert rows.states.tobytes() == before
