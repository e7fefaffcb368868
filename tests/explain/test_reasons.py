"""Reasons are true, and the first in the order of the rules: lifting each named obstacle makes the move legal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from endeavor_env.endeavor.drawing.scene import Area, draw_scene
from endeavor_env.endeavor.drawing.scene.compose import areas_of_moves
from endeavor_env.endeavor.drawing.view import CityView, MatView, RegionView, View, view_game
from endeavor_env.endeavor.drawing.words import exploit_of
from endeavor_env.endeavor.explain import why_not, why_not_here
from endeavor_env.endeavor.explain.reasons import Reason, Reasons
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.errors import IllegalActionError
from tests.explain.lifts import LIFTS
from tests.kits.games import GAMES, new_game, play

EVERY, LIFTED = 8, 5
"""Decisions from one that is looked at to the next, and moves from one whose obstacles are lifted to the next."""
VERBS = (
    *("build", "activate", "spend", "pass", "sail", "occupy", "attack", "draw", "pay", "discard", "done"),
    *("remove", "neutral_sail", "neutral_occupy", "take"),
)
PARTS = {
    "attack": (c.ATTACK, c.NONE),
    "occupy_draw": (c.OCCUPY, c.DRAW),
    "sail_draw": (c.SAIL, c.DRAW),
    "pay": (c.PAY, c.NONE),
}
"""What a blue token allows."""


def city_region(game: Game, move: str) -> int:
    """The number of the region of a move's target, whatever kind of target it is; NONE for others."""
    board, target = game.board, move.partition(":")[2]
    if target in board.cities and not move.startswith("draw:"):
        return int(board.array[0].city_region[board.cities.index(target)])
    if move.startswith("draw:"):
        return int(board.array[0].deck_region[board.decks.index(target)])
    return board.regions.index(target.partition(".")[0]) if target.partition(".")[0] in board.regions else c.NONE


def number(game: Game, move: str) -> int:
    """The number of a move's target within its kind."""
    board, (verb, _, target) = game.board, move.partition(":")
    names: Any = {"draw": board.decks, "discard": board.cards, "spend": c.TOKEN_NAMES, "sail": board.regions}.get(verb)
    if verb == "neutral_sail":
        names = board.regions
    if verb in ("occupy", "attack", "neutral_occupy"):
        names = board.cities
    if verb in ("build", "activate", "pay"):
        names = board.buildings
    return int(target.partition(".")[2] or 1) - 1 if verb == "remove" else names.index(target) if names else c.NONE


def lift(game: Game, move: str, kind: str) -> bool:
    """Take away an obstacle; return whether that is possible for this kind."""
    if kind in LIFTS:
        LIFTS[kind](game.state[0], game.seat, number(game, move), city_region(game, move))
    return kind in LIFTS


# --- what can be seen of each reason, by another way of reading the position ------------------------------------------


def region_of(view: View, move: str) -> RegionView:
    target = move.partition(":")[2]
    for region in view.regions:
        names = [region.id, *(city.id for city in region.cities)]
        decks = [deck.id for deck in region.decks]
        if target in (decks if move.startswith("draw:") else names) or target.partition(".")[0] == region.id:
            return region
    raise AssertionError(move)


def city_of(view: View, move: str) -> CityView:
    return next(city for region in view.regions for city in region.cities if city.id == move.partition(":")[2])


def discs_in(region: RegionView, side: str) -> int:
    spaces = [*region.track, *(city.space for city in region.cities)]
    return sum(space.owner == side for space in spaces) + region.beside.get(side, 0)


def own(view: View) -> MatView:
    return next(mat for mat in view.mats if mat.decides)


def side(view: View) -> str:
    return "white" if view.solitaire else str(view.seat)


def level(view: View, move: str) -> int:
    building = view.board.buildings.index(move.partition(":")[2])
    return int(view.board.array[0].building_level[building])


