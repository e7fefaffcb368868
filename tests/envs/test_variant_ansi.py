"""The text board of the variants with neutral discs."""

from __future__ import annotations

import re

import pytest

from endeavor_env.core import constants as c
from endeavor_env.envs.gym_env import EndeavorEnv
from endeavor_env.game import Game
from endeavor_env.render.ansi import WIDTH, render
from endeavor_env.sampling import generator, sample_action
from tests.kits.games import GAMES, PLAYERS, finished, running

NEUTRAL_GAMES = [name for name, (variant, _) in GAMES.items() if variant != "solo"]
SIDES = {
    "soloplay_2": ("0", "1", "neutral"),
    "soloplay_3": ("0", "1", "2", "neutral"),
    "neutral_2": ("0", "1", "neutral-0", "neutral-1"),
}


def part(text: str, heading: str) -> str:
    """Returns the indented lines under ``heading``, joined."""
    lines = text.split("\n")
    start = lines.index(heading) + 1
    end = next(index for index in range(start, len(lines)) if not lines[index].startswith("  "))
    return " ".join(line.strip() for line in lines[start:end])


@pytest.mark.parametrize("decisions", [0, 9, 60, 130])
@pytest.mark.parametrize("name", NEUTRAL_GAMES)
def test_the_table_of_seats_with_the_neutral_discs(name: str, decisions: int) -> None:
    """V2S.2, V2S.6: in reserve and harbor; V2F.1: in the supply of the seat's neutral side."""
    game = running(name, 3, decisions)
    state, players = game.state[0], game.num_players
    head, *rows = re.findall(r"^  .{3}(?:seat| +\d) .*$", render(game), re.MULTILINE)[: players + 1]
    heads = "neutral supply" if game.variant == "neutral_2" else "neutral harbor  reserve"
    assert head.endswith(f"harbor  supply  glory  {heads}")
    for seat, row in enumerate(rows):
        if game.variant == "neutral_2":
            own = [state.supply[players + seat]]
        else:
            own = [state.neutral_harbor[seat], state.neutral_reserve[seat]]
        numbers = [*state.status[seat], state.harbor[seat], state.supply[seat], game.scores()[seat], *own]
        found = re.fullmatch(r"  ([> ])([* ]) +(\d)((?: +-?\d+)+)(  passed)?", row)
        assert found is not None
        assert [int(number) for number in [found[3], *found[4].split()]] == [seat, *numbers]
        assert (found[1] == ">", found[2] == "*") == (game.seat == seat, state.first_player == seat)
        assert bool(found[5]) == state.passed[seat]


@pytest.mark.parametrize("name", NEUTRAL_GAMES)
def test_every_space_of_the_board_is_told_by_side(name: str) -> None:
    game = finished(name, 3)
    board, state, text, sides = game.board, game.state[0], render(game), SIDES[game.variant]
    rules, shown = board.array[0], ""

    def on(owner: int, space: int) -> str:
        if owner == c.SPACE_CLOSED:
            return "closed"
        if owner != c.NONE:
            return f"<{sides[owner]}>"
        return c.TOKEN_NAMES[state.token[space]] if state.token[space] != c.NONE else "-"

    for region, name_of in enumerate(board.regions):
        lines = part(text, f"{board.names[name_of]} ({'open' if state.open[region] else 'closed'})")
        length = int(rules.track_length[region])
        track = [on(state.track_owner[region, n], c.TRACK_SPACES + region * c.MAX_TRACK + n) for n in range(length)]
        assert not length or f"track: {', '.join(track)} " in lines
        for city, city_name in enumerate(board.cities):
            if rules.city_region[city] == region:
                space = re.escape(on(state.city_owner[city], c.CITY_SPACES + city))
                assert re.search(rf"\b{city_name}\*+ {space}(,| )", lines)
        shown += lines
    assert all(f"<{side}>" in shown for side in sides[:2])
    assert any(f"<{side}>" in shown for side in sides[game.num_players :])
    assert ("closed" in shown) == ((state.track_owner == c.SPACE_CLOSED).any())


def test_V2S_5_closed_spaces_and_what_stays() -> None:
    """Six tracks have lost the token of the far space before anybody decides (V2S.3)."""
    for stays, space in ((False, "closed"), (True, "-")):
        game = Game.new(variant="soloplay_2", seed=1, options={"variant_removed_spaces_stay": stays})
        text = render(game)
        assert text.count(f"  track: {space}, ") == 6
        assert ("still takes a disc" in text, "it takes no disc" in text) == (stays, not stays)
        assert ("\nOptions: variant_removed_spaces_stay\n" in text) is stays


