"""Pages of notebooks have the outputs of the copies that were run, and a replay runs inside a page."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.records import write_record
from tests.kits.scripts import DOCS, load_script

notebook_pages = load_script("site_parts/notebook_pages.py")


def notebook(*cells: dict[str, Any]) -> dict[str, Any]:
    """A notebook with these cells."""
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": list(cells)}


def code(text: str, *outputs: dict[str, Any]) -> dict[str, Any]:
    """A cell with code."""
    return {"cell_type": "code", "source": text.splitlines(keepends=True), "outputs": list(outputs)}


def shown(**data: str) -> dict[str, Any]:
    """An output that is shown, by kind; "_" stands for "/"."""
    return {"output_type": "display_data", "data": {kind.replace("_", "/", 1): text for kind, text in data.items()}}


def test_the_copy_that_was_run_is_shown_only_if_its_cells_are_those_of_the_notebook(tmp_path: Path):
    for name in ("stored", "run"):
        (tmp_path / name).mkdir()
    folders = tmp_path / "stored", tmp_path / "run"
    kept, done = notebook(code("x")), notebook(code("x", shown(text_plain="3")))
    (folders[0] / "a.ipynb").write_text(json.dumps(kept), encoding="utf-8")
    assert json.loads(notebook_pages.chosen("a.ipynb", *folders)) == kept
    (folders[1] / "a.ipynb").write_text(json.dumps(done), encoding="utf-8")
    assert json.loads(notebook_pages.chosen("a.ipynb", *folders)) == done
    (folders[0] / "a.ipynb").write_text(json.dumps(notebook(code("y"))), encoding="utf-8")
    assert json.loads(notebook_pages.chosen("a.ipynb", *folders)) == notebook(code("y"))
    (folders[1] / "a.ipynb").write_text("{", encoding="utf-8")
    assert json.loads(notebook_pages.chosen("a.ipynb", *folders)) == notebook(code("y"))
    with pytest.raises(ValueError, match=r"b.ipynb is no notebook"):
        notebook_pages.chosen("b.ipynb", *folders)


def built(source: Path, site: Path) -> subprocess.CompletedProcess[str]:
    """Build a site of the pages of a folder with the settings of the documentation."""
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", "-c", str(DOCS), str(source), str(site)]
    return subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)


def test_a_replay_runs_inside_a_page_and_notebooks_are_pages(tmp_path: Path):
    game, source, site = Game.new(3, seed=1), tmp_path / "docs", tmp_path / "site"
    source.mkdir()
    game.play(game.legal_moves()[0])
    write_record(game, source / "short.json")
    links = "".join(f"rendered/{path.stem}\n" for path in sorted((DOCS.parent / "notebooks").glob("*.ipynb")))
    page = f"# Page\n\n```{{replay}} short.json\n```\n\n```{{toctree}}\nrules\n{links}```\n"
    (source / "index.md").write_text(page, encoding="utf-8")
    (source / "rules.md").write_text("# Rules\n\nNone.\n", encoding="utf-8")
    done = built(source, site)
    assert done.returncode == 0, done.stderr
    text = (site / "index.html").read_text(encoding="utf-8")
    assert '<iframe class="replay" src="replays/short.html"' in text
    assert "endeavor-film/2" in (site / "replays" / "short.html").read_text(encoding="utf-8")
    assert "A tour of the rules" in (site / "rendered" / "01_rules_tour.html").read_text(encoding="utf-8")

    (source / "index.md").write_text(page.replace("short.json", "none.json"), encoding="utf-8")
    assert "none.json is no record beside this page" in built(source, site).stderr
