"""The text board of the solitaire game: the Opposition's things, what it did and why."""

from __future__ import annotations

import re

import pytest

from endeavor_env.core import constants as c
from endeavor_env.core.variants.solo.reasons import TIE_NAMES
from endeavor_env.envs.solo_env import EndeavorSoloEnv
from endeavor_env.game import Game
from endeavor_env.opposition import Step, explain, explain_last
from endeavor_env.render.ansi import WIDTH, render, render_position
from endeavor_env.render.ansi.solo_text import TIE_WORDS
from endeavor_env.sampling import generator, sample_action
from tests.kits.games import GAMES_AND_SEEDS, SEEDS, finished, running

DECISIONS = [0, 3, 20, 45]


def block(text: str, heading: str) -> list[str]:
    """Returns the indented lines under the line that is ``heading``."""
    lines = text.split("\n")
    start = lines.index(heading) + 1
    end = next(index for index in range(start, len(lines)) if not lines[index].startswith("  "))
    return lines[start:end]


def joined(lines: list[str]) -> str:
    return " ".join(line.strip() for line in lines)


def told(text: str) -> list[tuple[str, str]]:
    """Returns what the text board tells of the Opposition: (who did what, why) for each step."""
    if "\nThe Opposition\n" not in text:
        return []
    steps: list[tuple[str, str]] = []
    for line in block(text, "The Opposition"):
        if line.startswith(" " * 6):
            steps[-1] = (steps[-1][0], f"{steps[-1][1]} {line.strip()}".strip())
        else:
            steps.append((line.strip(), ""))
    return steps


def expected(step: Step) -> tuple[str, str]:
    """Puts a step into words, in another way than the text board does it."""
    where = f"round {step.round}" if step.round else "set-up"
    disc = f" (disc {step.position})" if step.position else ""
    token = f", {step.token} token" if step.token else ""
    who = f"{where}, {step.colour}{disc}{token}: {'?' if step.asked else step.move or 'nothing'}"
    parts = [f"{step.clause} {step.reason}", *(["nothing useful is left (S4.3)"] if step.useless else [])]
    parts += [f"{name}: {TIE_WORDS[name]}" for name in step.tie_breaks]
    count, options = len(step.options), ", ".join(step.options)
    if count == 1:
        parts.append("one option left")
    elif count and step.asked:
        parts.append(f"the player is to choose 1 of {count}: {options}")
    elif count:
        parts.append(f"{'the first' if step.decided_by == 'first' else 'the player chose'} of {count}: {options}")
    return who, "; ".join(parts)


# --- what the Opposition did and why --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["solo", "solo, first", "solo, harder"])
def test_each_move_is_followed_by_what_the_opposition_did_and_why(name: str) -> None:
    """Drawn after every move, the steps told are those of ``explain_last``, and together those of ``explain``."""
    game = finished(name, 10)
    here, steps = Game.new(variant="solo", setup=game.setup(), options=game.options), []
    for _, action in [(0, -1), *game.history][:30]:
        if action >= 0:
            here.apply(action)
        last = explain_last(here)
        assert told(render(here)) == [expected(step) for step in last]
        steps += last
    assert len(steps) > 10
    assert {step.clause for step in steps} & {"S4.1a", "S4.1b"}


@pytest.mark.parametrize(("name", "seed"), GAMES_AND_SEEDS)
def test_a_whole_game_is_told_from_the_start(name: str, seed: int) -> None:
    game = finished(name, seed)
    text = render(game, 0)
    assert told(text) == [expected(step) for step in explain(game)]
    moves = [game.describe(action) for _, action in game.history]
    shown = joined(text.partition("\nThe Opposition\n")[0].partition("\nLast moves: ")[2].split("\n"))
    assert shown == ", ".join(moves)


def test_all_ways_of_deciding_are_told_somewhere() -> None:
    """So that the comparisons above compare something of each kind."""
    why = "\n".join(reason for name, seed in GAMES_AND_SEEDS for _, reason in told(render(finished(name, seed), 0)))
    for words in ("one option left", "the player chose of ", "the first of ", "nothing is feasible", "(S4.3)"):
        assert words in why
    for name in ("T1", "T2", "C1", "most present"):
        assert f"{name}: {TIE_WORDS[name]}" in why


