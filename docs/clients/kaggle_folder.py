"""Put the game into a copy of kaggle-environments, as it would be proposed to that project.

``python docs/clients/kaggle_folder.py FOLDER``, with the folder of a checkout; without one, into the package that is
installed, so that ``kaggle_environments.make("open_spiel_endeavor")`` works there. Once more does nothing new.
"""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path

from endeavor_env.web import empty_page

SOURCE = Path(__file__).resolve().parent / "kaggle"
GAME = "endeavor(players=4,reward=rank)"
"""How the list of games names it."""
_NEXT = '    "gin_rummy",\n'
"""The entry of their list that stands behind it."""


def put_game(package: Path) -> Path:
    """Put the game into the folder ``kaggle_environments``; return the folder of the game.

    Raises:
        ValueError: The list of games looks otherwise in this version.
    """
    host = package / "envs" / "open_spiel_env"
    folder = host / "games" / "endeavor"
    shutil.copytree(SOURCE / "endeavor", folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    _write_page(folder / "visualizer" / "default")
    _add_to_list(host / "open_spiel_env.py")
    return folder


def page() -> str:
    """Return the page of the visualizer: the replay page of this package, which reads what Kaggle has."""
    script = SOURCE / "endeavor" / "visualizer" / "default" / "replay.js"
    return empty_page(script.read_text(encoding="utf-8"), "Endeavor")


def _write_page(folder: Path) -> None:
    """Write the page, and what its build makes of it: the same. The script alone is of no use there."""
    (folder / "replay.js").unlink()
    for path in (folder / "index.html", folder / "dist" / "index.html"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(page(), encoding="utf-8")


def _add_to_list(module: Path) -> None:
    text = module.read_text(encoding="utf-8")
    if f'"{GAME}"' in text:
        return
    if text.count(_NEXT) != 1:
        raise ValueError(f"{module} has no list of games with the entry {_NEXT.strip()}")
    module.write_text(text.replace(_NEXT, f'    "{GAME}",\n{_NEXT}'), encoding="utf-8")


def installed() -> Path:
    """Return the folder of the installed package ``kaggle_environments``, without importing it.

    Raises:
        ModuleNotFoundError: It is not installed.
    """
    found = importlib.util.find_spec("kaggle_environments")
    if found is None or found.origin is None:
        raise ModuleNotFoundError("kaggle_environments is missing: install it with pip install kaggle-environments")
    return Path(found.origin).parent


def main() -> int:
    """Put the game where the command line says."""
    if len(sys.argv) == 1:
        print(put_game(installed()))
        return 0
    checkout = Path(sys.argv[1])
    print(put_game(checkout / "kaggle_environments"))
    tests = checkout / "tests" / "envs" / "open_spiel_env" / "games" / "endeavor"
    print(shutil.copytree(SOURCE / "tests", tests, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
