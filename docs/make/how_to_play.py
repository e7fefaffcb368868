"""The pictures of the pages that teach the games, and these pages as ``endeavor play`` serves them.

The pictures are ``docs/pictures/how_*.svg`` and ``merchants_how_map.svg``. A page has everything in itself, so that an
installed package needs no docs.
"""

from __future__ import annotations

import html
import re
from pathlib import Path

import numpy as np
from markdown_it import MarkdownIt

from endeavor_env.agents.players.player_agent import make_player_agent
from endeavor_env.drawing.svg import to_svg
from endeavor_env.endeavor.drawing.scene import Area, Circle, Label, Line, Polygon, Scene, Shape, draw_game
from endeavor_env.endeavor.drawing.scene.compose import MAP, MATS, SIDE, SUPPLY
from endeavor_env.endeavor.drawing.scene.map import Box, region_box
from endeavor_env.endeavor.game import Game
from endeavor_env.merchants.game import MerchantsGame
from endeavor_env.testing import open_regions

ROOT = Path(__file__).resolve().parents[2]
TEXT, PICTURES = ROOT / "docs" / "how_to_play.md", ROOT / "docs" / "pictures"
PAGE = ROOT / "agents" / "play" / "how_to_play.html"
MERCHANTS_TEXT = ROOT / "docs" / "merchants" / "how_to_play.md"
MERCHANTS_PAGE = ROOT / "endeavor_env" / "merchants" / "how_to_play.html"
MERCHANTS_PICTURE, MERCHANTS_MOVES = "merchants_how_map.svg", 140
MAT = Box(MATS.x, MATS.y + (MATS.height + 6) / 4, MATS.width, (MATS.height - 18) / 4)
"""The mat of seat 1 among four."""
MARGIN = 64.0
"""Pixels around the places of a map."""
SEED, DECISIONS, EXPLOITS = 3, 142, ("saltpetre", "venus", "haiti")
_FRAME = """<!doctype html>
<html lang="en" data-theme="{theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>How to play · {title}</title>
<link rel="icon" href="data:,">
<style>
:root { --ground: #f4f1ea; --panel: #fffdf8; --ink: #22262b; --muted: #5f646b; --line: #c9c5bb; }
:root[data-theme="dark"] { --ground: #15181d; --panel: #20252c; --ink: #eef0f2; --muted: #a4acb5; --line: #4a5058; }
:root[data-theme="dark"] { color-scheme: dark; }
body { margin: 0; background: var(--ground); color: var(--ink); }
body { font: 17px/1.55 system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
main { max-width: 46em; margin: 0 auto; padding: 8px 16px 60px; }
h1 { font-size: 30px; }
h2 { font-size: 21px; margin-top: 1.6em; }
figure { margin: 1.2em 0; }
figure svg { display: block; width: 100%; height: auto; border: 1px solid var(--line); border-radius: 8px; }
figcaption { color: var(--muted); font-size: 15px; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; background: var(--panel); }
th, td { padding: 5px 10px; border: 1px solid var(--line); text-align: left; vertical-align: top; }
</style>
</head>
<body>
<main>
{body}</main>
</body>
</html>
"""


# --- pictures ---------------------------------------------------------------------------------------------------------


def midgame() -> Game:
    """Return a game under way, of moves drawn at random that pass and stop as late as possible."""
    game, rng = Game.new(4, seed=SEED), np.random.default_rng(SEED)
    for _ in range(DECISIONS):
        moves = game.legal_moves()
        later = [move for move in moves if move not in ("pass", "done")] or moves
        game.play(later[int(rng.integers(len(later)))])
    return game


def _extent(shape: Shape) -> Box:
    """Return the rectangle that a shape fills; of a line of text about."""
    if isinstance(shape, Circle):
        return Box(shape.x - shape.radius, shape.y - shape.radius, 2 * shape.radius, 2 * shape.radius)
    if isinstance(shape, Line):
        x, y = min(shape.x1, shape.x2), min(shape.y1, shape.y2)
        return Box(x, y, abs(shape.x2 - shape.x1), abs(shape.y2 - shape.y1))
    if isinstance(shape, Polygon):
        across, down = zip(*shape.points, strict=True)
        return Box(min(across), min(down), max(across) - min(across), max(down) - min(down))
    if isinstance(shape, Label):
        width = 0.62 * shape.size * len(shape.text)
        left = shape.x - {"start": 0.0, "middle": width / 2, "end": width}[shape.anchor]
        return Box(left, shape.y - shape.size / 2, width, shape.size)
    return Box(shape.x, shape.y, shape.width, shape.height)


