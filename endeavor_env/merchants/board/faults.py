"""The faults that a board can have, by name and in the order in which they are listed (board format, section 3)."""

from __future__ import annotations

FORM_FAULTS = (
    "format",
    "side",
    "terrain_twice",
    "terrain_kind",
    "terrain_number",
    "number_or_token",
    "city_name",
    "city_place",
    "city_colour",
    "city_gold",
    "sea_path",
    "arrow_place",
    "robber_place",
    "token_values",
    "development_cards",
)
"""What is wrong with single entries of the file; everything else is judged only if there is none of these."""
WHOLE_FAULTS = (
    "limits",
    "not_connected",
    "city_count",
    "kind_missing",
    "number_missing",
    "token_places",
    "city_colours",
    "start",
)
"""What is wrong with the board as a whole: graph, economy and start."""
FACT_FAULTS = ("fact_names", "fact_distance", "fact_terrain", "fact_gold", "fact_arrow")
"""What contradicts a known fact (K2.10); judged only if nothing else is wrong."""
FAULTS = (*FORM_FAULTS, *WHOLE_FAULTS, *FACT_FAULTS)

Fault = tuple[str, str]
"""The name of a fault, and one sentence about what is wrong and what would be right."""


class FaultList:
    """Faults that are found one by one."""

    def __init__(self) -> None:
        """Begin without a fault."""
        self._found: list[Fault] = []

    def add(self, name: str, detail: str) -> None:
        """Add a fault, one of ``FAULTS``."""
        self._found.append((name, detail))

    def in_order(self) -> list[Fault]:
        """Return all faults in the order of ``FAULTS``, those of one name in the order in which they were found."""
        return sorted(self._found, key=lambda fault: FAULTS.index(fault[0]))
