"""Positions as bytes: a header that describes them, then the STATE records as they are in memory.

Of games without Exploits only the first BASE_SIZE bytes of each record are written, which are all that they use.

The header (HEADER, little-endian) holds the magic word, the version of the format, variant and seats, the number of
positions, a hash of the STATE record's layout, the hash of the board, and a checksum of all of it. Kernels trust the
records they are given, so bytes are refused that were cut short, damaged, or made by another version or for another
board. The checksum is no signature: read only bytes that you trust.
"""

from __future__ import annotations

import hashlib
import struct
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import BASE_SIZE, EMPTY_STATE, STATE
from endeavor_env.errors import RecordError

MAGIC = b"endeavps"
VERSION = 1
"""To be increased when the same bytes of a record get another meaning."""
HEADER = struct.Struct("<8sHbbQ8s8s16s")


def layout_hash(record: np.dtype[np.void], size: int) -> bytes:
    """Return 8 bytes that change with any name, place, shape or type of the fields in the first ``size`` bytes."""
    fields = record.fields or {}
    named = [field for field in record.descr if fields[field[0]][1] < size]
    return hashlib.sha256(repr((named, size)).encode()).digest()[:8]


def record_size(variant: int) -> int:
    """Return the bytes that are written of each record of a variant, a VARIANT_*."""
    return STATE.itemsize if variant == c.VARIANT_EXPLOITS else BASE_SIZE


LAYOUT_HASHES = {size: layout_hash(STATE, size) for size in (BASE_SIZE, STATE.itemsize)}


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


def pack(board: Board, variant: int, players: int, states: npt.NDArray[np.void]) -> bytes:
    """Return header and records of (N,) STATE, all of ``variant`` (VARIANT_*) with ``players`` seats."""
    size = record_size(variant)
    records = states.view(np.uint8).reshape(states.size, STATE.itemsize)[:, :size].tobytes()
    layout = LAYOUT_HASHES[size]
    head = _Header(MAGIC, VERSION, variant, players, states.size, layout, bytes.fromhex(board.hash), b"")
    return HEADER.pack(*head._replace(checksum=_checksum(head, records))) + records


def unpack(data: object, board: Board) -> npt.NDArray[np.void]:
    """Return a fresh (N,) STATE array from bytes that ``pack`` made for ``board``.

    Raises:
        RecordError: Any other bytes; the message says what is different.
    """
    if not isinstance(data, bytes | bytearray | memoryview):
        raise RecordError(f"positions cannot be read from {type(data).__name__}: give the bytes of Positions.to_bytes")
    view = memoryview(bytes(data))
    if view.nbytes < HEADER.size or bytes(view[: len(MAGIC)]) != MAGIC:
        raise RecordError(
            f"these {view.nbytes} bytes hold no positions: they must begin with the {HEADER.size} bytes of the header "
            f"that Positions.to_bytes writes, the first of them {MAGIC!r}"
        )
    head, records = _Header(*HEADER.unpack(view[: HEADER.size])), view[HEADER.size :]
    _check_origin(head, board)
    size = record_size(head.variant)
    wanted = head.size * size
    if records.nbytes != wanted:
        raise RecordError(
            f"these bytes are not whole: {head.size} positions take {wanted} bytes after the header, "
            f"and there are {records.nbytes}"
        )
    if _checksum(head, records) != head.checksum:
        raise RecordError("these bytes are damaged: they do not fit the checksum in the header")
    states = np.repeat(EMPTY_STATE, head.size)
    states.view(np.uint8).reshape(head.size, STATE.itemsize)[:, :size] = np.frombuffer(records, np.uint8).reshape(
        -1, size
    )
    if not states.size or (states["variant"] != head.variant).any() or (states["num_seats"] != head.players).any():
        raise RecordError(
            f"these bytes contradict themselves: there must be positions, and all of variant number {head.variant} "
            f"with {head.players} seats as the header says"
        )
    return states


def _check_origin(head: _Header, board: Board) -> None:
    """Raise RecordError unless the header has this version, a known variant with its seats, and ``board``."""
    if head.version != VERSION:
        raise RecordError(f"these positions have format version {head.version}: this package reads version {VERSION}")
    known = 0 <= head.variant < len(c.VARIANT_NAMES)
    if not known or not c.VARIANT_PLAYERS[head.variant][0] <= head.players <= c.VARIANT_PLAYERS[head.variant][1]:
        raise RecordError(
            f"these positions are of variant number {head.variant} with {head.players} seats, which there is not: "
            f"this version plays {', '.join(c.VARIANT_NAMES)}"
        )
    layout = LAYOUT_HASHES[record_size(head.variant)]
    if head.layout != layout:
        raise RecordError(
            f"these positions were written by a version with other records (layout {head.layout.hex()}): "
            f"this one reads layout {layout.hex()}"
        )
    if head.board != bytes.fromhex(board.hash):
        raise RecordError(
            f"these positions are of the board with hash {head.board.hex()}: board {board.id!r} has {board.hash}; "
            "name theirs with board=..."
        )
