"""The page ``docs/merchants/boards.md``: format and faults of boards, and where the declared ones come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from markdown_tables import table

from endeavor_env.merchants.board import Board, dump_board, load_board
from endeavor_env.merchants.board import content as v
from endeavor_env.merchants.board.checks import ARROW_WAY, DISTANCES, MORE_THAN, NAMES, PRINTED, TOKENS, WESTERN_NAMES
from endeavor_env.merchants.board.content import FACT_FAULTS, FORM_FAULTS, WHOLE_FAULTS
from endeavor_env.merchants.board.generator import ARROWS, MOST_SEA_PATHS, NEVER_VIOLET
from endeavor_env.merchants.board.generator import PRINTED as GENERATED_NUMBERS

ORIGINS = ("fact", "published", "inferred", "invented")
Counts = Mapping[str, int]

_HEAD = """\
# Boards of Merchants of Europe

*Merchants of Europe* is played on hexes: **terrains** produce, **cities** lie on the **crossroads** where three cells
meet, and caravans follow the **paths** between them. The map of the box is in no published text, so a board is data
that anybody can correct or replace. Two come with the package, one for each side of the map.

```python
from endeavor_env.merchants.board import check_board, dump_board, generate_board, load_board
from endeavor_env.merchants.drawing import draw_board
from endeavor_env.drawing.svg import to_svg

board = load_board("short")                  # or "expert"; or the path of a file
text = dump_board(board)                     # write it to a file, edit it, load it again
random_board = generate_board(7, "expert")   # always without faults, always the same for the same seed
faults = check_board({{"format": "merchants-board/1"}})   # (name, sentence) of every fault of a dictionary
picture = to_svg(draw_board(board))          # an SVG document
```

{sizes}

## How faithful they are

Each value of a declared board is of one of four origins. A **fact** is stated or used by the rulebook. What is
**published** was read from a public picture or text about the box. What is **inferred** follows from facts. The rest is
**invented**: plausible and in agreement with every fact, but not the printed value. Land, city places, names, gold, sea
paths and double arrows were set by hand after the geography, about 200 km a path; kinds, numbers, token places, violet
cities and start places were drawn under the facts.

{counts}

{notes}"""

_NOTES = """\
- **Terrains, their kinds and numbers** that are facts: the field 5 of Cologne and Nuremberg, the meadow 5 of Lyon, the
  empty salt-works of Kaliningrad, the empty mountain and field of Belgrade.
- **Distances** are between cities of the facts below.
- **Land**: that it is made of hexes is published, which cells are land is not.
- **Colours**: merchants found posts in Kaliningrad and Belgrade, so these two are brown.
- **Tokens**: their fifteen values are published, that salt-works have an 11 and mountains a 9 are facts.
- That **some** city on a coast shows gold, and that there are violet and brown cities, are facts that fix no value, and
  neither does the published remark that three trading posts lie in central Europe.
- **Start**: that the third post touches the terrains of the start cards is inferred; which city it is, is invented."""

_FACTS = """\
## The known facts

A board with `facts = true` must agree with them; a free map says `facts = false`.

{facts}"""

_CORRECT = """\
## Correcting one from your copy of the game

1. Write `dump_board(load_board("short"))` to a file.
2. Give it another `id`: records name a board by it.
3. Change what your board shows, and say in `provenance` what you have read off.
4. `load_board("my_board.toml")`. The error, if there is one, lists every fault of the file at once.

## The file

TOML, in UTF-8. The order of lists does not count: everything is numbered by its place.

```toml
{example}
```

{keys}

Cells are `[q, r]` with a pointy top: `q` grows to the east, `r` to the south-east. Every corner is the top `"N"` or the
bottom `"S"` of exactly one cell. A cell that is not listed is sea. The crossroads are the corners of terrains, the
paths the edges of terrains and the sea paths.

| corner | touches the cells | has edges to |
|---|---|---|
| `[q, r, "N"]` | `[q, r]`, `[q, r-1]`, `[q+1, r-1]` | `[q, r-1, "S"]`, `[q+1, r-1, "S"]`, `[q+1, r-2, "S"]` |
| `[q, r, "S"]` | `[q, r]`, `[q, r+1]`, `[q-1, r+1]` | `[q, r+1, "N"]`, `[q-1, r+1, "N"]`, `[q-1, r+2, "N"]` |

Numbers start at 0. Terrains are numbered by `(r, q)`; crossroads by `(y, x)` with `x = 2q + r` and `y = 3r - 2` for a
top, `3r + 2` for a bottom; paths by the numbers of their ends, the lower one first; cities by their crossroads. Moves
call them `t<number>`, `c<number>` (or the city there) and `p<number>`."""

_FAULTS = """\
## Faults

