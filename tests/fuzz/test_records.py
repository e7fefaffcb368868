"""Edited game records: each is refused with a RecordError, or replays to exactly the game that it describes."""

from __future__ import annotations

import copy
import functools
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from endeavor_env.basics.inputs import whole_number
from endeavor_env.endeavor.options import options_of
from endeavor_env.endeavor.records import replay
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.players_info import Player, PlayersInfo
from endeavor_env.errors import RecordError
from endeavor_env.testing import check_state, random_game
from tests.fuzz.trying import INPUTS, check_error, try_many
from tests.fuzz.values import value

Record = dict[str, Any]
POOL = 24
"""Records that are edited: of every variant, finished or not, on the default and generated boards."""
DEEPEST = 8
JSON_VALUES = (
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        7,
        4.0,
        1.5,
        2**63,
        2**128,
        10**400,
        "",
        "0",
        "x",
        "pass",
        "india",
        "\ud800",
        [],
        {},
    ),
    *(
        [[0, "pass"]],
        {"a": 1},
        float("nan"),
        float("inf"),
        "standard",
        "endeavor_2009",
        "generated_5",
        "../x",
        "a" * 5000,
    ),
)


def test_edited_records_are_refused_or_are_what_they_say(tmp_path: Path) -> None:
    outcomes = try_many(lambda rng, what: [_try(rng, tmp_path / "record.json", what)])
    assert outcomes["refused"] > INPUTS // 2
    assert outcomes["accepted"] > INPUTS // 50
    assert outcomes["accepted, finished"] > INPUTS // 250


@functools.cache
def base_record(number: int) -> str:
    """Return one of the POOL records as JSON text."""
    rng = random.Random(number)
    variant = c.VARIANT_NAMES[number % len(c.VARIANT_NAMES)]
    options = {option.name: rng.choice(option.values) for option in options_of(variant)}
    game = random_game(
        seed=number,
        variant=variant,
        options=options,
        board=rng.choice(["endeavor_2009", "endeavor_2009", "generated_5"]),
        decisions=rng.choice([0, 5, 60, None, None]),
        redraws=rng.choice([0, 3, -3]),
    )
    if number % 2:
        players = (Player("Ada", "human"), Player("value", "value:best.npz", "0123456789abcdef"), Player())
        game.played = PlayersInfo.of([players[seat % 3] for seat in range(game.num_players)])
        game.played = game.played.timed(0, *(rng.choice([None, 0.25, 3.5]) for _ in game.history))
    return json.dumps(game.record())


def _try(rng: random.Random, path: Path, what: str) -> str:
    """Edit one record, replay it from a file or as it is, and return the outcome."""
    text = base_record(rng.randrange(POOL))
    if rng.random() < 0.35:
        content = edit_bytes(rng, text.encode())
        path.write_bytes(content)
        return _outcome(path, _parsed(content), text, what)
    record, names = json.loads(text), []
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        mutation = rng.choice(MUTATIONS)
        mutation(rng, record)
        names.append(mutation.__name__)
    what = f"{what}, {' and '.join(names)}"
    if rng.random() < 0.3 and "unfit" not in " ".join(names):
        path.write_text(json.dumps(record), encoding="utf-8")
        return _outcome(path, _parsed(path.read_bytes()), text, what)
    return _outcome(record, record, text, what)


def _parsed(content: bytes) -> Any:
    """Return what a plain JSON reader finds in a file; None if nothing, or if a key comes twice, which is refused."""
    try:
        return json.loads(content.decode("utf-8"), object_pairs_hook=_each_once)
    except (ValueError, RecursionError):
        return None


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the pairs as a dictionary; raise ValueError for a key that comes twice."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key comes twice")
    return dict(pairs)


def _outcome(source: Any, said: Any, original: str, what: str) -> str:
    """Replay ``source``, which says ``said``; return the outcome, raise AssertionError if it is wrong."""
    try:
        game = replay(source)
    except Exception as error:
        name = check_error(error, what)
        if name != RecordError.__name__ or _text(said) == _text(json.loads(original)):
            raise AssertionError(f"{what}: {name} instead of a game or a RecordError: {error}") from error
        return "refused"
    assert _text(_completed(said)) == _text(_completed(game.record())), f"{what}: the game is not the one recorded"
    check_state(game)
    if not game.over:
        game.apply(game.legal_actions()[0])
        check_state(game)
    return "accepted, finished" if game.over else "accepted"


def _text(record: Any) -> str:
    """Return JSON values, and numbers of NumPy, as comparable text, in which 1, 1.0 and true differ."""
    try:
        return json.dumps(record, sort_keys=True, default=_number)
    except (TypeError, ValueError, RecursionError):
        return "no JSON"


def _number(value: object) -> int:
    """Return a whole number of NumPy as an int; raise TypeError for anything else."""
    number = whole_number(value)
    if number is None:
        raise TypeError(type(value))
    return number


def _completed(record: Any) -> Any:
    """Return a record with what it may leave out or write in another way."""
    full = copy.deepcopy(record)
    defaults = {option.name: option.values[0] for option in options_of(full["variant"])}
    every = {option.name: option.values[0] for name in c.VARIANT_NAMES for option in options_of(name)}
    full["options"] = {**defaults, **{k: v for k, v in full["options"].items() if k in defaults or v != every.get(k)}}
    full["exploits"] = [name for name in c.EXPLOIT_NAMES if name in full["exploits"]]  # in any order
    full["setup"].setdefault("first_player", 0)
    if "played" in full:
        played = full["played"]
        played["seats"] = [{"name": None, "agent": None, "weights": None, **seat} for seat in played["seats"]]
        played["seconds"] = [None if one is None else float(one) for one in played.get("seconds", [])]
        full["played"] = {name: part for name, part in played.items() if part}
    return full