def cut(scene: Scene, part: Box | None = None) -> str:
    """Return a picture, or a part of it, as SVG without the areas that only a page needs."""
    box = part or Box(0, 0, scene.width, scene.height)

    def is_there(shape: Shape) -> bool:
        at = _extent(shape)
        aside = at.x > box.x + box.width or at.x + at.width < box.x
        return not (isinstance(shape, Area) or aside or at.y > box.y + box.height or at.y + at.height < box.y)

    text = to_svg(scene._replace(shapes=tuple(filter(is_there, scene.shapes))))
    size = f'width="{box.width:.0f}" height="{box.height:.0f}" viewBox="{box.x:.0f} {box.y:.0f} {box.width:.0f}'
    return re.sub(r'width="\d+" height="\d+" viewBox="0 0 \d+', size, text, count=1).replace(
        f' {scene.height}" font-family', f' {box.height:.0f}" font-family', 1
    )


def pictures() -> dict[str, str]:
    """Return the text of each picture by its file name."""
    game = midgame()
    scene = draw_game(game)
    tiles = draw_game(open_regions(Game.new(4, seed=2, exploits=EXPLOITS)))
    parts = {
        "how_table.svg": cut(draw_game(Game.new(4, seed=SEED))),
        "how_region.svg": cut(scene, region_box("africa", MAP)),
        "how_mat.svg": cut(scene, MAT),
        "how_supply.svg": cut(scene, SUPPLY),
        "how_exploits.svg": cut(tiles, SIDE),
    }
    return {name: f"{text}\n" for name, text in parts.items()}


def merchants_picture() -> str:
    """Return the map of a game of Merchants of Europe under way."""
    game = MerchantsGame.new(4, seed=SEED)
    agent = make_player_agent(game.rules, "planner")
    while len(game.history) < MERCHANTS_MOVES:
        game.apply(agent.act(game))
    scene = game.rules.presenter.map_picture(game, 0)
    at = [_extent(shape) for shape in scene.shapes if isinstance(shape, Area)]
    left, top = min(box.x for box in at) - MARGIN, min(box.y for box in at) - MARGIN
    width = max(box.x + box.width for box in at) + MARGIN - left
    height = max(box.y + box.height for box in at) + MARGIN / 2 - top
    return cut(scene, Box(left, top, width, height)) + "\n"


# --- the page ---------------------------------------------------------------------------------------------------------


def page(text: str, drawn: dict[str, str], title: str = "Endeavor") -> str:
    """Return the page of a game with all pictures in it; links to other pages of the docs become plain words."""
    text = re.sub(r"(?<!!)\[([^\]]+)\]\(([^)]+)\)", r"\1", text)
    body = MarkdownIt("commonmark").enable("table").render(text)
    shown = r'<p><img src="(?:\.\./)?pictures/([\w.]+)" alt="([^"]*)" /></p>'
    body = re.sub(shown, lambda found: _figure(found, drawn), body)
    body = body.replace("<table>", '<div class="table" tabindex="0"><table>').replace("</table>", "</table></div>")
    return _FRAME.replace("{title}", title).replace("{body}", body)


def _figure(found: re.Match[str], drawn: dict[str, str]) -> str:
    caption = html.unescape(found[2])
    picture = re.sub(r"<title>.*?</title>", f"<title>{html.escape(caption)}</title>", drawn[found[1]], count=1)
    return f"<figure>{picture.strip()}<figcaption>{html.escape(caption)}</figcaption></figure>"


def files() -> dict[Path, str]:
    """Return the text of everything that is made."""
    drawn, merchants = pictures(), {MERCHANTS_PICTURE: merchants_picture()}
    made = {PICTURES / name: text for name, text in (drawn | merchants).items()}
    told = MERCHANTS_TEXT.read_text(encoding="utf-8")
    return made | {
        PAGE: page(TEXT.read_text(encoding="utf-8"), drawn),
        MERCHANTS_PAGE: page(told, merchants, "Merchants of Europe"),
    }
