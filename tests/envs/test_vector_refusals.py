"""What the vector environments refuse, in one clear sentence, and without a change."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from endeavor_env.basics import hardware
from endeavor_env.engine.kernels.tables import SHARES
from endeavor_env.engine.seating import cumulative_shares
from endeavor_env.envs.endeavor import make_endeavor_solo_vector, make_endeavor_vector
from endeavor_env.envs.table import ResetNeededError
from endeavor_env.errors import EndeavorError, GameOverError, IllegalActionError, InvalidBoardError, InvalidOptionError
from tests.kits.ids import readable
from tests.kits.vector import QUICK, play

OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"num_envs": 0}, "num_envs=0 is not possible: give a positive whole number"),
    ({"num_envs": 2.5}, "num_envs=2.5 is not possible"),
    ({"num_envs": True}, "num_envs=True is not possible"),
    (
        {"num_envs": 10**12},
        r"num_envs=1000000000000 is not possible: at [\d,]+ bytes each that takes [\d,.]+ GB, and this",
    ),
    ({"num_envs": 10**12, "seed": 1}, "GB; give at most"),
    ({"num_envs": 10**400}, "num_envs="),
    ({"num_envs": torch.tensor(True)}, "is not possible"),
    ({"opponents": {"random": 10**400, "greedy": 1}}, "the weight of opponent 'random'"),
    ({"opponents": {"random": float("inf")}}, "the weight of opponent 'random'"),
    ({"learner_seat": np.array([1])}, "learner_seat=.* is not possible"),
    ({"max_cycles": 0}, "max_cycles=0 is not possible"),
    ({"max_cycles": 10**400}, "max_cycles="),
    ({"flat": 1}, "flat=1 is not possible"),
    ({"observation_key": "action_mask"}, "observation_key='action_mask' is not possible: give a text"),
    ({"observation_key": "seen", "flat": True}, "not possible with flat=True: observations are then vectors"),
    ({"mask_dtype": bool}, "mask_dtype="),
    ({"players": 2}, "players"),
    ({"variant": "chess"}, "variant"),
    ({"variant": "solo"}, "make EndeavorSolo-v0"),
    ({"options": {"difficulty": "harder"}}, "difficulty"),
    ({"variant": "soloplay_2", "options": {"variant_removed_spaces_stay": 2}}, "variant_removed_spaces_stay"),
    ({"exploits": "sun"}, "exploits='sun' is not possible: give a list of names, or 'random'$"),
    ({"exploits": ["sun", "moon"]}, "exploit 'moon' is unknown: they are saltpetre, "),
    ({"exploits": ["sun", "sun"]}, "names sun twice: each is in play once$"),
    ({"exploits": ["sun"], "variant": "soloplay_3"}, "do not fit variant 'soloplay_3': only the base game has them$"),
    ({"exploits": ["sun"], "variant": "solo"}, "make EndeavorSolo-v0"),
    ({"exploits": "random", "options": {"exploit_discs": 31}}, "option exploit_discs=31"),
    ({"exploits": "random", "reward": "ladder"}, "reward 'ladder' is not possible in variant 'exploits'"),
    ({"options": {"value1_bonus": True}}, "variant 'standard' has no options"),
    ({"games": [{"players": 3}], "exploits": "random"}, "exploits='random' is not possible beside games: its entries"),
    ({"games": [{"exploits": "moon"}]}, "exploits='moon' is not possible: give a list of names, or 'random'$"),
    (
        {"games": [{"exploits": "random"}, {"players": 3}, {"variant": "neutral_2"}]},
        "games with Exploits and games of other variants are not possible side by side: their observations differ; ",
    ),
    ({"board": []}, "give at least one board"),
    ({"learner_seat": 4}, "or 'rotate', or 'all'"),
    ({"learner_seat": "some"}, "or 'rotate', or 'all'"),
    (
        {"opponents": "mcts"},
        "opponent 'mcts' is unknown: possible are 'random', 'greedy', 'automa', 'lookahead'",
    ),
    ({"opponents": ["random"]}, "opponents has 1 entries: with 4 players give one, or a list of 3"),
    ({"opponents": dict}, "cannot play here"),
    ({"observation": "pixels"}, "observation='pixels' is not possible"),
    ({"reward": "ladder"}, "reward 'ladder' is not possible"),
    ({"reward": lambda scores: [0.0]}, "the reward function returned"),
    ({"shaping": {"gamma": 2}}, "shaping gamma 2 is not possible"),
    ({"shaping": {}, "learner_seat": "all"}, "shaping needs one learner seat"),
    ({"illegal_action": "ignore"}, "illegal_action='ignore' is not possible"),
    ({"illegal_reward": float("inf")}, "illegal_reward=inf is not possible"),
    ({"seed": -1}, "seed=-1 is not possible"),
    ({"seed": 2**128}, "below 2\\*\\*128"),
    ({"seed": [1]}, "seed=\\[1\\] is not possible"),
    ({"autoreset_mode": "later"}, "autoreset_mode='later' is not possible: give one of NEXT_STEP, SAME_STEP, DISABLED"),
    ({"threads": 0}, "threads=0 is not possible"),
    ({"copy": 1}, "copy=1 is not possible: give True or False"),
    ({"render_mode": "pixels"}, "render_mode='pixels' is not possible: give None or 'human' or 'ansi' or 'rgb_array'"),
    ({"render_games": 0}, "render_games=0 is not possible"),
    ({"num_envs": 3, "render_games": 4}, "4 games cannot be shown at once: give render_games=1 to 3"),
    ({"num_envs": 65, "render_mode": "ansi"}, "65 games cannot be shown at once: give render_games=1 to 64"),
]


@pytest.mark.parametrize(("options", "message"), OPTIONS, ids=readable)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        make_endeavor_vector(**options)


@pytest.mark.parametrize("options", [{"difficulty": "hard"}, {"opposition_ties": 1}, {"solo_ignore_industry": "no"}])
def test_wrong_options_of_the_solitaire_game(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidOptionError, match=next(iter(options))):
        make_endeavor_solo_vector(2, **options)


def test_a_wrong_board_among_right_ones(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("")
    with pytest.raises(InvalidBoardError):
        make_endeavor_vector(2, board=[None, wrong])
    with pytest.raises(InvalidOptionError, match="the board"):
        make_endeavor_vector(2, board=[None, "nowhere"])


def test_nothing_is_possible_before_a_reset() -> None:
    env = make_endeavor_vector(2, **QUICK)
    for asked in (
        lambda: env.step(np.zeros(2, int)),
        env.action_masks,
        lambda: env.call("action_masks"),
        lambda: env.get_attr("action_masks"),
    ):
        with pytest.raises(ResetNeededError, match="before a reset"):
            asked()
    with pytest.raises(InvalidOptionError, match="only after a reset of all of them"):
        env.reset(options={"reset_mask": np.array([True, False])})


@pytest.mark.parametrize(
    ("reset", "message"),
    [
        ({"seed": -3}, "seed=-3 is not possible"),
        ({"seed": 1.5}, "seed=1.5 is not possible"),
        ({"seed": "12"}, "seed='12' is not possible"),
        ({"seed": [1, -2]}, "seed=-2 is not possible"),
        ({"seed": [[1], [2, 3]]}, "seed="),
        ({"seed": 10**400}, "seed="),
        ({"options": {"learner_seat": np.array([[1], [2]])}}, "learner_seat="),
        ({"seed": 3, "options": {"learner_seat": [0, np.array([1])]}}, "learner_seat="),
        ({"seed": 3, "options": {"first_player": 7}}, "first_player=7"),
        ({"seed": [7, 8], "options": {"reset_mask": np.array([True])}}, "reset_mask must be"),
        ({"seed": [1]}, "seed has 1 entries: give one seed, or a list of 2"),
        ({"seed": [0, 2**63]}, "seed 9223372036854775808 is not possible in a batch"),
        ({"seed": [0, 2**70]}, "is not possible in a batch: give seeds below"),
        (
            {"options": {"set_up": {}}},
            r"reset has no option 'set_up': did you mean setup\? Its options are reset_mask, setup, first_player",
        ),
        ({"options": [1]}, "give a mapping of reset_mask"),
        ({"options": {"reset_mask": [True, False]}}, r"reset_mask must be a \(2,\) bool array"),
        ({"options": {"reset_mask": np.array([1, 0])}}, "reset_mask must be"),
        ({"options": {"reset_mask": np.array([True])}}, "reset_mask must be"),
        ({"options": {"reset_mask": np.array([False, False])}}, "at least one True"),
    ],
    ids=readable,
)
def test_a_wrong_reset_changes_nothing(reset: dict[str, Any], message: str) -> None:
    env, same = make_endeavor_vector(2, **QUICK), make_endeavor_vector(2, **QUICK)
    env.reset(seed=1)
    same.reset(seed=1)
    with pytest.raises(InvalidOptionError, match=message):
        env.reset(**reset)
    assert env.batch.states.tobytes() == same.batch.states.tobytes()
    assert env.batch.tables.tobytes() == same.batch.tables.tobytes()
    assert env.np_random.bit_generator.state == same.np_random.bit_generator.state
    assert env.np_random_seed == same.np_random_seed
    assert env.reset()[1]["seed"].tolist() == same.reset()[1]["seed"].tolist()


WRONG_ACTIONS: list[tuple[Any, str]] = [
    (np.zeros(3, int), r"actions of shape \(3,\) and type int64 are not possible: give 2 whole numbers"),
    (np.zeros(2), "type float64 are not possible"),
    (np.zeros((2, 1), int), r"shape \(2, 1\)"),
    ([[0], [1, 2]], "give 2 whole numbers"),
    ([0, 10**400], "give 2 whole numbers"),
    (torch.tensor([True, False]), "give 2 whole numbers"),
    (3, r"shape \(\)"),
    (None, "type object"),
    (np.zeros(2, bool), "type bool"),
    ([1, 197], "action 197 of game 1 is not an action id: ids are 0 to 196"),
    ([-1, 0], "action -1 of game 0 is not an action id"),
]


@pytest.mark.parametrize("illegal_action", ["terminate", "raise"])
@pytest.mark.parametrize(("actions", "message"), WRONG_ACTIONS, ids=readable)
def test_what_are_no_actions(actions: Any, message: str, illegal_action: str) -> None:
    env = make_endeavor_vector(2, **QUICK, illegal_action=illegal_action)
    env.reset(seed=1)
    before, masks = env.batch.states.tobytes(), env.action_masks()
    with pytest.raises(IllegalActionError, match=message):
        env.step(actions)
    assert env.batch.states.tobytes() == before
    assert (env.action_masks() == masks).all()
    env.step(masks.argmax(axis=1))


def test_an_illegal_action_can_raise() -> None:
    env = make_endeavor_vector(2, **QUICK, illegal_action="raise")
    seen, _ = env.reset(seed=1)
    before = env.batch.states.tobytes()
    actions = seen["action_mask"].argmax(axis=1)
    actions[1] = seen["action_mask"][1].argmin()
    with pytest.raises(IllegalActionError, match=f"action {actions[1]} is illegal in game 1; legal there are"):
        env.step(actions)
    assert env.batch.states.tobytes() == before
    env.step(seen["action_mask"].argmax(axis=1))
    assert env.batch.states.tobytes() != before


def test_without_autoreset_a_finished_game_must_be_reset() -> None:
    env = make_endeavor_vector(2, **QUICK, autoreset_mode="DISABLED")
    seen, _ = env.reset(seed=1)
    actions = seen["action_mask"].argmax(axis=1)
    actions[1] = seen["action_mask"][1].argmin()
    env.step(actions)
    with pytest.raises(GameOverError, match="game 1 is over; reset it with the option reset_mask"):
        env.step(actions)
    seen, _ = env.reset(options={"reset_mask": np.array([False, True])})
    env.step(seen["action_mask"].argmax(axis=1))


def test_a_reward_function_that_fails_asks_for_a_reset() -> None:
    broken = False

    def reward(scores: Sequence[int]) -> list[float]:
        return [] if broken else [0.0] * len(scores)

    env = make_endeavor_vector(1, **QUICK, reward=reward)
    broken = True
    with pytest.raises(EndeavorError, match="the reward function returned"):
        play(env, 1000)
    with pytest.raises(ResetNeededError, match="a step or reset that failed"):
        env.step(np.zeros(1, int))


def test_the_games_answer_to_masks_alone() -> None:
    env = make_endeavor_vector(2, **QUICK)
    env.reset(seed=1)
    for got in (env.call("action_masks"), env.get_attr("action_masks")):
        assert len(got) == 2
        assert (np.array(got) == env.action_masks()).all()
    for asked in (lambda: env.call("game"), lambda: env.call("action_masks", 1), lambda: env.get_attr("np_random")):
        with pytest.raises(InvalidOptionError, match="the games answer to 'action_masks' and 'render' alone"):
            asked()


def test_what_does_not_fit_into_memory_is_refused_before_anything_is_allocated(monkeypatch: pytest.MonkeyPatch) -> None:
    env = make_endeavor_vector(2, **QUICK)
    each = env.batch.bytes_a_game + 2 * (env.batch.layout.size + env.batch.num_actions)
    monkeypatch.setattr(hardware, "machine_memory", lambda: 100 * each + 5)
    make_endeavor_vector(100, **QUICK)
    with pytest.raises(InvalidOptionError, match=r"num_envs=101 is not possible: .* give at most 100"):
        make_endeavor_vector(101, **QUICK)
    with pytest.raises(InvalidOptionError, match="give at most"):
        make_endeavor_vector(100, players=3)  # the larger observations


def test_the_memory_of_the_machine_is_known_or_assumed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert hardware.machine_memory() > 1 << 28
    monkeypatch.delattr(os, "sysconf", raising=False)
    assert hardware.machine_memory() == hardware.UNKNOWN


@pytest.mark.parametrize("weights", [[1e308] * 4, [1e-308] * 4, [1e308, 1e-308, 1e308, 1e-308]])
def test_shares_of_weights_of_any_size_end_with_all_shares(weights: list[float]) -> None:
    until = cumulative_shares(weights)
    assert (np.diff(until) > 0).all()
    assert until[-1] == SHARES
    assert (cumulative_shares([weight / 2 for weight in weights[:2]]) == cumulative_shares(weights[:2])).all()