def top_value(view: View, move: str) -> int:
    deck = next(deck for deck in region_of(view, move).decks if deck.id == move.partition(":")[2])
    return int(view.board.array[0].card_value[view.board.cards.index(deck.cards[0])])


def copies(view: View, move: str) -> tuple[int, int]:
    """How many copies of a building the seat has, and how many are in use."""
    found = [(one.copies, one.occupied) for one in own(view).buildings if one.id == move.partition(":")[2]]
    return found[0] if found else (0, 0)


def shown_tokens(view: View, move: str) -> list[str | None]:
    return [space.token for space in region_of(view, move).track]


def offered(view: View) -> set[str | None]:
    if view.solitaire:
        return {building for row in view.solitaire.grid for building in row}
    return set(view.building_supply)


SEEN: dict[str, Callable[[View, str], bool]] = {
    "harbor": lambda view, move: own(view).harbor == 0,
    "closed": lambda view, move: not region_of(view, move).open,
    "taken": lambda view, move: city_of(view, move).space.owner is not None,
    "empty": lambda view, move: city_of(view, move).space.owner is None,
    "own": lambda view, move: city_of(view, move).space.owner == side(view),
    "presence": lambda view, move: (
        discs_in(region_of(view, move), side(view)) == 0 and bool(region_of(view, move).track)
    ),
    "discs": lambda view, move: (own(view).harbor or 0) < 3,
    "pirate": lambda view, move: "pirate" in city_of(view, move).pieces,
    "missionary": lambda view, move: "missionary" in city_of(view, move).pieces,
    "value": lambda view, move: top_value(view, move) > discs_in(region_of(view, move), side(view)),
    "pile": lambda view, move: not next(
        deck for deck in region_of(view, move).decks if deck.id == move.partition(":")[2]
    ).cards,
    "no track": lambda view, move: not region_of(view, move).track,
    "supply": lambda view, move: move.partition(":")[2] not in offered(view),
    "grid": lambda view, move: move.partition(":")[2] not in offered(view),
    "level": lambda view, move: level(view, move) > own(view).levels["industry"],
    "top": lambda view, move: any(level(view, f"build:{one.id}") == 5 for one in own(view).buildings),
    "owned": lambda view, move: copies(view, move)[0] == 0,
    "free": lambda view, move: copies(view, move)[1] == 0,
    "own pay": lambda view, move: copies(view, move)[1] == 1,
    "space": lambda view, move: not view.board.array[0].building_mode[
        view.board.buildings.index(move.partition(":")[2])
    ],
    "token": lambda view, move: move.partition(":")[2] not in own(view).tokens,
    "held": lambda view, move: move.partition(":")[2] not in own(view).cards,
    "no token": lambda view, move: shown_tokens(view, move)[int(move.partition(".")[2]) - 1] is None,
    "removals": lambda view, move: shown_tokens(view, move).count(None) >= (3 if view.variant == "soloplay_2" else 2),
    "colour": lambda view, move: discs_in(region_of(view, move), f"neutral-{view.seat}") == 0,
    "full": lambda view, move: all(space.owner for space in region_of(view, move).track),
    "inactive": lambda view, move: not next(
        tile for tile in view.exploits if tile.id == exploit_of(move.partition(":")[0])
    ).active,
    "shield": lambda view, move: side(view) not in next(
        tile for tile in view.exploits if tile.id == exploit_of(move.partition(":")[0])
    ).shields,
    "not in play": lambda view, move: exploit_of(move.partition(":")[0]) not in [tile.id for tile in view.exploits],
}  # fmt: skip
"""What a reason claims, read off the view of the position."""


def token_has_no_target(game: Game, move: str) -> bool:
    """Whether the action of a token would have no target, asked of the kernels as if it were under way."""
    copy = game.clone()
    state = copy.state[0]
    state.decision, state.source, state.mode = c.DECIDE_TARGET, c.NONE, c.MODE_EITHER
    state.parts[:] = PARTS[move.partition(":")[2]]
    return not copy.legal_moves()


