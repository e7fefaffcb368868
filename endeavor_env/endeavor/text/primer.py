"""The rules for somebody who never saw the game, with the clauses each paragraph tells."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import NamedTuple

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.explain.things import EXPLOIT_SENTENCES
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.rules import constants as c

# --- The rules in plain words, each paragraph with the clauses of docs/rules.md that it tells ------------------------


class Paragraph(NamedTuple):
    """Some clauses in plain words."""

    clauses: str
    """Their numbers, separated by spaces."""
    text: str


BASE = (
    Paragraph(
        "R1.1 R2.5 R3.1 R3.2 R11.3 R12.10",
        "Endeavor is a game of European trade and empire. Seats are numbered from 0, and play goes to the next higher "
        "seat, after the last to seat 0. The game has {rounds} rounds of four phases: Build, Growth, Salary, Action. "
        "Each phase begins with the first player. Who has most Glory at the end wins; a tie is a shared win. Nothing "
        "is hidden, and nothing is left to chance after the set-up.",
    ),
    Paragraph(
        "R1.7 R1.8 R10.1 R2.4",
        "Your mat has four statuses, which rise by one for each symbol of your buildings, brown tokens and cards. "
        "Industry is the highest level you may build, Culture how many discs grow, Finance how many discs come back, "
        "Politics how many cards you may keep. {statuses} Your {discs} discs begin in your supply; only discs in your "
        "harbor can act.",
    ),
    Paragraph(
        "R1.1 R1.3 R2.1",
        "The map has regions with cities. Europe is open from the start. The others are closed until their shipping "
        "track is full. One trade token lies on every city, every connection between two cities and every space of a "
        "track. Brown tokens bear the name of a status and raise it; blue tokens (attack, occupy_draw, sail_draw, pay) "
        "are kept to be spent.",
    ),
    Paragraph(
        "R4.1 R4.2 R4.3 R4.4 R4.5 R5.1 R6.1 R6.2",
        "Build: take one building, at most of the level that Industry gives (if none is left, of the lowest level "
        "above that has one); nobody owns two of level 5. Growth: discs move from supply to harbor. Salary: Finance "
        "says how many discs return from your buildings to your harbor; you choose which if there are more.",
    ),
    Paragraph(
        "R7.1 R7.2 R7.3 R7.4 R7.5 R7.6",
        "Action: in turn everybody does one thing or passes, until all have passed; who passed is out for the round. "
        "You may activate a building (a harbor disc goes on it, and blocks it until a payment frees it) and do what it "
        "shows, spend a blue token (no disc, but it must have an effect), or pass.",
    ),
    Paragraph(
        "R8.1.1 R8.1.2 R8.2.1 R8.2.2 R8.2.3",
        "Sail: put a harbor disc on the next space of any track and take its token; beside a full track there is none. "
        "The disc that fills a track opens the region, and whoever has most discs on the track gets the Governor card "
        "(tied: the one of them nearest to the cards, which is the space filled last).",
    ),
    Paragraph(
        "R8.3.1 R8.3.2 R8.4.1 R8.4.2 R8.4.3",
        "Occupy: put a harbor disc into a free city of an open region and take its token. You must be present: have a "
        "disc in a city of the region, on its track or beside it. In Europe everybody is. Whoever first holds both "
        "ends of a connection takes its token.",
    ),
    Paragraph(
        "R8.5.1 R8.5.2 R8.5.3",
        "Attack: take a city of another player in an open region where you are present. It costs two harbor discs: one "
        "goes to your supply, the other replaces the enemy's, which returns to its owner's supply.",
    ),
    Paragraph(
        "R8.7.1 R8.7.2 R8.7.3",
        "Draw: take the top card of a pile of an open region. You need as many discs in the region as the card's value "
        "(for Europe and Slavery: cities in Europe); none is spent.",
    ),
    Paragraph("R8.6.1 R8.6.2", "Pay: one disc of another of your buildings returns to your harbor."),
    Paragraph(
        "R8.8 R8.8.1 R8.8.2",
        "A building with two actions joined by 'or' gives one of them. With '+' you may do both, or less, in any "
        "order, where the board says so in one region or from one pile.",
    ),
    Paragraph(
        "R9.1 R9.2 R9.3 R9.5 R9.6 R9.7 R11.2",
        "Cards: when you pass you may keep as many as Politics says. One Governor in its own place and one Slavery "
        "card do not count, as long as all others fit {slots} places. You discard the rest, lose their symbols; most "
        "return to their pile, Governors leave the game, Slavery cards are set aside face down.",
    ),
    Paragraph(
        "R8.9.1 R8.9.2",
        "When the card {abolition} is first drawn, slavery is abolished: all Slavery cards are turned face down, with "
        "the loss of their symbols, and the pile is gone.",
    ),
    Paragraph(
        "R12.1 R12.2 R12.3 R12.4 R12.5 R12.6 R12.7 R12.8 R12.9",
        "Glory at the end: each city what it shows, 1 if it shows nothing; each connection whose two cities are yours "
        "{connection}; each status the highest of {glory_spaces} that its symbols reach; what cards and buildings "
        "show; {no_governor} for an empty Governor place; 1 for every {discs_per_glory} discs in harbor; minus "
        "{slavery} for each face-down Slavery card.",
    ),
)
MOVES = (
    "Moves are written verb:target, with ids. build:<building>; pay:<building>, the disc that returns; "
    "activate:<building>, spend:<token>, pass; then the targets of the action, one decision each: sail:<region>, "
    "occupy:<city>, attack:<city>, draw:<pile>, pay:<building>; discard:<card>; done ends an action early."
)
SOLO = (
    Paragraph(
        "S1.1 S2.5 S8.3",
        "You play alone against the Opposition: four colours that share one mat and follow rules. It has no Build, "
        "Growth or Salary, and its actions are free. You win if your Glory is at least the Opposition's: 0 more is a "
        "minor victory, 3 a victory, 5 major, 7 complete, 9 total.",
    ),
    Paragraph(
        "S1.2 S1.3 S2.1 S2.2 S2.3 S2.4 S6.1 S6.2 S6.3 S7.5",
        "You build from a grid, five levels of three columns. The marker of the action scale begins a round at 3 "
        "(rounds 1 to 3), 4 (4 and 5) or 5; it rises by the columns between your tile and the crown, which moves to "
        "your tile. The colours below the marker act, and go to the top of the scale afterwards: two to six actions.",
    ),
    Paragraph(
        "S3.2 S3.3 S3.5 S3.6",
        "You act first in rounds 1 and 2, the Opposition from round 3 on if its first colour can occupy. If you made a "
        "Draw, the colour under the marker draws once after the round.",
    ),
    Paragraph(
        "S4.1 S4.2 S4.4 S4.5 S5.1",
        "Each of its discs does the first that it can: occupy a city that completes a connection of its colour, occupy "
        "any city, fill a track whose Governor it wins, ship elsewhere, draw. Ties go by what helps it most; what is "
        "left open you decide, and the position says that the decision is 'opposition'.",
    ),
    Paragraph(
        "S1.9 S1.8", "In the set-up remove:<city> takes a blue token from Europe; take:<status> answers a theft."
    ),
)
SOLOPLAY = (
    Paragraph(
        "V2S.2 V2S.6 V2S.7 V2S.8 V2S.9 V3S.2 V3S.4",
        "Each player has neutral discs in reserve, three with two players and two with three. After Salary who has a "
        "smaller harbor than another gets one. After an own action it may go with neutral_sail:<region> or "
        "neutral_occupy:<city> to a region of the action, after a Draw anywhere; at most one a turn.",
    ),
    Paragraph(
        "V2S.1 V2S.4 V2S.5 V3S.3",
        "Before the game players remove tokens from tracks (remove:<region>.<n>); such a space is closed and counts as "
        "filled. With two players one copy of each building of levels 1 to 4 is out.",
    ),
    Paragraph(
        "V2S.10 V2S.11 V2S.12 V2S.13 V2S.14",
        "You take the token under a neutral disc. Neutral discs give no presence, are one side for the Governor, may "
        "be attacked, and are worth 1 Glory each while in reserve.",
    ),
)
NEUTRAL_2 = (
    Paragraph(
        "V2F.1 V2F.2 V2F.3 V2F.4 V2F.5 V2F.6 V2F.8 V2F.9 V2F.11",
        "Each player also handles a neutral colour. After an own Sail one of its discs must go to a track "
        "(neutral_sail:<region>), after an own Occupy into another free city (neutral_occupy:<city>), if possible in "
        "the same region. The tokens there leave the game. With the Dock one follows each part, with the Cartographer "
        "one follows both. Neutral colours score nothing; a Governor they win is gone.",
    ),
)
EXPLOITS = (
    Paragraph(
        "X0 X1.3 X1.4 X1.6 X1.7 X1.11",
        "Players have 35 discs, unless an option says 30. Each Exploit is tied to two regions and active once both are "
        "open. Whoever is present in both has a shield on it, and may use an ability, offered among the targets as "
        "<exploit>_<verb>:<target>, instead of a normal action of its kind. What follows is a decision of its own. At "
        "the end each scores for those with a shield.",
    ),
)
OF_VARIANT = {
    "standard": (),
    "solo": SOLO,
    "soloplay_2": SOLOPLAY,
    "soloplay_3": SOLOPLAY,
    "neutral_2": NEUTRAL_2,
    "exploits": EXPLOITS,
}
"""Additional paragraphs of each variant."""


# --- The rules for somebody who never saw the game -------------------------------------------------------------------
# At most 2,500 words, with the board in play and the variant.

MOST_WORDS = 2500
_JOINED = {
    "none": ("", ""),
    "one": (" or ", ""),
    "either": (" or ", ""),
    "both": ("+", ""),
    "both_same_region": ("+", " in one region"),
    "both_same_deck": ("+", " from one pile"),
}
"""Text between the actions of a building of each mode, and text after them."""


def primer(config: GameConfig) -> str:
    """Return the rules of a game: those of the base game, its board, and what its variant changes.

    Args:
        config: What is played; of Exploits that will be drawn nothing can be told but what all share.
    """
    named = config.exploits if isinstance(config.exploits, tuple) else ()
    return _primer(config.board, config.variant, config.players, named)


@functools.lru_cache(maxsize=64)
def _primer(board: Board, variant: str, players: int, exploits: tuple[str, ...]) -> str:
    parts = [
        "# Endeavor, the rules",
        *(paragraph.text.format(**_facts(board)) for paragraph in BASE),
        f"This game has {players} {'seat' if players == 1 else 'seats'}. {MOVES}",
    ]
    if OF_VARIANT[variant]:
        parts += [f"## What the variant {variant} changes", *(paragraph.text for paragraph in OF_VARIANT[variant])]
    parts += [f"{name}: {EXPLOIT_SENTENCES[name].text}" for name in exploits]
    return "\n\n".join([*parts, "## The board", *_board(board)])


def _facts(board: Board) -> dict[str, object]:
    """Return what the paragraphs leave to the board in play."""
    rules = board.array[0]
    tracks = board.to_dict()["status_tracks"]
    levels = (("build_level", "Industry"), ("growth", "Culture"), ("payments", "Finance"), ("card_limit", "Politics"))
    steps = "; ".join(f"{name} {', '.join(map(str, tracks[table]))}" for table, name in levels)
    abolition = [card for card, is_it in zip(board.cards, rules.card_abolition, strict=True) if is_it]
    return {
        "rounds": int(rules.num_rounds),
        "discs": int(rules.discs_per_player),
        "slots": int(rules.card_slots),
        "statuses": f"With {', '.join(map(str, tracks['thresholds']))} symbols they are: {steps}.",
        "glory_spaces": ", ".join(map(str, tracks["glory_spaces"])),
        "abolition": " or ".join(abolition),
        "connection": int(rules.connection_glory),
        "no_governor": int(rules.empty_governor_slot_glory),
        "discs_per_glory": int(rules.discs_per_glory),
        "slavery": int(rules.slavery_penalty),
    }


def _board(board: Board) -> Iterable[str]:
    """Yield the facts of a board: buildings, regions with cities and cards, connections."""
    yield "Buildings by level:\n" + "\n".join(_buildings(board))
    yield "Regions:\n" + "\n".join(_region(board, at) for at in range(c.NUM_REGIONS))
    yield "Connections: " + ", ".join(board.connections) + "."
    yield (
        "Cards, with the lowest value on top (symbols of Industry, Culture, Finance, Politics; g is Glory):\n"
        + "\n".join(_deck(board, deck) for deck in range(c.NUM_DECKS))
    )


def _buildings(board: Board) -> Iterable[str]:
    rules = board.array[0]
    levels = sorted({int(level) for level in rules.building_level[: len(board.buildings)]})
    for level in levels:
        here = [at for at in range(len(board.buildings)) if rules.building_level[at] == level]
        copies = {int(rules.building_copies[at]) for at in here}
        times = f" ({'/'.join(map(str, sorted(copies)))} of each)" if level else " (at the start)"
        yield f"{level}{times}: " + ", ".join(_building(board, at) for at in here)


def _building(board: Board, at: int) -> str:
    rules = board.array[0]
    mode = c.MODE_NAMES[rules.building_mode[at]]
    actions = [c.ACTION_NAMES[part] for part in rules.building_action[at] if part >= 0]
    joined, where = _JOINED[mode]
    shown = [joined.join(actions) + where] if actions else []
    icons = symbols(rules.building_icons[at])
    glory = int(rules.building_glory[at])
    words = [*shown, *([icons] if icons else []), *([f"{glory}g"] if glory else [])]
    return f"{board.buildings[at]} ({', '.join(words) or 'nothing'})"


def symbols(icons: Iterable[int]) -> str:
    """Return symbols as letters, such as "2I 1C"."""
    return " ".join(
        f"{int(count)}{name[0].upper()}" for name, count in zip(c.STATUS_NAMES, icons, strict=True) if count
    )


def _region(board: Board, at: int) -> str:
    rules = board.array[0]
    cities = [number for number in range(len(board.cities)) if rules.city_region[number] == at]
    named = [
        board.cities[city] + (f" ({int(rules.city_glory[city])}g)" if rules.city_glory[city] != 1 else "")
        for city in cities
    ]
    track = int(rules.track_length[at])
    return f"{board.regions[at]} ({f'track of {track}' if track else 'no track'}): {', '.join(named)}"


def _deck(board: Board, deck: int) -> str:
    first = deck * c.CARDS_PER_DECK
    return f"{board.decks[deck]}: " + ", ".join(_card(board, card) for card in range(first, first + c.CARDS_PER_DECK))


def _card(board: Board, card: int) -> str:
    rules = board.array[0]
    glory = int(rules.card_glory[card])
    words = [symbols(rules.card_icons[card]), *([f"{glory}g"] if glory else [])]
    return f"{board.cards[card].rpartition('.')[2]} {' '.join(filter(None, words)) or '-'}"
