"""Draw a position in the sixth round of a game: ``python docs/make/board_picture.py`` writes ``docs/board.png``.

Four ``greedy`` agents play the game. The places of the cities are chosen for legibility; the game has no map data.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch
from matplotlib.patheffects import withStroke

from agents.registry import make_agent
from endeavor_env import Game
from endeavor_env.core import constants as c

PICTURE = Path(__file__).resolve().parents[1] / "board.png"
SEATS, SEED, ROUND = 4, 7, 6
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
    "new_york": (0.80, 0.72), "charleston": (0.50, 0.52), "new_orleans": (0.20, 0.44),
    "saint_domingue": (0.80, 0.70), "port_royal": (0.48, 0.66), "havana": (0.20, 0.48),
    "cartagena": (0.20, 0.66), "salvador": (0.84, 0.70), "rio_de_janeiro": (0.56, 0.48),
    "copenhagen": (0.66, 0.86), "amsterdam": (0.40, 0.80), "london": (0.17, 0.72), "paris": (0.22, 0.54),
    "lisbon": (0.13, 0.34), "tangier": (0.24, 0.13), "rome": (0.44, 0.34), "venice": (0.52, 0.54),
    "constantinople": (0.84, 0.46), "alexandria": (0.60, 0.12),
    "saint_louis": (0.18, 0.70), "elmina": (0.45, 0.62), "luanda": (0.74, 0.50),
    "bombay": (0.50, 0.58), "calcutta": (0.84, 0.66),
    "malacca": (0.84, 0.26), "macau": (0.22, 0.44), "canton": (0.40, 0.64), "formosa": (0.70, 0.60),
    "nagasaki": (0.80, 0.83),
}  # fmt: skip
SEA, LAND, CLOSED, INK, GOLD = "#dbe7ee", "#f7f0dd", "#e6e2d8", "#2b2b2b", "#c8961e"
OWNERS = ("#c0392b", "#2e6fb7", "#8250a8", "#3a8f4d")
TOKENS = {"industry": "I", "culture": "C", "finance": "F", "politics": "P"}  # the others are blue
BLUE = "#4d8fc9"


def play() -> Game:
    """Return the position at the beginning of the sixth round."""
    game = Game.new(players=SEATS, seed=SEED)
    agents = [make_agent("greedy") for _ in range(SEATS)]
    for seat, agent in enumerate(agents):
        agent.reset(seat)
    while game.state["round_number"][0] < ROUND:
        game.apply(agents[game.seat].act(game))
    return game


def city_positions(game: Game) -> dict[str, tuple[float, float]]:
    """Return the picture position of every city."""
    board, positions = game.board, {}
    for city, region in zip(board.cities, board.array["city_region"][0], strict=False):
        left, bottom, width, height = BOXES[board.regions[region]]
        across, up = PLACES[city]
        positions[city] = (left + across * width, bottom + up * height)
    return positions


def draw_token(axes: Axes, x: float, y: float, kind: int) -> None:
    """Draw the trade token that lies on a space, nothing if there is none."""
    if kind == c.NONE:
        return
    letter = TOKENS.get(c.TOKEN_NAMES[kind], "")
    colour = "white" if letter else BLUE
    axes.plot(x, y, "s", markersize=8.5, markerfacecolor=colour, markeredgecolor=INK, markeredgewidth=0.6, zorder=8)
    axes.text(x, y - 0.01, letter, ha="center", va="center", fontsize=6.5, color=INK, zorder=9)


def draw_region(axes: Axes, game: Game, region: int) -> None:
    """Draw one region's box, its name and its shipping track; a closed region is grey."""
    board, state = game.board, game.state
    left, bottom, width, height = BOXES[board.regions[region]]
    is_open = bool(state["open"][0, region])
    colour = LAND if is_open else CLOSED
    style = {"boxstyle": "round,pad=0.02,rounding_size=0.2", "facecolor": colour, "edgecolor": INK, "linewidth": 1.2}
    axes.add_patch(FancyBboxPatch((left, bottom), width, height, zorder=1, **style))
    name = board.names[board.regions[region]] + ("" if is_open else " (closed)")
    axes.text(left + 0.15, bottom + height - 0.15, name, va="top", fontsize=10, fontweight="bold", color=INK, zorder=5)
    for space in range(board.array["track_length"][0, region]):
        x, y = left + 0.35 + 0.46 * space, bottom + 0.36
        owner = state["track_owner"][0, region, space]
        axes.plot(x, y, "s", markersize=15, markerfacecolor=SEA, markeredgecolor=INK, zorder=6)
        if owner == c.NONE:
            draw_token(axes, x, y, state["token"][0, c.TRACK_SPACES + region * c.MAX_TRACK + space])
        else:
            axes.plot(x, y, "o", markersize=11, markerfacecolor=OWNERS[owner], markeredgecolor=INK, zorder=7)


