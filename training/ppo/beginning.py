"""How a run of MaskablePPO begins with a network: with that of a checkpoint, or with the clone of a stronger player."""

from __future__ import annotations

from rich.console import Console
from sb3_contrib import MaskablePPO

from endeavor_env.agents.checkpoint import read_card, zip_path
from endeavor_env.agents.network_spec import NetworkSpec
from endeavor_env.agents.terminal import print_line
from endeavor_env.board import Board
from endeavor_env.errors import InvalidOptionError
from endeavor_env.players import is_player
from endeavor_env.players.policy_network import OF_PACKAGE, stored_policy
from endeavor_env.terms.setups import STANDARD
from endeavor_env.training.clone.folder import CloneFolder
from endeavor_env.training.clone.progress import followed
from endeavor_env.training.clone.run import Clone
from endeavor_env.training.clone.settings import first_variant
from endeavor_env.training.clone.settings import preset as clone_preset
from endeavor_env.training.ppo.model import load_stored, load_weights, sharpen
from endeavor_env.training.ppo.settings import Settings, preset

SHARPENED = 2.0
"""Factor of the logits of clones. Measured: what a clone draws then wins 17 % of games instead of 11 % when PPO begins
with it, since it is nearer to the most likely moves; PPO improves what is drawn."""


def settings_after(begins_with: str, preset_name: str, variant: str | None) -> Settings:
    """Return the settings of a preset for a run that begins with a checkpoint or with the clone of a player.

    Raises:
        InvalidOptionError: Another variant than that of the checkpoint or player.
        CheckpointError: The checkpoint, or the file of the player, cannot be used.
    """
    path = begins_with.removeprefix("checkpoint:").removeprefix("policy:")
    if _is_stored(path):
        return _after_network(path, preset_name, variant)
    if path == begins_with and is_player(begins_with):
        settings = preset(preset_name, variant or first_variant(begins_with))
        clone_preset("quick", settings.variant, begins_with).check_teacher()
        return settings.replace(begin_with=begins_with, sharpen=SHARPENED)
    card = read_card(path)
    if variant not in (None, card["variant"]):
        raise InvalidOptionError(f"checkpoint {path} plays {card['variant']!r}: leave out --variant {variant}")
    network = NetworkSpec.from_dict(card["network"])
    shape = {"trunk": network.trunk, "head": network.head, "activation": network.activation}
    factor = SHARPENED if card["training"].get("trainer") == CloneFolder.trainer else 1.0
    return preset(preset_name, card["variant"]).replace(begin_with=path, sharpen=factor, **shape)


def _after_network(begins_with: str, preset_name: str, variant: str | None) -> Settings:
    """Return the settings of a run that begins with a policy network of a file or of the package."""
    network = stored_policy(begins_with, variant or STANDARD)
    if variant not in (None, network.variant):
        raise InvalidOptionError(f"network {begins_with} plays {network.variant!r}: leave out --variant {variant}")
    shape = {"trunk": (network.logits.first.shape[1],), "head": (network.logits.second.shape[1],)}
    return preset(preset_name, network.variant).replace(begin_with=begins_with, activation="relu", **shape)


def _is_stored(begins_with: str) -> bool:
    """Return whether a run begins with a policy network of a file or of the package: not with a checkpoint or clone."""
    return begins_with == OF_PACKAGE or (begins_with.endswith(".npz") and not is_player(begins_with))


def begin_with(model: MaskablePPO, settings: Settings, console: Console, *, progress: bool) -> None:
    """Give a model the weights that its run begins with: those of a checkpoint, or of a clone that is made here.

    Raises:
        CheckpointError: The checkpoint cannot be used.
    """
    if _is_stored(settings.begin_with):
        load_stored(model, stored_policy(settings.begin_with, settings.variant))
    elif not is_player(settings.begin_with):
        load_weights(model, zip_path(settings.begin_with), settings)
    else:
        shape = {"trunk": settings.trunk, "head": settings.head, "seed": settings.seed}
        size = "smoke" if settings.preset == "refine-smoke" else "quick"
        cloning = clone_preset(size, settings.variant, settings.begin_with).replace(**shape)
        clone = Clone(cloning, model, Board.default())
        with followed(console, clone.portions, progress) as show:
            clone.learn(lambda _, fit: show(fit))
        print_line(f"Cloned {settings.begin_with} from {clone.choices:,} choices.", console)
    sharpen(model, settings.sharpen)
