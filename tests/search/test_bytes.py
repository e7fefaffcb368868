"""Positions as bytes: whole round trips, and one clear refusal for each fault."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from endeavor_env.endeavor.game import Game, GameConfig
from endeavor_env.endeavor.rules.state import BASE_SIZE, EMPTY_STATE, STATE
from endeavor_env.engine.search import positions as search_bytes
from endeavor_env.errors import RecordError
from endeavor_env.search import Positions
from tests.kits.games import on_the_way, random_walk
from tests.kits.search import KINDS

SIZE = BASE_SIZE
BASE_LAYOUT = "8a3c721338eb111d"
"""The layout of version 1, which games without Exploits keep."""


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_bytes_bring_back_every_decision_of_a_game(kind: dict[str, Any]) -> None:
    for game in random_walk(3, **kind):
        data = Positions.of(game).to_bytes()
        assert len(data) == 52 + (STATE.itemsize if game.exploits else BASE_SIZE)
        again = Positions.from_bytes(data, game.config)
        assert again.states.tobytes() == game.state.tobytes()
        assert (again.variant, again.players, again.board) == (game.variant, game.num_players, game.board)
        assert again.to_bytes() == data


def test_many_positions_come_back_in_order_and_can_be_played_on() -> None:
    positions = Positions.of([on_the_way(decisions, seed=2, players=4) for decisions in range(0, 60, 3)])
    again = Positions.from_bytes(bytearray(positions.to_bytes()), GameConfig())
    assert again.states.tobytes() == positions.states.tobytes()
    again.step(again.masks().argmax(axis=1))
    assert again.keys() != positions.keys()


def test_games_without_exploits_have_the_bytes_they_had_before_there_were_exploits() -> None:
    assert BASE_SIZE == 784 < STATE.itemsize
    assert search_bytes.layout_hash(STATE, BASE_SIZE).hex() == BASE_LAYOUT
    for kind in KINDS:
        game = on_the_way(70, seed=2, **kind)
        data = Positions.of(game).to_bytes()
        head = search_bytes._Header(*search_bytes.HEADER.unpack(data[:52]))
        assert data[52:] == game.state.tobytes()[: len(data) - 52]
        assert head.version == 1
        assert (head.layout.hex() == BASE_LAYOUT) == (game.exploits == ())
        unused = game.state.tobytes()[BASE_SIZE:] == EMPTY_STATE.tobytes()[BASE_SIZE:]
        assert unused == (game.exploits == ())


def test_bytes_of_games_with_exploits_say_how_many_positions_they_hold() -> None:
    data = Positions.of(on_the_way(90, players=4, exploits="random"), copies=3).to_bytes()
    assert len(data) == 52 + 3 * STATE.itemsize
    for change, message in (
        (lambda data: data[:-1], f"not whole: 3 positions take {3 * STATE.itemsize} bytes after the header, and"),
        (flipped(52 + STATE.itemsize - 100), "damaged: they do not fit the checksum"),
        (replaced("layout", bytes.fromhex(BASE_LAYOUT)), rf"a version with other records \(layout {BASE_LAYOUT}\)"),
        (replaced("variant", 0), r"a version with other records \(layout .* this one reads layout " + BASE_LAYOUT),
        (replaced("players", 3), "contradict themselves: .* all of variant number 5 with 3 seats"),
        (replaced("players", 2), "of variant number 5 with 2 seats, which there is not"),
    ):
        with pytest.raises(RecordError, match=message):
            Positions.from_bytes(change(data), GameConfig())


def replaced(field: str, value: Any) -> Callable[[bytes], bytes]:
    """Return a change of one entry of the header, with a checksum that fits it."""

    def change(data: bytes) -> bytes:
        head = search_bytes._Header(*search_bytes.HEADER.unpack(data[: search_bytes.HEADER.size]))
        head, records = head._replace(**{field: value}), data[search_bytes.HEADER.size :]
        return search_bytes.HEADER.pack(*head._replace(checksum=search_bytes._checksum(head, records))) + records

    return change


def flipped(place: int) -> Callable[[bytes], bytes]:
    """Return a change of one bit of the byte at ``place``."""
    return lambda data: data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


FAULTS: list[tuple[Callable[[bytes], Any], str]] = [
    (lambda data: data.hex(), "from str: give the bytes"),
    (lambda data: None, "from NoneType: give the bytes"),
    (lambda data: b"", "these 0 bytes hold no positions"),
    (lambda data: data[:51], "these 51 bytes hold no positions"),
    (lambda data: data[1:], "hold no positions: they must begin with the 52 bytes of the header"),
    (replaced("magic", b"PK\3\4\0\0\0\0"), "hold no positions"),
    (replaced("version", 2), "have format version 2: this package reads version 1"),
    (replaced("layout", b"\0" * 8), r"a version with other records \(layout 0000000000000000\)"),
    (replaced("variant", 9), "of variant number 9 with 4 seats, which there is not"),
    (replaced("variant", 5), "a version with other records"),
    (replaced("variant", -1), "of variant number -1 with 4 seats"),
    (replaced("players", 6), "of variant number 0 with 6 seats"),
    (replaced("board", b"\1" * 8), "of the board with hash 0101010101010101: board 'endeavor_2009' has"),
    (replaced("size", 3), f"3 positions take {3 * SIZE} bytes after the header, and there are {2 * SIZE}"),
    (lambda data: data[:-1], f"not whole: 2 positions take {2 * SIZE} bytes after the header, and.* {2 * SIZE - 1}"),
    (lambda data: data + b"\0", f"and there are {2 * SIZE + 1}"),
    (flipped(52 + 400), "damaged: they do not fit the checksum"),
    (flipped(51), "damaged"),
    (replaced("players", 5), "contradict themselves: .* all of variant number 0 with 5 seats"),
    (replaced("variant", 1), "of variant number 1 with 4 seats"),
    (lambda data: replaced("size", 0)(data[:52]), "contradict themselves: there must be positions"),
]


@pytest.mark.parametrize(("change", "message"), FAULTS, ids=[message for _, message in FAULTS])
def test_every_fault_is_refused(change: Callable[[bytes], Any], message: str) -> None:
    data = change(Positions.of(on_the_way(20, players=4), copies=2).to_bytes())
    with pytest.raises(RecordError, match=message):
        Positions.from_bytes(data, GameConfig())


def test_bytes_of_another_board_name_both() -> None:
    data = Positions.of(Game.new(seed=0, board="generated_7")).to_bytes()
    with pytest.raises(RecordError, match=r"board 'endeavor_2009' has \w{16}; give a config with theirs"):
        Positions.from_bytes(data, GameConfig())
    assert len(Positions.from_bytes(data, GameConfig(board="generated_7"))) == 1


def test_the_layout_hash_changes_with_any_field_in_the_bytes() -> None:
    fields = STATE.descr
    base = [field for field in fields if (STATE.fields or {})[field[0]][1] < BASE_SIZE]
    assert search_bytes.layout_hash(np.dtype(fields), STATE.itemsize) == search_bytes.layout_hash(STATE, STATE.itemsize)
    assert search_bytes.layout_hash(np.dtype(base), BASE_SIZE).hex() == BASE_LAYOUT
    for size, of_size in ((STATE.itemsize, fields), (BASE_SIZE, base)):
        for other in (of_size[::-1], of_size[1:], [("renamed", *of_size[0][1:]), *of_size[1:]], of_size[:-1]):
            assert search_bytes.layout_hash(np.dtype(other), size) != search_bytes.layout_hash(STATE, size)
        assert search_bytes.layout_hash(STATE, size + 8) != search_bytes.layout_hash(STATE, size)
    renamed = [*fields[:-1], ("renamed", *fields[-1][1:])]
    assert search_bytes.layout_hash(np.dtype(renamed), BASE_SIZE).hex() == BASE_LAYOUT
