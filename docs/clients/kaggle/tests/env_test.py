"""Tests of Endeavor as an environment: observations, whole episodes, and how they end early."""
# pyright: reportMissingImports=false

from __future__ import annotations

import json

import pyspiel
from kaggle_environments import make
from kaggle_environments.envs.open_spiel_env.games.endeavor import endeavor_proxy  # noqa: F401
from kaggle_environments.errors import DeadlineExceeded

NAME = "open_spiel_endeavor"
NOTHING = {"submission": -1}
"""What players submit who are not asked."""


def _begun(configuration=None):
    """Return an environment at its first move, and whose it is."""
    env = make(NAME, configuration={"seed": 7, **(configuration or {})})
    env.reset()
    env.step([NOTHING] * 4)  # the first step only sets up
    return env, env.state[0].observation.currentPlayer


def _step(env, player, action):
    env.step([action if seat == player else NOTHING for seat in range(4)])


def test_observation_is_json_with_the_position():
    state = pyspiel.load_game("endeavor_proxy(players=4,seed=7)").new_initial_state()
    told = json.loads(state.observation_string(0))
    assert told["format"] == "endeavor-text/1"
    assert told["current_player"] == state.current_player()
    assert told["legal_moves"] == [state.action_to_string(one) for one in state.legal_actions()]
    assert len(told["position"]["mats"]) == 4
    assert not told["is_terminal"]
    assert told["winners"] is None


def test_states_survive_serialization():
    game = pyspiel.load_game("endeavor_proxy(players=4,seed=7)")
    state = game.new_initial_state()
    for _ in range(20):
        state.apply_action(state.legal_actions()[-1])
    _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert again.observation_string(1) == state.observation_string(1)
    again.apply_action(again.legal_actions()[0])
    assert len(state.history()) == 20


def test_chance_may_draw_the_set_up():
    state = pyspiel.load_game("endeavor_proxy(players=4,setups=3)").new_initial_state()
    assert state.is_chance_node()
    json.loads(str(state))
    state.apply_action(2)
    assert "step" in json.loads(str(state))


def test_random_agents_play_to_the_end():
    env = make(NAME, configuration={"seed": 3, "includeLegalActions": True})
    env.run(["random"] * 4)
    told = env.toJSON()
    assert told["statuses"] == ["DONE"] * 4
    assert abs(sum(told["rewards"])) < 1e-9
    last = json.loads(env.state[0].observation.observationString)
    assert last["is_terminal"]
    best = max(last["scores"])
    assert last["scores"][last["winners"][0]] == best
    json.dumps(told)


def test_seed_draws_the_set_up():
    first, same, other = (_begun({"seed": seed})[0].info["stateHistory"][0] for seed in (1, 1, 2))
    assert first == same
    assert first != other


def test_parameters_change_the_game():
    env, player = _begun({"openSpielGameParameters": {"reward": "win", "board": "generated_3"}})
    told = json.loads(env.state[player].observation.observationString)
    assert told["position"]["board"] == "generated_3"


def test_legal_move_goes_on():
    env, player = _begun({"includeLegalActions": True})
    observation = env.state[player].observation
    _step(env, player, {"submission": observation.legalActions[0]})
    assert not env.done
    assert env.info["actionHistory"] == [str(observation.legalActions[0])]
    assert env.state[player].action["actionString"] == observation.legalActionStrings[0]


def test_illegal_move_loses():
    env, player = _begun()
    _step(env, player, {"submission": 99_999})
    assert env.done
    told = env.toJSON()
    assert told["rewards"] == [-1 if seat == player else 1 for seat in range(4)]
    assert told["statuses"] == ["DONE"] * 4


def test_error_of_an_agent_voids_the_episode():
    env, player = _begun()
    _step(env, player, {"submission": -2})
    assert env.toJSON()["statuses"] == ["ERROR"] * 4
    assert env.toJSON()["rewards"] == [None] * 4


def test_exception_of_an_agent_voids_the_episode():
    def fails(observation, configuration):
        raise RuntimeError("as agents do")

    env = make(NAME, configuration={"seed": 7, "includeLegalActions": True})
    env.run([fails] * 4)
    assert env.toJSON()["statuses"] == ["ERROR"] * 4


def test_late_agent_voids_the_episode():
    env, player = _begun()
    _step(env, player, DeadlineExceeded())
    assert sorted(env.toJSON()["statuses"]) == ["ERROR"] * 3 + ["TIMEOUT"]
    assert env.toJSON()["rewards"] == [None] * 4


def test_late_agent_alone_loses_in_strict_mode():
    env, player = _begun({"strictMode": True})
    _step(env, player, DeadlineExceeded())
    told = env.toJSON()
    assert told["statuses"] == ["TIMEOUT" if seat == player else "DONE" for seat in range(4)]
    assert told["rewards"] == [None if seat == player else 1 for seat in range(4)]
