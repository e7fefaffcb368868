"""The parts of the machine code (``kernels.parts``) that every game on the engine shares."""

from __future__ import annotations

from endeavor_env.kernels.parts import Part, declare_parts

_HERE = "endeavor_env.engine.kernels"
BATCH = Part(
    "batch",
    "the batch engine",
    (
        "endeavor_env.kernels.sharing",
        *(f"{_HERE}.{name}" for name in ("endings", "playouts", "turn")),
    ),
)
SINGLE = Part("single", "single games of any kind", (f"{_HERE}.single",))
TREE = Part("tree", "the search of any game", (f"{_HERE}.tree_search",))
RECORDED = Part("recorded", "recorded games of any kind", (f"{_HERE}.self_play",))
declare_parts(BATCH, SINGLE, TREE, RECORDED)
