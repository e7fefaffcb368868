"""The module of the engine for the web: its size, its files, its sentences about wrong input, its types."""

from __future__ import annotations

import gzip
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from endeavor_env.endeavor.game import Game
from endeavor_env.kernels.loading.library import BuildError
from endeavor_env.web import wasm
from endeavor_env.web.build_web import CODE, SOURCES, build_web, main
from tests.game.test_variant_boards import edited, track
from tests.kits.web import GENERATED, REQUIRED, run_in_node, skip

pytestmark = [pytest.mark.machine_code, pytest.mark.timeout(900)]  # the first one builds the engine
MOST_BYTES = 500_000
MOST_NETWORK_BYTES = 3_500_000

MISTAKES = [
    ('engine.newGame("solo")', r"TypeError: the arguments of newGame \"solo\" are not possible: give an object"),
    ("engine.newGame({seats: 3})", r"TypeError: .* have no \"seats\": known are variant, players"),
    (
        'engine.newGame({variant: "duel"})',
        r"RangeError: variant \"duel\" is unknown: this version plays standard, solo",
    ),
    ("engine.newGame({players: 6})", r"RangeError: players=6 does not fit variant \"standard\": it takes 3 to 5"),
    ('engine.newGame({variant: "solo", players: 2})', r"RangeError: players=2 .*: it takes exactly 1 player$"),
    ("engine.newGame({seed: -1})", r"RangeError: seed=-1 is not possible: a seed is a whole number from 0"),
    ('engine.newGame({seed: "7"})', r"RangeError: seed=\"7\" is not possible"),
    ("engine.newGame({seed: 2 ** 53})", r"RangeError: seed=9007199254740992 is not possible"),
    ('engine.newGame({exploits: "venus"})', r"TypeError: exploits=\"venus\" is not possible: give a list of names"),
    ('engine.newGame({exploits: ["mars"]})', r"RangeError: exploit \"mars\" is unknown: they are "),
    ('engine.newGame({exploits: ["venus", "venus"]})', r"RangeError: exploits=.* names venus twice"),
    ('engine.newGame({variant: "solo", exploits: ["venus"]})', r"RangeError: .*: only the base game has them"),
    ('engine.newGame({variant: "exploits", exploits: []})', r"RangeError: .*: name at least one, or play"),
    ("engine.newGame({options: 3})", r"TypeError: options=3 is not possible"),
    ('engine.newGame({options: {difficulty: "harder"}})', r"RangeError: .*: variant \"standard\" has no options"),
    (
        'engine.newGame({variant: "solo", options: {speed: 1}})',
        r"RangeError: .* has no option \"speed\", its options are",
    ),
    ('engine.newGame({variant: "solo", options: {difficulty: "x"}})', r"RangeError: option difficulty=\"x\" is not"),
    ('engine.newGame({board: "atlantis"})', r"RangeError: board \"atlantis\" is not loaded: there are endeavor_2009"),
    ("engine.newGame({setup: {}})", r"RangeError: setup \{\} is not possible: a standard game needs exactly"),
    ("engine.newGame({setup: {...game.setup(), first_player: 4}})", r"RangeError: setup.first_player is 4: .*0 to 3"),
    ("engine.newGame({setup: {first_player: 0, tokens: {}}})", r"RangeError: setup.tokens must name each of the"),
    (
        'engine.newGame({setup: {first_player: 0, tokens: {...game.setup().tokens, london: "gold"}}})',
        r"RangeError: setup.tokens\[\"london\"\] is \"gold\": token kinds are",
    ),
    (
        'engine.newGame({setup: {first_player: 0, tokens: {...game.setup().tokens, london: "pay", paris: "pay"}}})',
        r"RangeError: setup.tokens places \d+ \w+ tokens: board endeavor_2009 has \d+",
    ),
    (
        'engine.newGame({variant: "solo", setup: {...engine.newGame({variant: "solo", seed: 1}).setup(), scale: []}})',
        r"RangeError: setup.scale is \[\]: it must be a list of red, green, violet, black, each twice",
    ),
    (
        'engine.newGame({variant: "solo", setup: {...engine.newGame({variant: "solo", seed: 1}).setup(), grid: [[]]}})',
        r"RangeError: setup.grid is \[\[\]\]: its row of level 1 must be ",
    ),
    (
        'engine.newGame({variant: "solo", setup: {...engine.newGame({variant: "solo"}).setup(), track_discs: 1}})',
        r"RangeError: setup.track_discs is 1: it must map each of ",
    ),
    (
        "game.apply(36)",
        r"RangeError: action 36 \(pass\) is illegal for seat \d; decision \"build\" .* legal moves: build",
    ),
    ("game.apply(-1)", r"RangeError: action -1 is no action id: those are whole numbers 0 to 196"),
    ("game.apply(197)", r"RangeError: action 197 is no action id: those are whole numbers 0 to 196"),
    ("game.apply(1.5)", r"TypeError: action 1.5 is no action id"),
    ('game.apply("0")', r"TypeError: action \"0\" is no action id"),
    ("game.name(500)", r"RangeError: action 500 names no move on board endeavor_2009"),
    ('game.play("sail:moon")', r"RangeError: \"sail:moon\" is no move of variant standard on board endeavor_2009"),
    ('game.parse("remove:india.3")', r"RangeError: \"remove:india.3\" is no move of variant standard"),
    ("game.breakdown(4)", r"RangeError: seat 4 is not at the table: there are 0, 1, 2, 3$"),
    ('game.observation("pixels")', r"RangeError: layout \"pixels\" is unknown: there are features, compact"),
    ('game.observation("features", 4)', r"RangeError: seat 4 is not at the table: seats are 0 to 3"),
    ('game.choose("human")', r"RangeError: player \"human\" is unknown: possible are random, greedy, value, policy"),
    ('game.choose("value")', r"RangeError: .* is not loaded for variant \"standard\": await loadPlayer\(\"value\", "),
    ('game.choose("greedy", 7)', r"TypeError: random 7 is not possible: give a Random"),
    ("game.playout(7)", r"TypeError: random 7 is not possible: give a Random"),
    ("new Random(-1)", r"RangeError: seed=-1 is not possible"),
    (
        'engine.loadPlayer("policy", "neutral_2")',
        r"RangeError: .* does not play \"neutral_2\": it was made for standard, ",
    ),
    ('engine.loadBoard("../x")', r"RangeError: board \"\.\./x\" is not possible: give the id of a board"),
    ("engine.loadBoard({})", r"RangeError: board \{\} is not possible: its format must be"),
]


