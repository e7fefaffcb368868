"""Games of several kinds in one batch: players, variants, options and boards by row or drawn game by game."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

from endeavor_env.basics.inputs import spread_seeds
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import Game, GameConfig
from endeavor_env.endeavor.observation import layout_for, observe
from endeavor_env.endeavor.results import ladder_of
from endeavor_env.endeavor.rewards import reward_function
from endeavor_env.endeavor.rules.actions import NUM_ACTIONS, NUM_VARIANT_ACTIONS
from endeavor_env.engine.batch import threads
from endeavor_env.engine.rewards import final_rewards
from endeavor_env.envs.endeavor import (
    make_endeavor,
    make_endeavor_solo,
    make_endeavor_solo_vector,
    make_endeavor_vector,
)
from endeavor_env.envs.gym_env import GameEnv
from endeavor_env.envs.sampling import generator, sample_action
from endeavor_env.envs.vector_env import GameVectorEnv
from endeavor_env.errors import InvalidOptionError
from endeavor_env.kernels.kernels import JIT_DISABLED
from tests.kits.vector import play, random_actions

COMPACT: dict[str, Any] = {"observation": "compact"}
GAMES: list[dict[str, Any]] = [
    {"players": 3},
    {"players": 5, "board": Board.generate(5)},
    {"variant": "soloplay_2", "options": {"variant_removed_spaces_stay": True}},
    {"variant": "solo", "options": {"difficulty": "harder", "opposition_ties": "first"}},
    {"variant": "neutral_2"},
]
STANDARD_TABLES: list[dict[str, Any]] = [{"players": 3}, {"players": 4}, {"players": 5}]


def single(game: dict[str, Any], **options: Any) -> GameEnv | GameEnv:
    """Return the single environment of one kind of game."""
    if game.get("variant") != "solo":
        return make_endeavor(**game, **options)
    options.pop("learner_seat")
    return make_endeavor_solo(**game["options"], **options)


def assert_same_sight(row: dict[str, np.ndarray], alone: dict[str, np.ndarray]) -> None:
    """Compare what a row of a mixed batch sees with the single environment's, which may have the smaller layout."""
    for key, wanted in alone.items():
        assert row[key][: wanted.size].tobytes() == wanted.tobytes()
    beyond = row["action_mask"][alone["action_mask"].size :]
    assert beyond.all() if alone["action_mask"].all() else not beyond.any()


def sight(seen: dict[str, np.ndarray], row: int) -> dict[str, np.ndarray]:
    """Return what one row sees."""
    return {key: value[row] for key, value in seen.items()}


# --- layouts ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("observation", ["features", "compact"])
def test_only_mixed_variants_need_their_layout(observation: str) -> None:
    base = make_endeavor_vector(3, games=STANDARD_TABLES, observation=observation)
    mixed = make_endeavor_vector(5, games=GAMES, observation=observation)
    for env, variant, actions in ((base, "standard", NUM_ACTIONS), (mixed, "soloplay_2", NUM_VARIANT_ACTIONS)):
        seen, _ = env.reset(seed=3)
        assert env.observation_space.contains(seen)
        assert seen["observation"].shape[1] == layout_for(variant, observation).size
        assert env.single_action_space == gymnasium.spaces.Discrete(actions)
        assert seen["action_mask"].shape[1] == actions


@pytest.mark.parametrize("observation", ["features", "compact"])
def test_a_standard_game_in_the_layout_of_the_variants(observation: str) -> None:
    """The base slices are equal; what follows says that nothing of a variant is there, and who leads."""
    env = make_endeavor_vector(2, games=[{"players": 4}, {"variant": "neutral_2"}], observation=observation)
    game, rng = Game.new(4, seed=6), generator(6)
    env.reset(seed=[6, 0])
    layout, base = layout_for("neutral_2", observation), layout_for("standard", observation)
    said = {"variant", "difficulty", "task", "glory_lead", "lead_at_least"}  # what features say of any game
    while not game.over:
        env.batch.states[0] = game.state[0]
        env.batch.tables["learner"][0] = game.seat
        vector = env.batch.observe()[0]
        assert (vector[: base.size] == observe(game, observation=observation)).all()
        assert env.single_observation_space["observation"].contains(vector)  # type: ignore[index]
        for part in (part for part in layout if part.offset >= base.size):
            value = layout.view(vector, part.name)
            if part.name == "variant":
                assert value.argmax() == 0
            elif observation == "compact":
                assert (value <= 0).all(), part.name
            elif part.name not in said:
                assert not value.any(), part.name
        game.apply(sample_action(game.mask(), rng))