def test_every_tie_break_has_words() -> None:
    assert set(TIE_WORDS) == set(TIE_NAMES.values())


def test_S10_an_open_question_shows_its_options_and_the_answer_settles_it() -> None:
    game = running("solo", 10, 20)
    while game.decision != "opposition":
        game.play(game.legal_moves()[0])
    options = game.legal_moves()
    who, why = told(render(game))[-1]
    assert who.endswith(": ?")
    assert why.endswith(f"the player is to choose 1 of {len(options)}: {', '.join(options)}")
    acting = c.COLOUR_NAMES[game.state["acting"][0]]
    assert render(game).split("\n")[1] == f"The player decides for the Opposition ({acting})"
    game.play(options[1])
    who, why = told(render(game))[0]
    assert who.endswith(f": {options[1]}")
    assert why.endswith(f"the player chose of {len(options)}: {', '.join(options)}")


def test_a_question_nobody_acts_in_names_no_colour() -> None:
    """S1.9: which blue token leaves Europe; S7.1: which card is discarded."""
    for seed in range(30):
        game = Game.new(variant="solo", seed=seed)
        while game.phase == "setup" and not game.legal_moves()[0].startswith("remove:"):
            game.play(game.legal_moves()[0])
        if game.phase == "setup":
            break
    assert render(game).split("\n")[1] == "The player decides for the Opposition"
    assert told(render(game))[-1][0] == "set-up, opposition: ?"


def test_since_tells_all_that_was_not_seen() -> None:
    game = finished("solo", 7)
    for since in (1, 6, len(game.history) - 1):
        steps = [s for s in explain(game) if s.after > since or (s.after == since and s.decided_by == "player")]
        assert told(render(game, since)) == [expected(step) for step in steps]
        moves = [game.describe(action) for _, action in game.history[since:]]
        assert joined(render(game, since).split("\n")[1:]).startswith(
            f"Last move{'s' * (len(moves) > 1)}: {', '.join(moves)} "
        )
    for since in (None, len(game.history), len(game.history) + 5):
        assert render(game, since) == render(game, len(game.history) - 1)
    assert str(game) == render(game)


def test_the_environment_tells_what_happened_since_the_last_look() -> None:
    env, rng = EndeavorSoloEnv(render_mode="ansi"), generator(2)
    env.reset(seed=10)
    assert told(env.render() or "") == [expected(step) for step in explain(env.game())]
    seen = 0
    for stride in (1, 4, 9):
        for _ in range(stride):
            env.step(sample_action(env.action_masks(), rng))
        game = env.game()
        text = env.render() or ""
        assert text == render(game, seen)
        assert told(text)
        seen = len(game.history)
        assert env.render() == render(game)


# --- the end --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_S8_3_the_result_of_a_game(seed: int) -> None:
    game = finished("solo", seed)
    own, other = game.scores()
    text = render(game)
    assert text.startswith("Endeavor (2009), solo: the game is over after 7 rounds\nLast move: ")
    assert f"\nResult: {game.ladder().name}, {own} to {other}\n" in text
    assert "Result:" not in render(running("solo", seed, 20))


def test_S8_4_a_victory_with_panache() -> None:
    game = finished("solo", 7)
    state = game.state[0]
    state.status[0], state.status[1] = 15, 0
    state.city_owner[state.city_owner > 1] = 0
    assert ", with panache" not in render(game)
    state.buildings[0, game.board.buildings.index("museum")] = 1
    own, other = game.scores()
    assert own - other >= 9
    assert f"\nResult: total victory, {own} to {other}, with panache\n" in render(game)


