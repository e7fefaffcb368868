"""Checks of a board: its components and its map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from endeavor_env.endeavor.board.format import GOVERNOR, LEVEL_TABLES, BoardData, spelled
from endeavor_env.endeavor.rules import constants as c

# --- Checks of decks, buildings, status tracks and constants of a board ----------------------------------------------
# How checks report is said below.

PARTS_OF_MODE = {"none": 0, "one": 1, "either": 2, "both": 2, "both_same_region": 2, "both_same_deck": 2}
_TOP_LEVEL = 5


def check_decks(data: BoardData, faults: list[str]) -> None:
    """Check that each region has one ordinary deck, and the start region a Slavery deck as well (R1.4)."""
    regions = {region["id"]: region for region in data.get("regions", []) if "id" in region}
    all_known = "regions" in data and all("id" in region for region in data["regions"])
    start = [region for region in regions.values() if region.get("open_at_start")]
    decks = data.get("decks", [])
    for deck in decks:
        if "region" in deck and all_known and deck["region"] not in regions:
            faults.append(
                f"deck {_deck_id(deck)} lies in the unknown region {deck['region']}; "
                f"the regions are {', '.join(regions)}"
            )
        region = regions.get(deck.get("region", ""), {})
        if (
            {"id", "name"} <= deck.keys() & region.keys()
            and deck["id"] == region["id"]
            and deck["name"] != region["name"]
        ):
            faults.append(f"deck {deck['id']} shares the id of its region but not its name {region['name']}")
        if "cards" in deck and region and len(start) == 1:
            _check_values(deck, region is start[0], faults)
    if "decks" in data:
        _check_deck_counts(decks, regions, start, faults)
        _check_abolition(decks, faults)


def _deck_id(deck: BoardData) -> str:
    return deck.get("id", "(without a sound id)")


def _check_values(deck: BoardData, open_at_start: bool, faults: list[str]) -> None:
    """Check that a deck has the values 0..5 in the start region, the Governor and 1..5 elsewhere, each once."""
    if not all("value" in card for card in deck["cards"]):
        return
    wanted = [0 if open_at_start else GOVERNOR, *range(1, c.CARDS_PER_DECK)]
    counts = Counter(card["value"] for card in deck["cards"])
    for value in wanted:
        if value not in counts:
            faults.append(f"deck {_deck_id(deck)} has no card of value {value}; it needs {_listed(wanted)}, each once")
    for value, count in counts.items():
        if value not in wanted:
            faults.append(f"deck {_deck_id(deck)} has a card of value {value}; it needs {_listed(wanted)}, each once")
        elif count > 1:
            faults.append(f"deck {_deck_id(deck)} has {count} cards of value {value}; each value is needed once")


def _listed(values: list[int | str]) -> str:
    return ", ".join(str(value) for value in values)


def _check_deck_counts(
    decks: list[BoardData], regions: dict[str, BoardData], start: list[BoardData], faults: list[str]
) -> None:
    """Report the number of decks if it is wrong, else the regions with the wrong decks."""
    known = all({"region", "slavery"} <= deck.keys() and deck["region"] in regions for deck in decks)
    wrong = []
    if known and len(regions) == c.NUM_REGIONS and len(start) == 1:
        for name, region in regions.items():
            kinds = sorted(deck["slavery"] for deck in decks if deck["region"] == name)
            wanted = [False, True] if region in start else [False]
            if kinds != wanted:
                needs = "1 ordinary and 1 slavery deck" if region in start else "1 ordinary deck and no slavery deck"
                wrong.append(
                    f"region {name} has {kinds.count(False)} ordinary and {kinds.count(True)} slavery decks; "
                    f"it needs {needs}"
                )
    if len(decks) != c.NUM_DECKS:
        detail = f" ({'; '.join(wrong)})" if wrong else ""
        faults.append(f"there are {spelled(len(decks), 'deck')}; a board has {c.NUM_DECKS}{detail}")
    else:
        faults.extend(wrong)


def _check_abolition(decks: list[BoardData], faults: list[str]) -> None:
    """Check that exactly one card ends slavery, and that it is neither a Governor nor a Slavery card (R8.9)."""
    cards = [(deck, card) for deck in decks for card in deck.get("cards", [])]
    if not all("abolition" in card for _, card in cards) or not all("cards" in deck for deck in decks):
        return
    found = [(deck, card) for deck, card in cards if card["abolition"]]
    if len(found) != 1:
        faults.append(f"{spelled(len(found), 'card')} with abolition = true; exactly one card must end slavery")
        return
    deck, card = found[0]
    if card.get("value") == GOVERNOR:
        faults.append(f"deck {_deck_id(deck)}: the Governor has abolition = true; that card must be one that is drawn")
    elif deck.get("slavery"):
        faults.append(
            f"deck {_deck_id(deck)}: a slavery card has abolition = true; it must be a card of an ordinary deck"
        )


def check_buildings(data: BoardData, faults: list[str]) -> None:
    """Check levels and copies, modes and actions, that the supply lasts (R1.5, R4), and that rounds end (R8.6)."""
    for building in data.get("buildings", []):
        label = f"building {building.get('id', '(without a sound id)')}"
        if {"start", "level", "copies"} <= building.keys():
            _check_supply(building, label, faults)
        if {"mode", "actions"} <= building.keys():
            _check_mode(building, label, faults)
    _check_copies(data, faults)
    _check_pay(data, faults)


def _check_supply(building: BoardData, label: str, faults: list[str]) -> None:
    """Check that start buildings, and only they, have level 0 and no copies in the supply."""
    level, copies = building["level"], building["copies"]
    if building["start"] and (level or copies):
        faults.append(
            f"{label} has start = true, level {level}, copies {copies}; a start building has level 0, copies 0"
        )
    if not building["start"] and level == 0:
        faults.append(f"{label} has level 0 without start = true; a building of the supply has a level from 1 to 5")
    if not building["start"] and copies == 0:
        faults.append(f"{label} has copies 0 without start = true; a building of the supply has at least one copy")


def _check_mode(building: BoardData, label: str, faults: list[str]) -> None:
    """Check that a building has the actions that its mode combines (R8.8)."""
    mode, actions = building["mode"], building["actions"]
    shown = f"[{', '.join(actions)}]"
    if len(actions) != PARTS_OF_MODE[mode]:
        faults.append(f"{label} has mode {mode} with {shown}; that mode takes {spelled(PARTS_OF_MODE[mode], 'action')}")
    elif mode == "both_same_deck" and actions != ["draw", "draw"]:
        faults.append(f"{label} has mode {mode} with {shown}; that mode takes draw and draw")
    elif mode == "both_same_region" and "pay" in actions:
        faults.append(f"{label} has mode {mode} with {shown}; that mode takes two of sail, occupy, attack, draw")


def _check_copies(data: BoardData, faults: list[str]) -> None:
    """Check that every player can build in every round (R4.1).

    Copies of level 5 do not count, because a player takes only one (R4.4).
    """
    buildings, constants = data.get("buildings"), data.get("constants", {})
    if (
        buildings is None
        or "rounds" not in constants
        or not all({"level", "copies"} <= building.keys() for building in buildings)
    ):
        return
    copies = sum(building["copies"] for building in buildings if building["level"] != _TOP_LEVEL)
    needed = c.MAX_PLAYERS * constants["rounds"]
    if copies < needed:
        faults.append(
            f"the buildings below level {_TOP_LEVEL} have {copies} copies in all; {c.MAX_PLAYERS} players who build in "
            f"each of {constants['rounds']} rounds need at least {needed}"
        )


def _check_pay(data: BoardData, faults: list[str]) -> None:
    """Check that a player never owns two buildings that pay, counting copies, because then a round need not end.

    Each of two would free the other for as long as their owner likes (R8.6.2, C1): neither costs more discs than it
    brings back. A single one is used once a round, and once more for each blue token that frees it. A player has every
    start building, at most one of level 5 (R4.4), and builds once a round.
    """
    buildings, rounds = data.get("buildings"), data.get("constants", {}).get("rounds")
    keys = {"id", "level", "copies", "start", "mode", "actions"}
    if buildings is None or rounds is None or not all(keys <= building.keys() for building in buildings):
        return
    paying = [building for building in buildings if _pays(building)]
    at_start = sum(building["start"] for building in paying)
    at_top = any(building["level"] == _TOP_LEVEL and building["copies"] for building in paying)
    between = sum(building["copies"] for building in paying if not building["start"] and building["level"] < _TOP_LEVEL)
    if at_start + min(rounds, between + at_top) > 1:
        names = [building["id"] for building in paying]
        faults.append(
            f"a player can own two buildings, or two copies of one, of those that pay ({_listed(names)}); two of them "
            "free each other without end (R8.6), so there may be one start building, one copy below level "
            f"{_TOP_LEVEL}, or any number of level {_TOP_LEVEL}, of which a player builds one (R4.4)"
        )


def _pays(building: BoardData) -> bool:
    """Return whether a building with actions that fit its mode pays."""
    mode, actions = building["mode"], building["actions"]
    return "pay" in actions and mode in ("one", "either", "both") and len(actions) == PARTS_OF_MODE[mode]


def check_status_tracks(data: BoardData, faults: list[str]) -> None:
    """Check that thresholds and Glory spaces rise from 0, and that level tables match and never fall (R1.8, R1.9)."""
    tracks = data.get("status_tracks", {})
    for key in ("thresholds", "glory_spaces"):
        if key in tracks:
            _check_rising(key, tracks, faults)
    for key in LEVEL_TABLES:
        table = tracks.get(key, [])
        if table and "thresholds" in tracks and len(table) != len(tracks["thresholds"]):
            faults.append(
                f"status_tracks: {key} has {spelled(len(table), 'value')} for "
                f"{spelled(len(tracks['thresholds']), 'threshold')}; it needs one for each"
            )
        if any(after < before for before, after in pairwise(table)):
            faults.append(f"status_tracks: {key} falls in {table}; a higher level never gives less")


def _check_rising(key: str, tracks: BoardData, faults: list[str]) -> None:
    """Check that the marker positions of ``key`` rise from 0 to at most the end of the track."""
    places, highest = tracks[key], tracks.get("max")
    if places[0] != 0:
        faults.append(f"status_tracks: {key} starts at {places[0]}; it must start at 0, where every marker starts")
    if any(after <= before for before, after in pairwise(places)):
        faults.append(f"status_tracks: {key} does not rise in {places}; each number must be higher than the last")
    elif highest is not None and places[-1] > highest:
        faults.append(f"status_tracks: {key} goes up to {places[-1]}; the track ends at max = {highest}")


def check_constants(data: BoardData, faults: list[str]) -> None:
    """Check that a mat has room for one building in each round (R4.1)."""
    constants = data.get("constants", {})
    if {"rounds", "building_spaces"} <= constants.keys() and constants["building_spaces"] < constants["rounds"]:
        faults.append(
            f"constants: building_spaces is {constants['building_spaces']} for {constants['rounds']} rounds; "
            "a player builds once a round and needs a space each time"
        )


# --- Checks of ids, counts and map of a board: known and distinct ids, and numbers that add up -----------------------
# Each ``check_*`` adds one sentence per fault to ``faults``. Fields that are already known to be faulty are absent from
# the data, and a check skips what it cannot judge without them, so that one mistake in a file is one fault, not many.


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
