"""What happens in a game that few games show, so that a test can ask for it by name."""

from __future__ import annotations

from collections.abc import Iterator

from endeavor_env.endeavor.game import Game

TOP = ("exchange", "museum", "parliament")
RARE = {
    "a Governor for the seat that opened the region",
    "a Governor for another seat",
    "a disc beside a full track",
    "abolition while Slavery cards are held",
    "a building of level 5 built",
    "a second one of level 5 barred",
    "a building of level 5 pays",
    "Pay barred from its own building",
    "dock: both parts",
    "dock: one part, then done",
    "cartographer: both parts",
    "cartographer: one part, then done",
    "trade_office: both parts",
    "trade_office: one part, then done",
    "a Governor discarded",
    "a Slavery card discarded",
    "another card discarded",
    "an optional discard made",
    "an optional discard declined",
    "a discard at the end of the round",
}


def seen_in(finished: Game) -> set[str]:
    """Return everything of RARE that happens in a game."""
    game = Game.new(finished.num_players, setup=finished.setup(), board=finished.board)
    found: set[str] = set()
    for _, action in finished.history:
        before = game.clone()
        game.apply(action)
        verb, _, target = before.describe(action).partition(":")
        found.update(of_move(before, verb, target))
        found.update(of_change(before, game))
    return found


def of_move(game: Game, verb: str, target: str) -> Iterator[str]:
    """Yield what the decision and the move chosen show."""
    seat, state, buildings = game.seat, game.state[0], game.board.buildings
    owns_top = any(state["buildings"][seat, buildings.index(name)] for name in TOP)
    if verb == "build":
        level = game.board.array["build_level"][0, min(15, int(state["status"][seat, 0]))]
        left = any(state["building_supply"][buildings.index(name)] for name in TOP)
        if owns_top and level == 5 and left:
            yield "a second one of level 5 barred"
        if target in TOP:
            yield "a building of level 5 built"
    if game.decision == "target" and state["source"] >= 0:
        source = buildings[state["source"]]
        if state["parts_done"] == 1:
            yield f"{source}: {'one part, then done' if verb == 'done' else 'both parts'}"
        if source in TOP:
            yield "Pay barred from its own building"
            yield from ["a building of level 5 pays"] if verb == "pay" else []
    if game.decision in ("discard", "round_end_discard"):
        yield from of_discard(game, verb, target)


def of_discard(game: Game, verb: str, target: str) -> Iterator[str]:
    """Yield what a discard, or declining one, shows."""
    optional = "done" in game.legal_moves()
    if optional:
        yield f"an optional discard {'declined' if verb == 'done' else 'made'}"
    if game.decision == "round_end_discard":
        yield "a discard at the end of the round"
    if verb == "discard":
        deck, _, card = target.partition(".")
        kind = "a Governor" if card == "governor" else "a Slavery card" if deck == "slavery" else "another card"
        yield f"{kind} discarded"


def of_change(before: Game, after: Game) -> Iterator[str]:
    """Yield what a move has changed beyond its own seat."""
    old, new = before.state[0], after.state[0]
    if new["open"].sum() > old["open"].sum():
        won = new["num_governors"][before.seat] > old["num_governors"][before.seat]
        yield f"a Governor for {'the seat that opened the region' if won else 'another seat'}"
    if new["beside"].sum() > old["beside"].sum():
        yield "a disc beside a full track"
    if new["abolished"] > old["abolished"] and old["num_slavery"].any():
        yield "abolition while Slavery cards are held"