# --- what lies on the table -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("decisions", DECISIONS)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_table_of_both_sides(seed: int, decisions: int) -> None:
    game = running("solo", seed, decisions)
    state, text = game.state[0], render(game)
    rows = re.findall(r"^  ([> ])  +(player|Opposition)((?: +(?:-?\d+|-)){7})(  passed)?$", text, re.MULTILINE)
    assert [row[1] for row in rows] == ["player", "Opposition"]
    for mat, (turn, _, values, _) in enumerate(rows):
        discs = [str(state.harbor[0]), str(state.supply[0])] if mat == 0 else ["-", "-"]
        assert values.split() == [*map(str, state.status[mat]), *discs, str(game.scores()[mat])]
        assert turn == (">" if mat == 0 and not game.over else " ")
    supply = ", ".join(f"{c.COLOUR_NAMES[side]} {state.supply[side]}" for side in range(1, 5))
    mat_lines = block(text, "Opposition")
    assert mat_lines[0] == f"  discs in supply: {supply}"
    assert block(text, "Player")[0].startswith("  buildings: colonial_house")


@pytest.mark.parametrize("seed", SEEDS)
def test_what_the_opposition_holds(seed: int) -> None:
    game = running("solo", seed, 60)
    state, board = game.state[0], game.board
    governor, slave = board.cards.index("africa.governor"), board.cards.index("slavery.2")
    state.card_place[governor], state.card_place[slave] = c.CARD_RETAINED, c.CARD_FACE_DOWN + c.OPPOSITION
    text = joined(block(render(game), "Opposition"))
    held = [name for card, name in enumerate(board.cards) if state.card_place[card] == c.OPPOSITION]
    assert held
    assert f" cards: {', '.join([*held, 'face down'])} retained Governors: africa.governor tokens: " in text
    counts = [(name, int(n)) for name, n in zip(c.TOKEN_NAMES, state.tokens[c.OPPOSITION], strict=True) if n]
    assert text.endswith("tokens: " + ", ".join(name if n == 1 else f"{name} x{n}" for name, n in counts))
    assert "slavery.2" not in text


@pytest.mark.parametrize("decisions", DECISIONS)
@pytest.mark.parametrize("seed", SEEDS)
def test_S2_the_action_scale_with_its_marker(seed: int, decisions: int) -> None:
    game = running("solo", seed, decisions)
    state = game.state[0]
    for face, words in ((0, "Glory side"), (1, "Action side: a bonus draw is due")):
        state.bonus_due = face
        shown = joined(block(render(game), "Action scale"))
        discs = re.findall(r"(\d) (red|green|violet|black)", shown)
        assert discs == [(str(place), c.COLOUR_NAMES[side]) for place, side in enumerate(state.scale, 1)]
        colour = c.COLOUR_NAMES[state.scale[state.ipf - 1]]
        assert f"{state.ipf} {colour} (marker, {words}" in shown
        assert shown.count("marker") == 1


def test_the_disc_that_acts_is_marked() -> None:
    """An action, a token it won, and the bonus draw; nothing else is an act of a disc."""
    game = running("solo", 10, 20)
    state = game.state[0]
    for task, step, place in ((c.TASK_ACTION, 0, 1), (c.TASK_TOKEN, 1, 2), (c.TASK_BONUS, 0, int(state.ipf))):
        state.task, state.task_step = task, step
        shown = joined(block(render_position(game.board, game.state), "Action scale"))
        assert re.findall(r"(\d) \w+ \([^)]*acting\)", shown) == [str(place)]
    for task in (c.TASK_NONE, c.TASK_EUROPE, c.TASK_DISCARD, c.TASK_END_DISCARD):
        state.task = task
        assert "acting" not in render_position(game.board, game.state)


