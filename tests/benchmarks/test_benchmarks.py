"""The benchmarks and the soak test run, and the soak test notices and reproduces what is wrong."""

from __future__ import annotations

import functools
import itertools
import json
import re
import textwrap
from pathlib import Path

import numpy as np
import pytest
import typer

from endeavor_env.benchmarks import core, measured_games, report, run, soak, timing
from endeavor_env.benchmarks.measured_games import kinds_of, label_of, name_of, variations_of
from endeavor_env.endeavor.board.variant_needs import check_board
from endeavor_env.endeavor.flow import invariants
from endeavor_env.endeavor.game import Game, GameConfig
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.errors import RecordError
from endeavor_env.testing import ActionMismatchError, check_state, open_regions

PLAN = soak.SoakPlan(seed=0, kinds=kinds_of(), boards="both", facade_every=0)
SOLO = ("solo", "solo:easier", "solo:harder")
GAMES = 792
"""So many that a plan comes to all mixtures of kinds of game and of play, boards and options."""


def tallied(plan: soak.SoakPlan, start: int, games: int, jobs: int = 1) -> dict[GameConfig, tuple[int, int, int]]:
    """Games, decisions and the longest game by kind."""
    tallies = {kind: soak.SoakTally() for kind in plan.kinds}
    for found in soak.play_all(plan, start, games, jobs):
        for kind, tally in found.items():
            tallies[kind].add(tally)
    assert not any(tally.violations for tally in tallies.values())
    return {kind: (tally.games, tally.decisions, tally.longest) for kind, tally in tallies.items()}


def options_of(kind: GameConfig) -> list[dict[str, object]]:
    """The options of each variation of a kind."""
    return [dict(config.options) for config in variations_of(kind)]


def on_default_board(case: soak.Case) -> bool:
    """Whether a game is played on the board of 2009."""
    return case.config.board.id == soak.DEFAULT_BOARD


def test_every_variant_is_played_with_each_of_its_options() -> None:
    assert list(measured_games.NAMES) == ["standard", *SOLO, "soloplay_2", "soloplay_3", "neutral_2", "exploits"]
    assert [kind.players for kind in kinds_of()] == [3, 4, 5, 1, 1, 1, 2, 3, 2, 3, 4, 5]
    seats = ["3 seats", "4 seats", "5 seats"]
    labels = [*seats, *measured_games.NAMES[1:-1], *(f"exploits, {label}" for label in seats)]
    assert [label_of(kind) for kind in kinds_of()] == labels
    assert kinds_of(("solo", "standard", "solo"), (4,)) == (GameConfig("solo"), GameConfig(players=4))
    assert {kind.variant for kind in kinds_of()} == set(c.VARIANT_NAMES)
    assert options_of(GameConfig(players=3)) == options_of(GameConfig("neutral_2")) == [{}]
    assert options_of(GameConfig("soloplay_3")) == [{}, {"variant_removed_spaces_stay": True}]
    free = [{}, {"solo_ignore_industry": True}, {"opposition_ties": "first"}]
    free.append({**free[1], **free[2]})
    assert options_of(GameConfig("solo")) == free
    assert options_of(*kinds_of(["solo:harder"])) == [{"difficulty": "harder", **options} for options in free]


def test_soak_finds_nothing_wrong_in_sound_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert soak.main(["--games", "48", "--facade-every", "24"]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"48 games in [\d.]+ s, [\d,]+ audited decisions/s", printed)
    for kind in PLAN.kinds:
        assert re.search(rf"│ {name_of(kind)} +│ +{kind.players} │ +4 │ +[\d,]+ │ +\d+ │ +0 │", printed)
    assert re.search(r"│ all +│ +│ +48 │ +[\d,]+ │ +\d+ │ +0 │", printed)
    assert "python -m endeavor_env.benchmarks.soak" in printed
    assert "stopped" not in printed


def test_a_game_has_the_same_number_however_it_is_come_to() -> None:
    whole = tallied(PLAN, 0, 96)
    assert tallied(PLAN, 0, 96, jobs=3) == whole
    first, second = tallied(PLAN, 0, 33), tallied(PLAN, 33, 63)
    for kind, (games, decisions, longest) in whole.items():
        assert games == first[kind][0] + second[kind][0] == 8
        assert decisions == first[kind][1] + second[kind][1]
        assert longest == max(first[kind][2], second[kind][2])


def test_a_plan_mixes_variants_options_boards_and_kinds_of_play() -> None:
    games = [PLAN.game(number) for number in range(GAMES)]
    assert [game.seed for game in games] == list(range(GAMES))
    for kind in PLAN.kinds:
        met = [game for game in games if game.kind == kind]
        assert len(met) == GAMES / len(PLAN.kinds)
        plays = {(on_default_board(game), game.redraws, repr(game.config.options)) for game in met}
        assert {play[:2] for play in plays} == {(at, redraws) for at in (True, False) for redraws in soak.REDRAWS}
        assert len(plays) == 2 * len(soak.REDRAWS) * len(variations_of(kind))
        assert [game.config.options for game in met[:4]] == (options_of(kind) * 4)[:4]
    only = soak.SoakPlan(seed=5, kinds=kinds_of(("standard",), (4,)), boards="generated", facade_every=0)
    assert all(
        only.game(n).kind.players == 4 and only.game(n).config.board.id.startswith("generated_") for n in range(50)
    )


