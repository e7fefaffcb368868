"""The faults that a board can have, by name and in the order in which they are listed (board format, section 3)."""

from __future__ import annotations

FORM_FAULTS = {
    "format": "the format is another one, or a key is missing, unknown or has a value of a wrong type",
    "side": "the side is neither `short` nor `expert`",
    "terrain_twice": "two terrains are on one cell",
    "terrain_kind": "a terrain has an unknown kind",
    "terrain_number": "a printed number is not 2 to 6 or 8 to 12",
    "number_or_token": "a terrain has both a number and a token or neither, or an unknown word for a token",
    "city_name": "an id is there twice or not made of lower-case letters and `_`, or two cities lie on one crossroads",
    "city_place": "a city lies on no crossroads",
    "city_colour": "a city is neither brown nor violet",
    "city_gold": "the gold of a city is not 0 to 5, or not 0 beside three terrains",
    "sea_path": "a sea path is no edge, lies beside a terrain, ends where no crossroads is, or is there twice",
    "arrow_place": "a double arrow is on no path, or there twice",
    "robber_place": "the robber is on no terrain, or not on an empty token place",
    "token_values": "a kind has not three tokens, or the values are not the fifteen of the box",
    "development_cards": "the cards are not of the four kinds, one kind has none, or they are not 25",
}
"""What is wrong with single entries of the file; everything else is judged only if there is none of these."""
WHOLE_FAULTS = {
    "limits": "there are more terrains, crossroads, paths or cities than the action ids have room for",
    "not_connected": "paths do not lead to every crossroads",
    "city_count": "there are fewer than 28 (short) or 40 (expert) cities",
    "kind_missing": "no terrain of a kind has a printed number",
    "number_missing": "no terrain has the printed number of some sum of two dice other than seven",
    "token_places": "a kind has fewer than three token places, or not exactly one that is dotted",
    "city_colours": "fewer than 12 (short) or 3 (expert) cities are violet, or fewer than 12 brown ones touch a number",
    "start": "on the short side: a colour is missing or unknown; it has not three violet cities of its own, the third "
    "with the terrains of the start cards; its route is on no path, taken, not beside an own post, or joins cities",
}
"""What is wrong with the board as a whole: graph, economy and start."""
FACT_FAULTS = {
    "fact_names": "a city is missing, or lies on the short side but in western Europe",
    "fact_distance": "cities lie nearer together or farther apart",
    "fact_terrain": "a city does not touch the terrain that it must touch, or a token is missing",
    "fact_gold": "no city shows gold",
    "fact_arrow": "there is no double arrow, or none on a shortest way between Kaliningrad and Wroclaw",
}
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
