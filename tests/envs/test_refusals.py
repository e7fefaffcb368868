"""Every way to use an environment wrongly ends in one named error, and the game goes on unchanged."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

from endeavor_env import endeavor_v0
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rules.actions import NUM_ACTIONS, NUM_VARIANT_ACTIONS
from endeavor_env.envs.endeavor import make_endeavor, make_endeavor_solo
from endeavor_env.envs.table import ResetNeededError
from endeavor_env.errors import (
    EndeavorError,
    GameOverError,
    IllegalActionError,
    InvalidBoardError,
    InvalidOptionError,
    InvalidSetupError,
)
from tests.kits.envs import illegal_action, play, play_gym, position, started
from tests.kits.ids import readable

MAKERS: dict[str, Callable[..., Any]] = {"aec": endeavor_v0.env, "gym": make_endeavor, "solo": make_endeavor_solo}
ALL, SEATS = "aec gym solo", "aec gym"
"""Makers that a row of the tables below is about: all, and those at whose tables seats play against each other."""
INTERFACES = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


def for_each_maker(rows: list[tuple[Any, ...]]) -> list[Any]:
    """Return parameters: each row again for each maker that its first entry names."""
    return [
        pytest.param(MAKERS[name], *row, id=readable(f"{name}-{row[0]}"))
        for makers, *row in rows
        for name in makers.split()
    ]


WRONG_OPTIONS: list[tuple[str, dict[str, Any], str]] = [
    (SEATS, {"players": 2}, "3 to 5 players"),
    ("gym", {"variant": "solo"}, r"variant 'solo' is not possible here: .* make EndeavorSolo-v0"),
    (ALL, {"observation": "pixels"}, "give 'features' or 'compact'"),
    (ALL, {"observation": None}, "give 'features' or 'compact'"),
    *(
        (ALL, {"observation_key": key}, "observation_key=.* give a text .* the mask has the key 'action_mask'")
        for key in ("", "action_mask", None, 3, ["observations"])
    ),
    (ALL, {"observation_key": "observations", "flat": True}, "not possible with flat=True: .* vectors without keys"),
    *(("aec", {"info_masks": kind}, "info_masks=.* give 'array' or 'list'") for kind in ("tuple", None, list)),
    (SEATS, {"reward": "glory"}, "win, win_zero_sum, rank, margin"),
    ("solo", {"reward": "glory"}, "reward 'glory' is not known: give one of win, margin, ladder"),
    ("solo", {"reward": "rank"}, "reward 'rank' is not possible in variant 'solo': .* win, margin, ladder"),
    ("solo", {"reward": "win_zero_sum"}, "reward 'win_zero_sum' is not possible in variant 'solo'"),
    ("solo", {"reward": lambda scores: scores}, "it must return one finite number"),
    (ALL, {"shaping": 0.5}, "give None, or a mapping"),
    (ALL, {"shaping": {"gamma": 2}}, "shaping gamma 2"),
    (ALL, {"illegal_action": "ignore"}, "give 'terminate' or 'raise'"),
    (ALL, {"illegal_reward": math.nan}, "give a finite number"),
    (ALL, {"illegal_reward": "-1"}, "give a finite number"),
    (ALL, {"render_mode": "pixels"}, "give None or 'human' or 'ansi' or 'rgb_array'"),
    (ALL, {"render_mode": ["ansi"]}, "give None or 'human' or 'ansi'"),
    (ALL, {"seed": -1}, "non-negative"),
    (ALL, {"seed": 1.5}, "non-negative"),
    *(("gym", {"learner_seat": seat}, "give a seat, 0 to 3, or 'rotate'") for seat in (4, -1, "first", 1.0, True)),
    ("solo", {"difficulty": "hard"}, "option difficulty='hard' .* 'normal' or 'easier' or 'harder'"),
    ("solo", {"difficulty": None}, "option difficulty=None"),
    ("solo", {"opposition_ties": True}, "option opposition_ties=True .* 'player' or 'first'"),
    ("solo", {"solo_ignore_industry": 1}, "option solo_ignore_industry=1 .* False or True"),
    # what does not go together; what a game itself refuses is refused by Game.new in the same words (tests/game)
    (SEATS, {"variant": "soloplay_2", "players": 3}, "players=3 .* exactly 2 players"),
    (SEATS, {"variant": "soloplay_3", "options": {"colour": "red"}}, "has no option 'colour'"),
    (SEATS, {"variant": "soloplay_2", "reward": "ladder"},
     "'ladder' is not possible in variant 'soloplay_2': it grades a solitaire"),
    (SEATS, {"variant": "neutral_2", "reward": lambda scores: [0.0] * 3}, "it must return 2 finite numbers"),
    (SEATS, {"exploits": ["venus", "mars"]}, "exploit 'mars' is unknown: they are saltpetre, pirates, .*, marque, ha"),
    (SEATS, {"exploits": "random", "reward": "ladder"}, "'ladder' is not possible in variant 'exploits': it grades"),
    (SEATS, {"exploits": "random", "players": 5, "reward": lambda scores: [0.0] * 4}, "it must return 5 finite num"),
    ("aec", {"variant": "solo", "players": 2}, "players=2 .* exactly 1 player$"),
    ("aec", {"variant": "solo", "reward": "rank"}, "'rank' is not possible in variant 'solo': it compares seats"),
    ("aec", {"variant": "solo", "reward": lambda scores: scores}, "it must return one finite number"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "options", "said"), for_each_maker(WRONG_OPTIONS))
def test_wrong_constructor_options(make: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidOptionError, match=said):
        make(**options)


def test_the_id_of_a_learner_among_others_names_that_of_the_solitaire_game() -> None:
    with pytest.raises(InvalidOptionError, match="make EndeavorSolo-v0"):
        gymnasium.make("Endeavor-v0", variant="solo")


UNKNOWN = [
    (ALL, "colour"),
    *(("solo", name) for name in ("players", "variant", "exploits", "options", "learner_seat", "opponents")),
]


@pytest.mark.parametrize(("make", "name"), for_each_maker(UNKNOWN))
def test_unknown_constructor_options_are_errors_that_name_them(make: Any, name: str) -> None:
    with pytest.raises(InvalidOptionError, match=f"has no option '{name}'"):
        make(**{name: None})


@INTERFACES
def test_a_missing_board_file(make: Any) -> None:
    with pytest.raises(InvalidBoardError, match=r"nowhere\.toml"):
        make(board="nowhere.toml")


@pytest.mark.parametrize(
    ("make", "variant"), for_each_maker([(SEATS, "soloplay_2"), ("aec", "solo"), ("solo", "solo")])
)
def test_a_board_on_which_the_variant_cannot_be_played_is_refused_at_once(make: Any, variant: str) -> None:
    data = Board.default().to_dict()
    next(region for region in data["regions"] if region["id"] == "india")["track_length"] -= 4
    data["tokens"]["politics"] -= 4
    board = Board.from_dict(data)
    endeavor_v0.env(board=board)
    named: dict[str, Any] = {} if make is make_endeavor_solo else {"variant": variant}
    with pytest.raises(InvalidBoardError, match=rf"variant '{variant}', has 1 fault:\n.*india has 2 shipping spaces"):
        make(board=board, **named)


# --- actions --------------------------------------------------------------------------------------------------------

NO_ACTIONS = [-1, 10**30, 1.0, 1.5, math.nan, "3", None, True, np.True_, np.float32(1), np.array([1]), [1]]
TOO_HIGH = [(SEATS, NUM_ACTIONS), ("solo", NUM_VARIANT_ACTIONS)]


@pytest.mark.parametrize(("make", "action"), for_each_maker([*((ALL, action) for action in NO_ACTIONS), *TOO_HIGH]))
@pytest.mark.parametrize("illegal_action", ["terminate", "raise"])
def test_what_is_no_action_id_changes_nothing(make: Any, action: Any, illegal_action: str) -> None:
    env = started(make, illegal_action=illegal_action)
    before = position(env.game())
    with pytest.raises(IllegalActionError, match=r"is no action id: .* legal moves"):
        env.step(action)
    assert position(env.game()) == before
    assert env.action_masks().any()
    env.step(int(env.action_masks().argmax()))


@pytest.mark.parametrize("make", [make_endeavor, make_endeavor_solo])
@pytest.mark.parametrize("ending", ["by the rules", "by an illegal action"])
def test_a_learner_steps_after_the_end(make: Any, ending: str) -> None:
    env = started(make)
    if ending == "by the rules":
        play_gym(env, 1)
    else:
        env.step(illegal_action(env))
    for action in (0, None, "x"):
        with pytest.raises(GameOverError, match=r"the episode is over, call reset\(\)"):
            env.step(action)
    env.reset()
    env.step(int(env.action_masks().argmax()))


# --- before a reset, and resets -------------------------------------------------------------------------------------


@pytest.mark.parametrize("call", ["step(0)", "render()", "action_masks()", "game()"])
@INTERFACES
def test_what_needs_a_reset_says_so(make: Any, call: str) -> None:
    env = make()
    name = call.partition("(")[0]
    with pytest.raises(ResetNeededError, match=rf"{name}.* is not possible before a reset\(\)") as caught:
        eval(f"env.{call}", {"env": env})
    assert isinstance(caught.value, EndeavorError)
    assert isinstance(caught.value, gymnasium.error.ResetNeeded)


TOO_EARLY = [
    "env.observe('player_0')",
    "env.state()",
    "env.last()",
    "next(iter(env.agent_iter()))",
    *(f"env.{name}" for name in ("agents", "num_agents", "rewards", "terminations", "truncations", "infos")),
    "env.agent_selection",
]


@pytest.mark.parametrize("call", TOO_EARLY)
def test_what_needs_a_reset_says_so_in_the_aec_environment(call: str) -> None:
    env = endeavor_v0.env()
    with pytest.raises(ResetNeededError, match="is not possible before a reset"):
        eval(call, {"env": env})
    assert not hasattr(env, "agents")


def test_other_missing_attributes_are_what_they_always_are() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'colour'"):
        endeavor_v0.env().colour  # type: ignore[attr-defined]  # noqa: B018


def test_unknown_agents() -> None:
    env = started(endeavor_v0.env, players=3)
    for ask in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(InvalidOptionError, match=r"'player_3' is not at the table: .*player_2"):
            ask("player_3")


WRONG_RESETS: list[tuple[str, Any, type[EndeavorError], str]] = [
    (SEATS, [("first_player", 1)], InvalidOptionError, "give a mapping"),
    (SEATS, {"first_player": 4}, InvalidOptionError, "first_player=4 .* give a seat, 0 to 3"),
    (SEATS, {"first_player": "1"}, InvalidOptionError, "first_player='1' .* give a seat, 0 to 3"),
    (SEATS, {"setup": {}, "first_player": 1}, InvalidOptionError, "exclude each other"),
    (SEATS, {"setup": {}}, InvalidSetupError, "first_player and tokens"),
    (SEATS, {"setup": 7}, InvalidSetupError, "must be a mapping"),
    ("gym", {"colour": "red"}, InvalidOptionError, "no option 'colour': its options are setup, first_player, learner_"),
    ("gym", {"learner_seat": 9}, InvalidOptionError, "learner_seat=9"),
    ("solo", {"first_player": 0}, InvalidOptionError, "no option 'first_player': its options are setup"),
    ("solo", {"learner_seat": 0}, InvalidOptionError, "no option 'learner_seat': its options are setup"),
    ("solo", [("setup", 1)], InvalidOptionError, "give a mapping of setup"),
    ("solo", {"setup": {}}, InvalidSetupError, "a solo game needs"),
    ("solo", {"setup": Game.new(3, seed=1).setup()}, InvalidSetupError, "a solo game needs"),
]


@pytest.mark.parametrize(("make", "options", "error", "said"), for_each_maker(WRONG_RESETS))
def test_wrong_reset_options_leave_the_game_in_play(
    make: Any, options: Any, error: type[EndeavorError], said: str
) -> None:
    env, same = started(make), started(make)
    for seed in (2,) if make is endeavor_v0.env else (2, None):  # that one's stream of seeds moves on without a seed
        with pytest.raises(error, match=said):
            env.reset(seed=seed, options=options)
    assert position(env.game()) == position(same.game())
    assert play(env, 1) == play(same, 1)
    env.reset()
    same.reset()
    assert position(env.game()) == position(same.game())


@pytest.mark.parametrize(
    ("variant", "first_player", "seats"),
    [
        ("solo", 1, "0, the only seat"),
        ("soloplay_2", 2, "a seat, 0 to 1"),
        ("soloplay_3", 3, "a seat, 0 to 2"),
        ("neutral_2", 2, "a seat, 0 to 1"),
        ("exploits", 4, "a seat, 0 to 3"),
    ],
)
def test_the_first_player_has_a_seat_of_the_variant(variant: str, first_player: int, seats: str) -> None:
    with pytest.raises(InvalidOptionError, match=f"first_player={first_player} is not possible: give {seats}"):
        endeavor_v0.env(variant=variant).reset(options={"first_player": first_player})


@pytest.mark.parametrize("seed", [-1, 1.5, "7", True])
@INTERFACES
def test_wrong_seeds(make: Any, seed: Any) -> None:
    with pytest.raises(InvalidOptionError, match="non-negative whole number"):
        make().reset(seed=seed)


@pytest.mark.parametrize("make", [endeavor_v0.env, make_endeavor])
def test_a_setup_for_another_table(make: Any) -> None:
    with pytest.raises(InvalidSetupError, match="first_player is 4"):
        make(players=3).reset(options={"setup": {**Game.new(5, seed=1).setup(), "first_player": 4}})
    with pytest.raises(InvalidSetupError, match="setup has the fields"):
        make(variant="neutral_2").reset(options={"setup": Game.new(variant="solo", seed=1).setup()})


def test_unknown_reset_options_are_nothing_to_the_aec_environment() -> None:
    endeavor_v0.env().reset(options={"colour": "red", "learner_seat": 9})
