"""The list of games: what is installed, who is meant by a text, a variant or a record, and what cannot be listed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import pytest

from endeavor_env.engine import games
from endeavor_env.engine.declaration import GameDeclaration, OfferedVariant
from endeavor_env.engine.games import GameListError, entries_in
from endeavor_env.envs.registration import register_with_gymnasium
from endeavor_env.errors import InvalidOptionError
from tests.kits.listed_toy import list_toy
from tests.kits.toy_envs import TOY

DECLARATION = """
from endeavor_env.engine.declaration import GameDeclaration, OfferedVariant


class Declared(GameDeclaration):
    name, title = {name!r}, "A game"
    variants = (OfferedVariant({variant!r}, "A variant", "", 2, 2),)


GAME = Declared()
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages behind those that are installed, and a list that has not been read."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path[1:], str(tmp_path)])
    monkeypatch.setattr(games, "read_list", games.read_list.__wrapped__)
    return tmp_path


def install(site: Path, package: str, entry: str, module: str, text: str) -> None:
    """Put a package with the entry point of a game into a folder."""
    (site / f"{module}.py").write_text(text)
    metadata = site / f"{package}-1.0.dist-info"
    metadata.mkdir()
    lines = ("[console_scripts]", "other = module:main", "", f"[{games.GROUP}]", entry, "", "[gui_scripts]", "a = b:c")
    (metadata / "entry_points.txt").write_text("\n".join(lines))


def test_both_games_of_the_package_are_listed() -> None:
    assert list(games.games()) == ["endeavor", "merchants"]
    assert games.known_variants()[:2] == ("standard", "solo")
    for game in games.games().values():
        assert game.rules.name == game.name
        assert {one.name: (one.least, one.most) for one in game.variants} == dict(game.rules.variants)


@pytest.mark.parametrize(
    ("text", "name"),
    [(None, "endeavor"), ("solo:difficulty=harder", "endeavor"), ("chess", "endeavor"), ("merchants", "merchants"),
     ("merchants:players=3", "merchants"), ("short", "endeavor")],
)  # fmt: skip
def test_a_text_begins_with_a_game_or_with_a_variant_of_the_default(text: str | None, name: str) -> None:
    assert games.game_in(text).name == name


def test_a_game_is_found_by_name_variant_record_and_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    assert games.game_of_variant("expert").name == games.game_named("merchants").name == "merchants"
    assert games.game_of_record({"format": "merchants-game/1"}).name == "merchants"
    assert games.game_of_record({}).name == "endeavor"
    assert games.game_of(TOY.rules).title == "Dice and cards"  # it is not listed: its rules say enough
    list_toy(monkeypatch)
    assert games.game_of_record({"format": "rails-game/1", "game": "toy"}).name == "toy"
    assert games.game_of(TOY.rules) is games.game_named("toy")
    for wrong in (lambda: games.game_named("chess"), lambda: games.game_of_variant("long")):
        with pytest.raises(InvalidOptionError, match="is unknown: possible are"):
            wrong()


def test_a_game_of_another_package_is_found(site: Path) -> None:
    install(
        site,
        "chess_game",
        "chess = chess_declared:GAME",
        "chess_declared",
        DECLARATION.format(name="chess", variant="blitz"),
    )
    found = games.games()
    assert list(found) == ["endeavor", "chess", "merchants"]
    assert games.game_of_variant("blitz") is found["chess"]
    assert games.game_in("chess:players=2") is found["chess"]


