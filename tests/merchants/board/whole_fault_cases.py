"""Mistakes in a board as a whole, each with its fault and the beginning of its sentence."""

from __future__ import annotations

from tests.merchants.board.edits import (
    Case,
    all_violet_gone,
    city,
    far_from_numbers,
    larger,
    lyon_in_the_east,
    more_cities,
    numbered,
    placed,
    put,
    start,
    without,
)

CASES: list[Case] = [
    ("limits", "short", larger, "the board has 73 terrains: at most 72 are possible"),
    ("limits", "expert", more_cities, "the board has 49 cities: at most 48 are possible"),
    (
        "not_connected",
        "short",
        lambda data: data["terrains"].append({"at": [9, -9], "kind": "forest", "number": 8}),
        'paths lead from the crossroads [9, -9, "N"] to 6 crossroads only, not to the 114 others: join them with',
    ),
    ("city_count", "short", lambda data: without(data, "cities", "athens"), "the board has 27 cities: the short side"),
    ("city_count", "expert", lambda data: without(data, "cities", "seville"), "the board has 39 cities: the expert"),
    (
        "kind_missing",
        "short",
        lambda data: (
            [
                placed(data, *entry["at"])
                for entry in data["terrains"]
                if entry["kind"] == "meadow" and "number" in entry
            ]
            and numbered(data, 1, -2, 11)
        ),
        "no terrain of the kind meadow has a printed number: one must have it",
    ),
    ("number_missing", "short", lambda data: numbered(data, -2, 3, 3), "no terrain has the printed number 2: one must"),
    (
        "token_places",
        "short",
        lambda data: [numbered(data, q, r, 5) for q, r in ((-2, 4), (1, 3))],
        "field has 1 token places: it needs at least 3",
    ),
    (
        "token_places",
        "short",
        lambda data: placed(data, 4, -2, "dotted"),
        "meadow has 2 dotted token places: it must have exactly one",
    ),
    (
        "token_places",
        "expert",
        lambda data: placed(data, 0, 0),
        "meadow has 0 dotted token places: it",
    ),
    ("city_colours", "expert", all_violet_gone, "the board has 2 violet cities: the expert side needs 3"),
    ("city_colours", "short", far_from_numbers, "11 brown cities touch a printed number: at least 12 must do so"),
    (
        "start",
        "short",
        lambda data: data["start"].pop("white"),
        "white has no start places: the short side needs those of red, blue, white, orange",
    ),
    (
        "start",
        "short",
        lambda data: data["start"].update(green=data["start"]["red"]),
        "start places are given for 'green': the colours are red, blue, white, orange",
    ),
    ("start", "short", lambda data: data["start"]["red"]["posts"].pop(0), "red has 2 start posts: it must have 3"),
    (
        "start",
        "short",
        lambda data: data["start"]["red"]["posts"].__setitem__(0, "warsaw"),
        "the start post warsaw of red is a brown city: it must be a violet city",
    ),
    (
        "start",
        "short",
        lambda data: data["start"]["red"]["posts"].__setitem__(0, "oslo"),
        "the start post oslo of red is no city of the board: it must be a violet city",
    ),
    (
        "start",
        "short",
        lambda data: data["start"]["red"]["posts"].__setitem__(0, "rome"),
        "rome is a start post twice: each of them needs a city of its own",
    ),
    (
        "start",
        "short",
        start("red", "posts", ["kiev", "nuremberg", "hamburg"]),
        "the third start post hamburg of red touches forest, meadow: it must touch forest, field, salt_works, which",
    ),
    (
        "start",
        "short",
        start("red", "route", [[-1, 2, "S"], [1, 1, "N"]]),
        'the start route [[1, 1, "N"], [-1, 2, "S"]] of red is on no path: it must join two neighbouring crossroads',
    ),
    (
        "start",
        "short",
        start("red", "route", [[2, 0, "S"], [1, 0, "S"]]),
        'the start route [[1, 0, "S"], [2, 0, "S"]] of red is on no path: it must join two neighbouring crossroads',
    ),
    (
        "start",
        "short",
        start("white", "route", [[-1, 3, "N"], [-1, 2, "S"]]),
        'the start route [[-1, 3, "N"], [-1, 2, "S"]] of white is there twice: a path has one route at most',
    ),
    (
        "start",
        "short",
        start("red", "route", [[1, -3, "S"], [1, -2, "N"]]),
        'the start route [[1, -2, "N"], [1, -3, "S"]] of red ends at no start post of red: one of its ends must be one',
    ),
    (
        "start",
        "short",
        start("orange", "route", [[0, 1, "S"], [-1, 3, "N"]]),
        'the start route [[0, 1, "S"], [-1, 3, "N"]] of orange joins the cities prague and nuremberg: start routes may',
    ),
    (
        "fact_names",
        "short",
        lambda data: city(data, "venice").update(id="venezia"),
        "there is no city venice: the",
    ),
    (
        "fact_names",
        "expert",
        lambda data: city(data, "lyon").update(id="lugdunum"),
        "there is no city lyon: the",
    ),
    ("fact_names", "short", lyon_in_the_east, "there is a city lyon: it lies in"),
    ("fact_gold", "short", lambda data: [entry.update(gold=0) for entry in data["cities"]], "no city shows gold: some"),
    ("fact_arrow", "short", put("arrows", []), "no path carries a double arrow: some path does"),
    (
        "fact_arrow",
        "short",
        lambda data: data["arrows"].pop(0),
        "no double arrow lies on a shortest way between kaliningrad and wroclaw: one must lie there",
    ),
    (
        "fact_terrain",
        "expert",
        lambda data: numbered(data, -3, 3, 10),
        "lyon touches no meadow with the printed number 5: it must touch one",
    ),
    (
        "fact_terrain",
        "short",
        lambda data: (numbered(data, 3, -1, 9), placed(data, 4, -1)),
        "kaliningrad touches no salt_works with an empty token place: it must touch one",
    ),
    (
        "fact_terrain",
        "short",
        lambda data: (numbered(data, 0, 3, 4), placed(data, 6, -1)),
        "the terrains of belgrade with an empty token place are field: they must be field and mountain",
    ),
    (
        "fact_terrain",
        "short",
        lambda data: data["tokens"].update(salt_works=[9, 10, 4], forest=[9, 11, 11]),
        "salt_works has no token 11: it must have one",
    ),
    (
        "fact_terrain",
        "short",
        lambda data: data["tokens"].update(mountain=[10, 4, 3], meadow=[5, 9, 3]),
        "mountain has no token 9: it must have one",
    ),
]
