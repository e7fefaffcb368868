"""Draws the default board as a scheme: ``python docs/board_picture.py`` writes ``docs/board.png``.

Positions in the picture are chosen for legibility; they are no data of the game.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

from endeavor_env import Board
from endeavor_env.core import constants as c

# region -> (left, bottom, width, height) of its box, in picture units
BOXES = {
    "north_america": (0.0, 6.6, 4.6, 3.2),
    "caribbean": (0.0, 3.3, 4.6, 3.0),
    "south_america": (0.0, 0.0, 4.6, 3.0),
    "europe": (5.2, 3.9, 6.2, 5.9),
    "africa": (5.2, 0.0, 6.2, 3.0),
    "india": (12.0, 0.0, 4.6, 3.0),
    "far_east": (12.0, 3.9, 4.6, 5.9),
}
# city -> place within its region's box, 0..1 across and up
PLACES = {
    "new_york": (0.80, 0.72), "charleston": (0.50, 0.50), "new_orleans": (0.20, 0.30),
    "saint_domingue": (0.80, 0.70), "port_royal": (0.45, 0.66), "havana": (0.20, 0.40),
    "cartagena": (0.18, 0.68), "salvador": (0.80, 0.68), "rio_de_janeiro": (0.55, 0.40),
    "copenhagen": (0.66, 0.86), "amsterdam": (0.40, 0.80), "london": (0.17, 0.72), "paris": (0.22, 0.54),
    "lisbon": (0.13, 0.34), "tangier": (0.24, 0.13), "rome": (0.44, 0.34), "venice": (0.52, 0.54),
    "constantinople": (0.84, 0.46), "alexandria": (0.60, 0.12),
    "saint_louis": (0.18, 0.70), "elmina": (0.45, 0.62), "luanda": (0.72, 0.42),
    "bombay": (0.52, 0.60), "calcutta": (0.84, 0.66),
    "malacca": (0.84, 0.20), "macau": (0.22, 0.42), "canton": (0.40, 0.62), "formosa": (0.70, 0.58),
    "nagasaki": (0.80, 0.82),
}  # fmt: skip
SEA, LAND, INK, GOLD = "#dbe7ee", "#f7f0dd", "#2b2b2b", "#c8961e"


def city_positions(board: Board) -> dict[str, tuple[float, float]]:
    """Return the picture position of every city."""
    positions = {}
    for city, region in zip(board.cities, board.array["city_region"][0], strict=False):
        left, bottom, width, height = BOXES[board.regions[region]]
        across, up = PLACES[city]
        positions[city] = (left + across * width, bottom + up * height)
    return positions


def draw_region(axes: Axes, board: Board, region: int) -> None:
    """Draws one region's box, name and shipping track."""
    left, bottom, width, height = BOXES[board.regions[region]]
    style = {"boxstyle": "round,pad=0.02,rounding_size=0.2", "facecolor": LAND, "edgecolor": INK, "linewidth": 1.2}
    axes.add_patch(FancyBboxPatch((left, bottom), width, height, zorder=1, **style))
    name = board.names[board.regions[region]]
    axes.text(left + 0.15, bottom + height - 0.15, name, va="top", fontsize=10, fontweight="bold", color=INK, zorder=5)
    for space in range(board.array["track_length"][0, region]):
        place = (left + 0.25 + 0.36 * space, bottom + 0.28)
        axes.plot(*place, "s", markersize=10, markerfacecolor=SEA, markeredgecolor=INK, zorder=4)


def main() -> None:
    """Draws and writes the picture."""
    board = Board.default()
    figure, axes = plt.subplots(figsize=(12, 7.2))
    figure.patch.set_facecolor("white")
    axes.set_facecolor(SEA)
    for region in range(c.NUM_REGIONS):
        draw_region(axes, board, region)
    positions = city_positions(board)
    for connection in board.connections:
        (x0, y0), (x1, y1) = (positions[city] for city in connection.split("--"))
        axes.plot([x0, x1], [y0, y1], "-", color="#8a6d3b", linewidth=1.6, zorder=2)
    for city, glory in zip(board.cities, board.array["city_glory"][0], strict=False):
        x, y = positions[city]
        axes.plot(
            x, y, "o", markersize=13, markerfacecolor=GOLD if glory == 2 else "white", markeredgecolor=INK, zorder=6
        )
        axes.text(x, y, str(glory), ha="center", va="center", fontsize=8, zorder=7)
        axes.text(x, y - 0.2, board.names[city], ha="center", va="top", fontsize=8, color=INK, zorder=7)
    axes.set(xlim=(-0.3, 16.9), ylim=(-0.3, 10.1), xticks=[], yticks=[], aspect="equal")
    figure.tight_layout()
    figure.savefig(Path(__file__).with_name("board.png"), dpi=100)


if __name__ == "__main__":
    main()
