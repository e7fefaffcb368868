"""``endeavor train ensemble a/value.npz b/value.npz --out both.npz``: one value network with the mean value of several.

Networks that were trained apart err apart, so that their mean orders turns better than each of them. It is a network
like any other, as wide as all of them together, in which those of one do not see those of another: it plays as
``value:<npz>``, in a search and in ``advised``, and ``endeavor train td --from`` goes on with it.

``--fraction-bits 9`` rounds the weights of the first layer, which is nearly the whole file, to multiples of 1/512: the
file has a third of the bytes then. It does so to a single network as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

import endeavor_env
from endeavor_env.agents.command_line import command_line, start
from endeavor_env.agents.terminal import own_command, print_line, print_next
from endeavor_env.endeavor.players.network_file import VALUE_NETWORKS
from endeavor_env.engine.kernels.network import MAX_FIRST, MAX_SECOND, NetworkArrays
from endeavor_env.engine.network_file import ValueNetwork
from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.runs.rounding import check_room, read_fraction_bits, with_rounded_first
from endeavor_env.training.runs.running import next_match
from endeavor_env.training.runs.stored_run import check_free, check_suffix


def ensemble(networks: Sequence[NetworkArrays]) -> NetworkArrays:
    """Return the network whose values are the means of those of some networks.

    Args:
        networks: Networks with the same inputs and outputs.

    Raises:
        InvalidOptionError: They see or value different things, or are too wide together.
    """
    if len({(one.first.shape[0], one.last.shape[1]) for one in networks}) != 1:
        raise InvalidOptionError("these networks cannot be one: they have different inputs or different outputs")
    first, second = (sum(one.second.shape[axis] for one in networks) for axis in (0, 1))
    if first > MAX_FIRST or second > MAX_SECOND:
        raise InvalidOptionError(
            f"these networks cannot be one: their hidden layers have {first} and {second} units together, "
            f"and {MAX_FIRST} and {MAX_SECOND} are possible"
        )
    between = np.zeros((first, second), np.float32)
    row = column = 0
    for one in networks:
        rows, columns = one.second.shape
        between[row : row + rows, column : column + columns] = one.second
        row, column = row + rows, column + columns
    share = np.float32(1.0 / len(networks))
    return NetworkArrays(
        first=np.concatenate([one.first for one in networks], axis=1),
        first_bias=np.concatenate([one.first_bias for one in networks]),
        second=between,
        second_bias=np.concatenate([one.second_bias for one in networks]),
        last=np.concatenate([one.last * share for one in networks]),
        last_bias=np.stack([one.last_bias * share for one in networks]).sum(axis=0),
    )


def write_ensemble(
    files: Sequence[str | Path], out: Path, command: str, *, fraction_bits: int | None = None, force: bool = False
) -> Path:
    """Write the ensemble of the networks of some files, whose card has theirs; return the path of its arrays.

    Args:
        files: The paths of the networks or of their cards.
        out: The file to write, with the suffix ``.npz``.
        command: The command that does so, for the card.
        fraction_bits: What ``with_rounded_first`` takes; None for weights as they are.
        force: Whether files that exist may be replaced.

    Raises:
        InvalidOptionError: ``out`` has another suffix or exists, the networks cannot be one, or their weights are too
            large for so many digits.
        CheckpointError: A network cannot be used.
    """
    digits = None if fraction_bits is None else read_fraction_bits(fraction_bits)
    check_suffix(out)
    check_free(out, force)
    networks = [VALUE_NETWORKS.read(file) for file in files]
    variants = networks[0].variants
    if any(one.variants != variants for one in networks):
        raise InvalidOptionError("these networks cannot be one: they play different variants")
    arrays = ensemble([one.arrays for one in networks])
    if digits is not None:
        check_room([arrays], digits, first_alone=True)
        arrays = with_rounded_first(arrays, digits)
    out.parent.mkdir(parents=True, exist_ok=True)
    training = {"trainer": "ensemble", "command": command, "fraction_bits": digits}
    training |= {"networks": [_about(one) for one in networks]}
    return VALUE_NETWORKS.write(out, arrays, variants, training, version=endeavor_env.__version__)


def _about(network: ValueNetwork) -> dict[str, Any]:
    """Return what the card of an ensemble tells about one of its networks."""
    return {"sha256": network.card["weights"]["sha256"], "training": network.card["training"]}


def main(
    networks: Annotated[list[str], typer.Argument(help="Value networks of the same game: their files or cards.")],
    out: Annotated[Path, typer.Option(help="The file to write, with the suffix .npz.")],
    fraction_bits: Annotated[
        int | None, typer.Option(help="Round weights of the first layer to multiples of 2**-N.", min=1, max=23)
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
) -> None:
    """Write one value network whose values are the means of those of several."""
    with command_line():
        command = own_command("endeavor_env.training.ensemble")
        path = write_ensemble(networks, out, command, fraction_bits=fraction_bits, force=force)
        print_line(f"Network {path}, card {path.with_suffix('.json')}")
        print_next(*next_match(f"value:{path}", VALUE_NETWORKS.read(path).variants[0]))


if __name__ == "__main__":
    start(lambda: typer.run(main))
