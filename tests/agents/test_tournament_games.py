"""The games of a tournament: paired set-ups, rotated seats, the same games however they are played, and records."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from endeavor_env import Game
from endeavor_env.agents.matches import DIFFICULTIES, SoloMatch, play_match
from endeavor_env.agents.registry import make_agent
from endeavor_env.agents.runner import play_game
from endeavor_env.agents.tournament import TournamentResult, play_tournament, playing
from endeavor_env.agents.tournament.playing import RoundScores
from endeavor_env.agents.tournament.result import SeatResult, SoloTableResult
from endeavor_env.endeavor.records import replay
from tests.kits import players as kit
from tests.kits.commands import run_command

THREE = ["random", "greedy", "automa"]


def without_seconds(result: TournamentResult) -> dict[str, Any]:
    """Return everything but the time."""
    return {key: value for key, value in result.to_dict().items() if key != "seconds"}


def seats_of(result: TournamentResult, table: int = 0) -> SeatResult:
    """Return the games of a table size."""
    found = result.tables[table]
    assert isinstance(found, SeatResult)
    return found


class Seated(kit.Idler):
    """Notes the set-up and the seat of every game it begins."""

    def __init__(self, name: str, games: Counter[tuple[int | None, int]]) -> None:
        super().__init__(name)
        self._games = games
        self._fresh = False

    def reset(self, seed: int) -> None:
        self._fresh = True

    def act(self, game: Game) -> int:
        if self._fresh and game.seed:  # not the decision for which it is asked before the first game
            self._games[game.seed, game.seat] += 1
        self._fresh = False
        return super().act(game)


def test_all_fields_play_the_same_set_ups_and_every_position_takes_every_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    games: dict[str, Counter[tuple[int | None, int]]] = {name: Counter() for name in "abc"}
    monkeypatch.setattr(playing, "agents_for", kit.made_by(lambda name: Seated(name, games[name])))
    result = play_tournament(["a", "b", "c"], games=19, players=[3], resamples=1)
    assert seats_of(result).scores.shape == (7, 7, 3, 3)  # 19 games are 7 set-ups
    setups = {setup for setup, _ in games["a"]}
    assert len(setups) == 7
    for seen in games.values():
        # One seat in two fields, two seats in two fields, and one seat at the mixed table: 7 in all.
        assert seen == {(setup, seat): 7 for setup in setups for seat in range(3)}


@pytest.mark.parametrize(("agents", "players", "variant"), [(THREE, 4, "standard"), (THREE[1:], 2, "soloplay_2")])
def test_the_games_of_a_field_are_those_of_the_arena_with_the_same_agents(
    agents: list[str], players: int, variant: str
) -> None:
    result = play_tournament(agents, games=6 * players, seed=5, players=[players], variant=variant, resamples=1)
    table = seats_of(result)
    for number in (0, len(table.fields) - 1):
        names = [agents[agent] for agent in table.fields[number].agents]
        match = play_match(names, games=6 * players, seed=5, variant=variant)
        np.testing.assert_array_equal(table.scores[number], match.scores)
        if table.fields[number].pairs:
            row, column = table.fields[number].pairs[0]
            assert table.matrix.share[row, column] == pytest.approx(match.agents[0].win_rate)
            assert (table.matrix.low[row, column], table.matrix.high[row, column]) == pytest.approx(
                match.agents[0].interval
            )


def test_the_solitaire_game_is_that_of_a_solo_match() -> None:
    result = play_tournament(["automa", "random"], games=3, seed=2, variant="solo", resamples=5)
    (table,) = result.tables
    assert isinstance(table, SoloTableResult)
    match = SoloMatch(["automa", "random"], 3, 2)
    assert list(match.play()) == [1, 2, 3]
    for row, share, (lead, interval) in zip(match.result().rows, table.shares, table.mean_leads, strict=True):
        field = table.fields[share.field]
        assert (row.agent, row.difficulty) == (result.names[share.agent], field.difficulty)
        np.testing.assert_array_equal(table.scores[share.field, :, 0], row.scores)
        assert (share.share, *share.interval) == pytest.approx((row.win_rate, *row.interval))
        assert (lead, *interval) == pytest.approx((row.mean_margin, *row.margin_interval))
    assert [field.difficulty for field in table.fields] == [*DIFFICULTIES] * 2
    ahead = (table.leads[0] > table.leads[1]).mean() + (table.leads[0] == table.leads[1]).mean() / 2
    assert table.matrix.share[0, 1] == pytest.approx(ahead)
    assert table.matrix.share[1, 0] == pytest.approx(1 - ahead)
    assert result.rating.values[0] > result.rating.values[1]
    assert len(json.dumps(result.to_dict())) > 1000


def test_results_do_not_depend_on_the_number_of_processes() -> None:
    one, two = (play_tournament(THREE, games=12, players=[4, 3], jobs=jobs, resamples=3) for jobs in (1, 2))
    assert without_seconds(one) == without_seconds(two)
    assert [table.players for table in two.tables] == [3, 4]


def test_figures_are_counted_from_the_scores() -> None:
    result = play_tournament(THREE, games=40, seed=1, resamples=1)
    table = seats_of(result)
    assert result.games == table.games == 9 * 40
    owners = np.array([field.agents for field in table.fields])
    for standing in table.standings:
        own: list[int] = []
        winning: list[int] = []
        for field, games in enumerate(table.scores.reshape(len(table.fields), -1, 4)):
            for position in np.flatnonzero(owners[field] == standing.agent):
                own += games[:, position].tolist()
                winning += [int(game[position]) for game in games if game[position] == game.max()]
        assert standing.mean_score == pytest.approx(np.mean(own))
        assert standing.mean_winning_score == (pytest.approx(np.mean(winning)) if winning else None)
        assert standing.rounds[-1] == pytest.approx(standing.mean_score)
        assert list(standing.rounds) == sorted(standing.rounds)
    by_field = [sum(share.share for share in table.shares if share.field == field) for field in range(9)]
    assert by_field == pytest.approx([1] * 9)


def test_the_worst_field_counts_mixed_tables_and_compares_with_parity() -> None:
    result = play_tournament(["random", "greedy"], games=8, resamples=1)
    table = seats_of(result)
    shares = {(share.agent, share.label): share for share in table.shares}
    assert shares[1, "2 random, 2 greedy"].parity == 0.5
    assert shares[1, "2 random, 2 greedy"].share == shares[1, "greedy among 3 random"].share == 1.0
    random, greedy = table.standings
    assert (random.worst.share, random.worst.odds, greedy.worst.odds) == (0.0, 0.0, np.inf)
    assert random.best_response == shares[1, "greedy among 3 random"]
    assert greedy.best_response == shares[0, "random among 3 greedy"]


def test_scores_by_round_are_those_of_the_game_when_the_next_round_begins() -> None:
    agents, noted, game = [make_agent("greedy") for _ in range(3)], RoundScores(), Game.new(3, seed=8)
    play_game(agents, game, noted)
    again, expected = Game.new(3, seed=8), []
    for _, action in game.history:
        before = again.round
        again.apply(action)
        if before and (again.round > before or again.over):
            expected.append(again.scores())
    assert noted.games == [expected]
    assert len(expected) == 7
    assert expected[-1] == game.scores()


@pytest.mark.parametrize(("variant", "games"), [("standard", 3), ("solo", 2)])
def test_every_game_is_recorded_and_replays_to_its_scores(variant: str, games: int, tmp_path: Path) -> None:
    players = [3] if variant == "standard" else None
    result = play_tournament(
        ["random", "automa"], games=games, players=players, variant=variant, records=tmp_path, resamples=1
    )
    (table,) = result.tables
    listed = json.loads((tmp_path / "fields.json").read_text(encoding="utf-8"))["fields"]
    assert len(list(tmp_path.glob("*/*.json"))) == table.games
    for field, entry in enumerate(listed):
        assert entry["agents"] == [result.names[agent] for agent in table.fields[field].agents]
        for setup in range(table.scores.shape[1]):
            for seating in range(table.players):
                game = replay(tmp_path / entry["folder"] / f"setup_{setup:05}_seating_{seating}.json")
                seats = [(position + seating) % table.players for position in range(table.players)]
                scores = game.scores() if variant == "solo" else [game.scores()[seat] for seat in seats]
                assert scores == table.scores[field, setup, seating].tolist()


def test_a_match_at_one_table_is_recorded_too(tmp_path: Path) -> None:
    arguments = ["greedy", "random", "random", "--games", "6"]
    recorded = run_command("endeavor_env.agents.arena", *arguments, "--record", str(tmp_path / "new"))
    assert recorded.status == 0
    assert recorded.out.splitlines()[:-1] == run_command("endeavor_env.agents.arena", *arguments).out.splitlines()[:-1]
    scores = play_match(["greedy", "random", "random"], games=6).scores
    for setup, seating in np.ndindex(2, 3):
        game = replay(tmp_path / "new" / f"setup_{setup:05}_seating_{seating}.json")
        assert [game.scores()[(agent + seating) % 3] for agent in range(3)] == scores[setup, seating].tolist()
