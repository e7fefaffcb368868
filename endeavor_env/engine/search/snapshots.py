"""Positions as bytes: a header that describes them, then the records as they are in memory.

Of each record only the bytes are written that the variant uses (``GameRules.unused``).

The header (HEADER, little-endian) holds a magic word for each game, the version of the format, variant and seats, the
number of positions, a hash of the record's layout, the hash of the board, and a checksum of all of it. Kernels trust
the records they are given, so bytes are refused that were cut short, damaged, or made by another version or for another
board. The checksum is no signature: read only bytes that you trust.
"""

from __future__ import annotations

import functools
import hashlib
import struct
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.engine.game import GameConfig
from endeavor_env.engine.game_rules import GameRules
from endeavor_env.errors import RecordError

VERSION = 1
"""To be increased when the same bytes of a record get another meaning."""
HEADER = struct.Struct("<8sHbbQ8s8s16s")


def magic_of(rules: GameRules) -> bytes:
    """Return the 8 bytes with which positions of a game begin, b"endeavps" of Endeavor."""
    return rules.name[:6].ljust(6, "\0").encode() + b"ps"


@functools.cache
def layout_hash(record: np.dtype[np.void], size: int) -> bytes:
    """Return 8 bytes that change with any name, place, shape or type of the fields in the first ``size`` bytes."""
    fields = record.fields or {}
    named = [field for field in record.descr if fields[field[0]][1] < size]
    return hashlib.sha256(repr((named, size)).encode()).digest()[:8]


class _Header(NamedTuple):
    magic: bytes
    version: int
    variant: int
    players: int
    size: int
    layout: bytes
    board: bytes
    checksum: bytes


def _checksum(head: _Header, records: bytes | memoryview) -> bytes:
    """Return 16 bytes that change with the records and with every field of the header except the checksum."""
    digest = hashlib.blake2b(HEADER.pack(*head._replace(checksum=b"")), digest_size=16)
    digest.update(records)
    return digest.digest()


def pack(config: GameConfig, states: npt.NDArray[np.void]) -> bytes:
    """Return header and records of (N,) positions of one variant and one number of seats, on the board of a config."""
    rules, variant, players = config.rules, int(states["variant"][0]), int(states["num_seats"][0])
    size = states.dtype.itemsize - len(rules.unused(list(rules.variants)[variant]))
    records = states.view(np.uint8).reshape(states.size, states.dtype.itemsize)[:, :size].tobytes()
    board, layout = bytes.fromhex(config.with_names()["board_hash"]), layout_hash(rules.position, size)
    head = _Header(magic_of(rules), VERSION, variant, players, states.size, layout, board, b"")
    return HEADER.pack(*head._replace(checksum=_checksum(head, records))) + records


def unpack(data: object, config: GameConfig) -> npt.NDArray[np.void]:
    """Return a fresh (N,) array of positions from bytes that ``pack`` made for the game and the board of ``config``.

    Raises:
        RecordError: Any other bytes; the message says what is different.
    """
    if not isinstance(data, bytes | bytearray | memoryview):
        raise RecordError(f"positions cannot be read from {type(data).__name__}: give the bytes of Positions.to_bytes")
    rules, view = config.rules, memoryview(bytes(data))
    magic = magic_of(rules)
    if view.nbytes < HEADER.size or bytes(view[: len(magic)]) != magic:
        raise RecordError(
            f"these {view.nbytes} bytes hold no positions: they must begin with the {HEADER.size} bytes of the header "
            f"that Positions.to_bytes writes, the first of them {magic!r}"
        )
    head, records = _Header(*HEADER.unpack(view[: HEADER.size])), view[HEADER.size :]
    unused = rules.unused(_check_origin(head, config))
    size = rules.position.itemsize - len(unused)
    wanted = head.size * size
    if records.nbytes != wanted:
        raise RecordError(
            f"these bytes are not whole: {head.size} positions take {wanted} bytes after the header, "
            f"and there are {records.nbytes}"
        )
    if _checksum(head, records) != head.checksum:
        raise RecordError("these bytes are damaged: they do not fit the checksum in the header")
    states = np.empty(head.size, rules.position)
    bytes_of = states.view(np.uint8).reshape(head.size, rules.position.itemsize)
    bytes_of[:, :size] = np.frombuffer(records, np.uint8).reshape(-1, size)
    bytes_of[:, size:] = np.frombuffer(unused, np.uint8)
    if not states.size or (states["variant"] != head.variant).any() or (states["num_seats"] != head.players).any():
        raise RecordError(
            f"these bytes contradict themselves: there must be positions, and all of variant number {head.variant} "
            f"with {head.players} seats as the header says"
        )
    return states


def _check_origin(head: _Header, config: GameConfig) -> str:
    """Return the name of the variant; raise RecordError unless the game has it and the header fits the config."""
    rules, variants = config.rules, list(config.rules.variants)
    if head.version != VERSION:
        raise RecordError(f"these positions have format version {head.version}: this package reads version {VERSION}")
    known = variants[head.variant] if 0 <= head.variant < len(variants) else None
    least, most = (1, 0) if known is None else rules.variants[known]
    if known is None or not least <= head.players <= most:
        raise RecordError(
            f"these positions are of variant number {head.variant} with {head.players} seats, which there is not: "
            f"this version plays {', '.join(variants)}"
        )
    layout = layout_hash(rules.position, rules.position.itemsize - len(rules.unused(known)))
    if head.layout != layout:
        raise RecordError(
            f"these positions were written by a version with other records (layout {head.layout.hex()}): "
            f"this one reads layout {layout.hex()}"
        )
    names = config.with_names()
    if head.board != bytes.fromhex(names["board_hash"]):
        raise RecordError(
            f"these positions are of the board with hash {head.board.hex()}: board {names['board']!r} has "
            f"{names['board_hash']}; give a config with theirs"
        )
    return known