def check_all(game: Game, moves: list[str], first: int = 0) -> set[str | None]:
    """Check the reasons of all moves, and lift the obstacles of some from ``first`` on; return the kinds met."""
    view, reasons, legal = view_game(game), Reasons(game), set(game.legal_moves())
    verbs, met = {move.partition(":")[0] for move in legal}, set()
    for index, move in enumerate(moves):
        reason = reasons.of_move(move)
        assert (reason is None) == (move in legal), move
        met.add(reason.kind if reason else None)
        if reason is not None:
            check(game, view, move, reason, verbs, lifts=index % LIFTED == first % LIFTED)
    return met


def check(game: Game, view: View, move: str, reason: Reason | None, verbs: set[str], *, lifts: bool) -> None:
    """Check the reason of one move that is not legal; ``verbs`` are those of the legal ones."""
    assert reason is not None
    told = f"{move} in {game.decision}: {reason}"
    if reason.kind in SEEN:
        assert SEEN[reason.kind](view, move), told
    elif reason.kind in ("decision", "part") and reason.clause not in ("", "N2"):
        assert move.partition(":")[0] not in verbs, told
    elif reason.kind == "effect" and move != "done":
        assert own(view).tokens[move.partition(":")[2]], told
        assert token_has_no_target(game, move), told
    copy, kinds = game.clone(), [reason.kind]
    while lifts and reason is not None and lift(copy, move, reason.kind):
        reason = Reasons(copy).of_move(move)  # None only if the kernels call the move legal now
        assert reason is None or reason.kind not in kinds, told
        kinds += [reason.kind] if reason else []
    assert reason is None or reason.kind != "other" or exploit_of(move.partition(":")[0]), f"{told} {kinds}"
    if lifts and "discs" in kinds and reason is None:
        check_number_of_discs(copy, move, told)


def check_number_of_discs(game: Game, move: str, told: str) -> None:
    """Check that an Attack, legal now, takes as many discs of the harbor as its reason says, no more and no fewer."""
    game.state[0].harbor[game.seat] = 0
    found = Reasons(game).of_move(move)
    assert found is not None, told
    needed = int(found.text.partition("takes ")[2][0])
    for harbor, legal in ((needed - 1, False), (needed, True)):
        game.state[0].harbor[game.seat] = harbor
        assert (Reasons(game).of_move(move) is None) == legal, told


def moves_of_block(game: Game, verbs: tuple[str, ...]) -> list[str]:
    """Every move there is in the variant, of these verbs and of Exploits."""
    found = []
    for action in range(len(game.mask())):
        try:
            move = game.describe(action)
        except IllegalActionError:
            continue
        verb = move.partition(":")[0]
        if verb in verbs or (exploit_of(verb) and action % 7 == 0):
            found.append(move)
    return found


@pytest.mark.parametrize("name", ["standard", *GAMES])
def test_every_reason_is_true_and_lifting_the_obstacles_makes_the_move_legal(name: str) -> None:
    seed = 1
    game = Game.new(4, seed=seed) if name == "standard" else new_game(name, seed)
    moves, met, made = moves_of_block(game, VERBS), set(), 0
    while not game.over:
        if made % EVERY == 0 or game.decision in ("discard", "round_end_discard", "neutral"):
            met |= check_all(game, moves, made)
        made += 1
        play(game, 1000 * seed + made, 1)
    assert check_all(game, moves) == {"over"}
    assert met >= {None, "decision", "part", "owned", "used", "token", "space"}


@pytest.mark.parametrize("name", ["standard", *GAMES])
def test_a_thing_with_a_legal_move_has_no_reason_and_others_have_true_ones(name: str) -> None:
    game = Game.new(4, seed=5) if name == "standard" else new_game(name, 5)
    for made in range(60):
        view = view_game(game)
        scene = draw_scene(view)
        mat = "player" if game.variant == "solo" else str(game.seat)
        busy = {area.key for area in areas_of_moves(scene, game.legal_moves(), mat).values()}
        for area in (shape for shape in scene.shapes if isinstance(shape, Area)):
            why = why_not_here(game, area.key)
            if area.key in busy and not area.key.startswith("exploit:") and game.decision != "opposition":
                assert why is None or game.decision == "follow_up", f"{area.key} in {game.decision}: {why}"
        play(game, made, 2)