def test_all_boards_can_be_played_in_every_variant() -> None:
    for name in (soak.DEFAULT_BOARD, *(f"generated_{number}" for number in range(soak.NUM_BOARDS))):
        for variant in c.VARIANT_NAMES:
            check_board(soak.board_of(name), variant)


@pytest.mark.parametrize("every", [1, 7, 100, 2_000])
def test_one_game_in_so_many_goes_through_the_facade_and_in_time_all_kinds_do(every: int) -> None:
    plan = soak.SoakPlan(seed=0, kinds=PLAN.kinds, boards="both", facade_every=every)
    chosen = [number for number in range(120 * every) if plan.through_facade(number)]
    assert [number // every for number in chosen] == list(range(120))
    assert chosen[0] == 0
    games = [plan.game(number) for number in chosen]
    assert {game.kind for game in games} == set(PLAN.kinds)
    assert {game.redraws for game in games} == set(soak.REDRAWS)
    assert not any(PLAN.through_facade(number) for number in range(100))


def test_half_of_the_games_with_exploits_begin_with_open_regions() -> None:
    every = 2 * GAMES  # one game in five has all Exploits, which makes more mixtures
    games = [PLAN.game(number) for number in range(every)]
    opened = [game for game in games if game.opened]
    assert {game.kind.variant for game in opened} == {"exploits"}
    assert len(opened) == pytest.approx(every / len(PLAN.kinds) * 3 / 2, abs=18)
    assert {(on_default_board(game), game.redraws, game.config.exploits == "random") for game in opened} == {
        (at, redraws, some) for at in (True, False) for redraws in soak.REDRAWS for some in (True, False)
    }
    assert opened[0].new().state["open"].all()


@pytest.mark.parametrize("number", [*range(9, 21), *range(153, 156)])
def test_a_case_says_how_to_start_its_game(number: int) -> None:
    case = PLAN.game(number)
    game = eval(case.code(), {"GameConfig": GameConfig, "open_regions": open_regions})
    assert game.record() == case.new().record()
    assert game.state.tobytes() == case.new().state.tobytes()
    assert game.options == case.new().options
    assert case.config.options.items() <= game.options.items()
    assert game.variant == case.kind.variant


@pytest.mark.parametrize("variant", ["standard", "solo:harder", "soloplay_2"])
def test_a_violation_is_counted_named_and_reproduced(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], variant: str
) -> None:
    audited = soak.audit.play_audited

    def cut(boards, states, rng, redraws, moves, *scratch):
        made, _ = audited(boards, states, rng, redraws, moves, *scratch)
        return made - 9, invariants.DISCS_LOST | invariants.OUT_OF_RANGE

    monkeypatch.setattr(soak.audit, "play_audited", cut)
    asked = ["--variants", variant, "--players", "4"]
    assert soak.main(["--games", "5", "--seed", "70", *asked]) == 1
    printed = capsys.readouterr().out
    assert "5 times: discs of a colour do not add up" in printed
    assert "5 times: a count is out of range" in printed
    assert printed.count("check_state(game)") == 3
    code = printed.partition("a count is out of range\n    game")[2].partition("    check_state")[0]
    scope: dict[str, object] = {"GameConfig": GameConfig}
    exec(textwrap.dedent("    game" + code), scope)
    game = scope["game"]
    assert isinstance(game, Game)
    check_state(game)
    case = soak.SoakPlan(70, kinds_of((variant,), (4,)), "both", 0).game(0)
    assert game.seed == 70
    assert game.round >= 6
    assert game.setup() == case.new().setup()
    assert game.options == case.new().options


@pytest.mark.parametrize(
    ("target", "replacement", "name"),
    [
        ("play_moves", lambda boards, states, moves, made, mask: made - 1, soak.REPLAY_ILLEGAL),
        ("play_moves", lambda boards, states, moves, made, mask: made, soak.REPLAY_DIFFERS),
    ],
)
def test_a_replay_that_differs_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], target: str, replacement, name: str
) -> None:
    monkeypatch.setattr(soak.audit, target, replacement)
    assert soak.main(["--games", "2", "--facade-every", "0"]) == 1
    assert f"2 times: {name}" in capsys.readouterr().out


