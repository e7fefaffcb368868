"""``endeavor compile``: what is compiled is found, what is not is made, and what could not be saved is a failure."""

from __future__ import annotations

import pytest

from endeavor_env.compile import command as compiling
from endeavor_env.kernels.switches import USES_LIBRARY
from tests.cli.endeavor import endeavor

pytestmark = pytest.mark.skipif(not USES_LIBRARY, reason="no library is used")


@pytest.mark.parametrize(("files", "status"), [(["all.library"], 0), ([], 1)])
def test_it_says_where_everything_is_or_fails(files: list[str], status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    cleared: list[bool] = []
    monkeypatch.setattr(compiling, "compile_everything", lambda: True)
    monkeypatch.setattr(compiling, "library_files", lambda: files)
    monkeypatch.setattr(compiling, "remove_other_versions", lambda: cleared.append(True) or 2)
    done = endeavor("compile", "--clear")
    assert (done.status, cleared) == (status, [True])
    lines = done.out.splitlines()
    assert lines[0] == "Folders of other versions removed: 2."
    assert lines[1].startswith("Compiled in ")
    assert (lines[2:] == ["Everything is ready in all.library"]) == (status == 0)
    assert endeavor("compile").out.splitlines()[0].startswith("Compiled in ")
    assert cleared == [True]
