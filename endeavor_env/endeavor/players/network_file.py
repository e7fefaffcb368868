"""What all networks of Endeavor depend on, and where those are that come with the package.

The file of a published network never changes: a newer one gets a number. Networks that only the corpus or a figure of
the manual plays are in a checkout alone, because wheels have no room for all.
"""

from __future__ import annotations

from pathlib import Path

from endeavor_env.endeavor.observation import layout_for
from endeavor_env.endeavor.rules.actions import layout_hash
from endeavor_env.engine.network_file import network_files
from endeavor_env.errors import CheckpointError, shown

NETWORKS = Path(__file__).parent / "networks"
"""The folder of the networks that come with the package."""
FORMER_NETWORKS = Path(__file__).parent / "former_networks"
"""The folder of those that only a checkout has."""
NEWEST = {
    "policy_standard": "policy_standard_5",
    "policy_solo": "policy_solo_4",
    "value_standard": "value_standard_6",
    "value_solo": "value_solo_3",
    "value_exploits": "value_exploits_2",
    "value_variants": "value_variants_2",
}
"""The files of networks that came after others of the same name."""
OF_PACKAGE = "@"
"""How names of files of the package begin where a path is possible."""


def layouts_of(variant: str) -> dict[str, str]:
    """Return the hashes of the actions and the features of ``variant``, on which every network depends."""
    return {"actions": layout_hash(variant), "features": layout_for(variant, "features").hash}


def package_path(name: str) -> Path:
    """Return the path of the arrays of the newest network that comes with the package, by its name without a number."""
    return NETWORKS / f"{NEWEST.get(name, name)}.npz"


def package_names() -> list[str]:
    """Return the names of all network files of the package, as a path may name them: "@policy_standard" and so on."""
    return sorted(f"{OF_PACKAGE}{name}" for name in _files())


def _files() -> dict[str, Path]:
    """Return the files of all networks that are here, by name."""
    return {file.stem: file for folder in (FORMER_NETWORKS, NETWORKS) for file in folder.glob("*.npz")}


def named_network_files(network: str | Path) -> tuple[Path, Path]:
    """Return the paths of the arrays and the card of a network, as ``network_files`` does, or of one of the package.

    Args:
        network: A path, or "@name" for the file of this name that comes with the package, as "@policy_standard".

    Raises:
        CheckpointError: The package has no such file, or a path without a name.
    """
    name = str(network)
    if not name.startswith(OF_PACKAGE):
        return network_files(network)
    if (file := _files().get(name.removeprefix(OF_PACKAGE))) is None:
        known = ", ".join(package_names())
        raise CheckpointError(f"network {shown(name)} does not come with the package: there are {known}")
    return network_files(file)
