"""Tests of what language models are asked, and of how their answers are read."""
# pyright: reportMissingImports=false

from __future__ import annotations

import json
from unittest import mock

import pyspiel
from kaggle_environments import core_harness, make
from kaggle_environments.envs.open_spiel_env.games.endeavor import endeavor_proxy, harness  # noqa: F401

WRITTEN = (
    '```json\n{{"move": "{move}"}}\n```',
    'First I thought of {{"move": "pass"}}.\n\n```json\n{{"why": "a draft", "move": "{move}"}}\n```',
    'So {{"move": "{upper}"}} it is.',
    "I play\n[{move}]",
    "My move: **{move}**",
)


def _observation(moves=0, legal=False):
    """Return what the player to move is told, after some moves."""
    game = pyspiel.load_game("endeavor_proxy(players=4,seed=7)")
    state = game.new_initial_state()
    for _ in range(moves):
        state.apply_action(state.legal_actions()[0])
    player = state.current_player()
    told = {
        "observationString": state.observation_string(player),
        "playerId": player,
        "currentPlayer": player,
        "isTerminal": False,
        "serializedGameAndState": pyspiel.serialize_game_and_state(game, state),
    }
    if legal:
        told["legalActions"] = state.legal_actions()
        told["legalActionStrings"] = [state.action_to_string(one) for one in state.legal_actions()]
    return told


def test_same_with_and_without_the_list():
    for moves in (0, 15, 30):
        listed = harness.get_legal_moves(_observation(moves, legal=True))
        assert harness.get_legal_moves(_observation(moves)) == listed
        assert listed


def test_none_off_turn_and_before_the_beginning():
    observation = _observation()
    other = {**observation, "playerId": (observation["playerId"] + 1) % 4}
    assert harness.get_legal_moves(other) == {}
    assert harness.get_legal_moves({"legalActions": [], "legalActionStrings": []}) == {}
    assert harness.get_legal_moves({}) == {}


def test_prompt_has_rules_position_moves_and_form():
    observation = _observation(30)
    prompt = harness.generate_prompt(observation, [])
    for move in harness.get_legal_moves(observation).values():
        assert move in prompt
    assert f"You are seat {observation['playerId']}, one of 4" in prompt
    assert '{"move": "' in prompt
    assert "refused" not in prompt


def test_refused_answers_are_told_why():
    observation = _observation()
    prompt = harness.generate_prompt(observation, [], '{"move": "build:museum"}', "build:museum")
    assert "'build:museum' was read, which is not legal" in prompt
    prompt = harness.generate_prompt(observation, [], "I do not know.", None)
    assert "No move was found in the answer" in prompt


def test_every_legal_move_is_read_in_every_form():
    for moves in (0, 15, 30):
        observation = _observation(moves)
        legal = list(harness.get_legal_moves(observation).values())
        for move in legal:
            for written in WRITTEN:
                answer = written.format(move=move, upper=move.upper())
                read = harness.parse_response(answer, legal, observation=observation)
                assert read.legal_action == move, answer


def test_nothing_is_guessed():
    observation = _observation()
    legal = list(harness.get_legal_moves(observation).values())
    said = {
        '{"move": "build:museum"}': "build:museum",
        '{"move": ["pass"]}': "['pass']",
        f"I would not play {legal[0]} here.": None,
        "{bad}": None,
    }
    for answer, raw in said.items():
        read = harness.parse_response(answer, legal, observation=observation)
        assert (read.legal_action, read.raw_action) == (None, raw), answer


def _play(answer, configuration=None):
    """Return an episode with the real harness and a script in place of the model, and its prompts."""

    class Harness:
        get_legal_moves = staticmethod(harness.get_legal_moves)
        make_prompt = staticmethod(harness.generate_prompt)
        parse_response = staticmethod(harness.parse_response)

    prompts = []

    def call(prompt, model_name, litellm_kwargs):
        prompts.append(prompt)
        details = dict.fromkeys(("prompt_tokens", "generation_tokens", "total_tokens"))
        return answer(prompt, len(prompts)), {**details, "finish_reason": "stop", "duration_secs": 0.0}

    env = make("open_spiel_endeavor", configuration={"seed": 7, **(configuration or {})})
    with mock.patch.object(core_harness, "_call_llm", call):
        agents = [core_harness.create_agent_fn(Harness(), model_override=("script", {})) for _ in range(4)]
        env.run(agents)
    return env.toJSON(), prompts


def _example(prompt):
    """Return the move that stands as the example in the question: the first legal one."""
    return prompt[prompt.rindex('{"move": "') :].splitlines()[0]


def test_whole_episode():
    told, prompts = _play(lambda prompt, asked: f"I think.\n```json\n{_example(prompt)}\n```")
    assert told["statuses"] == ["DONE"] * 4
    assert len(prompts) == len(told["info"]["actionHistory"])
    assert json.loads(told["info"]["stateHistory"][-1])["is_terminal"]


def test_second_answer_counts():
    def answer(prompt, asked):
        return _example(prompt) if "refused" in prompt else "Let me think about it."

    told, prompts = _play(answer)
    assert told["statuses"] == ["DONE"] * 4
    assert len(prompts) == 2 * len(told["info"]["actionHistory"])


def test_illegal_answers_lose():
    told, prompts = _play(lambda prompt, asked: '{"move": "build:museum"}')
    assert sorted(told["rewards"]) == [-1, 1, 1, 1]
    assert len(prompts) == 2
    last = next(state["action"] for state in told["steps"][-1] if state["reward"] == -1)
    assert (last["submission"], last["failureCategory"]) == (-1, "ILLEGAL")


def test_without_forfeit_the_episode_is_void():
    told, _ = _play(lambda prompt, asked: "I do not know.", {"illegalMoveForfeit": False})
    assert told["statuses"] == ["ERROR"] * 4