They are looked for in three stages; a stage is reached only if the one before it found none.

{faults}"""

_GENERATOR = """\
## Generated boards

`generate_board(seed, side)` draws a board in these steps and begins again if it has a fault:

1. Land grows from one cell; seldom there is a lake.
2. Cities of the facts lie at their known distances, the others anywhere, no two beside each other unless a fact says
   so.
3. Kinds: those that the facts need and, on the short side, the start cards; the rest in even shares.
4. Beside the fives of the facts {short} (short) or {expert} (expert) printed numbers, rather in the middle, 6 and 8
   apart; all other terrains are token places.
5. Twelve violet cities; on the short side the start posts among them are dealt so that the chances of the colours are
   level.
6. Gold on coasts, up to {sea} sea paths where they shorten a way, {short_arrows} (short) or {expert_arrows} (expert)
   double arrows, and the robber."""

_KEYS = (
    ("format", f'`"{v.FORMAT}"`'),
    ("id", f"1 to {v.MAX_TEXT} printable characters"),
    ("side", "`short` or `expert`"),
    ("facts", "whether the known facts are checked; true if left out"),
    ("provenance", "who made the board from what"),
    ("robber", "the cell where the robber stands at first: an empty token place"),
    (
        "terrains",
        f"`at` a cell, `kind` one of {' '.join(f'`{kind}`' for kind in v.KINDS)}, and either `number` or "
        '`token`, `"place"` (empty at first) or `"dotted"` (with its dotted token)',
    ),
    ("cities", '`id`, `at` a corner, `colour` `"brown"` or `"violet"`, `gold` 0 to 5'),
    ("sea_paths", "`ends`, two corners: an edge between two cells of sea whose ends are both crossroads"),
    ("arrows", "two corners each: the paths with a double arrow"),
    ("tokens", "the three values of each kind of terrain; the first is the dotted one"),
    ("development", f"the number of each kind of card: {' '.join(f'`{kind}`' for kind in v.DEVELOPMENT_KINDS)}"),
    (
        "start",
        "on the short side, a table each for `red`, `blue`, `white` and `orange`: `posts`, three cities, the third one "
        "with the terrains of the start cards; `route`, two corners, where a caravan stands",
    ),
)


def pages() -> dict[str, str]:
    """Return the text of the page by its path below ``docs``."""
    boards = [load_board(side) for side in v.SIDES]
    parts = (
        _HEAD.format(sizes=_sizes(boards), counts=_counts(boards), notes=_NOTES),
        _FACTS.format(facts=_facts()),
        _CORRECT.format(example=_example(boards[0]), keys=table(["key", "value"], [(f"`{k}`", w) for k, w in _KEYS])),
        _FAULTS.format(faults=_faults()),
        _GENERATOR.format(
            **GENERATED_NUMBERS, sea=MOST_SEA_PATHS, short_arrows=ARROWS["short"], expert_arrows=ARROWS["expert"]
        ),
    )
    return {"merchants/boards.md": "\n\n".join(parts) + "\n"}


def _sizes(boards: list[Board]) -> str:
    """Return the table of the sizes of the declared boards."""
    rows: tuple[tuple[str, Callable[[Board], int]], ...] = (
        ("terrains", lambda board: board.num_terrains),
        ("crossroads", lambda board: board.num_crossroads),
        ("paths", lambda board: board.num_paths),
        ("of these sea paths", lambda board: int(board.path_sea.sum())),
        ("double arrows", lambda board: int(board.path_arrow.sum())),
        ("cities", lambda board: board.num_cities),
        ("of these violet", lambda board: int(board.city_violet.sum())),
        ("token places", lambda board: int(np.count_nonzero(board.terrain_place))),
    )
    head = ["", *(f'`load_board("{board.side}")`' for board in boards)]
    return table(head, [(name, *(count(board) for board in boards)) for name, count in rows])


# --- where values come from ------------------------------------------------------------------------------------------
def origins(board: Board) -> dict[str, Counts]:
    """Return how many values of each part of a declared board are of which origin."""
    numbered, empty = _fact_terrains(board)
    printed, places = int((board.terrain_number > 0).sum()), int((board.terrain_place > 0).sum())
    facts = len([name for name in (*NAMES, *WESTERN_NAMES) if name in board.city_ids])
    pairs = [pair for *pair, _ in (*DISTANCES, MORE_THAN) if set(pair) <= set(board.city_ids)]
    parts = {
        "cells of land": _split(board.num_terrains),
        "kinds of terrains": _split(board.num_terrains, fact=len(numbered) + len(empty)),
        "printed numbers": _split(printed, fact=len(numbered)),
        "token places": _split(places, fact=len(empty)),
        "names of cities": _split(board.num_cities, fact=facts),
        "distances": _split(len(pairs), fact=len(pairs)),
        "crossroads of cities": _split(board.num_cities),
        "colours of cities": _split(board.num_cities, inferred=len(NEVER_VIOLET)),
        "gold of cities": _split(board.num_cities),
        "sea paths": _split(int(board.path_sea.sum())),
        "double arrows": _split(int(board.path_arrow.sum()), fact=1),
        "first terrain of the robber": _split(1),
        "values of tokens": _split(board.tokens.size, published=board.tokens.size),
        "kinds of tokens": _split(board.tokens.size, fact=len(TOKENS)),
        "number of development cards": _split(1, fact=1),
        "numbers by kind of card": _split(len(board.development)),
    }
    if board.side == "short":
        parts["start posts"] = _split(board.start_posts.size)
        parts["start routes"] = _split(board.start_routes.size)
    return parts


def _split(count: int, **known: int) -> Counts:
    """Return how many of ``count`` values have which origin: those that are not known are invented."""
    return {**dict.fromkeys(ORIGINS, 0), **known, "invented": count - sum(known.values())}


def _fact_terrains(board: Board) -> tuple[set[int], set[int]]:
    """Return the terrains whose printed number is a fact, and those whose empty token place is one."""

    def around(name: str) -> list[int]:
        found = board.crossroads_terrains[board.city_crossroads[board.city_ids.index(name)]]
        return [int(terrain) for terrain in found if terrain >= 0]

    printed = {
        terrain
        for name, kind, number in PRINTED
        if name in board.city_ids
        for terrain in around(name)
        if (v.KINDS[board.terrain_kind[terrain]], board.terrain_number[terrain]) == (kind, number)
    }
    salt = v.KINDS.index("salt_works")
    empty = {terrain for terrain in around("kaliningrad") if board.terrain_kind[terrain] == salt}
    empty |= {terrain for terrain in around("belgrade") if board.terrain_place[terrain] == 1}
    return printed, empty


def _counts(boards: list[Board]) -> str:
    """Return the table of origins, with a sum for each board."""
    found = [origins(board) for board in boards]
    rows = []
    for part in found[0]:
        cells = [str(counts[part][origin]) if part in counts else "" for counts in found for origin in ORIGINS]
        rows.append((part, *cells))
    sums = [sum(counts[part][origin] for part in counts) for counts in found for origin in ORIGINS]
    head = ["values", *(f"{board.side}: {origin}" for board in boards for origin in ORIGINS)]
    return table(head, [*rows, ("**all**", *(f"**{value}**" for value in sums))])


def _facts() -> str:
    """Return the list of facts, made from what the checks look for."""
    first, second, paths = MORE_THAN
    lines = [
        f"There are the cities {_listed(NAMES)}.",
        f"There are {_listed(WESTERN_NAMES)} on the expert side, and not on the short one.",
        *(f"{one.title()} and {two.title()} lie {_paths(count)} apart." for one, two, count in DISTANCES),
        f"{first.title()} and {second.title()} lie more than {_paths(paths)} apart.",
        *(f"{name.title()} touches a {kind} with the printed number {number}." for name, kind, number in PRINTED),
        "Kaliningrad touches salt-works with an empty token place.",
        "The empty token places of Belgrade are one mountain and one field.",
        *(f"One of the tokens of {kind.replace('_', '-')} is {value}." for kind, value in TOKENS),
        "Some city on a coast shows gold.",
        f"A double arrow lies on a shortest way between {_listed(ARROW_WAY)}.",
    ]
    return "\n".join(f"- {line}" for line in lines)


def _listed(names: tuple[str, ...]) -> str:
    """Return names of cities as a list in a sentence."""
    words = [name.title() for name in names]
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _paths(count: int) -> str:
    return f"{count} path{'s' if count > 1 else ''}"


def _example(board: Board) -> str:
    """Return the beginning of every part of a board file."""
    kept: list[str] = []
    entries = 0
    for line in dump_board(board).splitlines():
        entries = entries + 1 if line.startswith("  ") else 0
        if line.startswith("#") or not line or entries > 2 or line.startswith("provenance"):
            continue
        kept.append(line)
    return "\n".join(kept)


def _faults() -> str:
    """Return the table of all faults."""
    stages = (("entries", FORM_FAULTS), ("whole", WHOLE_FAULTS), ("facts", FACT_FAULTS))
    rows = [(stage, f"`{name}`", meaning) for stage, faults in stages for name, meaning in faults.items()]
    return table(["stage", "fault", "when"], rows)
