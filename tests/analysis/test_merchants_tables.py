"""Tables of Merchants of Europe, and of any game on the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from endeavor_env.agents.matches import Match
from endeavor_env.agents.registry import agents_for
from endeavor_env.analysis import merchants
from endeavor_env.analysis.game_tables import no_more, read_games, tables_of
from endeavor_env.engine.game import Game
from endeavor_env.engine.kernels.rules import CHANCE
from endeavor_env.errors import InvalidOptionError, RecordError
from endeavor_env.merchants.game import MerchantsConfig, MerchantsGame
from tests.kits.toy_envs import TOY
from tests.toy_game.rules import SEATS


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The records of a match of three games."""
    config, path = MerchantsConfig(3), tmp_path_factory.mktemp("records")
    match = Match(agents_for(config, ["greedy", "greedy", "planner"]), 3, 2, config=config, records=path)
    assert list(match.play()) == [1]
    return path


def test_the_tables_say_what_the_records_hold(folder: Path) -> None:
    tables = merchants.tables(folder)
    games = [merchants.replay(file) for file in sorted(folder.glob("*.json"))]
    assert (len(tables.games), len(tables.seats)) == (3, 9)
    for number, game in enumerate(games):
        seats = tables.seats.where(tables.seats["game"] == number)
        assert seats["score"].tolist() == seats["delivered"].tolist() == game.scores()
        assert [seat for seat in range(3) if seats["win_share"][seat] > 0] == game.winners()
        assert seats["hand"].tolist() == game.state["hand"][0, :3].sum(axis=1).tolist()
        made = [(seat, action) for seat, action in game.history if seat != CHANCE]
        rows = tables.decisions.where(tables.decisions["game"] == number)
        assert list(zip(rows["seat"].tolist(), rows["action"].tolist(), strict=True)) == made
        assert (rows["legal"] >= 1).all()
        assert tables.games["decisions"][number] == len(made) == seats["decisions"].sum()
        texts = [game.move_text(seat, action).partition(":")[0] for seat, action in game.history]
        assert tables.games["rolls"][number] == texts.count("dice")
        assert seats["proposals"].sum() == texts.count("propose")
        assert seats["routes"].sum() <= texts.count("route")
        assert seats["reserve_trades"].sum() == texts.count("bank")
    assert sorted(set(tables.seats["agent"])) == ["greedy", "greedy#2", "planner"]
    assert tables.seats["trades"].sum() > 0
    assert tables.games["produced"].sum() == sum(
        tables.seats[f"produced_{name}"].sum() for name in merchants.RESOURCE_NAMES
    )
    assert (tables.games["produced"] > 20).all()


def test_a_trade_counts_for_both_seats_and_production_for_those_who_get_it() -> None:
    game = MerchantsGame.new(3, seed=4)
    agents = agents_for(game.config, ["greedy"] * 3)
    while not game.over and len(game.history) < 250:
        game.apply(agents[game.seat].act(game))
    seats = merchants.tables(game).seats
    replayed, trades, produced = game.at_move(0), 0, 0
    for _, action in game.history:
        text, before = replayed.describe(action), replayed.state["hand"][0].astype(int)
        gold = replayed.state["gold"][0].astype(int)
        replayed.apply(action, draws=False)
        change = replayed.state["hand"][0].astype(int) - before
        if text.startswith("dice:"):
            assert (change >= 0).all()
            produced += change.sum()
        elif text in ("propose", "accept", "refuse") or text.startswith("partner"):
            moved = abs(change).sum() + abs(replayed.state["gold"][0].astype(int) - gold).sum()
            trades += moved > 0
            assert change.sum() == 0
    assert seats["trades"].sum() == 2 * trades > 0
    assert sum(seats[f"produced_{name}"].sum() for name in merchants.RESOURCE_NAMES) == produced > 0


def test_what_was_given_may_be_games_records_and_paths(folder: Path) -> None:
    files = sorted(folder.glob("*.json"))
    game = merchants.replay(files[0])
    tables = merchants.tables([game, game.record(), files[0], [str(files[1])]])
    assert tables.games["source"].tolist() == ["", "", files[0].name, files[1].name]
    assert tables.games["decisions"][:3].tolist() == [tables.games["decisions"][0]] * 3
    assert merchants.tables(folder).games["source"].tolist() == [file.name for file in files]


def test_what_holds_no_games_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidOptionError, match="holds no games"):
        merchants.tables(5)
    with pytest.raises(RecordError, match="holds no records"):
        merchants.tables(tmp_path)
    (tmp_path / "wrong.json").write_text("{}")
    with pytest.raises(RecordError, match=r"record wrong\.json: "):
        merchants.tables(tmp_path)


def test_any_game_has_tables() -> None:
    games = [TOY.new_game(seed) for seed in (1, 2)]
    for game in games:
        while not game.over:
            game.apply(game.legal_actions()[0])

    def refuse(record: object) -> Game:
        raise AssertionError(record)

    tables = tables_of(read_games(games, refuse), no_more)
    assert tables.seats["score"].tolist() == [score for game in games for score in game.scores()]
    assert tables.games["draws"].tolist() == [sum(seat == CHANCE for seat, _ in game.history) for game in games]
    assert tables.seats["decisions"].sum() == len(tables.decisions)
    assert len(tables.seats) == 2 * SEATS
    assert tables.decisions["verb"][0] == "roll"