@pytest.mark.parametrize("decisions", DECISIONS)
@pytest.mark.parametrize("seed", SEEDS)
def test_S6_the_building_grid_with_the_crown(seed: int, decisions: int) -> None:
    game = running("solo", seed, decisions)
    state, names = game.state[0], game.board.buildings
    state.pending[3] = names.index("university")
    lines = block(render(game), "Building grid")
    assert lines[0].split() == ["column", "1", "column", "2", "column", "3", "waiting"]
    rows = [line.split() for line in lines[1:]]
    assert [row[:2] for row in rows] == [["level", str(level)] for level in (5, 4, 3, 2, 1)]
    for level, row in zip((4, 3, 2, 1, 0), rows, strict=True):
        cells = [names[building] if building != c.NONE else "-" for building in state.grid[level]]
        if state.isb_level == level:
            cells[state.isb_column] = f"[{cells[state.isb_column]}]"
        waiting = state.pending[level]
        assert row[2:] == [*cells, names[waiting] if waiting != c.NONE else "-"]
    assert "\n".join(lines).count("[") == 1
    stock = re.search(r"\n\nBuildings in the supply\n((?:  .*\n)+)", render(game))
    assert stock is not None
    for building, name in enumerate(names):
        found = re.search(rf"\b{name}\b(?: x(\d))?", stock[1])
        assert (int(found[1] or 1) if found else 0) == state.building_supply[building]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_space_of_the_board_is_told_by_colour(seed: int) -> None:
    game = running("solo", seed, 60)
    board, state, text = game.board, game.state[0], render(game)
    rules = board.array[0]

    def on(owner: int, space: int) -> str:
        if owner != c.NONE:
            return f"<{c.COLOUR_NAMES[owner]}>"
        return c.TOKEN_NAMES[state.token[space]] if state.token[space] != c.NONE else "-"

    state.beside[4, 1], state.beside[0, 1] = 2, 1
    text = render(game)
    for region, name in enumerate(board.regions):
        lines = joined(block(text, f"{board.names[name]} ({'open' if state.open[region] else 'closed'})"))
        length = int(rules.track_length[region])
        track = [on(state.track_owner[region, n], c.TRACK_SPACES + region * c.MAX_TRACK + n) for n in range(length)]
        assert not length or f"track: {', '.join(track)} " in lines
        for city, city_name in enumerate(board.cities):
            if rules.city_region[city] == region:
                assert re.search(
                    rf"\b{city_name}\*+ {re.escape(on(state.city_owner[city], c.CITY_SPACES + city))}", lines
                )
    assert "beside the track: white x1, black x2 " in joined(
        block(text, f"{board.names[board.regions[1]]} ({'open' if state.open[1] else 'closed'})")
    )
    held = 0
    lines = joined(block(text, "Connections"))
    for connection, name in enumerate(board.connections):
        first, second = state.city_owner[rules.connection_city[connection]]
        owner = f" <{c.COLOUR_NAMES[first]}>" if first == second != c.NONE else ""
        held += bool(owner)
        token = on(c.NONE, c.CONNECTION_SPACES + connection)
        assert re.search(rf"\b{name} {token}{owner}(,|$)", lines)
    assert held


def test_the_head_of_the_board() -> None:
    game = Game.new(variant="solo", seed=10, options={"difficulty": "harder", "solo_ignore_industry": True})
    head = render(game).split("\n")[:3]
    assert head[0] == "Endeavor (2009), solo: set-up"
    assert head[2] == "Options: difficulty harder, solo_ignore_industry"
    assert "Options:" not in render(finished("solo", 10))
    assert "\nOptions: difficulty harder\n" in render(finished("solo, harder", 10))
    game = running("solo, first", 10, 0)
    head = render(game).split("\n")[:3]
    assert head[:2] == ["Endeavor (2009), solo: round 1 of 7, build phase", "The player decides: build"]
    assert head[2] == "Options: opposition_ties first"
    state = game.state[0]
    state.phase, state.decision = c.PHASE_ACTION, c.DECIDE_ROUND_END_DISCARD
    for first, words in ((0, "The player acts first this round"), (1, "The Opposition acts first this round")):
        state.opposition_first = first
        head = render_position(game.board, game.state).split("\n")[:3]
        assert head[1:] == ["The player decides: round end discard", words]
    assert "Seat" not in render(game)
    state.num_waiting = 2
    state.waiting_kind[:2] = c.TOKEN_PAY, c.TOKEN_ATTACK
    assert "\nTokens to be carried out, in this order: attack, pay\n" in render_position(game.board, game.state)


@pytest.mark.parametrize(("name", "seed"), GAMES_AND_SEEDS[::4])
def test_it_is_plain_text_of_moderate_width_and_changes_nothing(name: str, seed: int) -> None:
    for game in (running(name, seed, 25), finished(name, seed)):
        before = game.state.tobytes(), list(game.history)
        for text in (str(game), render(game, 0)):
            assert text.isascii()
            assert max(map(len, text.split("\n"))) <= WIDTH
            assert not text.endswith("\n")
        assert (game.state.tobytes(), game.history) == before
