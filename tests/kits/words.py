"""Positions and answers for the tests of a game in words, and a command that takes many of both.

``python -m tests.kits.words positions 100000`` and ``python -m tests.kits.words answers 50000`` print what was checked;
a third word is the seed.
"""

from __future__ import annotations

import json
import random
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import fastjsonschema
import jsonschema

from endeavor_env import Game
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.text import AnswerError, TextTable, lines, move_in, schema
from endeavor_env.engine.kernels.rng import seeded
from tests.kits.observations import TABLES
from tests.kits.text_reader import read_lines, read_position

SCHEMA = jsonschema.Draft202012Validator(schema())
SEATS = 5


def positions(number: int, seed: int = 0) -> Iterator[Game]:
    """Yield positions of every variant from random games, a few decisions apart, each game to its end."""
    drawn = random.Random(seed)
    while number > 0:
        for variant, players in TABLES:
            game = Game.new(players, variant, seed=drawn.randrange(10**9))
            rng = seeded(drawn.randrange(10**9))
            while number > 0:
                yield game
                number -= 1
                if game.over:
                    break
                entry.play_random(game.board.array, game.state, rng, SEATS, drawn.randrange(1, 12))


def check_position(game: Game, validate: Callable[[Any], object] = SCHEMA.validate) -> None:
    """Fail unless both forms of a position give its state back, and the schema takes it."""
    message = TextTable(game).message()
    sent = json.loads(json.dumps(message))
    validate(sent)
    assert read_position(sent["position"], game.board).tobytes() == game.state.tobytes()
    assert read_lines("\n".join(lines(message))) == sent


# --- answers ----------------------------------------------------------------------------------------------------------
def kept(move: str, game: Game, drawn: random.Random) -> str:
    """Return an answer that says ``move`` in a form that must be read."""
    verb, _, target = move.partition(":")
    name = game.board.names.get(target, target)
    spoken = drawn.choice([move, move.upper(), move.title(), f"{verb}: {target}", f"{verb}:{name}", f" {move} "])
    if not target:
        spoken = drawn.choice([move, move.upper(), f" {move}"])
    return drawn.choice(
        [
            f"[{spoken}]",
            f"I thought about it.\n\n[{spoken}]\n",
            f"So my move is:\n{spoken}",
            f"My move: {spoken}",
            f"Final answer: **{spoken}**",
            f'{{"why": "it pays", "move": "{spoken}"}}',
            f'```json\n{{"action": "{spoken}"}}\n```',
            f"the best move is \u2018{spoken}\u2019.",
            f"\u201c{spoken}\u201d",
            f"<move>{spoken}</move>",
            f"\\boxed{{{spoken}}}",
            f"[\u200b{spoken}\u2009]",
            f"`{spoken}`",
        ]
    )


def broken(answer: str, drawn: random.Random) -> str:
    """Return an answer after some characters were lost, doubled, exchanged or put in."""
    letters = list(answer)
    for _ in range(drawn.randrange(1, 6)):
        at = drawn.randrange(len(letters) + 1)
        kind = drawn.randrange(5)
        if kind == 0:
            del letters[at : at + drawn.randrange(1, 4)]
        elif kind == 1:
            letters.insert(at, drawn.choice("[]{}:\"'\n -_.\u2019\u00e9\u0000\ud800\\"))
        elif kind == 2:
            letters[at : at + 1] = [chr(drawn.randrange(1, 0x2FFF))]
        elif kind == 3:
            letters[at:at] = letters[: drawn.randrange(30)]
        else:
            letters = letters[:at] or ["?"]
    return "".join(letters)


def letters_of(text: str) -> str:
    """Return the letters and digits of a text alone, small and without accents."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", text.lower()) if letter.isalnum())


def check_answers(number: int, seed: int = 0) -> Counter[str]:
    """Fail if an answer is misread or raises another error; return how many were taken and refused."""
    drawn, found, games = random.Random(seed), Counter[str](), positions(number, seed)
    for game in games:
        if game.over:
            continue
        move = drawn.choice(game.legal_moves())
        answer = kept(move, game, drawn)
        assert move_in(game, answer) == move, answer
        found["kept"] += 1
        answer = broken(answer, drawn)
        try:
            read = move_in(game, answer, drawn.choice(["list", "count", "none"]))
        except AnswerError as error:
            found["refused"] += "\n" not in str(error)
        else:
            found["taken, the same" if read == move else "taken, another one that the answer now says"] += 1
            target = read.partition(":")[2]
            name = letters_of(game.board.names.get(target, target))
            assert read in game.legal_moves()
            assert letters_of(target) in letters_of(answer) or name in letters_of(answer), (read, answer)
    return found


def main(what: str, number: int, seed: int = 0) -> None:
    """Check many, and print how many."""
    if what == "answers":
        print(dict(check_answers(number, seed)))
        return
    seen = Counter[str]()
    validate = fastjsonschema.compile({**schema(), "$schema": "http://json-schema.org/draft-07/schema#"})
    for game in positions(number, seed):
        check_position(game, validate)
        seen[game.variant] += 1
        if seen.total() % 10_000 == 0:
            print(dict(seen), flush=True)
    print(dict(seen))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
