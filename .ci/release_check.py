"""Say whether a tag may become a release: ``python .ci/release_check.py v0.1.0``. Needs Python alone.

The tag, the package, the changelog and CITATION.cff must name the same version, and the addresses and owners that only
the owner of the repository can give must be set.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ADDRESSES = ("Source", "Documentation", "Changelog")
"""Keys that ``[project.urls]`` of pyproject.toml must have before a release."""


def faults(root: Path, tag: str) -> Iterator[str]:
    """Yield a sentence for each thing that stands against releasing the files in ``root`` as ``tag``."""
    version = found(r'^VERSION = "([^"]+)"$', root / "endeavor_env" / "basics" / "version.py")
    if tag != f"v{version}":
        yield f"the tag is {tag!r}, but endeavor_env.__version__ is {version!r}: the tag must be 'v{version}'"
    newest = found(r"^## (\S+)", root / "CHANGELOG.md")
    if newest != version:
        yield f"CHANGELOG.md begins with {newest!r}: its newest heading must be '## {version}'"
    cited = found(r"^version: (\S+)$", root / "CITATION.cff")
    if cited != version:
        yield f"CITATION.cff names the version {cited!r}, not {version!r}"
    addresses = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"].get("urls", {})
    for name in ADDRESSES:
        if not addresses.get(name, "").startswith("https://"):
            yield f"[project.urls] of pyproject.toml has no {name}: the owner of the repository sets an https address"
    if not found(r"^\*\s+(@\S+)", root / ".github" / "CODEOWNERS"):
        yield "the first line of .github/CODEOWNERS names nobody: the owner of the repository writes an account there"


def found(pattern: str, file: Path) -> str:
    """Return the first group of the first match in a file, empty if there is none."""
    match = re.search(pattern, file.read_text(encoding="utf-8"), re.MULTILINE)
    return match[1] if match else ""


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Check the tag of the command line. Return the exit status: 1 if something stands against the release."""
    parser = argparse.ArgumentParser(
        prog="python .ci/release_check.py", description="Say whether a tag may become a release."
    )
    parser.add_argument("tag", help="such as v0.1.0")
    tag: str = parser.parse_args(arguments).tag
    against = list(faults(root, tag))
    for fault in against:
        print(f"error: {fault}", file=sys.stderr)
    if not against:
        print(f"{tag} may be released")
    return 1 if against else 0


if __name__ == "__main__":
    sys.exit(main())