# --- edits -----------------------------------------------------------------------------------------------------------
def edit_bytes(rng: random.Random, content: bytes) -> bytes:
    """Return ``content`` with some bytes changed, cut, doubled or put elsewhere."""
    found = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 8))):
        at, length = rng.randrange(len(found) + 1), rng.choice((1, 1, 2, 10, 200))
        kind = rng.randrange(6)
        if kind == 0 and at < len(found):
            found[at] = rng.randrange(256)
        elif kind == 1:
            del found[at : at + length]
        elif kind == 2:
            found[at:at] = bytes(rng.choice(b'0123456789,:[]{}" -.eE\\') for _ in range(length))
        elif kind == 3:
            found[at:at] = found[at : at + length]
        elif kind == 4 and rng.random() < 0.3:
            del found[at:]
        elif at < len(found) and chr(found[at]).isdigit():
            found[at] = rng.choice(b"0123456789")
    return bytes(found)


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every value within JSON data."""
    if len(path) > DEEPEST:
        return []
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    inner: list[tuple[Any, ...]] = []
    for key, below in pairs:
        inner += [(*path, key), *places(below, (*path, key))]
    return inner


def _place(rng: random.Random, record: Record) -> tuple[Any, Any]:
    """Return a list or table somewhere in the record, and an index or key there."""
    section = rng.choice([*record, "setup"])
    within = places(record.get(section, {}), (section,)) if rng.random() < 0.8 else []
    *steps, last = rng.choice([(section,), *within]) if within else (section,)
    found: Any = record
    for step in steps:
        found = found[step]
    return found, last


def put_json(rng: random.Random, record: Record) -> None:
    """Put another JSON value somewhere."""
    if record:
        found, last = _place(rng, record)
        found[last] = copy.deepcopy(rng.choice(JSON_VALUES))


def put_unfit(rng: random.Random, record: Record) -> None:
    """Put something that JSON has not somewhere."""
    if record:
        found, last = _place(rng, record)
        found[last] = value(rng)


def add_unfit_key(rng: random.Random, record: Record) -> None:
    """Add a key that no record has."""
    found = rng.choice([part for part in (record, record.get("setup"), record.get("result")) if isinstance(part, dict)])
    key = value(rng)
    try:
        found[key] = 1
    except Exception:  # a value that cannot be a key
        found["unknown"] = key


def drop(rng: random.Random, record: Record) -> None:
    """Remove something."""
    if record:
        found, last = _place(rng, record)
        if isinstance(found, list):
            found.pop(last)
        else:
            found.pop(last, None)


def double(rng: random.Random, record: Record) -> None:
    """Write an entry of a list twice."""
    if record:
        found, last = _place(rng, record)
        if isinstance(found, list):
            found.insert(last, copy.deepcopy(found[last]))


def exchange(rng: random.Random, record: Record) -> None:
    """Exchange two values of one list or table."""
    if record:
        found, last = _place(rng, record)
        other = rng.choice(list(found) if isinstance(found, dict) else range(len(found)))
        if last in found or isinstance(found, list):
            found[last], found[other] = found[other], found[last]


def change_move(rng: random.Random, record: Record) -> None:
    """Replace a move by another of the game, or edit its text or seat."""
    moves = record.get("moves")
    if not isinstance(moves, list) or not moves:
        return
    at = rng.randrange(len(moves))
    if not isinstance(moves[at], list) or len(moves[at]) != 2:
        return
    seat, text = moves[at]
    edits: list[Callable[[], list[Any]]] = [
        lambda: copy.deepcopy(rng.choice(moves)),
        lambda: [seat, str(text).upper()],
        lambda: [seat, f"{text} "],
        lambda: [seat, f"{text}:"],
        lambda: [rng.randrange(-1, 6), text],
        lambda: [seat, "pass"],
        lambda: [float(rng.randrange(3)), text],
        lambda: [seat, text, text],
    ]
    moves[at] = rng.choice(edits)()


def cut_moves(rng: random.Random, record: Record) -> None:
    """Let the moves end earlier, with or without the result."""
    if isinstance(record.get("moves"), list):
        record["moves"] = record["moves"][: rng.randrange(len(record["moves"]) + 1)]
        if rng.random() < 0.7:
            record.pop("result", None)


def change_result(rng: random.Random, record: Record) -> None:
    """Change a number of the result."""
    result = record.get("result")
    if not isinstance(result, dict):
        record["result"] = {"scores": [1, 2, 3], "breakdown": []}
        return
    numbers = [place for place in places(result) if isinstance(_at(result, place), int)]
    if numbers:
        *steps, last = rng.choice(numbers)
        found = _at(result, tuple(steps))
        found[last] = rng.choice([found[last] + 1, float(found[last]), -found[last], str(found[last]), None, True])


def _at(data: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        data = data[step]
    return data


MUTATIONS: tuple[Callable[[random.Random, Record], None], ...] = (
    put_json, put_json, put_unfit, add_unfit_key, drop, double, exchange, change_move, change_move, cut_moves,
    change_result,
)  # fmt: skip