# --- by row ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("learner_seat", [0, "rotate"])
def test_rows_agree_with_single_environments_of_their_kind(learner_seat: int | str) -> None:
    options = {
        **COMPACT,
        "reward": "margin",
        "shaping": {"gamma": 0.9},
        "illegal_reward": -2.0,
        "learner_seat": learner_seat,
    }
    env = make_endeavor_vector(10, games=GAMES, autoreset_mode="SAME_STEP", **options)
    alone = [single(GAMES[row % 5], **options) for row in range(10)]
    seen, infos = env.reset(seed=70)
    for row, (seed, one) in enumerate(zip(spread_seeds(70, 10).tolist(), alone, strict=True)):
        there, info = one.reset(seed=seed)
        assert_same_sight(sight(seen, row), there)
        assert (infos["seed"][row], infos["seat"][row], infos["game"][row]) == (info["seed"], info["seat"], row % 5)
    rng = generator(1)
    for step in range(14):
        actions = random_actions(seen["action_mask"], rng)
        losing = (step + np.arange(10)) % 5 == 4
        actions[losing] = seen["action_mask"][losing, :NUM_ACTIONS].argmin(axis=1)
        seen, rewards, terminated, _, infos = env.step(actions)
        for row, one in enumerate(alone):
            there, reward, over, _, info = one.step(int(actions[row]))
            assert (rewards[row], terminated[row]) == (reward, over)
            if over:
                assert_same_sight(infos["final_obs"][row], there)
                assert infos["final_info"]["seat"][row] == info["seat"]
                assert infos["final_info"]["game"][row] == row % 5
                there, _ = one.reset()
            assert_same_sight(sight(seen, row), there)
    assert env.batch.tables["kind"].tolist() == [0, 1, 2, 3, 4] * 2


ROWS, ENDS = (5, 1) if JIT_DISABLED else (50, 1000)


@pytest.mark.slow
def test_a_thousand_mixed_games_agree() -> None:
    options = {**COMPACT, "reward": "margin", "learner_seat": "rotate"}
    env = make_endeavor_vector(ROWS, games=GAMES, autoreset_mode="SAME_STEP", **options)
    alone = [single(GAMES[row % 5], **options) for row in range(ROWS)]
    seen, _ = env.reset(seed=1)
    for seed, one in zip(spread_seeds(1, ROWS).tolist(), alone, strict=True):
        one.reset(seed=seed)
    rng, ends = generator(1), 0
    while ends < ENDS:
        actions = random_actions(seen["action_mask"], rng)
        seen, rewards, terminated, _, infos = env.step(actions)
        for row, one in enumerate(alone):
            there, reward, over, _, info = one.step(int(actions[row]))
            assert (rewards[row], terminated[row]) == (reward, over)
            if over:
                assert_same_end(infos["final_info"], row, info)
                there, _ = one.reset()
                ends += 1
            assert_same_sight(sight(seen, row), there)


def assert_same_end(closing: dict[str, Any], row: int, info: dict[str, Any]) -> None:
    """Compare how a game ended; what the smaller tables do not have is 0 or False."""
    scores, seats = info["scores"].tolist(), len(closing["winners"][row])
    assert closing["scores"][row].tolist() == scores + [0] * (5 - len(scores))
    assert closing["winners"][row].tolist() == info["winners"].tolist() + [False] * (seats - len(info["winners"]))
    for key in ("margin", "ladder", "rung", "panache"):
        given = f"_{key}" in closing and bool(closing[f"_{key}"][row])
        assert given == (key in info)
        assert not given or closing[key][row] == info[key]


@pytest.mark.parametrize("reward", ["win", "win_zero_sum", "rank", "margin"])
@pytest.mark.parametrize("choice", ["row", "draw"])
def test_rewards_are_those_of_each_rows_own_table(reward: str, choice: str) -> None:
    games = GAMES if reward in ("win", "margin") else [*GAMES[:3], GAMES[4]]
    env = make_endeavor_vector(
        8, games=games, game_choice=choice, reward=reward, learner_seat="all", autoreset_mode="SAME_STEP", **COMPACT
    )
    seen, _ = env.reset(seed=8)
    rng, ends = generator(8), 0
    while ends < (1 if JIT_DISABLED else 8):
        movers = env.batch.states["seat"].copy()
        seen, rewards, terminated, _, infos = env.step(random_actions(seen["action_mask"], rng))
        for row in np.flatnonzero(terminated):
            closing = infos["final_info"]
            kind = env.games[closing["game"][row]]
            scores = closing["scores"][row, : kind.num_scores].tolist()
            paid = final_rewards(reward_function(reward, kind.players, kind.variant), scores, kind.players)
            assert closing["seat_rewards"][row].tolist() == paid + [0.0] * (env.players - kind.players)
            assert rewards[row] == paid[movers[row]]
            ends += 1