@pytest.mark.parametrize(("variant", "tokens"), [("soloplay_2", 6), ("soloplay_3", 8)])
def test_V2S_4_tokens_to_remove(variant: str, tokens: int) -> None:
    game = Game.new(variant=variant, seed=1)
    while game.phase == "setup":
        head = render(game).split("\n")[:2]
        assert head[0] == f"Endeavor (2009), {variant}: set-up"
        assert head[1] == f"Seat {game.seat} decides: remove (tokens still to leave the tracks: {tokens})"
        seat, move = game.seat, game.legal_moves()[0]
        game.play(move)
        tokens -= 1
        assert f"Last move: seat {seat} {move}\n" in render(game)
    assert tokens == 0
    assert render(game).startswith(
        f"Endeavor (2009), {variant}: round 1 of 7, build phase\nSeat {game.seat} decides: build\n"
    )


def test_V2F_whose_neutral_disc_is_placed() -> None:
    rng, seen = generator(1), set()
    game = Game.new(variant="neutral_2", seed=1)
    while not game.over:
        if game.decision == "neutral":
            line = render(game).split("\n")[1]
            assert line == f"Seat {game.seat} decides: neutral (a disc of neutral-{game.seat})"
            seen.add(game.seat)
        game.apply(sample_action(game.mask(), rng))
    assert seen == {0, 1}


def test_V2S_10_V2F_7_no_side_without_a_seat_controls_a_connection() -> None:
    for variant in SIDES:
        game = Game.new(variant=variant, seed=1)
        state, players = game.state[0], game.num_players
        first, second = game.board.array[0].connection_city[0]
        for side, controls in ((players, False), (1, True)):
            state.city_owner[first] = state.city_owner[second] = side
            lines = part(render(game), "Connections")
            token = c.TOKEN_NAMES[state.token[c.CONNECTION_SPACES]]
            assert lines.startswith(f"{game.board.connections[0]} {token}{f' <{side}>' if controls else ''}, ")


def test_neutral_discs_beside_a_track_and_out_of_the_game() -> None:
    """V2S.13; VC1."""
    game = Game.new(variant="soloplay_3", seed=1)
    state = game.state[0]
    assert "out of the game" not in render(game)
    state.beside[3, 1], state.beside[2, 1] = 2, 1
    state.supply[3] = 2
    assert "beside the track: seat 2 x1, neutral x2 " in part(render(game), "Far East (closed)")
    assert "\nNeutral discs out of the game x2\n" in render(game)
    state.supply[3] = 0
    other = Game.new(variant="neutral_2", seed=1)
    other.state[0].beside[3, 1] = 1
    assert "beside the track: neutral-1 x1 " in part(render(other), "Far East (closed)")
    assert "out of the game" not in render(other)


@pytest.mark.parametrize("variant", SIDES)
def test_the_legend_explains_the_neutral_discs_that_there_are(variant: str) -> None:
    last = render(Game.new(variant=variant, seed=1)).split("\n")[-1]
    assert last.startswith("<neutral-n> a disc" if variant == "neutral_2" else "<neutral> a neutral disc;")
    assert "neutral" not in render(Game.new(3, seed=1))


def test_the_environment_tells_the_moves_since_the_last_look() -> None:
    env = EndeavorEnv(variant="neutral_2", render_mode="ansi", learner_seat=1)
    env.reset(seed=4, options={"first_player": 0})
    assert re.search(r"\nLast move: seat 0 build:\w+\n", env.render() or "")
    env.step(int(env.action_masks().argmax()))
    made = [f"seat {seat} {env.game().describe(action)}" for seat, action in env.game().history[1:]]
    assert made[0].startswith("seat 1 build:")
    text = (env.render() or "").partition("\n\n")[0]
    assert " ".join(line.strip() for line in text.split("\n")[2:]) == (
        f"Last moves: {', '.join(made)}" if len(made) > 1 else f"Last move: {made[0]}"
    )


@pytest.mark.parametrize("name", NEUTRAL_GAMES)
def test_it_is_plain_text_of_moderate_width_and_changes_nothing(name: str) -> None:
    assert set(PLAYERS) - {"solo"} == set(SIDES)
    for game in (running(name, 3, 70), finished(name, 3)):
        before = game.state.tobytes(), list(game.history)
        for text in (str(game), render(game, 0)):
            assert text.isascii()
            assert max(map(len, text.split("\n"))) <= WIDTH
        assert (game.state.tobytes(), game.history) == before
