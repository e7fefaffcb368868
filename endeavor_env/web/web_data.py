"""Data of the engine for the web: sizes and names as JSON, boards, and the networks of players.

A number that the kernels and the JavaScript both use stands here once, taken from the modules that define it.
"""

from __future__ import annotations

import base64
import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.files import write_bytes
from endeavor_env.basics.version import ENVIRONMENT, VERSION
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.board.variant_needs import check_board
from endeavor_env.endeavor.flow.scoring import NUM_PARTS, PARTS
from endeavor_env.endeavor.game import FORMAT
from endeavor_env.endeavor.notation import blocks, targets
from endeavor_env.endeavor.observation import layout_for
from endeavor_env.endeavor.options import OPTIONS
from endeavor_env.endeavor.players.greedy.player import greedy_memory
from endeavor_env.endeavor.players.network_file import PUBLISHED_POLICIES as POLICIES
from endeavor_env.endeavor.players.network_file import PUBLISHED_VALUES as VALUES
from endeavor_env.endeavor.players.network_file import published_network, published_policy
from endeavor_env.endeavor.players.policy.player import policy_memory
from endeavor_env.endeavor.players.value.player import SETTINGS, value_memory
from endeavor_env.endeavor.results import OPPOSITION_NAME
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import NUM_IDS, num_actions
from endeavor_env.endeavor.rules.state import EMPTY_SETUP, SETUP, STATE
from endeavor_env.endeavor.setups import COLOURS, DEFAULT_PLAYERS
from endeavor_env.errors import InvalidBoardError

DATA = "endeavor.json"
_STATE_FIELDS = ("num_seats", "variant", "round_number", "phase", "decision", "seat", "exploits")
GZIP_LEVEL = 6
"""The highest, 9, takes several times as long for files that are hardly smaller."""
_OBSERVATIONS = {"features": "float32", "compact": "int8"}


def write_data(folder: Path) -> Path:
    """Write what is the same for every board; return the file."""
    return _write(folder / DATA, _data())


def write_board(folder: Path, board: Board) -> Path:
    """Write a board as the JavaScript takes it; return the file, ``<id>.board.json``."""
    return _write(folder / f"{board.id}.board.json", board_data(board))


def write_networks(folder: Path) -> list[Path]:
    """Write the memory of each player that has a network of the package, as gzip; return the files."""
    made = []
    for name, memory in _network_memories().items():
        made.append(folder / f"{name}.network")
        write_bytes(made[-1], gzip.compress(memory.tobytes(), GZIP_LEVEL, mtime=0))
    return made


def _write(file: Path, value: dict[str, Any]) -> Path:
    write_bytes(file, f"{json.dumps(value, separators=(',', ':'))}\n".encode())
    return file


# --- the same for every board ----------------------------------------------------------------------------------------
def _data() -> dict[str, Any]:
    """Return sizes, names, fields, variants and players."""
    greedy = greedy_memory(0)
    return {
        "format": "endeavor-web/1",
        "version": VERSION,
        "environment": ENVIRONMENT,
        "record": FORMAT,
        "sizes": {"state": STATE.itemsize, "ids": NUM_IDS, "seats": c.MAX_SEATS, "parts": NUM_PARTS},
        "default_players": DEFAULT_PLAYERS,
        "state": {name: _place(STATE, name) for name in (*_STATE_FIELDS, *(option.field for option in OPTIONS))},
        "setup": {name: _place(SETUP, name) for name in SETUP.names or () if name != "padding"},
        "empty_setup": _text(EMPTY_SETUP.tobytes()),
        "city_spaces": c.CITY_SPACES,
        "statuses": list(c.STATUS_NAMES),
        "tokens": list(c.TOKEN_NAMES),
        "colours": ["", *COLOURS],
        "exploits": list(c.EXPLOIT_NAMES),
        "phases": list(c.PHASE_NAMES),
        "decisions": list(c.DECISION_NAMES),
        "opposition": OPPOSITION_NAME,
        "num_options": c.NUM_OPTIONS,
        "exploits_option": c.OPTION_EXPLOITS,
        "variants": [_variant(code, name) for code, name in enumerate(c.VARIANT_NAMES)],
        "options": [
            {"name": one.name, "at": one.at, "field": one.field, "values": one.values, "variants": one.variants}
            for one in OPTIONS
        ],
        "players": {
            "greedy": {"memory": _text(greedy.tobytes()), "size": greedy_memory(NUM_IDS).size},
            "value": {"networks": {variant: f"value_{name}" for name, plays in VALUES.items() for variant in plays}},
            "policy": {"networks": {variant: f"policy_{variant}" for variant in POLICIES}},
        },
        "plan_length": _place(SETTINGS, "plan_length")[0],
    }


