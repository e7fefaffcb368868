"""``endeavor train export runs/refine/policy.zip``: write a checkpoint's network so that it plays without PyTorch.

The result is ``policy.npz`` with its card ``policy.json``: it plays as ``policy:<npz>`` wherever a compiled player can,
and ``endeavor train ppo --from <npz>`` goes on with it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import endeavor_env
from endeavor_env.agents.checkpoint import read_card, zip_path
from endeavor_env.agents.command_line import command_line, start
from endeavor_env.agents.extras import check_libraries
from endeavor_env.agents.network_spec import NetworkSpec
from endeavor_env.agents.terminal import print_line, print_next, terminal
from endeavor_env.endeavor.players.network_file import read_policy_network, write_policy_network
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.training.ppo.settings import VARIANTS
from endeavor_env.training.runs.first_policy import read_weights
from endeavor_env.training.runs.rounding import MOST_BITS, check_room, read_fraction_bits, rounded
from endeavor_env.training.runs.running import next_match
from endeavor_env.training.runs.stored_run import check_free, check_suffix


def export(
    checkpoint: str | Path, out: Path | None = None, *, fraction_bits: int | None = None, force: bool = False
) -> Path:
    """Write policy and value network of a checkpoint with its training and results; return the path of the arrays.

    Args:
        checkpoint: The path of its zip or card.
        out: The file to write, with the suffix ``.npz``; None for the name of the checkpoint in a folder ``export``
            beside it, since both have a card of the same name.
        fraction_bits: Of rounded weights, see ``rounded``; the card has no results then. None for weights as they are.
        force: Whether files that exist may be replaced.

    Raises:
        CheckpointError: The checkpoint cannot be used.
        InvalidOptionError: It plays another game, kernels do not compute networks of its shape, ``out`` has another
            suffix, a file exists, or weights cannot be rounded so.
    """
    from endeavor_env.agents.players.policy import check_compiled, logits_of_sb3, value_of_sb3  # needs PyTorch

    digits = None if fraction_bits is None else read_fraction_bits(fraction_bits)
    source = zip_path(checkpoint)
    target = source.parent / "export" / f"{source.stem}.npz" if out is None else out
    check_suffix(target)
    if target.with_suffix(".json") == source.with_suffix(".json"):
        raise InvalidOptionError(f"--out {target} is not possible: its card would replace that of {source}")
    check_free(target, force)
    card = read_card(source)
    if card["variant"] not in VARIANTS:
        raise InvalidOptionError(
            f"checkpoint {source} plays {shown(card['variant'])}: export takes networks of Endeavor only, those of "
            f"{' or '.join(VARIANTS)}"
        )
    spec = NetworkSpec.from_dict(card["network"])
    check_compiled(spec)
    weights = read_weights(source, spec, card["variant"])
    logits, value = logits_of_sb3(weights), value_of_sb3(weights)
    training, results = card["training"], card["results"]
    if digits is not None:
        check_room((logits, value), digits)
        logits, value = rounded(logits, digits), rounded(value, digits)
        training, results = training | {"fraction_bits": digits}, []  # which were those of other weights
    target.parent.mkdir(parents=True, exist_ok=True)
    return write_policy_network(
        target, logits, value, card["variant"], training, results, version=endeavor_env.__version__
    )


def main(
    checkpoint: Annotated[str, typer.Argument(help="The zip of a checkpoint, or its card.")],
    out: Annotated[Path | None, typer.Option(help="File to write; default export/<name>.npz beside the zip.")] = None,
    fraction_bits: Annotated[
        int | None,
        typer.Option(
            help="Round weights to multiples of 2**-N, after the first layer twice as finely.", min=1, max=MOST_BITS
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a network that was exported before.")] = False,
) -> None:
    """Write the network of a checkpoint so that it plays without PyTorch."""
    with command_line():
        check_libraries("train", "torch", "stable_baselines3", "sb3_contrib")
        path = export(checkpoint, out, fraction_bits=fraction_bits, force=force)
        print_line(f"Network {path}, card {path.with_suffix('.json')}", terminal())
        print_next(*next_match(f"policy:{path}", read_policy_network(path).variant))


if __name__ == "__main__":
    start(lambda: typer.run(main))