def test_a_facade_or_a_record_that_fails_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def mismatch(game: Game) -> None:
        raise ActionMismatchError("action 3 is illegal but accepted")

    def unreadable(record: object, board: object) -> Game:
        raise RecordError("the record has a result that is wrong")

    with monkeypatch.context() as patched:
        patched.setattr(soak, "check_actions", mismatch)
        assert soak.main(["--games", "1", "--facade-every", "1"]) == 1
    assert f"1 times: {soak.FACADE}" in capsys.readouterr().out
    monkeypatch.setattr(soak, "check_actions", lambda game: None)
    with monkeypatch.context() as patched:
        patched.setattr(soak, "replay", unreadable)
        assert soak.main(["--games", "1", "--facade-every", "1"]) == 1
    assert f"1 times: {soak.RECORD}" in capsys.readouterr().out
    monkeypatch.setattr(soak, "replay", lambda record, board: Game.new(3, seed=99))
    assert soak.main(["--games", "1", "--facade-every", "1"]) == 1
    assert f"1 times: {soak.RECORD}" in capsys.readouterr().out


def test_ctrl_c_reports_what_was_done_and_how_to_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(plan: soak.SoakPlan, start: int, games: int, jobs: int):
        yield {
            PLAN.kinds[0]: soak.SoakTally(games=20, decisions=2000, longest=130),
            PLAN.kinds[4]: soak.SoakTally(),
        }
        raise KeyboardInterrupt

    monkeypatch.setattr(soak, "play_all", interrupted)
    assert soak.main(["--games", "100", "--start", "40"]) == 130
    printed = capsys.readouterr().out
    assert "20 games in" in printed
    assert "stopped after 20 games; go on with --start 60 --games 80" in printed


@pytest.mark.parametrize(("app", "sections"), [(run.core_app, 5), (run.envs_app, 2), (run.merchants_app, 3)])
def test_the_benchmarks_run_and_say_what_they_measured(
    app: typer.Typer, sections: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "figures.json"
    assert run.main(["--smoke", "--json", str(path)], app) == 0
    printed, written = capsys.readouterr().out, json.loads(path.read_text(encoding="utf-8"))
    assert len(written["sections"]) == sections
    assert set(written["machine"]) == {"processor", "cores", "system", "python"}
    assert written["versions"]["numpy"] == np.__version__
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", written["date"])
    for section in written["sections"]:
        assert f"### {section['title']}" in printed
        for figure in section["figures"]:
            assert f"| {figure['what']} |" in printed
            assert figure["low"] <= figure["median"] <= figure["high"]
    speeds = [
        figure for section in written["sections"] for figure in section["figures"] if figure["unit"] == "decisions/s"
    ]
    assert len(speeds) >= 5
    assert min(figure["low"] for figure in speeds) > 0


def test_every_kind_of_game_is_measured() -> None:
    speeds, times = core.rules(timing.SMOKE)
    labels = [label_of(kind) for kind in PLAN.kinds]
    assert [figure.what for figure in speeds.figures] == 2 * labels
    assert [figure.unit for figure in speeds.figures] == 12 * ["decisions/s"] + 12 * ["games/s"]
    for speed, games, time in zip(speeds.figures[:12], speeds.figures[12:], times.figures, strict=True):
        assert speed.what == time.what
        assert (time.low, time.high) == (1e9 / speed.high, 1e9 / speed.low)
        assert 30 < speed.median / games.median < soak.MAX_DECISIONS


def test_the_core_benchmark_knows_what_it_timed() -> None:
    corpus = core.Corpus(GameConfig(players=4), 3)
    assert corpus.replay() == corpus.replay_masked() == corpus.moves.size == corpus.positions.size == corpus.ends[-1]
    game = Game.new(4, seed=0)
    first = int(corpus.ends[0])
    game.state[:] = corpus.starts[:1]
    for at in range(first):
        assert game.state.tobytes() == corpus.positions[at : at + 1].tobytes()
        game.apply(int(corpus.moves[at]))
    assert game.over


@pytest.mark.parametrize(
    ("value", "text"),
    [(680, "680"), (1257, "1,257"), (5_873_210.4, "5,870,000"), (33.24, "33.2"), (0.04889, "0.0489"), (185.4, "185")],
)
def test_figures_are_readable(value: float, text: str) -> None:
    assert report.readable(value) == text


def test_a_figure_is_the_median_with_its_extremes() -> None:
    figure = report.Figure.of("games", "games/s", [3.0, 1.0, 2.0])
    assert (figure.low, figure.median, figure.high) == (1.0, 2.0, 3.0)
    assert "| games | 2 | 1 | 3 | games/s |" in report.Section("Play", [figure]).markdown()


def test_works_take_turns_and_count_what_they_return() -> None:
    calls: list[str] = []

    def work(name: str, count: int) -> int:
        calls.append(name)
        return count

    works = {name: functools.partial(work, name, count) for name, count in (("a", 4), ("b", 2))}
    found = timing.in_turns(works, timing.Effort(repeats=3, seconds=0.001))
    assert [len(rates) for rates in found.values()] == [3, 3]
    assert [name for name, _ in itertools.groupby(calls)] == ["a", "b"] * 4
    assert timing.repeated(functools.partial(work, "c", 1), 5, count=7)() == 35
    assert calls.count("c") == 5