def _place(record: Any, name: str) -> list[Any]:
    """Return where a field of a record begins, the kind of its entries, and how many there are."""
    kind, at = record.fields[name][:2]
    return [at, kind.base.name, int(np.prod(kind.shape))]


def _variant(code: int, name: str) -> dict[str, Any]:
    return {
        "name": name,
        "players": c.VARIANT_PLAYERS[code],
        "actions": num_actions(name),
        "blocks": [[block.offset, block.end] for block in blocks(name)],
        "breakdown": [[part.key, column] for column, part in enumerate(PARTS) if name in part.variants],
        "observations": {
            kind: {"size": layout_for(name, kind).size, "dtype": dtype, "hash": layout_for(name, kind).hash}
            for kind, dtype in _OBSERVATIONS.items()
        },
    }


def _text(content: bytes) -> str:
    """Return bytes as base64."""
    return base64.b64encode(content).decode()


# --- a board ---------------------------------------------------------------------------------------------------------
def board_data(board: Board) -> dict[str, Any]:
    """Return a board as the JavaScript takes it."""
    facts = board.array[0]
    levels = range(1, c.GRID_LEVELS + 1)
    return {
        "format": "endeavor-web-board/1",
        "id": board.id,
        "name": board.name,
        "hash": board.hash,
        "array": _text(board.array.tobytes()),
        "names": _names(board),
        "spaces": list(board.spaces),
        "space_order": list(board.space_index),
        "regions": list(board.regions),
        "buildings": list(board.buildings),
        "overseas": np.flatnonzero(facts.track_length).tolist(),
        "start_cities": np.flatnonzero(facts.city_region[: facts.num_cities] == facts.open_at_start.argmax()).tolist(),
        "token_counts": facts.token_count.tolist(),
        "levels": [[board.buildings[one] for one in np.flatnonzero(facts.building_level == level)] for level in levels],
        "faults": {variant: _fault(board, variant) for variant in c.VARIANT_NAMES if _fault(board, variant)},
    }


def _names(board: Board) -> list[str | None]:
    """Return the move text of every action id of any variant, None for ids that name no move on this board."""
    names: list[str | None] = [None] * NUM_IDS
    for block in blocks():
        for index, target in enumerate(targets(board, block)):
            if target is not None:
                names[block.offset + index] = f"{block.verb}:{target}" if target else block.verb
    return names


def _fault(board: Board, variant: str) -> str | None:
    """Return why a variant cannot be played on a board; None if it can."""
    try:
        check_board(board, variant)
    except InvalidBoardError as error:
        return f"board {board.id} cannot be played in variant {variant!r}: {'; '.join(error.faults)}"
    return None


# --- the networks ----------------------------------------------------------------------------------------------------
def _network_memories() -> dict[str, npt.NDArray[np.uint8]]:
    """Return the memory of players with one network each, by the name of its file."""
    memories = {}
    for name, variants in VALUES.items():
        arrays = published_network(name).arrays
        memories[f"value_{name}"] = value_memory({c.VARIANT_NAMES.index(variant): arrays for variant in variants})
    for variant in POLICIES:
        logits = published_policy(variant).logits
        memories[f"policy_{variant}"] = policy_memory({c.VARIANT_NAMES.index(variant): logits})
    return memories
