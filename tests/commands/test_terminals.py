"""Whatever the terminal is like, results are kept: narrow, without Unicode, closed, or interrupted."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
import typer
from rich.console import Console
from rich.table import Table

from endeavor_env.agents import arena, command_line, matches, terminal
from endeavor_env.benchmarks import command, run
from endeavor_env.benchmarks.report import Figure, Section
from endeavor_env.errors import printable
from tests.kits.checkpoints import untrained_checkpoint
from tests.kits.commands import Impatient, run_command
from tests.kits.players import Idler

ARENA, SOLO_MATCH, EVALUATE, SOAK = (
    "endeavor_env.agents.arena",
    "endeavor_env.agents.solo_match",
    "endeavor_env.training.evaluate",
    "endeavor_env.benchmarks.soak",
)
THREE = ["random"] * 3
SECTION = Section("Another", [Figure.of("speed", "µs", [3.0])])


class Terminal(io.TextIOWrapper):
    """A terminal with an encoding, which keeps what is written to it."""

    def __init__(self, encoding: str) -> None:
        self.written = io.BytesIO()
        super().__init__(self.written, encoding=encoding, write_through=True)

    @property
    def text(self) -> str:
        return self.written.getvalue().decode(self.encoding)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp437", "utf-8"])
def test_a_terminal_without_unicode_shows_a_match_with_other_characters(
    encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matches, "agents_for", lambda config, names: [Idler("Zoë ★ [/red] :key:")])
    out = Terminal(encoding)
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "argv", ["arena", "a", "b", "c", "--games", "3"])
    with pytest.raises(SystemExit) as ended:
        command_line.start(arena.app)
    assert ended.value.code == 0
    shown = "Zoë ★ [/red] :key:".encode(encoding, "replace").decode(encoding)
    assert shown in out.text
    assert "3 games on endeavor_2009" in out.text


def test_a_terminal_without_unicode_shows_help(monkeypatch: pytest.MonkeyPatch) -> None:
    out = Terminal("ascii")
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "argv", ["arena", "--help"])
    monkeypatch.setenv("COLUMNS", "40")
    with pytest.raises(SystemExit) as ended:
        command_line.start(arena.app)
    assert ended.value.code == 0
    assert "--games" in out.text


def test_the_json_file_is_written_before_anything_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_terminal(*_: object) -> None:
        raise BrokenPipeError(32, "Broken pipe")

    monkeypatch.setattr(arena, "print_table", no_terminal)
    file = tmp_path / "match.json"
    with pytest.raises(BrokenPipeError):
        command_line.play_and_report(arena.Match(THREE, 3), 1, arena._show, file)
    assert json.loads(file.read_text(encoding="utf-8"))["games"] == 3


def test_a_result_is_shown_even_if_its_file_cannot_be_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(OSError, match=r"Is a directory|folder"):
        command_line.play_and_report(arena.Match(THREE, 3), 1, arena._show, tmp_path)
    assert "3 games on endeavor_2009" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("module", "arguments", "words"),
    [
        (ARENA, [*THREE, "--games", "3"], ["wins: ", "95 % interval: ", "mean score: ", "parity is 33.3%"]),
        (SOLO_MATCH, ["random", "--games", "2", "--difficulty", "normal"], ["lead: ", "theirs: ", "complete: "]),
        (SOAK, ["--games", "2", "--variants", "solo"], ["variant: solo", "decisions: ", "violations: 0"]),
    ],
)
def test_on_a_narrow_terminal_every_figure_stands_in_a_line_of_its_own(
    module: str, arguments: list[str], words: list[str]
) -> None:
    narrow, wide = (run_command(module, *arguments, columns=columns) for columns in (40, 160))
    assert (narrow.status, wide.status) == (0, 0)
    assert all(word in narrow.out for word in words)
    assert "…" not in narrow.out
    table = narrow.out.split("games/s")[0].split("`python")[0]
    assert max(map(len, table.splitlines()[:-1])) <= 40
    assert "…" not in wide.out


def test_a_table_that_fits_is_left_as_it_is_and_its_texts_are_no_markup() -> None:
    table = Table("name", title="[bold]title :key:")
    table.add_column("figure", no_wrap=True)
    table.add_row("[/red]", "1,234,567,890")
    for width, rows in ((80, 1), (20, 2)):
        console = Console(file=io.StringIO(), width=width, markup=False, emoji=False, highlight=False)
        terminal.print_table(table, console)
        printed = console.file.getvalue()  # type: ignore[attr-defined]
        assert "[bold]title" in printed
        lines = [line for line in printed.splitlines() if "[/red]" in line or "1,234,567,890" in line]
        assert len(lines) == rows


def test_machine_output_is_whole_on_a_narrow_terminal(tmp_path: Path) -> None:
    arguments = ["random", "--games", "2", "--markdown"]
    narrow, wide = (run_command(SOLO_MATCH, *arguments, columns=columns) for columns in (20, 160))
    assert narrow.out == wide.out


def test_an_interrupted_evaluation_shows_the_matches_that_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "endeavor_env.agents.registry.make_agent", lambda name: Impatient(5) if name == "greedy" else Idler(name)
    )
    done = run_command(EVALUATE, str(untrained_checkpoint(tmp_path, "standard")), "--games", "60")
    assert (done.status, done.err) == (130, "interrupted after 1 of 6 matches\n")
    assert "2 x random" in done.out


def test_an_evaluation_that_cannot_end_does_not_begin(tmp_path: Path) -> None:
    done = run_command(EVALUATE, str(untrained_checkpoint(tmp_path, "standard")), "--games", "12")
    assert (done.status, done.out) == (2, "")
    assert done.err == "error: games=12 is not possible: give a positive multiple of 60\n"


def interrupt(*_: object, **__: object) -> list[Section]:
    raise KeyboardInterrupt


@pytest.mark.parametrize("module", [ARENA, SOLO_MATCH, "endeavor_env.training.ppo", EVALUATE, SOAK])
def test_ctrl_c_before_anything_is_done_is_one_line(
    module: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(matches, "agents_for", interrupt)
    monkeypatch.setattr("endeavor_env.agents.checkpoint.read_card", interrupt)
    monkeypatch.setattr("endeavor_env.training.ppo.settings.preset", interrupt)
    monkeypatch.setattr("endeavor_env.endeavor.board.Board.resolve", interrupt)
    arguments = {ARENA: THREE, SOLO_MATCH: ["random"], EVALUATE: ["policy.zip"], SOAK: ["--games", "2"]}
    done = run_command(module, *arguments.get(module, []))
    assert (done.status, done.err, done.out) == (130, "interrupted\n", "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("app", "first", "second"),
    [(run.app, "core", "vector"), (run.core_app, "rules", "parts"), (run.envs_app, "aec", "gymnasium")],
)
def test_an_interrupted_benchmark_keeps_the_sections_that_ended(
    app: typer.Typer,
    first: str,
    second: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(run, "SPEED", (first, second))
    monkeypatch.setitem(run.SECTIONS, first, run.Measure(lambda effort: [SECTION]))
    monkeypatch.setitem(run.SECTIONS, second, run.Measure(interrupt))
    file = tmp_path / "figures.json"
    assert run.main(["--smoke", "--json", str(file)], app) == 130
    printed = capsys.readouterr()
    assert "### Another" in printed.out
    assert "interrupted after " in printed.err
    assert [section["title"] for section in json.loads(file.read_text(encoding="utf-8"))["sections"]] == ["Another"]


def test_ctrl_c_and_errors_in_words_end_a_measurement_with_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    def full() -> int:
        raise OSError(28, "No space left on device")

    def stopped() -> int:
        raise KeyboardInterrupt

    for problem, status, line in ((full, 2, "error: No space left on device\n"), (stopped, 130, "interrupted\n")):
        with pytest.raises(typer.Exit) as ended, command_line.command_line():
            problem()
        assert ended.value.exit_code == status
        assert capsys.readouterr().err == line
    with pytest.raises(typer.Exit), command_line.command_line():
        Path("no/such/file").read_text()
    assert capsys.readouterr().err == "error: no/such/file cannot be used: No such file or directory\n"


def test_an_option_of_several_values_takes_the_words_up_to_the_next() -> None:
    several = {"--only", "--players"}
    assert command.spread(["--only", "a", "b", "--smoke", "c"], several) == [
        "--only", "a", "--only", "b", "--smoke", "c",
    ]  # fmt: skip
    for words in (["--only", "--smoke"], ["--smoke", "--only"]):
        with pytest.raises(typer.BadParameter, match="--only needs at least one value"):
            command.spread(words, several)
    assert command.spread(["--only", "a", "--only", "b", "c"], several) == ["--only", "a", "--only", "b", "--only", "c"]
    assert command.spread(["--seed", "-1", "x"], several) == ["--seed", "-1", "x"]


NASTY = "no\x1b[2J\x1b]0;title\x07"
"""Clears a terminal and changes the title of its window."""


@pytest.mark.parametrize(
    "words",
    [
        ["replay", f"{NASTY}.json"],
        ["board", "check", f"{NASTY}.toml"],
        ["board", "show", NASTY],
        ["bench", "score", f"{NASTY}.jsonl"],
        ["arena", NASTY, "random", "random"],
        ["solo", f"checkpoint:{NASTY}"],
        ["doctor", "--json", f"{NASTY}/x"],
        ["train", "export", NASTY],
        ["words", NASTY, "random", "--model", "x"],
        [NASTY],
        ["replay", f"--{NASTY}"],
    ],
)
def test_names_with_sequences_for_the_terminal_are_shown_as_text(words: list[str]) -> None:
    done = run_command("endeavor_env.cli", *words)
    assert done.status
    assert "\x1b" not in done.out + done.err
    assert "\x07" not in done.out + done.err
    assert "x1b" in done.err


def test_tables_and_lines_show_such_sequences_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table(title=f"title {NASTY}", caption=NASTY)
    table.add_column(NASTY)
    table.add_row(f"{NASTY}\u202e")
    terminal.print_table(table)
    terminal.print_line(NASTY)
    printed = capsys.readouterr().out
    assert printable(printed) == printed
    assert printed.count("\\x1b[2J") == 5