def test_the_code_is_small(engine: Path) -> None:
    assert (engine / CODE).stat().st_size <= MOST_BYTES
    assert (engine / CODE).read_bytes()[:4] == b"\0asm"


def test_wrong_input_is_one_sentence_and_changes_nothing(engine: Path) -> None:
    expressions = [expression for expression, _ in MISTAKES]
    [got] = run_in_node(engine, [{"what": "errors", "game": {"seed": 5}, "expressions": expressions}])
    for (expression, sentence), found in zip(MISTAKES, got["found"], strict=True):
        assert re.match(sentence, found), f"{expression}: {found}"
        assert "\n" not in found
    assert got["unchanged"]


def test_a_move_after_the_end_is_refused(engine: Path) -> None:
    play = "(() => { while (!game.isOver) game.apply(game.legal()[0]); return game.apply(0); })()"
    choose = '(() => { while (!game.isOver) game.apply(game.legal()[0]); return game.choose("random"); })()'
    [got] = run_in_node(engine, [{"what": "errors", "game": {"seed": 5}, "expressions": [play, choose]}])
    assert got["found"] == [
        "RangeError: action 0 is not possible: the game is over, start another with newGame",
        "RangeError: random cannot choose: the game is over, start another with newGame",
    ]


def test_names_facts_and_copies_are_those_of_python(engine: Path) -> None:
    game = Game.new(seed=3, exploits=["pirates", "venus"], players=3)
    text = """(() => {
      const game = engine.newGame({seed: 3, exploits: ["pirates", "venus"], players: 3});
      const facts = () => [game.variant, game.players, game.exploits, game.options, game.round, game.phase,
        game.decision, game.seat, game.names(), game.names().map((name) => game.parse(name)), game.history, game.seed];
      const copy = game.clone();
      copy.apply(copy.legal()[0]);
      return {facts: facts(), copied: copy.history.length, name: game.name(1000)};
    })()"""
    [got] = run_in_node(engine, [{"what": "value", "expression": text}])
    facts: list[Any] = [game.variant, game.num_players, list(game.exploits), game.options, game.round, game.phase]
    facts += [game.decision, game.seat, game.legal_moves(), game.legal_actions(), [], 3]
    assert got == {"facts": facts, "copied": 1, "name": game.describe(1000)}


def test_a_players_plan_is_not_carried_to_another_board(engine: Path) -> None:
    text = f"""(async () => {{
      await engine.loadBoard("{GENERATED}");
      await engine.loadPlayer("value", "standard");
      const play = (mixed) => {{
        const games = ["endeavor_2009", "{GENERATED}"].map((board) => engine.newGame({{board, seed: 4}}));
        const step = (game) => game.apply(game.choose("value", new Random(0)));
        if (mixed) {{
          while (games.some((game) => !game.isOver)) games.forEach((game) => game.isOver || step(game));
        }} else {{
          games.forEach((game) => {{ while (!game.isOver) step(game); }});
        }}
        return games.map((game) => game.history.map(([, id]) => id));
      }};
      return [play(false), play(true)];
    }})()"""
    [[alone, mixed]] = run_in_node(engine, [{"what": "value", "expression": text}])
    assert mixed == alone