def draw_connections(axes: Axes, game: Game, positions: dict[str, tuple[float, float]]) -> None:
    """Draw the connections, in the colour of the seat that holds both ends, with the tokens that lie on them."""
    state = game.state
    owner_of = dict(zip(game.board.cities, state["city_owner"][0].tolist(), strict=False))
    for index, connection in enumerate(game.board.connections):
        first, second = connection.split("--")
        (x0, y0), (x1, y1) = positions[first], positions[second]
        held = owner_of[first] != c.NONE and owner_of[first] == owner_of[second]
        colour, width = (OWNERS[owner_of[first]], 4.0) if held else ("#8a6d3b", 1.4)
        axes.plot([x0, x1], [y0, y1], "-", color=colour, linewidth=width, zorder=2)
        draw_token(axes, (x0 + x1) / 2, (y0 + y1) / 2, state["token"][0, c.CONNECTION_SPACES + index])


def draw_cities(axes: Axes, game: Game, positions: dict[str, tuple[float, float]]) -> None:
    """Draw the cities: a gold ring is worth 2 Glory, a black one 1; a disc shows the owner, a token a free city."""
    board, state = game.board, game.state
    for index, (city, (x, y)) in enumerate(positions.items()):
        owner = state["city_owner"][0, index]
        rich = board.array["city_glory"][0, index] == 2
        face = "white" if owner == c.NONE else OWNERS[owner]
        ring, width = (GOLD, 3.2) if rich else (INK, 1.2)
        axes.plot(x, y, "o", markersize=15, markerfacecolor=face, markeredgecolor=ring, markeredgewidth=width, zorder=6)
        if owner == c.NONE:
            draw_token(axes, x, y, state["token"][0, c.CITY_SPACES + index])
        label = axes.text(x, y - 0.24, board.names[city], ha="center", va="top", fontsize=8, color=INK, zorder=10)
        label.set_path_effects([withStroke(linewidth=2.2, foreground=LAND)])


def draw_seats(axes: Axes, game: Game) -> None:
    """Draw a line for each seat under the map: Glory, statuses, discs, buildings and cards."""
    board, state, scores = game.board, game.state, game.scores()
    for seat in range(SEATS):
        left = 4.22 * seat
        mark = ", to move" if seat == game.seat else ""
        axes.plot(left + 0.2, -0.75, "o", markersize=15, markerfacecolor=OWNERS[seat], markeredgecolor=INK)
        title = f"Seat {seat}: {scores[seat]} Glory{mark}"
        axes.text(left + 0.5, -0.75, title, va="center", fontsize=10, fontweight="bold", color=INK)
        levels = ", ".join(f"{name} {state['status'][0, seat, kind]}" for kind, name in enumerate(c.STATUS_NAMES))
        buildings = state["buildings"][0, seat].tolist()
        built = [
            board.names[name] for name, count in zip(board.buildings, buildings, strict=False) for _ in range(count)
        ]
        half = (len(built) + 1) // 2
        lines = [
            levels,
            f"discs in harbor: {state['harbor'][0, seat]}, cards: {state['num_cards'][0, seat]}",
            ", ".join(built[:half]) + ",",
            ", ".join(built[half:]),
        ]
        axes.text(left, -1.1, "\n".join(lines), va="top", fontsize=7.4, linespacing=1.45, color=INK)


def main() -> None:
    """Draw and write the picture."""
    game = play()
    figure, axes = plt.subplots(figsize=(12, 8.4))
    figure.patch.set_facecolor("white")
    axes.set_facecolor(SEA)
    for region in range(c.NUM_REGIONS):
        draw_region(axes, game, region)
    positions = city_positions(game)
    draw_connections(axes, game, positions)
    draw_cities(axes, game, positions)
    draw_seats(axes, game)
    axes.set(xlim=(-0.3, 16.9), ylim=(-2.5, 10.1), xticks=[], yticks=[], aspect="equal")
    figure.tight_layout()
    figure.savefig(PICTURE, dpi=100)


if __name__ == "__main__":
    main()