def base(seed: int = 1) -> Game:
    return Game.new(3, seed=seed)


def play_to(game: Game, decision: str) -> Game:
    """Make first legal moves until this is asked."""
    while game.decision != decision:
        game.play(game.legal_moves()[0])
    return game


def test_the_first_obstacle_in_the_order_of_the_rules_is_named() -> None:
    game = play_to(base(), "turn")
    assert str(why_not(game, "occupy:london")) == (
        "First choose an action: activate a building or spend a blue token. (R7.1)"
    )
    game.play("activate:colonial_house")
    assert why_not(game, "occupy:london") is None
    assert str(why_not(game, "occupy:bombay")) == "India is closed until its shipping track is full. (R8.2.1)"
    assert str(why_not(game, "sail:india")) == "The action under way allows an Occupy now. (R8.8)"
    game.state[0].open[game.board.regions.index("india")] = 1
    assert str(why_not(game, "occupy:bombay")) == "You have no disc in India yet. (R8.3.2)"
    game.state[0].city_owner[game.board.cities.index("bombay")] = (game.seat + 1) % 3
    assert str(why_not(game, "occupy:bombay")) == "Bombay has a disc already. (R8.3.1)"
    game.state[0].harbor[game.seat] = 0
    assert str(why_not(game, "occupy:bombay")) == "You have no disc in harbor. (R7.4)"


def test_buildings_say_what_they_lack() -> None:
    game = base()
    state, at = game.state[0], {name: number for number, name in enumerate(game.board.buildings)}
    assert (
        str(why_not(game, "build:museum")) == "Museum has level 5, and your Industry of 0 builds up to level 1. (R4.2)"
    )
    state.building_supply[[at["market"], at["shipyard"], at["workshop"]]] = 0
    assert str(why_not(game, "build:market")) == "No Market is left in the supply. (R4.2)"
    assert why_not(game, "build:bank") is None
    assert str(why_not(game, "build:dock")) == (
        "Up to level 1 nothing is left, so that level 2 is open: Dock has level 3. (R4.3)"
    )
    state.status[game.seat, c.INDUSTRY] = 12
    state.buildings[game.seat, at["exchange"]] = 1
    assert str(why_not(game, "build:museum")) == "You have your one building of level 5 already. (R4.4)"


def test_attacks_of_exploits_name_the_discs_they_really_take() -> None:
    game = Game.new(3, seed=1, exploits=["imperialism", "spanish_main", "jesuits"])
    state, board = game.state[0], game.board
    seat, havana = game.seat, board.cities.index("new_orleans")
    state.decision, state.mode, state.source = c.DECIDE_TARGET, c.MODE_ONE, board.buildings.index("barracks")
    state.parts[:] = c.ATTACK, c.NONE
    state.phase, state.open[:], state.presence[seat, :] = c.PHASE_ACTION, 1, 1
    state.city_owner[havana], state.fortified, state.harbor[seat] = (seat + 1) % 3, 1 << havana, 2
    told = "The Attack takes 3 discs of your harbor, and you have 2. (R8.5.2)"
    assert str(why_not(game, "attack:new_orleans")) == told
    state.harbor[seat] = 3
    assert why_not(game, "attack:new_orleans") is None
    state.missionary[0] = havana
    assert str(why_not(game, "attack:new_orleans")) == "A city with a missionary cannot be attacked. (E6)"
    canton, formosa = board.cities.index("canton"), board.cities.index("formosa")
    state.blocked, state.fortified, state.harbor[seat] = 0, 0, 1
    state.city_owner[canton], state.city_owner[formosa] = (seat + 1) % 3, seat
    assert why_not(game, "attack:canton") is None  # a supply line saves the casualty
    state.blocked = 1 << board.connections.index("canton--formosa")
    assert str(why_not(game, "attack:canton")) == ("The Attack takes 2 discs of your harbor, and you have 1. (R8.5.2)")