def test_a_reward_function_gets_the_scores_of_the_game_alone() -> None:
    lengths: set[int] = set()

    def reward(scores: Any) -> list[float]:
        lengths.add(len(scores))
        return [float(score) for score in scores]

    games = [{"players": 3}, {"players": 5}, {"variant": "neutral_2"}]
    env = make_endeavor_vector(6, games=games, reward=reward, autoreset_mode="SAME_STEP", **COMPACT)
    assert lengths == {2, 3, 5}  # it is tried out for each kind
    lengths.clear()
    seen, _ = env.reset(seed=8)
    rng, ended = generator(8), np.zeros(6, bool)
    while not ended.all():
        seen, rewards, terminated, _, infos = env.step(random_actions(seen["action_mask"], rng))
        for row in np.flatnonzero(terminated):
            assert rewards[row] == infos["final_info"]["scores"][row, 0]
        ended |= terminated
    assert lengths == {2, 3, 5}


def test_the_ladder_pays_solitaire_games_of_all_difficulties() -> None:
    env = make_endeavor_solo_vector(
        3, difficulty=["normal", "easier", "harder"], reward="ladder", opposition_ties="first",
        autoreset_mode="SAME_STEP", **COMPACT,
    )  # fmt: skip
    seen, _ = env.reset(seed=5)
    assert env.batch.states["difficulty"].tolist() == [0, 1, 2]
    rng, ended = generator(5), np.zeros(3, bool)
    while not ended.all():
        seen, rewards, terminated, _, infos = env.step(random_actions(seen["action_mask"], rng))
        for row in np.flatnonzero(terminated):
            own, other = infos["final_info"]["scores"][row].tolist()
            assert rewards[row] == ladder_of(own - other, False).rung / 5
        ended |= terminated
    assert env.batch.states["difficulty"].tolist() == [0, 1, 2]


# --- drawn -----------------------------------------------------------------------------------------------------------
def test_kinds_are_drawn_by_weight_and_rotating_seats_evenly() -> None:
    count = 300 if JIT_DISABLED else 3000
    games = [{"players": 3}, {"players": 5, "weight": 2}, {"players": 4, "weight": 0.5}]
    env = make_endeavor_vector(count, games=games, game_choice="draw", learner_seat="rotate", **COMPACT)
    env.reset(seed=0)
    tables = env.batch.tables
    assert (tables["players"] == np.array([3, 5, 4])[tables["kind"]]).all()
    assert (tables["players"] == env.batch.states["num_seats"]).all()
    assert np.bincount(tables["kind"]) / count == pytest.approx(
        [2 / 7, 4 / 7, 1 / 7], abs=0.07 if JIT_DISABLED else 0.02
    )
    of_five = tables["learner"][tables["players"] == 5]
    assert np.bincount(of_five) / of_five.size == pytest.approx([0.2] * 5, abs=0.1 if JIT_DISABLED else 0.03)
    assert tables["learner"][tables["players"] == 3].max() == 2


def test_every_new_game_draws_its_kind() -> None:
    env = make_endeavor_vector(4, games=GAMES, game_choice="draw", autoreset_mode="SAME_STEP", **COMPACT)
    seen, infos = env.reset(seed=2)
    met = [set() for _ in range(4)]
    for _ in range(25):
        for row, kind in enumerate(env.batch.tables["kind"].tolist()):
            met[row].add(kind)
            assert env.batch.states["num_seats"][row] == env.games[kind].players
            assert env.batch.states["difficulty"][row] == (2 if kind == 3 else 0)
        seen, *_, infos = env.step(seen["action_mask"][:, :NUM_ACTIONS].argmin(axis=1))  # ends every game
        assert infos["game"].tolist() == env.batch.tables["kind"].tolist()
    assert all(len(kinds) > 3 for kinds in met)


