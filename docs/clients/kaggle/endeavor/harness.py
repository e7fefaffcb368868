"""What a language model is asked, and how its answer is read.

The prompt has the rules, the position in short and the legal moves. The move is read from the last JSON object of the
answer with a field "move", as in the other games; without one, from brackets or the last line, if they say one move
clearly. Names of cities, letter case and quotes make no difference, and nothing is guessed. A refused answer is asked
for again with the reason in one sentence.
"""
# pyright: reportMissingImports=false

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pyspiel
from kaggle_environments.core_harness import ParseResult, extract_last_json_object

import endeavor_env.open_spiel  # noqa: F401  (registers the game)
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.text import AnswerError, TextTable, move_in, primer

QUESTION = """\
You are seat {seat}, one of {players}; the most Glory wins. Choose your move, one of the legal moves above.
End your answer with it as JSON, exactly as here:

```json
{{"move": "{example}"}}
```"""
REFUSED = "Your last answer was refused. {reason}\nAnswer again in the same format."


def get_legal_moves(observation: Mapping[str, Any]) -> dict[int, str]:
    """Return the legal moves of the player by their action ids; none when it is not the player's turn."""
    if observation.get("legalActions") is not None and observation.get("legalActionStrings") is not None:
        return dict(zip(observation["legalActions"], observation["legalActionStrings"], strict=True))
    if not observation.get("serializedGameAndState"):
        return {}
    game = _game(observation)
    if game.over or game.seat != observation.get("playerId", game.seat):
        return {}
    return {action: game.describe(action) for action in game.legal_actions()}


def generate_prompt(
    observation: Mapping[str, Any],
    move_history: list[str],
    previous_response: str | None = None,
    previous_action: str | None = None,
) -> str:
    """Return the prompt for the player's move.

    Args:
        observation: What the environment tells the player.
        move_history: The player's own moves, which are not needed: the position has the last moves of all.
        previous_response: The answer to the last prompt, if it was refused.
        previous_action: The move that was read in it, if one was.
    """
    game = _game(observation)
    question = QUESTION.format(seat=game.seat, players=game.num_players, example=game.legal_moves()[0])
    parts = [primer(game.config), TextTable(game).situation(), question]
    if previous_response is not None or previous_action is not None:
        parts.append(REFUSED.format(reason=_reason(game, previous_response, previous_action)))
    return "\n\n".join(parts)


def parse_response(
    response: str, legal_action_strings: Sequence[str], *, observation: Mapping[str, Any]
) -> ParseResult:
    """Return the legal move that an answer says; without one, what was read in it."""
    said = _in_json(response)
    try:
        move = move_in(_game(observation), response if said is None else _as_json(said))
    except AnswerError:
        return ParseResult(raw_action=said)
    return ParseResult(legal_action=move, raw_action=said or move)


def _reason(game: Game, response: str | None, action: str | None) -> str:
    """Return in one sentence why an answer was refused."""
    try:
        move_in(game, response if action is None else _as_json(action))
    except AnswerError as error:
        return str(error)
    return "It could not be used."


def _in_json(response: str) -> str | None:
    """Return the move in the last JSON object that has one; None without any."""
    found = extract_last_json_object(response, required_keys=("move",))
    return None if found is None else str(found["move"])


def _as_json(move: str) -> str:
    return json.dumps({"move": move})


def _game(observation: Mapping[str, Any]) -> Game:
    _, state = pyspiel.deserialize_game_and_state(observation["serializedGameAndState"])
    return state.endeavor_game
