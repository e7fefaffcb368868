"""Fields of a tournament: every pair in both roles, mixed tables that use all agents, and words for them."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from endeavor_env.agents.tournament.playing import Matchup, solo_matchups, table_matchups


def pairs(fields: list[Matchup]) -> list[tuple[int, int]]:
    """Return the pairs (X, Y) of the fields "one X among Ys"."""
    return [pair for field in fields for pair in field.pairs]


def mixed(fields: list[Matchup]) -> list[tuple[int, ...]]:
    """Return the mixed tables."""
    return [field.agents for field in fields if not field.pairs]


@pytest.mark.parametrize("agents", [2, 3, 6])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_ordered_pair_meets_once(agents: int, players: int) -> None:
    fields = table_matchups(agents, players, 20, 0)
    assert sorted(pairs(fields)) == sorted(permutations(range(agents), 2))
    assert len({tuple(sorted(field.agents)) for field in fields}) == len(fields)
    assert all(field.players == players for field in fields)
    for field in fields:
        for one, others in field.pairs:
            assert field.counts == {one: 1, others: players - 1}


def test_two_agents_at_a_table_of_two_are_one_field() -> None:
    (field,) = table_matchups(2, 2, 20, 0)
    assert field.pairs == ((0, 1), (1, 0))


@pytest.mark.parametrize(
    ("agents", "players", "tables"),
    [
        (5, 4, [(0, 1, 2, 3), (0, 1, 2, 4), (0, 1, 3, 4), (0, 2, 3, 4), (1, 2, 3, 4)]),
        (3, 4, [(0, 0, 1, 2), (0, 1, 1, 2), (0, 1, 2, 2)]),
        (3, 5, [(0, 0, 1, 1, 2), (0, 0, 1, 2, 2), (0, 1, 1, 2, 2)]),
        (2, 4, [(0, 0, 1, 1)]),
        (2, 3, []),
        (4, 2, []),
    ],
)
def test_mixed_tables_are_all_combinations_with_agents_repeated_evenly(
    agents: int, players: int, tables: list[tuple[int, ...]]
) -> None:
    assert mixed(table_matchups(agents, players, 20, 0)) == tables


def test_a_sample_of_mixed_tables_follows_from_the_seed_and_uses_all_agents_alike() -> None:
    drawn = mixed(table_matchups(10, 4, 25, 3))
    assert len(set(drawn)) == len(drawn) == 25
    assert all(len(set(table)) == 4 for table in drawn)
    seats = Counter(agent for table in drawn for agent in table)
    assert set(seats) == set(range(10))
    assert max(seats.values()) - min(seats.values()) <= 2
    assert drawn == mixed(table_matchups(10, 4, 25, 3))
    assert drawn != mixed(table_matchups(10, 4, 25, 4))


def test_no_mixed_tables_if_none_are_wanted() -> None:
    assert mixed(table_matchups(6, 4, 0, 0)) == []


def test_fields_in_words() -> None:
    names = ["a", "b", "c"]
    fields = [Matchup((0, 1, 1)), Matchup((0, 1)), Matchup((0, 0, 1, 2)), *solo_matchups(1, ["harder"])]
    assert [field.label(names) for field in fields] == ["a among 2 b", "a, b", "2 a, b, c", "a, harder"]
