"""The greedy agent in the solitaire game: what it sees of the Opposition, and how it fares against it."""

from __future__ import annotations

from typing import Any

import pytest

from endeavor_env import Game
from endeavor_env.agents.matches import SoloMatch
from endeavor_env.agents.players.compiled import WEIGHTS, GreedyAgent
from endeavor_env.agents.registry import make_agent
from endeavor_env.endeavor.players.greedy.weights import NAMES, OppositionTerms
from endeavor_env.endeavor.rules import constants as c
from tests.kits import players as kit

SOLO_NAMES = tuple(name for name in NAMES if name.startswith("solo."))
BASE_ACTIONS = (2, 2, 2, 3, 3, 4, 4)


def seen(game: Game, term: str) -> float:
    """Return what the estimate subtracts for one term of the Opposition's prospects that has the weight 1."""
    return game.scores()[0] - kit.value(game, 0, kit.GLORY_ONLY.changed({f"solo.{term}": 1.0}))


def solo_games() -> list[Game]:
    """Return positions of random play, and of the agent's own."""
    games = [kit.position(decisions, players=1, seed=decisions, variant="solo") for decisions in range(2, 90, 4)]
    game, agent = Game.new(variant="solo", seed=4), GreedyAgent()
    agent.reset(0)
    while not game.over:
        game.apply(agent.act(game))
        games.append(game.clone())
    return games


def prospects(game: Game) -> dict[str, float]:
    """Return every term in plain words: dictionaries of names instead of bits and arrays."""
    state, board = game.state[0], game.board
    due, actions = expected_due(game), actions_left(game)
    found = dict.fromkeys(OppositionTerms._fields, 0.0)
    found["bonus_draw"] = float(state.bonus_due)
    if actions == 0:
        return found
    owner = {city: int(state.city_owner[index]) for index, city in enumerate(board.cities)}
    region = {city: int(board.array["city_region"][0, index]) for index, city in enumerate(board.cities)}
    europe = board.regions.index("europe")

    def reaches(side: int, city: str) -> bool:
        """Return whether a colour can occupy a city."""
        where = region[city]
        present = where == europe or state.presence[side, where] > 0
        return bool(owner[city] == c.NONE and state.open[where] and present)

    free = [city for city in owner if owner[city] == c.NONE and state.open[region[city]]]
    taken = min(1.0, actions / max(1, len(free)))
    index = board.cities.index
    next_discs = [int(side) for side in state.scale[: state.ipf - 1]][int(state.ipf) - 1 - due :]
    found["action_due"] = due
    found["occupy_due"] = sum(any(reaches(side, city) for city in owner) for side in next_discs)
    if state.phase != c.PHASE_SETUP:
        found["column"] = state.ipf - 1 - BASE_ACTIONS[state.round_number - 1]
        if state.round_number < 7:
            found["outer_column"] = float(state.isb_column != 1)
            found["last_column"] = float(state.isb_column == 2)
    found["city"] = taken * sum(int(board.array["city_glory"][0, index(city)]) for city in free)
    found["city_blue"] = taken * sum(int(state.token[index(city)]) >= c.FIRST_BLUE for city in free)
    ends = [[board.cities[end] for end in pair] for pair in board.array["connection_city"][0, : len(board.connections)]]
    open_links = sum(
        owner[held] >= 1 and reaches(owner[held], other) for pair in ends for held, other in (pair, pair[::-1])
    )
    found["connection"] = min(open_links, actions)
    found["region"] = actions * int(state.open.sum())
    found["track"] = sum(track_part(game, place) for place in range(c.NUM_REGIONS))
    return found


def expected_due(game: Game) -> int:
    """Return how many actions on the scale the Opposition still makes this round."""
    state = game.state[0]
    if game.phase in ("setup", "over"):
        return 0
    if game.phase != "action":
        return int(state.ipf) - 1
    task = c.TASK_NAMES[state.task]
    if task in ("action", "token"):
        return int(state.ipf) - 1 - int(state.task_step)
    return 0 if state.opposition_first or task != "none" else int(state.ipf) - 1