def test_drawn_games_depend_on_the_seed_of_their_row_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(count: int, **options: Any) -> GameVectorEnv:
        mixed = {
            "games": GAMES,
            "game_choice": "draw",
            "learner_seat": "rotate",
            "opponents": {"random": 1, "automa": 2},
        }
        return make_endeavor_vector(count, autoreset_mode="SAME_STEP", **mixed, **COMPACT, **options)

    many, alone = make(7, threads=1), make(1)
    out = play(many, 6, seed=4)
    monkeypatch.setattr(threads, "SMALL", 1)
    monkeypatch.setattr(threads, "THINKING", 1)
    shared = make(7, threads=3)
    assert shared.batch.threads == 3
    assert play(shared, 6, seed=4) == out
    assert shared.batch.states.tobytes() == many.batch.states.tobytes()
    shared.close()
    seen, _ = many.reset(seed=20)
    seen_alone, _ = alone.reset(seed=spread_seeds(20, 4)[3:])
    for step in range(8):
        assert (sight(seen, 3)["observation"] == seen_alone["observation"][0]).all()
        actions = seen["action_mask"].argmax(axis=1)
        if step % 2:
            actions = seen["action_mask"][:, :NUM_ACTIONS].argmin(axis=1)
        seen, rewards, *_ = many.step(actions)
        seen_alone, rewards_alone, *_ = alone.step(actions[3:4])
        assert rewards[3] == rewards_alone[0]


def test_one_kind_draws_nothing() -> None:
    plain = make_endeavor_vector(3, players=3, learner_seat="rotate", **COMPACT)
    listed = make_endeavor_vector(3, games=[{"players": 3}], game_choice="draw", learner_seat="rotate", **COMPACT)
    assert play(plain, 8) == play(listed, 8)
    assert "game" not in listed.reset()[1]


def test_a_config_is_an_entry() -> None:
    games = [{"players": 3}, {"variant": "neutral_2", "board": "generated_3"}]
    configs = [GameConfig(players=3), GameConfig("neutral_2", board="generated_3")]
    listed, given = make_endeavor_vector(4, games=games, **COMPACT), make_endeavor_vector(4, games=configs, **COMPACT)
    assert list(listed.games) == list(given.games) == configs
    assert play(listed, 3) == play(given, 3)


def test_boards_can_be_drawn() -> None:
    boards = [None, Board.generate(5), Board.generate(6)]
    env = make_endeavor_vector(60, board=boards, game_choice="draw", **COMPACT)
    env.reset(seed=0)
    assert np.bincount(env.batch.tables["board"], minlength=3).min() > 8


# --- refusals --------------------------------------------------------------------------------------------------------
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"games": GAMES, "players": 3}, "players=3 is not possible beside games"),
    ({"games": GAMES, "variant": "neutral_2"}, "variant='neutral_2' is not possible beside games"),
    ({"games": GAMES, "options": {}}, "options={} is not possible beside games"),
    ({"games": GAMES, "board": [None]}, "board=.* is not possible beside games"),
    ({"games": []}, r"games=\[\] is not possible: give a list"),
    ({"games": {"players": 3}}, "is not possible: give a list of at least one mapping"),
    ({"games": [3]}, "games has an entry 3: give a mapping with any of players, variant, options, board, weight"),
    ({"games": [{"player": 3}]}, "has no option 'player': did you mean players[?] Its options are players, variant"),
    ({"games": [{"players": 2}]}, "players"),
    ({"games": [{"variant": "chess"}]}, "variant"),
    ({"games": [{"weight": 2}]}, "the weight of a game is not possible with game_choice='row'"),
    ({"games": [{"weight": 0}], "game_choice": "draw"}, "weight of a game 0 is not possible"),
    ({"games": [{"weight": "1"}], "game_choice": "draw"}, "weight of a game '1' is not possible"),
    ({"games": [{"weight": float("nan")}], "game_choice": "draw"}, "weight of a game nan"),
    ({"games": GAMES, "game_choice": "random"}, "game_choice='random' is not possible: give 'row' or 'draw'"),
    ({"games": GAMES[:3], "learner_seat": 2}, "learner_seat=2 is not possible: give a seat, 0 to 1"),
    ({"games": GAMES[:2], "opponents": ["random"] * 2}, "opponents has 2 entries: with 5 players"),
    ({"games": GAMES, "reward": "ladder"}, "reward 'ladder' is not possible in variant 'standard'"),
    ({"games": GAMES, "reward": "rank"}, "reward 'rank' is not possible in variant 'solo'"),
]


@pytest.mark.parametrize(("options", "message"), REFUSED, ids=str)
def test_wrong_games(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        make_endeavor_vector(5, **options)


@pytest.mark.parametrize("difficulty", [[], ["normal", "hard"], None])
def test_wrong_difficulties(difficulty: Any) -> None:
    with pytest.raises(InvalidOptionError, match="difficulty"):
        make_endeavor_solo_vector(2, difficulty=difficulty)