def test_things_of_others_and_of_nobody_have_no_reason() -> None:
    game = play_to(base(), "turn")
    other = (game.seat + 1) % 3
    for key in (f"building:{other}:colonial_house", f"token:{other}:pay", "connection:london--paris", "region:india"):
        assert why_not_here(game, key) is None
    assert str(why_not_here(game, f"token:{game.seat}:pay")) == "You have no such token. (R7.3)"


def test_no_move_is_refused() -> None:
    with pytest.raises(IllegalActionError, match="occupy:atlantis"):
        why_not(base(), "occupy:atlantis")


def test_reading_reasons_changes_nothing() -> None:
    game = play_to(base(), "turn")
    before = game.state.copy()
    for move in moves_of_block(game, VERBS):
        why_not(game, move)
    assert np.array_equal(before, game.state)
    assert entry.seat(game.state) == game.seat


@pytest.mark.parametrize(("variant", "limit", "clause"), [("soloplay_2", 3, "V2S.4"), ("soloplay_3", 2, "V3S.3")])
def test_a_track_says_how_many_tokens_it_may_lose(variant: str, limit: int, clause: str) -> None:
    game = Game.new(variant=variant, seed=3)
    first = c.TRACK_SPACES + game.board.regions.index("india") * c.MAX_TRACK
    tokens = game.state[0].token[first : first + 6]
    tokens[:limit] = c.NONE
    assert str(why_not(game, "remove:india.6")) == f"India has lost {limit} tokens, as many as a track may. ({clause})"
    assert str(why_not(game, "remove:india.1")) == f"No token lies there any more. ({clause})"
    tokens[limit - 1] = 0
    assert why_not(game, "remove:india.6") is None


def test_a_second_draw_names_the_pile_of_the_first_and_a_value_only_if_it_is_too_high() -> None:
    game = base()
    state, board, seat = game.state[0], game.board, game.seat
    state.decision, state.mode, state.source = c.DECIDE_TARGET, c.MODE_BOTH_SAME_DECK, 0
    state.parts[:], state.parts_done = (c.DRAW, c.NONE), 1
    state.lock_deck = board.decks.index("europe")
    state.open[:], state.pile_top[:] = 1, 1
    state.presence[seat, :] = 1
    assert why_not(game, "draw:europe") is None
    assert (
        str(why_not(game, "draw:india")) == "The second card comes from the same pile, Europe & Mediterranean. (R8.8)"
    )
    state.pile_top[:] = 3
    told = "The top card has value 3, and 1 of your discs count in India. (R8.7.1)"
    assert str(why_not(game, "draw:india")) == told
    state.pile_top[board.decks.index("slavery")], state.abolished = 6, 1
    assert str(why_not(game, "draw:slavery")) == "Slavery is abolished: its cards have left the game. (R8.9.3)"


def test_the_second_part_of_an_action_names_the_region_of_the_first() -> None:
    game = base()
    state, board = game.state[0], game.board
    state.decision, state.mode, state.source = c.DECIDE_TARGET, c.MODE_BOTH_SAME_REGION, board.buildings.index("dock")
    state.parts[:], state.parts_done, state.harbor[game.seat] = (c.NONE, c.OCCUPY), 1, 3
    state.lock_region, state.open[:] = board.regions.index("india"), 1
    state.presence[game.seat, :] = 1
    assert why_not(game, "occupy:bombay") is None
    assert str(why_not(game, "occupy:luanda")) == "Both parts of the action are in one region, India. (R8.8)"
    assert str(why_not(game, "sail:india")) == "The action under way allows an Occupy now. (R8.8)"
