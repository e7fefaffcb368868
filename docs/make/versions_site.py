"""Build the site of every release, with a list of all versions in the sidebar: ``python docs/make/versions_site.py``.

Each tag ``v1.2.3`` is taken out of git into a temporary folder and built there with its own sources, into
``build/versions/v1.2.3``; ``--development`` adds the files of this checkout. ``index.html`` leads to the newest
release. Nothing is loaded from other machines. The site of the checkout alone is ``nox -s docs``.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEVELOPMENT = "development"
"""The name of the version that is no release yet."""
RELEASE_TAG = re.compile(r"v(\d+)\.(\d+)\.(\d+)")
LIST = "versions.json"
"""The file that says which versions a folder holds; only a folder with it, or an empty one, is replaced."""
Builder = Callable[[Path, Path, str, list[str]], None]
"""What builds one version: from a checkout, into a folder, under a name, with the names of all versions."""


class SiteError(Exception):
    """A sentence about what cannot be built."""


def release_tags(repository: Path) -> list[str]:
    """Return the tags of the releases, newest first."""
    tags = [tag for tag in git(repository, "tag").split() if RELEASE_TAG.fullmatch(tag)]
    return sorted(tags, key=numbers_of, reverse=True)


def numbers_of(tag: str) -> tuple[int, ...]:
    """Return the three numbers of a release's tag."""
    return tuple(int(number) for number in re.findall(r"\d+", tag))


def git(repository: Path, *words: str) -> str:
    """Return what a git command prints."""
    ran = subprocess.run(["git", "-C", str(repository), *words], capture_output=True, text=True, check=False)
    if ran.returncode:
        raise SiteError(f"git {words[0]} failed in {repository.name}: {ran.stderr.strip()}")
    return ran.stdout


def take_out(repository: Path, tag: str, folder: Path) -> None:
    """Write the files of a tag into ``folder``."""
    packed = folder.with_suffix(".zip")
    git(repository, "archive", "--format=zip", f"--output={packed}", f"refs/tags/{tag}")
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(folder)


def build_with_sphinx(checkout: Path, out: Path, name: str, names: list[str]) -> None:
    """Build one version with its own sources; new warnings about old pages are no faults."""
    listed = ["-A", f"site_version={name}", "-A", f"site_versions={','.join(names)}"]
    trees = out.with_name(f"{name}.trees")
    command = [sys.executable, "-P", "-m", "sphinx", "-q", "-b", "html", "-d", str(trees), *listed]
    ran = subprocess.run([*command, "docs", str(out)], cwd=checkout, capture_output=True, text=True, check=False)
    shutil.rmtree(trees, ignore_errors=True)
    if ran.returncode:
        raise SiteError(f"{name} was not built:\n{ran.stderr.strip()}")


def build_versions(
    repository: Path, tags: Sequence[str], out: Path, *, development: bool, build: Builder = build_with_sphinx
) -> list[str]:
    """Build the versions beside each other into ``out``, and return their names. Nothing is replaced if one fails."""
    check_tags(tags, release_tags(repository))
    check_out(out)
    releases = sorted(set(tags), key=numbers_of, reverse=True)
    names = [*releases, *([DEVELOPMENT] if development else [])]
    if not names:
        raise SiteError("there is no release yet (a tag such as v0.1.0): --development builds this checkout")
    with tempfile.TemporaryDirectory() as temporary:
        made = Path(temporary) / "site"
        made.mkdir()
        for name in names:
            checkout = repository
            if name != DEVELOPMENT:
                checkout = Path(temporary) / name.replace(".", "_")
                take_out(repository, name, checkout)
            build(checkout, made / name, name, names)
        (made / "index.html").write_text(first_page(names[0]), encoding="utf-8")
        (made / LIST).write_text(json.dumps(names) + "\n", encoding="utf-8")
        if out.exists():
            shutil.rmtree(out)
        out.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(made, out)
    return names


def check_tags(tags: Sequence[str], known: Sequence[str]) -> None:
    """Refuse tags that are no releases of the repository."""
    for tag in tags:
        if tag not in known:
            raise SiteError(f"{tag!r} is no release: there are {', '.join(known) or 'none'}")


def check_out(out: Path) -> None:
    """Refuse a place that holds anything but versions of the site."""
    if out.exists() and not (out.is_dir() and ((out / LIST).is_file() or not any(out.iterdir()))):
        raise SiteError(f"{out} holds something else than versions of the site: name another place by --out")


def first_page(name: str) -> str:
    """Return the page that leads to a version."""
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Endeavor Env</title>\n'
        f'<meta http-equiv="refresh" content="0; url={name}/index.html">\n'
        f'<p>The documentation of <a href="{name}/index.html">{name}</a>.</p>\n</html>\n'
    )


def main(arguments: Sequence[str] | None = None, repository: Path = ROOT) -> int:
    """Build what the command line names. Return the exit status: 2 if something cannot be built."""
    parser = argparse.ArgumentParser(
        prog="python docs/make/versions_site.py",
        description="Build the site of every release, with a list of all versions.",
    )
    parser.add_argument("--versions", nargs="*", metavar="TAG", help="tags such as v0.1.0; else every release")
    parser.add_argument("--development", action="store_true", help="this checkout as well, as 'development'")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "versions", help="folder; build/versions")
    asked = parser.parse_args(arguments)
    try:
        tags = release_tags(repository) if asked.versions is None else asked.versions
        names = build_versions(repository, tags, asked.out, development=asked.development)
    except SiteError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{', '.join(names)} in {asked.out}: open index.html there")
    return 0


if __name__ == "__main__":
    sys.exit(main())
