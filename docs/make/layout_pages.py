"""The pages ``docs/observation.md`` and ``docs/actions.md``.

The first is made from the observation layouts, the second from the action blocks, both with the ids of the default
board.
"""

from __future__ import annotations

from collections.abc import Iterable

from markdown_tables import ids, table

from endeavor_env.endeavor import notation
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.observation import (
    COMPACT,
    FEATURES,
    LAYOUT,
    VARIANT_COMPACT,
    VARIANT_FEATURES,
    Layout,
    Slice,
)
from endeavor_env.endeavor.observation.reading import SIDES_OF, VALUE_AXES, axis_words
from endeavor_env.endeavor.rules import actions
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import BLOCKS, NUM_ACTIONS, NUM_VARIANT_ACTIONS, Block, ruleset_of
from endeavor_env.endeavor.rules.layout import ENCODINGS

# --- docs/observation.md -------------------------------------------------------------------------------------------

_OBSERVATION_HEAD = """\
# Observations

What a seat sees is one vector. `observation="features"` (the default) is for networks that take numbers as they come;
`observation="compact"` holds the raw facts in a {ratio:.0f}th of the bytes, for learners that expand them themselves.
The standard game has its own layouts; games with Exploits have two more, all other variants share two, and all of these
begin with the same slices.

{summary}

- **Everything is seen from one seat**, normally the one to move: relative seat 0 is the observer, 1 the seat after it
  in playing order, and so on. So one network plays every seat. The seats left over hold zeros.
- **Nothing is hidden.** After the set-up the game has neither chance nor secrets, and either vector determines the
  position (up to the seats' numbers) in everything that can still matter. `to_state` turns `compact` back into a state.
- **The shape never changes.** Slices are sized by the limits of the package, not by the board: entries of cities,
  connections, building types and shipping spaces the board does not have stay 0 (-1 for an id or an owner).
- **The board is not in it**, nor is it said of a standard game that it is one. Both are constant during a game; `Board`
  has the map and the card faces.
- **Hash and version** say whether two programs mean the same vector; checkpoints carry the hash.

```python
from endeavor_env import Game
from endeavor_env.endeavor.observation import LAYOUT, describe, layout_for, observe

game = Game.new(players=4, seed=7)
vector = observe(game)                                # {features} float32, seen by the seat to move
LAYOUT.features["marker"]                             # name, offset, shape, range, meaning, clause
LAYOUT.features.view(vector, "marker")                # that part as a {marker} array; batches work as well
LAYOUT.compact.unpack(observe(game, seat=2, observation="compact"))   # every slice by name
print(describe(vector, game.board))                   # what the vector says, in words
layout_for("solo", "features")                        # the layout of a variant: here LAYOUT.variant_features
```

The column *clause* names the rule ([Rules](rules.md)) for which an entry matters."""


def observation_page() -> str:
    """Return the text of ``docs/observation.md``."""
    summary = table(
        ["observation", "entries", "dtype", "bytes", "slices", "version", "hash"],
        ((f"`{one.name}`", one.size, one.dtype, _bytes(one), len(one), one.version, f"`{one.hash}`") for one in LAYOUT),
    )
    head = _OBSERVATION_HEAD.format(
        summary=summary,
        ratio=_bytes(LAYOUT.features) / _bytes(LAYOUT.compact),
        features=LAYOUT.features.size,
        marker=LAYOUT.features["marker"].shape,
    )
    encodings = table(["encoding", "values"], ((f"*{name}*", text) for name, text in ENCODINGS.items()))
    parts = [head, "## Encodings", encodings]
    for layout in (FEATURES, COMPACT):
        parts += [f"## `{layout.name}`", _slices_table(layout)]
    parts += ["## Variants", _VARIANTS_NOTE, _sides_table()]
    for layout, base in ((VARIANT_FEATURES, FEATURES), (VARIANT_COMPACT, COMPACT)):
        parts += _variant_section(layout, base)
    parts += ["## Exploits", _EXPLOITS_NOTE]
    for layout, base in ((LAYOUT.exploit_features, FEATURES), (LAYOUT.exploit_compact, COMPACT)):
        parts += _variant_section(layout, base)
    return "\n\n".join([*parts, *_axes(Board.default())]) + "\n"


_VARIANTS_NOTE = """\
In the variants not only seats own discs on the map. *Relative sides* are the relative seats, and after them whatever
has discs without a seat; slices that count discs on the map are by side. In solo place 1 of everything that lies on a
mat (statuses, tokens, cards, Glory) is the mat of the Opposition, which `present` does not count."""


