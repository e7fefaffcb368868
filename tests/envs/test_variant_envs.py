"""The variants in both environments: the same games as through the facade, and every wrong combination refused."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest

from endeavor_env import endeavor_v0
from endeavor_env.board import Board
from endeavor_env.core.actions import NUM_ACTIONS, NUM_VARIANT_ACTIONS
from endeavor_env.envs.gym_env import EndeavorEnv
from endeavor_env.envs.solo_env import EndeavorSoloEnv
from endeavor_env.errors import IllegalActionError, InvalidBoardError, InvalidOptionError, InvalidSetupError
from endeavor_env.game import Game
from endeavor_env.observation import layout_for, observe
from endeavor_env.records import replay
from endeavor_env.rewards import MARGIN_SCALE, REWARDS, SOLO_REWARDS
from endeavor_env.sampling import generator, sample_action
from tests.kits.envs import play_aec, play_gym, position
from tests.kits.games import GAMES, PLAYERS

SHARED = ["soloplay_2", "soloplay_3", "neutral_2"]
"""The variants in which seats play against each other."""
SHARED_GAMES = [(variant, options) for variant, options in GAMES.values() if variant in SHARED]


# --- all seats ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_aec_plays_the_game_of_the_same_seed(name: str) -> None:
    variant, options = GAMES[name]
    env, game, rng = (
        endeavor_v0.env(variant=variant, options=options),
        Game.new(None, variant, 5, options=options),
        generator(5),
    )
    env.reset(seed=5)
    assert env.possible_agents == [f"player_{seat}" for seat in range(PLAYERS[variant])]
    while not game.over:
        assert env.agent_selection == f"player_{game.seat}"
        assert (env.action_masks() == game.mask()).all()
        action = sample_action(env.action_masks(), rng)
        env.step(action)
        game.apply(action)
        assert position(env.game()) == position(game)
    assert all(env.terminations.values())
    info = env.infos["player_0"]
    assert (info["reason"], info["scores"]) == ("game_over", game.scores())
    assert info["winners"] == [f"player_{seat}" for seat in game.winners()]
    assert ("ladder" in info) is (variant == "solo")
    assert env.game().record() == game.record()
    assert position(replay(env.game().record())) == position(game)


@pytest.mark.parametrize("observation", ["features", "compact"])
@pytest.mark.parametrize("variant", PLAYERS)
def test_every_agent_can_be_observed_at_any_time(variant: str, observation: str) -> None:
    env, rng = endeavor_v0.env(variant=variant, observation=observation), generator(0)
    layout = layout_for(variant, observation)
    for agent in env.possible_agents:
        space: Any = env.observation_space(agent)
        actions: Any = env.action_space(agent)
        assert (space["observation"].shape, space["observation"].dtype) == ((layout.size,), layout.dtype)
        assert (space["action_mask"].shape, actions.n) == ((NUM_VARIANT_ACTIONS,), NUM_VARIANT_ACTIONS)
    first: Any = env.observation_space("player_0")
    assert env.state_space == first["observation"]
    env.reset(seed=1)
    for _ in range(60):
        game = env.game()
        for seat, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)
            assert env.observation_space(agent).contains(seen)
            assert (seen["observation"] == observe(game, seat, observation)).all()
            assert (seen["action_mask"] == (game.mask() if seat == game.seat else 0)).all()
        assert env.state().tobytes() == env.observe("player_0")["observation"].tobytes()
        if game.over:
            break
        env.step(sample_action(env.action_masks(), rng))
    assert env.game().round >= 1


@pytest.mark.parametrize("variant", SHARED)
@pytest.mark.parametrize("name", sorted(REWARDS))
def test_every_agent_gets_its_reward_at_the_end(variant: str, name: str) -> None:
    env = endeavor_v0.env(variant=variant, reward=name)
    env.reset(seed=4)
    play_aec(env, 4)
    rewards = REWARDS[name](env.game().scores())
    assert len(rewards) == PLAYERS[variant]
    assert env.rewards == pytest.approx(dict(zip(env.possible_agents, rewards, strict=True)))
    assert len(set(rewards)) > 1


@pytest.mark.parametrize("name", sorted(SOLO_REWARDS))
def test_the_solitaire_game_is_the_same_in_both_environments(name: str) -> None:
    """Observations, rewards, shaping and what the info tells at the end."""
    options: dict[str, Any] = {"reward": name, "shaping": {"gamma": 0.9}}
    env, other = (
        EndeavorSoloEnv(difficulty="harder", **options),
        endeavor_v0.env(variant="solo", options={"difficulty": "harder"}, **options),
    )
    seen, _ = env.reset(seed=2)
    other.reset(seed=2)
    rng, reward, info, terminated = generator(2), 0.0, {}, False
    while not terminated:
        observation, paid, *_ = other.last()
        assert observation is not None
        assert all((observation[key] == seen[key]).all() for key in ("observation", "action_mask"))
        assert paid == pytest.approx(reward)
        action = sample_action(seen["action_mask"], rng)
        other.step(action)
        seen, reward, terminated, _, info = env.step(action)
    assert other.rewards["player_0"] == other._cumulative_rewards["player_0"] == pytest.approx(reward)
    told = dict(other.infos["player_0"])
    assert (told.pop("winners"), info.pop("winners")) == ([], [])
    assert told == {key: value for key, value in info.items() if key not in ("seat", "action_mask")}
    assert told["margin"] == told["scores"][0] - told["scores"][1]


def test_the_winner_of_a_solitaire_game_is_named() -> None:
    env, rng = endeavor_v0.env(variant="solo"), generator(1)
    env.reset(seed=1)
    while not env.terminations["player_0"]:
        state = env._table.game.state[0]
        state.status[1, :3] = 0
        state.city_owner[state.city_owner > 1] = 0
        env.step(sample_action(env.action_masks(), rng))
    assert env.infos["player_0"]["winners"] == ["player_0"]
    assert env.rewards == {"player_0": 1.0}
    assert env.infos["player_0"]["rung"] >= 1


@pytest.mark.parametrize("variant", PLAYERS)
def test_an_illegal_action_ends_the_game_at_the_cost_of_its_agent(variant: str) -> None:
    env = endeavor_v0.env(variant=variant)
    env.reset(seed=1)
    play_aec(env, 3, limit=20)
    before, agent = position(env.game()), env.agent_selection
    env.step(int(np.flatnonzero(~env.action_masks())[-1]))
    assert position(env.game()) == before
    assert env.rewards == {other: -1.0 if other == agent else 0.0 for other in env.possible_agents}
    assert "legal moves" in env.infos[agent]["message"]


@pytest.mark.parametrize("variant", PLAYERS)
def test_ids_beyond_those_of_the_variant_are_no_actions(variant: str) -> None:
    env = endeavor_v0.env(variant=variant)
    env.reset(seed=1)
    with pytest.raises(
        IllegalActionError, match=rf"is no action id: those are whole numbers 0\.\.{NUM_VARIANT_ACTIONS - 1}"
    ):
        env.step(NUM_VARIANT_ACTIONS)
    base = endeavor_v0.env()
    base.reset(seed=1)
    with pytest.raises(IllegalActionError, match=rf"is no action id: those are whole numbers 0\.\.{NUM_ACTIONS - 1}"):
        base.step(NUM_ACTIONS)


@pytest.mark.parametrize("variant", PLAYERS)
def test_the_parallel_interface_plays_the_same_game(variant: str) -> None:
    env, game, rng = endeavor_v0.parallel_env(variant=variant), Game.new(None, variant, 5), generator(5)
    observations, _ = env.reset(seed=5)
    rewards: dict[str, float] = {}
    while env.agents:
        mover = f"player_{game.seat}"
        assert [agent for agent in env.agents if observations[agent]["action_mask"].any()] == [mover]
        action = sample_action(observations[mover]["action_mask"], rng)
        observations, rewards, *_ = env.step({agent: action if agent == mover else 0 for agent in env.agents})
        game.apply(action)
    assert game.over
    known = SOLO_REWARDS if variant == "solo" else REWARDS
    assert list(rewards.values()) == pytest.approx(known["win"](game.scores()))


# --- one learner ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("opponents", ["random", lambda observation: int(observation["action_mask"].argmax())])
@pytest.mark.parametrize(("variant", "options"), SHARED_GAMES, ids=str)
def test_gym_plays_the_game_its_history_tells(variant: str, options: dict[str, Any], opponents: Any) -> None:
    env = EndeavorEnv(variant=variant, options=options, opponents=opponents, learner_seat=1, reward="margin")
    env.reset(seed=3)
    steps = play_gym(env, seed=8)
    game = Game.new(None, variant, 3, options=options)
    for seat, action in env.game().history:
        assert seat == game.seat
        game.apply(action)
    assert position(env.game()) == position(game)
    assert env.game().options == game.options
    assert [action for seat, action in game.history if seat == 1] == [action for action, *_ in steps]
    own, best = game.scores()[1], max(score for seat, score in enumerate(game.scores()) if seat != 1)
    assert steps[-1][1] == pytest.approx((own - best) / MARGIN_SCALE)
    assert position(replay(env.game().record())) == position(game)


@pytest.mark.parametrize("variant", SHARED)
def test_every_observation_keeps_the_contract(variant: str) -> None:
    env, rng = EndeavorEnv(variant=variant, learner_seat=1, observation="compact"), generator(0)
    seen, info = env.reset(seed=0)
    terminated, decisions = False, set()
    while not terminated:
        game = env.game()
        decisions.add(game.decision)
        assert game.seat == 1
        assert env.observation_space.contains(seen)
        assert (seen["observation"] == observe(game, 1, "compact")).all()
        assert (seen["action_mask"] == game.mask()).all()
        seen, _, terminated, _, info = env.step(sample_action(env.action_masks(), rng))
    assert env.action_space == gymnasium.spaces.Discrete(NUM_VARIANT_ACTIONS)
    assert decisions >= ({"build", "turn"} | (set() if variant == "neutral_2" else {"remove"}))
    assert (info["scores"], info["winners"]) == (env.game().scores(), env.game().winners())
    assert "ladder" not in info


def test_V2S_4_the_learner_and_its_opponents_remove_tokens_in_turn() -> None:
    env = EndeavorEnv(variant="soloplay_2", learner_seat=1)
    env.reset(seed=1, options={"first_player": 0})
    game = env.game()
    assert [seat for seat, _ in game.history] == [0]
    assert (game.decision, game.seat) == ("remove", 1)
    play_gym(env, 1, limit=1)
    assert [seat for seat, _ in env.game().history] == [0, 1, 0]


@pytest.mark.parametrize("variant", SHARED)
def test_the_seats_of_a_variant(variant: str) -> None:
    players = PLAYERS[variant]
    env = EndeavorEnv(variant=variant, learner_seat="rotate")
    assert [env.reset()[1]["seat"] for _ in range(players + 1)] == [*range(players), 0]
    assert EndeavorEnv(players=players, variant=variant).reset(seed=1)[0]["action_mask"].any()
    with pytest.raises(InvalidOptionError, match=f"give a seat, 0 to {players - 1}, or 'rotate'"):
        EndeavorEnv(variant=variant, learner_seat=players)
    with pytest.raises(InvalidOptionError, match=f"with {players} players give one, or a list of {players - 1}"):
        EndeavorEnv(variant=variant, opponents=["random"] * players)


@pytest.mark.parametrize("make_copy", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize(("variant", "options"), SHARED_GAMES, ids=str)
def test_a_copy_goes_on_with_the_same_game(variant: str, options: dict[str, Any], make_copy: Any) -> None:
    env = EndeavorEnv(variant=variant, options=options)
    env.reset(seed=3)
    play_gym(env, 1, limit=12)
    other, before = make_copy(env), position(env.game())
    steps = play_gym(other, 2)
    assert position(env.game()) == before
    assert play_gym(env, 2) == steps
    assert position(other.game()) == position(env.game())
    first, second = env.reset(), other.reset()
    assert first[1]["seed"] == second[1]["seed"]
    assert env.game().options == other.game().options == {**Game.new(variant=variant).options, **options}


# --- set-ups --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", PLAYERS)
def test_reset_options_fix_the_setup(variant: str) -> None:
    env, setup = endeavor_v0.env(variant=variant), Game.new(variant=variant, seed=123).setup()
    env.reset(seed=1, options={"setup": setup})
    assert env.game().setup() == setup
    last = PLAYERS[variant] - 1
    env.reset(seed=1, options={"first_player": last})
    assert env.game().setup() == {**Game.new(variant=variant, seed=1).setup(), "first_player": last}
    seats = "0, the only seat" if variant == "solo" else f"a seat, 0 to {last}"
    with pytest.raises(InvalidOptionError, match=f"first_player={last + 1} is not possible: give {seats}"):
        env.reset(options={"first_player": last + 1})


def test_the_setup_of_another_variant_is_refused() -> None:
    with pytest.raises(InvalidSetupError, match="setup has the fields"):
        endeavor_v0.env(variant="neutral_2").reset(options={"setup": Game.new(variant="solo", seed=1).setup()})


# --- what does not go together --------------------------------------------------------------------------------------

WRONG_TOGETHER: list[tuple[dict[str, Any], str]] = [
    ({"variant": "soloplay_2", "players": 3}, "players=3 .* exactly 2 players"),
    ({"variant": "soloplay_3", "players": 2}, "players=2 .* exactly 3 players"),
    ({"variant": "neutral_2", "players": 4}, "players=4 .* exactly 2 players"),
    ({"variant": "standard", "players": 2}, "players=2 .* 3 to 5 players"),
    (
        {"variant": "soloplay_2", "options": {"difficulty": "easier"}},
        "has no option 'difficulty', its options are variant_",
    ),
    ({"variant": "neutral_2", "options": {"variant_removed_spaces_stay": True}}, "variant 'neutral_2' has no options"),
    ({"options": {"opposition_ties": "first"}}, "variant 'standard' has no options"),
    ({"variant": "soloplay_3", "options": {"variant_removed_spaces_stay": 1}}, "stay=1 .* False or True"),
    ({"variant": "soloplay_3", "options": ["variant_removed_spaces_stay"]}, "give a mapping"),
    ({"variant": "soloplay_3", "options": {"colour": "red"}}, "has no option 'colour'"),
    (
        {"variant": "soloplay_2", "reward": "ladder"},
        "'ladder' is not possible in variant 'soloplay_2': it grades a solitaire",
    ),
    ({"reward": "ladder"}, "reward 'ladder' is not possible in variant 'standard'"),
    ({"variant": "neutral_2", "reward": lambda scores: [0.0] * 3}, "it must return 2 finite numbers"),
    ({"variant": "duel"}, "variant 'duel' is unknown: this version plays standard, solo, "),
    ({"variant": ["solo"]}, "is unknown"),
]
WRONG_ALONE: list[tuple[dict[str, Any], str]] = [
    ({"players": 2}, "players=2 .* exactly 1 player$"),
    ({"options": {"variant_removed_spaces_stay": True}}, "variant 'solo' has no option 'variant_removed_spaces_stay'"),
    ({"options": {"difficulty": 1}}, "option difficulty=1"),
    ({"reward": "rank"}, "'rank' is not possible in variant 'solo': it compares seats"),
    ({"reward": lambda scores: scores}, "it must return one finite number"),
]


@pytest.mark.parametrize("make", [endeavor_v0.env, EndeavorEnv])
@pytest.mark.parametrize(("options", "said"), WRONG_TOGETHER, ids=str)
def test_what_does_not_go_together_is_refused_at_once(make: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidOptionError, match=said):
        make(**options)


@pytest.mark.parametrize(("options", "said"), WRONG_ALONE, ids=str)
def test_what_does_not_go_with_the_solitaire_game_is_refused_at_once(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidOptionError, match=said):
        endeavor_v0.env(variant="solo", **options)


def test_the_environment_of_a_learner_among_others_names_that_of_the_solitaire_game() -> None:
    with pytest.raises(InvalidOptionError, match=r"variant 'solo' is not possible here: .* make EndeavorSolo-v0"):
        gymnasium.make("Endeavor-v0", variant="solo")


@pytest.mark.parametrize("make", [endeavor_v0.env, EndeavorEnv])
def test_a_board_on_which_the_variant_cannot_be_played_is_refused_at_once(make: Any) -> None:
    data = Board.default().to_dict()
    next(region for region in data["regions"] if region["id"] == "india")["track_length"] -= 4
    data["tokens"]["politics"] -= 4
    board = Board.from_dict(data)
    make(board=board)
    with pytest.raises(InvalidBoardError, match=r"variant 'soloplay_2', has 1 fault:\n.*india has 2 shipping spaces"):
        make(board=board, variant="soloplay_2")


def test_the_options_given_are_not_kept_by_reference() -> None:
    options: dict[str, Any] = {"variant_removed_spaces_stay": True}
    env = endeavor_v0.env(variant="soloplay_2", options=options)
    options.clear()
    env.reset(seed=1)
    assert env.game().options == {"variant_removed_spaces_stay": True}
