"""A third game is a package of its own: pip installs it, and everything plays it with no line of this one changed."""

from __future__ import annotations

import os
import shutil
import site
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.slow, pytest.mark.machine_code, pytest.mark.timeout(1200)]

DOORS = """
import gymnasium, numpy, pettingzoo
import endeavor_env
from endeavor_env.engine.games import game_named
from endeavor_env.sb3 import EndeavorVecEnv
from endeavor_env.search import tree_search

env = gymnasium.make("Toy-v0", opponents="random")
seen, info = env.reset(seed=3)
over = False
while not over:
    seen, reward, over, _, info = env.step(int(numpy.flatnonzero(info["action_mask"])[0]))
print("gymnasium", type(env.unwrapped.game()).__name__, reward)

games = gymnasium.make_vec("Toy-v0", num_envs=4, learner_seat="all")
games.reset(seed=3)
print("make_vec", games.num_envs)

for kind in ("aec", "parallel"):
    table = pettingzoo.make(kind, "toys/toy-v0")
    table.reset(seed=3)
    print(kind, len(table.possible_agents))

vec = EndeavorVecEnv("Toy-v0", 2, opponents="random")
print("sb3", vec.reset().shape[0])

game = game_named("toy").configure("toy", None, None, {}).new_game(5)
print("search", tree_search(game, 50, 1).best in game.legal_actions())
"""
PAGE = """
from starlette.testclient import TestClient
from endeavor_env.agents.play.app import make_app
from endeavor_env.agents.play.store import GameStore
from pathlib import Path

Path("kept").mkdir()
app = make_app(GameStore(Path("kept")), "secret", "search", "light")
with TestClient(app, base_url="http://127.0.0.1:80", headers={"X-Token": "secret"}) as client:
    offered = [one for one in client.get("/choices").json()["variants"] if one.get("game") == "toy"]
    begun = client.post("/games", json={"game": "toy", "seats": ["human", "random", "random"], "seed": 4})
    print("page", len(offered), begun.status_code)
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment that sees the packages of this one, and in which pip has installed the toy game."""
    folder = tmp_path_factory.mktemp("third_game")
    venv.create(folder / "venv", with_pip=True)
    (packages,) = (folder / "venv").glob("lib/python*/site-packages")
    for old in packages.glob("setuptools*"):  # which Python 3.11 brings, in place of the one that is shared
        shutil.rmtree(old)
    shared = [place for place in sys.path if place.endswith("site-packages")] or site.getsitepackages()
    lines = [f"import site; site.addsitedir({place!r})" for place in shared]
    (packages / "shared.pth").write_text("\n".join([str(ROOT), *lines]) + "\n")
    shutil.copytree(ROOT / "tests" / "toy_game", folder / "toy_game", ignore=shutil.ignore_patterns("__pycache__"))
    quiet = ("--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check")
    run(folder, "-m", "pip", "install", *quiet, str(folder / "toy_game"))
    shutil.rmtree(folder / "toy_game")
    return folder


def run(folder: Path, *arguments: str) -> str:
    """Run the Python of the environment in its folder; return what it prints."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [str(folder / "venv" / "bin" / "python"), *arguments]
    ran = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-4000:]
    return ran.stdout


def endeavor(folder: Path, *arguments: str) -> str:
    """Run a command of the project."""
    return run(folder, "-m", "endeavor_env.cli", *arguments)


def test_environments_of_every_interface_and_the_search_play_it(home: Path) -> None:
    lines = [line.split()[0] for line in run(home, "-W", "error", "-c", DOORS).splitlines()]
    assert lines == ["gymnasium", "make_vec", "aec", "parallel", "sb3", "search"]


def test_the_page_offers_it_and_begins_a_game(home: Path) -> None:
    assert run(home, "-c", PAGE).split() == ["page", "1", "200"]


def test_the_arena_plays_it_and_its_records_become_pages(home: Path) -> None:
    shown = endeavor(
        home, "arena", "random", "random", "tree:sims=8", "--game", "toy", "--games", "3", "--record", "games"
    )
    assert "games of Dice and cards, toy, 3 seats" in " ".join(shown.split())
    record = sorted((home / "games").glob("*.json"))[0]
    endeavor(home, "replay", str(record), "-o", "game.html")
    assert "Dice and cards" in (home / "game.html").read_text(encoding="utf-8")
    assert "sequences" in endeavor(home, "perft", str(record), "--move", "0", "--depth", "2")
    assert "Dice and cards" in endeavor(home, "watch", "--game", "toy", "--seats", "random", "random", "random")


def test_a_value_network_learns_it_and_a_dataset_holds_it(home: Path) -> None:
    learned = endeavor(home, "train", "td", "--game", "toy", "--preset", "smoke", "--out", "run", "--no-progress")
    assert "Network run/value.npz" in learned
    endeavor(home, "datasets", "random", "random", "random", "--game", "toy", "--games", "3", "--out", "data")
    assert (home / "data").is_dir()