_EXPLOITS_NOTE = """\
Games with Exploits ([exploits.md](exploits.md)) have the slices of the standard game, and after them one for everything
that lies on the tiles. What belongs to an Exploit that is not in play stays empty."""


def _sides_table() -> str:
    """Return the table of the relative sides of each variant."""
    rows = [(f"`{c.VARIANT_NAMES[0]}`", "the relative seats")]
    rows += [(f"`{variant}`", ", ".join(f"`{word}`" for word in words)) for variant, words in SIDES_OF.items()]
    return table(["variant", "relative sides from 0 on"], rows)


def _variant_section(layout: Layout, base: Layout) -> list[str]:
    """Return the parts of the page about the variants' ``layout``: changes against ``base``, then what is added."""
    shared = layout.slices[: len(base)]
    changed = [part for part, as_before in zip(shared, base, strict=True) if part != as_before]
    first = f"Entries 0-{base.size - 1} are those of `{base.name}`, but for these, which have room for more:"
    return [
        f"## `{layout.name}`",
        first,
        _slices_table(changed),
        "Then follow:",
        _slices_table(layout.slices[len(base) :]),
    ]


def _bytes(layout: Layout) -> int:
    return layout.size * layout.dtype.itemsize


def _slices_table(parts: Iterable[Slice]) -> str:
    head = ["entries", "slice", "shape", "range", "encoding", "meaning", "clause"]
    return table(head, (_slice_row(part) for part in parts))


def _slice_row(part: Slice) -> tuple[str, ...]:
    where = ids(part.offset, part.size)
    return (where, f"`{part.name}`", _shape(part), _range(part), _encoding(part), part.meaning, part.clause)


def _shape(part: Slice) -> str:
    if part.axes == ("",):
        return "1"
    return " x ".join(str(size) for size in part.shape) + f": {' x '.join(part.axes)}"


def _range(part: Slice) -> str:
    return f"{part.low:g} to {part.high:g}"


def _encoding(part: Slice) -> str:
    return f"*{part.encoding}*" + (f" of {VALUE_AXES[part.name]}" if part.encoding == "id" else "")


def _axes(board: Board) -> list[str]:
    """Return the section that explains the axes, with the ids of ``board``."""
    parts = [part for layout in LAYOUT for part in layout]
    axes = {axis: size for part in parts for axis, size in zip(part.axes, part.shape, strict=True)}
    rows = []
    for axis, size in axes.items():
        if axis not in ("", "space", "relative side"):
            rows.append((axis, size, ", ".join(f"`{word or '-'}`" for word in axis_words(axis, board))))
    text = (
        "In index order. Where the board names the entries they are those of the default board, in the order of its "
        "file; entries beyond them are not used by it. A space is a city, then a connection (from index "
        f"{c.CONNECTION_SPACES} on), then a shipping space (from {c.TRACK_SPACES} on, {c.MAX_TRACK} to a region, the "
        "far end first)."
    )
    return ["## What the axes count", text, table(["axis", "entries", "in order"], rows)]


# --- docs/actions.md -----------------------------------------------------------------------------------------------

_ACTIONS_HEAD = """\
# Actions

An action is a whole number: the offset of its block plus an index. The standard game has the ids 0 to {last}, the
variants those from 0 to {variant_last}, games with Exploits those of the standard game and {exploit_first} to
{exploit_last}. Blocks are sized by the limits of the package, so an id means the same on every board and in every
variant, and blocks are only ever appended. The move in words, as in records and `game.play`, is
`verb:target` in the ids of the board.

Layout version {version}, hash `{hash}` in the standard game, `{variant_hash}` in the variants, `{exploit_hash}` with
Exploits; checkpoints carry the hash.

```python
from endeavor_env import Game

game = Game.new(players=4, seed=7)
game.legal_actions()         # ids; the mask of the environments marks the same ones
game.describe({example_id})            # "{example}"
game.encode("{example}")  # {example_id}
```

## Blocks"""

_ACTIONS_NOTE = """\
## Ids on the default board

These are the ids on `{board}`: {used} of the {total} of the standard game, {variant_used} of the {variant_total} of
the variants, {exploit_used} of those with Exploits. The others are **dead** on this board and never legal there:
indices beyond what it has
({counts}),
kept free for boards with more. Ids marked *never legal* name something of the board, but the rules never offer it: a
building that is not in the supply cannot be built, one without an activation space can neither be activated nor freed,
the start region has no shipping track, and no token is removed from a city overseas. Which of the others are legal
changes with every decision: ask the mask."""
_EVERY_VARIANT = "every variant"
_USED_BY_SOME = {
    "REMOVE_SPACE": "soloplay_2, soloplay_3",
    "REMOVE_CITY": "solo",
    "NEUTRAL_SAIL": "soloplay_2, soloplay_3, neutral_2",
    "NEUTRAL_OCCUPY": "soloplay_2, soloplay_3, neutral_2",
    "TAKE": "solo",
}
"""The variants that use a block, where not all whose ruleset has the block do."""


