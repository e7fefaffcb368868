"""Agents that say what they think of a position: search and policy networks."""

from __future__ import annotations

import pytest

from endeavor_env import Game
from endeavor_env.agents.registry import annotated_record, annotating_agent, make_agent
from endeavor_env.endeavor.notes import read_notes
from endeavor_env.endeavor.players.network_file import package_path
from endeavor_env.endeavor.records import replay
from endeavor_env.errors import InvalidOptionError
from tests.kits.games import finished, on_the_way, running


def position(name: str) -> Game:
    """A position of a variant after twenty decisions."""
    return on_the_way(20, seed=3, players=3) if name == "standard" else running(name, 3, 20)


@pytest.mark.parametrize("name", ["standard", "solo", "neutral_2", "soloplay_3"])
def test_search_shares_its_visits_among_legal_moves(name: str) -> None:
    game, agent = position(name), annotating_agent("search:sims=12")
    before = game.state.tobytes()
    searched = 0
    for _ in range(8):
        note = agent.note(game)
        moves = [move for move, _ in note.choices]
        shares = [share for _, share in note.choices]
        assert set(moves) <= set(game.legal_moves())
        assert shares == sorted(shares, reverse=True)
        assert 0 < sum(shares) < 1.01
        if note.values:
            searched += 1
            assert len(note.values) == game.num_players
            assert all(-1 < value < 2 for value in note.values)
        assert note == agent.note(game)
        game.apply(make_agent("greedy").act(game))
    assert searched > 0
    assert position(name).state.tobytes() == before


def test_search_likes_best_what_it_plays() -> None:
    game, player, agent = (
        on_the_way(20, seed=3, players=4),
        make_agent("search:sims=12"),
        annotating_agent("search:sims=12"),
    )
    for _ in range(6):
        player.reset(0)
        chosen = game.describe(player.act(game))
        note = agent.note(game)
        best = max(share for _, share in note.choices)
        assert dict(note.choices)[chosen] == best
        game.play(chosen)


@pytest.mark.parametrize("name", ["standard", "solo"])
def test_the_likeliest_move_of_a_policy_is_the_one_it_plays(name: str) -> None:
    game, agent = position(name), make_agent("policy")
    annotator = annotating_agent("policy")
    for _ in range(15):
        note, action = annotator.note(game), agent.act(game)
        assert note.choices[0][0] == game.describe(action)
        assert len(note.values) == game.num_players
        assert note.choices[0][1] <= 1.0
        game.apply(action)


def test_a_policy_in_a_file_takes_notes_too() -> None:
    path = package_path("policy_standard").with_suffix(".npz")
    game = on_the_way(5, seed=3, players=4)
    assert annotating_agent(f"policy:{path}").note(game) == annotating_agent("policy").note(game)
    with pytest.raises(InvalidOptionError, match="does not play 'solo': it was made for standard"):
        annotating_agent(f"policy:{path}").note(running("solo", 3, 5))
    with pytest.raises(InvalidOptionError, match="does not play 'neutral_2': it was made for standard, solo"):
        annotating_agent("policy").note(running("neutral_2", 3, 5))


def test_a_record_gets_a_note_on_every_position() -> None:
    game, done = finished("solo", 3), []
    record = annotated_record(game, annotating_agent("policy"), done.append)
    by, notes = read_notes(record["notes"], len(game.history))
    assert by == "policy"
    assert list(notes) == list(range(len(game.history)))
    assert done == list(range(1, len(game.history) + 1))
    assert replay(record).scores() == game.scores()


def test_the_position_of_a_running_game_has_a_note() -> None:
    game = running("solo", 3, 4)
    _, notes = read_notes(annotated_record(game, annotating_agent("policy"))["notes"], 4)
    assert list(notes) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("name", ["greedy", "random", "automa", "value"])
def test_agents_that_only_play_are_refused(name: str) -> None:
    with pytest.raises(InvalidOptionError, match=f"agent '{name}' only says what it plays: give search"):
        annotating_agent(name)
