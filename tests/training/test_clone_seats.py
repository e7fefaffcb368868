"""Who sits where in the games of a clone, and that nothing is learned from the seats of opponents."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import torch

from endeavor_env import Board
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.kernels.players import SEAT_RANDOM
from endeavor_env.errors import CheckpointError, InvalidOptionError
from endeavor_env.training.clone.demonstrations import FIRST_OPPONENT, STUDENT, TEACHER, CloneSeats, teach
from endeavor_env.training.clone.run import Clone
from endeavor_env.training.clone.settings import CloneSettings, preset
from endeavor_env.training.ppo.model import bare_model
from endeavor_env.training.td.games import fixtures_of
from tests.kits.clones import SMALL

Codes = npt.NDArray[np.int64]

CROWDED = SMALL.replace(student=0.3, opponents=(("greedy", 0.4), ("random", 0.1)))


def drawn(
    settings: CloneSettings, games: int, *, student: bool = True
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the tables of some games, and who sits where."""
    kinds = np.arange(games) % len(settings.tables)
    return kinds, CloneSeats(settings).draw(kinds, np.random.default_rng(1), student=student)


def test_everybody_has_the_share_of_the_seats_that_was_asked_for() -> None:
    _, codes = drawn(CROWDED, 20_000)
    shares = {code: (codes == code).mean() for code in (TEACHER, STUDENT, FIRST_OPPONENT, SEAT_RANDOM)}
    expected = {TEACHER: 0.2, STUDENT: 0.3, FIRST_OPPONENT: 0.4, SEAT_RANDOM: 0.1}
    assert sum(shares.values()) == 1.0
    assert shares == pytest.approx(expected, abs=0.02)  # a game without teacher and student gets one
    _, codes = drawn(CROWDED, 20_000, student=False)
    assert not (codes == STUDENT).any()
    assert (codes == TEACHER).mean() == pytest.approx(0.5, abs=0.02)


def test_in_each_game_there_is_somebody_to_learn_from() -> None:
    settings = CROWDED.replace(student=0.0, opponents=(("greedy", 0.7), ("lookahead", 0.3)))
    kinds, codes = drawn(settings, 3_000)
    players = np.array([table.players for table in settings.tables])[kinds]
    taught = (codes == TEACHER) & (np.arange(c.MAX_SEATS) < players[:, None])
    assert (taught.sum(axis=1) == 1).all()
    for size in (3, 4, 5):
        seats = np.argmax(taught[players == size], axis=1)
        assert set(seats.tolist()) == set(range(size))
    assert set(np.unique(codes)) == {TEACHER, FIRST_OPPONENT, FIRST_OPPONENT + 1}


def test_what_the_teacher_would_do_in_the_seats_of_opponents_is_left_out() -> None:
    codes = np.array([[TEACHER, SEAT_RANDOM, STUDENT, 0, 0], [FIRST_OPPONENT, TEACHER, FIRST_OPPONENT, 0, 0]])
    fixtures = fixtures_of(SMALL.tables, np.zeros(2, np.int64), np.arange(2), codes)
    memory = Clone(CROWDED, bare_model("standard", (8,), (8,), 0), Board.default())._memory()
    taught = teach(Board.default(), fixtures, CloneSeats(CROWDED).seated(memory), 0.0)
    found = set(zip(taught.choices["fixture"].tolist(), taught.states["seat"].tolist(), strict=True))
    assert found == {(0, 0), (0, 2), (1, 1)}
    assert taught.states.size == taught.choices.size > 50


def test_a_clone_learns_among_opponents() -> None:
    sizes = []
    for settings in (SMALL, CROWDED):
        model = bare_model("standard", settings.trunk, settings.head, 0)
        before = model.policy.state_dict()["action_net.weight"].clone()
        clone = Clone(settings, model, Board.default())
        clone.learn(lambda *_: None)
        assert not torch.equal(before, model.policy.state_dict()["action_net.weight"])
        sizes.append(clone.choices)
    assert 0 < sizes[1] < 0.8 * sizes[0]


@pytest.mark.parametrize(
    ("variant", "student", "opponents", "message"),
    [
        (
            "solo",
            0.2,
            [["greedy", 0.1]],
            "opponents=.* is not possible: it should be empty: the solitaire game has one seat",
        ),
        ("standard", 0.7, [["greedy", 0.4]], "shares should come to 1 at most, together with student=0.7"),
        ("standard", 0.7, [["greedy", -0.1]], "opponents"),
    ],
)
def test_seats_that_are_not_there_are_refused(variant: str, student: float, opponents: object, message: str) -> None:
    given = preset("smoke", variant, "greedy").to_dict() | {"student": student, "opponents": opponents}
    with pytest.raises(InvalidOptionError, match=message):
        CloneSettings.from_dict(given)


def test_opponents_that_cannot_play_are_refused(tmp_path: Path) -> None:
    for name, kind, message in (
        ("nobody", InvalidOptionError, "player 'nobody' is unknown"),
        (f"policy:{tmp_path / 'none.npz'}", CheckpointError, "none.json cannot be read"),
        ("policy:@policy_solo", InvalidOptionError, "solo"),
    ):
        with pytest.raises(kind, match=message):
            SMALL.replace(opponents=((name, 0.3),)).check_named_players()