def actions_page() -> str:
    """Return the text of ``docs/actions.md``."""
    board = Board.default()
    example = next(block for block in BLOCKS if block.name == "OCCUPY").offset
    head = _ACTIONS_HEAD.format(
        last=NUM_ACTIONS - 1,
        variant_last=NUM_VARIANT_ACTIONS - 1,
        version=actions.LAYOUT_VERSION,
        hash=actions.layout_hash(),
        variant_hash=actions.layout_hash("solo"),
        exploit_first=NUM_VARIANT_ACTIONS,
        exploit_last=actions.num_actions("exploits") - 1,
        exploit_hash=actions.layout_hash("exploits"),
        example_id=example,
        example=notation.to_text(board, example),
    )
    blocks = table(["ids", "block", "size", "move", "the index counts", "used in"], (_block_row(b) for b in BLOCKS))
    room = {block.targets: (len(_named(board, block)), block.size) for block in BLOCKS}
    used = {block: len(_named(board, block)) for block in BLOCKS}
    note = _ACTIONS_NOTE.format(
        board=board.id,
        used=sum(count for block, count in used.items() if block.offset < NUM_ACTIONS),
        total=NUM_ACTIONS,
        variant_used=sum(used[block] for block in ruleset_of("solo").blocks),
        exploit_used=sum(used[block] for block in ruleset_of("exploits").blocks),
        variant_total=NUM_VARIANT_ACTIONS,
        counts=", ".join(f"a {what} block uses {has} of {size}" for what, (has, size) in room.items() if has < size),
    )
    return "\n\n".join([head, blocks, note, *(_block_section(board, block) for block in BLOCKS)]) + "\n"


def _named(board: Board, block: Block) -> dict[int, str]:
    """Return the target at each index of ``block`` that names something on ``board``."""
    return {index: target for index, target in enumerate(notation.targets(board, block)) if target is not None}


def _block_row(block: Block) -> tuple[object, ...]:
    used_in = _USED_BY_SOME.get(block.name) or _having(block)
    return (ids(block.offset, block.size), block.name, block.size, f"`{_form(block)}`", block.targets, used_in)


def _having(block: Block) -> str:
    """Return the variants whose ruleset has ``block``."""
    names = [variant for variant in c.VARIANT_NAMES if block in ruleset_of(variant).blocks]
    return _EVERY_VARIANT if len(names) == len(c.VARIANT_NAMES) else ", ".join(names)


def _form(block: Block) -> str:
    return block.verb if block.targets == "nothing" else f"{block.verb}:<{block.targets}>"


def _block_section(board: Board, block: Block) -> str:
    """Return heading and table of one block: a row for each id the board uses, one for each run of ids it does not."""
    known = _named(board, block)
    rows: list[tuple[object, ...]] = []
    dead = 0  # ids without a name since the last id with a name
    for index in range(block.size + 1):
        if index < block.size and index not in known:
            dead += 1
            continue
        if dead:
            rows.append((ids(block.offset + index - dead, dead), "", "", "*dead*"))
            dead = 0
        if index < block.size:
            action, remark = block.offset + index, "*never legal*" if _never_legal(board, block, index) else ""
            name = _display_name(board, block, known[index])
            rows.append((action, f"`{notation.to_text(board, action)}`", name, remark))
    return f"### {block.name}\n\n" + table(["id", "move", "name", ""], rows)


def _display_name(board: Board, block: Block, target: str) -> str:
    first, _, rest = target.partition(".")
    if block.targets == "card":
        return f"{board.names[first]} {rest.capitalize()}"
    if block.targets == "shipping space":
        return f"{board.names[first]}, space {rest}"
    return board.names.get(target, target.replace("_", " ").capitalize())


def _never_legal(board: Board, block: Block, index: int) -> bool:
    """Return whether the rules never offer this id on ``board``, though it names something there."""
    facts = board.array[0]
    if block.name == "BUILD":
        return facts.building_copies[index] == 0
    if block.name in ("ACTIVATE", "PAY"):
        return facts.building_mode[index] == c.MODE_NONE
    if block.name == "REMOVE_CITY":
        return facts.track_length[facts.city_region[index]] > 0
    return block.name in ("SAIL", "NEUTRAL_SAIL") and facts.track_length[index] == 0


def pages() -> dict[str, str]:
    """Return the text of both pages by their paths below ``docs``."""
    return {"observation.md": observation_page(), "actions.md": actions_page()}