def actions_left(game: Game) -> int:
    """Return how many actions on the scale the Opposition still makes in the game if no building adds any."""
    return expected_due(game) + sum(BASE_ACTIONS[game.state["round_number"][0] :])


def track_part(game: Game, region: int) -> float:
    """Return the filled part of a closed track of which an opposing colour has the majority, and a Governor lies."""
    state, board = game.state[0], game.board.array[0]
    governor = int(board.governor_card[region])
    length = int(board.track_length[region])
    if state.open[region] or length == 0 or state.card_place[governor] != c.CARD_IN_PILE:
        return 0.0
    discs = [int(side) for side in state.track_owner[region, :length] if side != c.NONE]
    if not discs:
        return 0.0
    most = max(discs.count(side) for side in discs)
    winner = next(side for side in reversed(discs) if discs.count(side) == most)
    return len(discs) / length if winner > 0 else 0.0


@pytest.fixture(scope="module")
def games() -> list[Game]:
    return solo_games()


@pytest.mark.parametrize("term", [term for term in OppositionTerms._fields if term != "status"])
def test_a_term_is_what_its_words_say(term: str, games: list[Game]) -> None:
    found = [prospects(game)[term] for game in games]
    assert [seen(game, term) for game in games] == pytest.approx(found)
    assert len(set(found)) > 1


def test_the_way_to_the_next_glory_space_counts_as_it_does_for_a_seat(games: list[Game]) -> None:
    found = []
    for game in games:
        steps, state, table = 0.0, game.state[0], game.board.array["status_glory"][0].tolist()
        for status in state.status[c.OPPOSITION].tolist():
            place = max(0, min(15, status))
            low, higher = table.index(table[place]), [at for at in range(16) if table[at] > table[place]]
            if higher:
                steps += (table[higher[0]] - table[place]) * (place - low) / (higher[0] - low)
        found.append(steps if actions_left(game) else 0.0)
    assert [seen(game, "status") for game in games] == pytest.approx(found)


def test_nothing_is_left_when_the_game_is_over() -> None:
    game = kit.position(200, players=1, seed=1, variant="solo")
    game.apply(game.legal_actions()[0])
    while not game.over:
        game.apply(game.legal_actions()[0])
    every = kit.GLORY_ONLY.changed({f"solo.{term}": 1.0 for term in OppositionTerms._fields})
    assert kit.value(game, 0, every) == game.scores()[0]


@pytest.mark.parametrize("players", [1, 4])
def test_each_game_reads_its_own_weights(players: int) -> None:
    variant = "solo" if players == 1 else "standard"
    own = SOLO_NAMES if players == 1 else tuple(name for name in NAMES if name not in SOLO_NAMES)
    other = [name for name in NAMES if name not in own]
    games = [kit.position(decisions, players=players, seed=1, variant=variant) for decisions in (10, 25, 40)]
    foreign, native = (WEIGHTS.changed(dict.fromkeys(names, 2.5)) for names in (other, own))
    for game in games:
        assert kit.value(game, 0, foreign) == kit.value(game, 0)
        assert kit.value(game, 0, native) != kit.value(game, 0)


def test_the_name_of_an_agent_changes_the_weights_of_either_game() -> None:
    agent: Any = make_agent("greedy:disc=0.5,solo.disc=0.75,solo.bonus_draw=-1")
    assert agent.weights == WEIGHTS.changed({"disc": 0.5, "solo.disc": 0.75, "solo.bonus_draw": -1.0})
    assert agent.weights.table.disc == 0.5
    assert agent.weights.solo.disc == 0.75
    assert agent.weights.opposition.bonus_draw == -1.0


def test_it_holds_its_own_against_the_opposition() -> None:
    blind = WEIGHTS.changed({f"solo.{term}": 0.0 for term in OppositionTerms._fields})
    match = SoloMatch([GreedyAgent(), GreedyAgent(blind, "blind")], 60, seed=1, difficulties=["normal"])
    for _ in match.play():
        pass
    greedy, without = match.result().rows
    assert greedy.win_rate > 0.35
    assert greedy.mean_margin > without.mean_margin + 3
