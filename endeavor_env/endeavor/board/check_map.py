"""Checks of ids, counts and map of a board: known and distinct ids, and numbers that add up.

Each ``check_*`` adds one sentence per fault to ``faults``. Fields that are already known to be faulty are absent from
the data, and a check skips what it cannot judge without them, so that one mistake in a file is one fault, not many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from endeavor_env.endeavor.board.schema import BoardData
from endeavor_env.endeavor.board.wording import spelled
from endeavor_env.endeavor.rules import constants as c


def ids_of(data: BoardData, key: str) -> list[str]:
    """Return the sound ids of a list of entries, in order, including repeated ones."""
    return [entry["id"] for entry in data.get(key, []) if "id" in entry]


def check_ids(data: BoardData, faults: list[str]) -> None:
    """Check that all ids are distinct, except that a deck may have the id of its own region."""
    kinds: dict[str, set[str]] = {}
    for key, noun in (("regions", "region"), ("cities", "city"), ("decks", "deck"), ("buildings", "building")):
        for name, count in Counter(ids_of(data, key)).items():
            kinds.setdefault(name, set()).add(noun)
            if count > 1:
                faults.append(f"{noun} id {name} is given {count} times; each {noun} needs an id of its own")
    regions = {deck["id"]: deck.get("region") for deck in data.get("decks", []) if "id" in deck}
    for name, found in kinds.items():
        own_deck = found == {"region", "deck"} and regions[name] in (name, None)
        if len(found) > 1 and not own_deck:
            faults.append(
                f"id {name} names a {' and a '.join(sorted(found))}; only a deck may share an id, with its own region"
            )


def check_sizes(data: BoardData, faults: list[str]) -> None:
    """Check that the numbers of entries fit the rules (R1.1) and the padded tables of the BOARD array."""
    if "regions" in data and len(data["regions"]) != c.NUM_REGIONS:
        faults.append(f"there are {spelled(len(data['regions']), 'region')}; a board has {c.NUM_REGIONS}")
    for key, noun, limit in (
        ("cities", "city", c.MAX_CITIES),
        ("connections", "connection", c.MAX_CONNECTIONS),
        ("buildings", "building", c.MAX_BUILDING_TYPES),
    ):
        if len(data.get(key, [])) > limit:
            faults.append(f"there are {spelled(len(data[key]), noun)}; a board has at most {limit}")
    if "connections" in data and not data["connections"]:
        faults.append("there is no connection; a board has at least one")


def check_regions(data: BoardData, faults: list[str]) -> None:
    """Check that one region is open at the start, that exactly the others have a track, and that all have a city."""
    regions = [region for region in data.get("regions", []) if {"id", "open_at_start"} <= region.keys()]
    if len(regions) != len(data.get("regions", [])) or not regions:
        return
    start = [region["id"] for region in regions if region["open_at_start"]]
    if len(start) != 1:
        found = f"{' and '.join(start)} have" if start else "none has"
        faults.append(f"exactly one region must have open_at_start = true; {found} it")
    else:
        for region in regions:
            _check_track(region, faults)
    homes = [city.get("region") for city in data.get("cities", [])]
    if "cities" in data and all(home in {region["id"] for region in regions} for home in homes):
        for region in regions:
            if region["id"] not in homes:
                faults.append(f"region {region['id']} has no city; every region needs at least one")


def _check_track(region: BoardData, faults: list[str]) -> None:
    """Check that exactly the region open at the start has no shipping track."""
    length = region.get("track_length")
    if region["open_at_start"] and length:
        faults.append(f"region {region['id']}: track_length is {length}; the region open at the start has no track (0)")
    if not region["open_at_start"] and length == 0:
        faults.append(
            f"region {region['id']}: track_length is 0; a region that is closed at the start has a shipping track "
            f"of 1 to {c.MAX_TRACK} spaces"
        )


def check_cities(data: BoardData, faults: list[str]) -> None:
    """Check that every city lies in a region of the board."""
    regions = ids_of(data, "regions")
    if "regions" not in data or len(regions) < len(data["regions"]):
        return
    for city in data.get("cities", []):
        if "region" in city and city["region"] not in regions:
            faults.append(
                f"city {city.get('id', '(without a sound id)')} lies in the unknown region {city['region']}; "
                f"the regions are {', '.join(regions)}"
            )


def check_connections(data: BoardData, faults: list[str]) -> None:
    """Check that connections join different pairs of known cities, and that no city has too many."""
    cities = ids_of(data, "cities")
    all_known = "cities" in data and len(cities) == len(data["cities"])
    seen: dict[frozenset[str], str] = {}
    degree: Counter[str] = Counter()
    for first, second in _ends(data):
        name, pair = f"{first}--{second}", frozenset((first, second))
        unknown = [city for city in (first, second) if city not in cities] if all_known else []
        for city in dict.fromkeys(unknown):
            faults.append(f"connection {name} ends in the unknown city {city}; every end must be the id of a city")
        if first == second:
            faults.append(f"connection {name} joins {first} with itself; its ends must be two different cities")
        elif pair in seen:
            faults.append(f"connection {name} repeats {seen[pair]}; two cities have at most one connection")
        else:
            seen[pair] = name
            degree.update(pair)
    for city, count in degree.items():
        if count > c.MAX_DEGREE:
            faults.append(f"city {city} has {spelled(count, 'connection')}; at most {c.MAX_DEGREE} may meet in a city")


def _ends(data: BoardData) -> Iterator[tuple[str, str]]:
    """Yield the two cities of each sound connection."""
    for connection in data.get("connections", []):
        if "cities" in connection:
            yield connection["cities"][0], connection["cities"][1]


def count_spaces(data: BoardData) -> int | None:
    """Return the number of cities, connections and shipping spaces (R1.3); None if the data do not say it."""
    regions = data.get("regions", [{}])
    if "cities" not in data or "connections" not in data or not all("track_length" in region for region in regions):
        return None
    tracks = sum(region["track_length"] for region in regions)
    return len(data["cities"]) + len(data["connections"]) + tracks


def check_spaces(data: BoardData, faults: list[str]) -> None:
    """Check that the tokens fill the spaces exactly (R1.2, R1.3, R2.1)."""
    spaces, counts = count_spaces(data), dict(data.get("tokens", {}))
    counts.pop("provenance", None)
    if spaces is None or len(counts) != c.NUM_TOKEN_KINDS:
        return
    tokens = sum(counts.values())
    if tokens != spaces:
        faults.append(
            f"the board has {spelled(spaces, 'space')} for {spelled(tokens, 'token')}; the token counts must add up to "
            "the number of cities, connections and shipping spaces"
        )
