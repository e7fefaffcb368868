"""The reasons for what the Opposition does, as one number: the item of its rules in the low bits, then flags."""

from __future__ import annotations

# --- items: number -> clause ----------------------------------------------------------------------------------------
ITEM_NOTHING = 0
ITEM_EUROPE_NEAR, ITEM_EUROPE_FAR, ITEM_EUROPE_ANY = 1, 2, 3  # S1.8a, S1.8b, S1.8c
ITEM_REMOVE = 4
ITEM_CONNECT, ITEM_GLORY, ITEM_CITY = 5, 6, 7  # S4.1 a, and b with and without a city of 2 Glory
ITEM_COMPLETE = 8  # c
ITEM_FIRST_SPACE, ITEM_LATER_SPACE, ITEM_BESIDE = 9, 10, 11  # d.i, d.ii, d.iii
ITEM_DRAW = 12  # e
ITEM_DRAW_HERE, ITEM_DRAW_ANYWHERE = 13, 14  # S5.4 for a token: in its region, else everywhere
ITEM_ATTACK, ITEM_PAY = 15, 16  # S5.5
ITEM_BONUS = 17
ITEM_DISCARD = 18
ITEM_CLAUSES = (
    *(
        "S4.2",
        "S1.8a",
        "S1.8b",
        "S1.8c",
        "S1.9",
        "S4.1a",
        "S4.1b",
        "S4.1b",
        "S4.1c",
        "S4.1d.i",
        "S4.1d.ii",
        "S4.1d.iii",
    ),
    *("S4.1e", "S5.4", "S5.4", "S5.5", "S5.5", "S3.6", "S7.1"),
)
ITEM_TEXTS = (
    "nothing is feasible",
    "connected to a region where the colour has the first shipping space",
    "connected to a region where the colour has the second shipping space",
    "connected to no such region",
    "one blue token leaves Europe",
    "completes a connection",
    "a free city of 2 Glory",
    "a free city",
    "completes a track and wins its Governor",
    "a track whose first space the colour has",
    "a track of which the colour has a later space",
    "beside the track of an open region with a free city",
    "draws where the colour has most discs",
    "draws in the region of the token",
    "draws in any region",
    "attacks where most Glory changes hands",
    "takes a token from the player",
    "the bonus draw of the round",
    "discards to the card limit",
)
ITEM_MASK = 31

# --- flags: the tie-breaks that narrowed the choice, in the order they apply, and other circumstances -----------------
TIE_BLUE = 1 << 8  # T1 of S5.1
TIE_STATUS = 1 << 9  # T2 of S5.1, also for the tokens of tracks (S5.2)
TIE_BLUE_TRACK = 1 << 10  # a blue token on a track may be chosen as well (S5.2)
TIE_PRESENCE = 1 << 11  # item e: the regions where the colour has most discs
TIE_ADVANCE = 1 << 12  # C1 of S5.3
TIE_ICONS = 1 << 13  # C2
TIE_OVERSHOOT = 1 << 14  # C3
TIE_SWING = 1 << 15  # greatest swing of an attack, the Glory that changes hands (S5.5)
TIE_BEST_DISCARD = 1 << 16  # the discards that leave the Opposition best off (S7.1)
USELESS = 1 << 17  # nothing useful was feasible: the second run of the list (S4.3)
BY_TOKEN = 1 << 18  # the action of a blue token (S5.5)
TIE_NAMES = {
    TIE_BLUE: "T1",
    TIE_STATUS: "T2",
    TIE_BLUE_TRACK: "S5.2",
    TIE_PRESENCE: "most present",
    TIE_ADVANCE: "C1",
    TIE_ICONS: "C2",
    TIE_OVERSHOOT: "C3",
    TIE_SWING: "swing",
    TIE_BEST_DISCARD: "best holding",
}
