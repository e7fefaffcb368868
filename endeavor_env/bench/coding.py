"""Scores and moves of many games as short texts: base64 of their bytes."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from endeavor_env.errors import EndeavorError

LEAST, MOST = -50, 205
"""The Glory that a byte can hold."""
_MOVE = np.dtype("<u2")


def scores_text(scores: npt.NDArray[np.int64]) -> str:
    """Return scores as one byte each, Glory + 50; raise EndeavorError for one that no byte can hold."""
    if scores.size and not LEAST <= int(scores.min()) <= int(scores.max()) <= MOST:
        raise EndeavorError(f"a score lies outside of {LEAST} to {MOST}: no byte can hold it")
    return base64.b64encode((scores - LEAST).astype(np.uint8).tobytes()).decode()


def read_scores(text: object, shape: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """Return the scores of a text in this shape; raise EndeavorError if it holds others."""
    content = _decoded(text)
    if len(content) != int(np.prod(shape)):
        raise EndeavorError(f"its scores are {len(content)}, not {' x '.join(map(str, shape))}")
    return np.frombuffer(content, np.uint8).astype(np.int64).reshape(shape) + LEAST


def moves_text(moves: Sequence[int]) -> str:
    """Return action ids as two bytes each, the lower first."""
    return base64.b64encode(np.array(moves, _MOVE).tobytes()).decode()


def read_moves(text: object) -> list[int]:
    """Return the action ids of a text; raise EndeavorError if it is none."""
    content = _decoded(text)
    if len(content) % _MOVE.itemsize:
        raise EndeavorError("its moves are cut off")
    return np.frombuffer(content, _MOVE).tolist()


def _decoded(text: object) -> bytes:
    try:
        return base64.b64decode(text if isinstance(text, str) else "?", validate=True)
    except binascii.Error as error:
        raise EndeavorError("its scores or moves are no base64") from error
