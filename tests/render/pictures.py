"""Positions of every kind, and the pictures of them that the tests compare with.

``python -m tests.render.pictures`` draws the pictures again. Do so only when the drawing was changed on purpose, and
look at them before keeping them.
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.testing import open_regions
from tests.kits.games import finished, on_the_way, running

FOLDER = Path(__file__).resolve().parent / "pictures"
POSITIONS: dict[str, Callable[[], Game]] = {
    "opening": lambda: Game.new(3, seed=1),
    "three seats": lambda: on_the_way(90, seed=7, players=3),
    "four seats, over": lambda: on_the_way(10_000, seed=3, players=4),
    "five seats": lambda: on_the_way(150, seed=7, players=5),
    "generated board": lambda: on_the_way(100, seed=2, players=4, board="generated_7"),
    "solo": lambda: running("solo", 10, 45),
    "solo, over": lambda: finished("solo", 10),
    "soloplay_2": lambda: running("soloplay_2, spaces stay", 3, 60),
    "soloplay_3": lambda: running("soloplay_3", 3, 90),
    "neutral_2": lambda: running("neutral_2", 3, 40),
    "three Exploits": lambda: open_regions(Game.new(4, seed=2, exploits="random")),
    "all Exploits": lambda: open_regions(Game.new(5, seed=2, exploits=c.EXPLOIT_NAMES)),
}
KEPT = ("five seats", "generated board", "solo", "soloplay_2", "soloplay_3", "neutral_2", "three Exploits")
"""The positions whose pictures are kept: one of each variant, and one of a generated board."""


def file_of(name: str) -> Path:
    """Return where the picture of a position is kept."""
    return FOLDER / f"{name.replace(' ', '_')}.svg"


def drawn(name: str) -> str:
    """Return the picture of a position with the targets of its legal moves."""
    game = POSITIONS[name]()
    return game.svg(targets=not game.over)


def structure(text: str) -> list[tuple[str, str, str]]:
    """Return what a picture consists of: tag, key and text of each element, without places, sizes and colours."""
    elements = ElementTree.fromstring(text).iter()
    return [(one.tag.partition("}")[2], one.get("data-key", ""), (one.text or "").strip()) for one in elements]


def main() -> None:
    """Write the pictures."""
    FOLDER.mkdir(exist_ok=True)
    for name in KEPT:
        file_of(name).write_text(drawn(name) + "\n", encoding="utf-8")
        print(f"wrote {file_of(name).name}")


if __name__ == "__main__":
    main()