@pytest.mark.parametrize(
    ("entry", "text", "sentence"),
    [
        ("go = gone:GAME", "", "the game 'go' of a_game cannot be loaded from gone:GAME: No module named 'gone'"),
        ("go = declared_1:OTHER", "", "cannot be loaded from declared_1:OTHER: module 'declared_1' has no attribute"),
        ("go = declared_2:GAME", "GAME = 5", "the game 'go' of a_game is 5: its entry point must name"),
        ("go = declared_3:GAME", "GAME = = 5", "cannot be loaded from declared_3:GAME: invalid syntax"),
        ("go = declared_4:GAME", DECLARATION.format(name="stop", variant="a"), "is declared with the name 'stop'"),
        ("merchants = declared_5:GAME", DECLARATION.format(name="merchants", variant="a"), "two games have the name"),
        ("go = declared_6:GAME", DECLARATION.format(name="go", variant="solo"), "has the name 'solo' for"),
        ("go = declared_7:GAME", DECLARATION.format(name="go", variant="merchants"), "has the name 'merchants' for"),
    ],
)  # fmt: skip
def test_what_cannot_be_listed_is_one_sentence(site: Path, entry: str, text: str, sentence: str) -> None:
    install(site, "a_game", entry, entry.partition("= ")[2].partition(":")[0].replace("gone", "other"), text)
    with pytest.raises(GameListError) as refused:
        games.games()
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_gymnasium_has_the_other_games_and_a_warning_where_one_cannot_be_listed(site: Path) -> None:
    install(site, "a_game", "go = gone:GAME", "other", "")
    with pytest.warns(UserWarning, match="the game 'go' of a_game cannot be loaded"):
        register_with_gymnasium(gymnasium)
    assert "Merchants-v0" in gymnasium.registry


def test_a_checkout_without_a_list_is_to_be_installed_again(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(site), str(site / "not there")])
    with pytest.raises(GameListError, match=r"install it again, with pip install -e \. in a checkout"):
        games.games()


def test_of_a_package_that_is_there_twice_the_first_counts(site: Path) -> None:
    install(site, "a_game", "go = one:GAME", "one", "")
    (site / "second").mkdir()
    install(site / "second", "A.game", "go = two:GAME", "two", "")
    assert [entry.value for entry in entries_in([str(site), str(site / "second")])] == ["one:GAME"]


class Declared(GameDeclaration):
    """A game with the least that a declaration can say."""

    name, title = "toy", "Dice and cards"
    variants = (OfferedVariant("toy", "Dice and cards", "three seats", 3, 3),)

    @property
    def rules(self) -> Any:
        """The toy game."""
        return TOY.rules


@pytest.mark.parametrize("text", ["toy", "toy:", "toy:variant=toy,players=3"])
def test_the_least_declaration_reads_texts(text: str) -> None:
    config = Declared().parse(text, {})
    assert (config.rules, config.variant, config.players) == (TOY.rules, "toy", 3)
    assert Declared().parse("toy", {"players": "3"}).players == 3


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("toy:players", "give name=value, each once"), ("toy:players=3,players=3", "give name=value, each once"),
     ("toy:players=4", "it takes 3"), ("toy:players=x", "it takes 3"), ("toy:speed=1", "has neither options"),
     ("toy:board=b", "has neither options nor boards"), ("toy:variant=long", "variant='long' is not possible")],
)  # fmt: skip
def test_the_least_declaration_refuses_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(InvalidOptionError, match=sentence):
        Declared().parse(text, {})
    with pytest.raises(InvalidOptionError, match="players is given twice"):
        Declared().parse("toy:players=3", {"players": "4"})


def test_the_least_declaration_replays_records() -> None:
    game = TOY.new_game(3)
    game.apply(game.legal_actions()[0])
    record, declared = game.record(), Declared()
    assert declared.is_record(record)
    assert declared.variant_of(record) == "toy"
    assert declared.replay(record).history == game.history
    with pytest.raises(InvalidOptionError, match="has no boards"):
        declared.replay(record, "short")


def test_commands_say_in_a_line_that_nothing_is_listed(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from endeavor_env.engine import games\n"
        "games.GROUP = 'nothing of this name'\n"
        "from endeavor_env.cli.__main__ import main\n"
        "sys.argv = ['endeavor', *sys.argv[1:]]\n"
        "main()\n"
    )
    for words in (["arena", "random", "random", "random", "--games", "3"], ["train", "td", "--preset", "smoke"]):
        command = [sys.executable, "-c", program, *words]
        ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert ran.returncode == 2, ran.stderr
        assert ran.stderr.splitlines()[-1].startswith("error: no games are listed, because")
        assert "Traceback" not in ran.stderr