def test_networks_travel_packed(engine: Path) -> None:
    files = sorted(engine.glob("*.network"))
    assert len(files) >= 6
    for file in files:
        packed = file.read_bytes()
        assert len(packed) <= MOST_NETWORK_BYTES
        assert len(gzip.decompress(packed)) > len(packed)


def test_networks_that_a_server_unpacked_play_the_same_and_damaged_ones_are_refused(
    engine: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(engine, tmp_path / "web"))
    raw, cut = folder / "policy_standard.network", folder / "value_standard.network"
    raw.write_bytes(gzip.decompress(raw.read_bytes()))
    cut.write_bytes(cut.read_bytes()[:1000])
    play = """(async () => {
      await engine.loadPlayer("policy", "standard");
      const game = engine.newGame({seed: 4});
      while (!game.isOver) game.apply(game.choose("policy"));
      return game.history;
    })()"""
    job = {"what": "value", "expression": play}
    assert run_in_node(folder, [job]) == run_in_node(engine, [job])
    load = 'engine.loadPlayer("value", "standard").catch((error) => `${error}`)'
    [found] = run_in_node(folder, [{"what": "value", "expression": load}])
    assert re.fullmatch(r"Error: \S+/value_standard\.network is damaged: it cannot be unpacked", found)


def test_a_board_file_is_played_on_and_a_variant_that_it_lacks_is_refused(engine: Path, tmp_path: Path) -> None:
    board, folder = edited(track("caribbean", 2)), tmp_path / "web"
    file = tmp_path / "short.toml"
    file.write_text(board.to_toml(), encoding="utf-8")
    build_web(folder, [file])
    expressions = ['engine.newGame({variant: "solo", board: "edited"})', "game.names()"]
    [got] = run_in_node(
        folder, [{"what": "errors", "game": {"board": "edited", "seed": 1}, "expressions": expressions}]
    )
    assert re.match(
        r"RangeError: board edited cannot be played in variant 'solo': region caribbean has 2 shipping spaces; .*$",
        got["found"][0],
    )
    assert got["found"][1] == f"no error: {','.join(Game.new(seed=1, board=board).legal_moves())}"


def test_every_name_of_the_module_has_its_type() -> None:
    types = (SOURCES / "endeavor.d.ts").read_text(encoding="utf-8")
    for source, owner in (("endeavor.js", "Engine"), ("game.js", "Game")):
        text = (SOURCES / source).read_text(encoding="utf-8")
        members = set(re.findall(r"^  (?:static )?(?:async )?(?:get )?(\w+)\(.*\{$", text, re.MULTILINE))
        members -= {"constructor", "memoryOf", "forgetPlan"}
        declared = types.partition(f"export class {owner} ")[2].partition("\n}")[0]
        found = set(re.findall(r"^  (?:static )?(?:readonly )?(\w+)[(:]", declared, re.MULTILINE)) - {"private"}
        assert members <= found, f"{owner}: {members - found} have no type"
        assert found - members <= {"seed"}, f"{owner}: {found - members} are only types"


def test_a_missing_linker_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wasm.shutil, "which", lambda name: None)
    monkeypatch.setattr(wasm.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(wasm.MissingLinkerError, match=r"^the linker wasm-ld of LLVM is missing: install lld \(.*\)$"):
        wasm.linker()


def test_a_package_with_the_linker_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wasm.shutil, "which", lambda name: None)
    monkeypatch.setattr(wasm.importlib.util, "find_spec", lambda name: name == "ziglang")
    assert wasm.linker()[1:] == ["-P", "-m", "ziglang", "wasm-ld"]


def test_without_the_sources_nothing_is_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("endeavor_env.web.build_web.SOURCES", tmp_path / "none")
    with pytest.raises(BuildError, match="build it in a checkout"):
        build_web(tmp_path / "out")
    assert main(["--out", str(tmp_path / "out")]) == 1
    assert capsys.readouterr().err.startswith("error: the JavaScript of the engine is not in ")
    assert not (tmp_path / "out").exists()


def test_the_command_names_a_board_that_there_is_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--out", str(tmp_path / "out"), "--board", "atlantis"]) == 1
    assert re.match(r"error: the board 'atlantis' is unknown; .*\n$", capsys.readouterr().err)
    assert not (tmp_path / "out").exists()


def test_a_missing_program_fails_where_it_is_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(REQUIRED, "1")
    with pytest.raises(pytest.fail.Exception, match="no node"):
        skip("no node")
    monkeypatch.delenv(REQUIRED)
    with pytest.raises(pytest.skip.Exception, match="no node"):
        skip("no node")


def test_flags_become_bits_in_parts() -> None:
    text = wasm._lowered('target triple = "x"\n  %a = bitcast <24 x i1> %b to i24\n  %c = bitcast <8 x i1> %d to i8')
    assert "triple" not in text
    assert "%a = or i24 %a.from0.joined, %a.from16.shifted" in text
    assert "<24 x i1> %b to i24" not in text
    assert "  %c = bitcast <8 x i1> %d to i8" in text
