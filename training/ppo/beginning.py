"""The first network of a run of MaskablePPO: a stored one, or the clone of a stronger player."""

from __future__ import annotations

from rich.console import Console
from sb3_contrib import MaskablePPO

from endeavor_env.agents.terminal import print_line
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.setups import STANDARD
from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.clone.run import Clone, followed
from endeavor_env.training.clone.settings import ACTIVATION, CloneFolder, first_variant
from endeavor_env.training.clone.settings import CloneSettings as CloneSettings
from endeavor_env.training.clone.settings import preset as clone_preset
from endeavor_env.training.ppo.model import sharpen
from endeavor_env.training.ppo.settings import PPOSettings, preset
from endeavor_env.training.runs.first_policy import FirstPolicy, is_stored, read_first_policy, take_weights
from endeavor_env.training.runs.settings import impossible

OR_CLONE = "a player to clone"
"""Description of a start other than a stored policy, for errors."""
SHARPENED = 2.0
"""Factor of the logits of clones. Measured: what a clone draws then wins 17 % of games instead of 11 % when PPO begins
with it, since it is nearer to the most likely moves; PPO improves what is drawn."""


def sharpening(first: FirstPolicy) -> float:
    """Return the factor of the logits of a stored policy: SHARPENED for a clone that PPO has not improved yet."""
    return SHARPENED if first.training.get("trainer") == CloneFolder.trainer else 1.0


def settings_after(begins_with: str, preset_name: str, variant: str | None) -> PPOSettings:
    """Return the settings of a preset for a run that begins with a stored policy or with the clone of a player.

    Raises:
        InvalidOptionError: Another variant than that of the policy or player.
        CheckpointError: The policy, or the file of the player, cannot be used.
    """
    if not is_stored(begins_with):
        settings = preset(preset_name, variant or first_variant(begins_with))
        return settings.replace(begin_with=begins_with, sharpen=SHARPENED)
    first = read_first_policy(begins_with, variant or STANDARD, OR_CLONE)
    if variant not in (None, first.variant):
        raise InvalidOptionError(f"policy {first.name} plays {first.variant!r}: leave out --variant {variant}")
    shape = {"trunk": first.spec.trunk, "head": first.spec.head, "activation": first.spec.activation}
    return preset(preset_name, first.variant).replace(begin_with=first.name, sharpen=sharpening(first), **shape)


def check_beginning(settings: PPOSettings) -> None:
    """Raise InvalidOptionError or CheckpointError unless a run can begin with what its settings say."""
    if not settings.begin_with:
        return
    if is_stored(settings.begin_with):
        _first_policy(settings)
    else:
        _cloning(settings).check_named_players()


def _first_policy(settings: PPOSettings) -> FirstPolicy:
    """Return the stored policy that a run begins with; raise InvalidOptionError if it does not fit the run."""
    first = read_first_policy(settings.begin_with, settings.variant, OR_CLONE)
    first.check_fits(settings.variant, settings.network)
    return first


def _cloning(settings: PPOSettings) -> CloneSettings:
    """Return the settings of the clone that a run begins with; raise InvalidOptionError if no clone fits the run."""
    if settings.activation != ACTIVATION:
        raise impossible(
            "activation", settings.activation, f"it should be {ACTIVATION} for a run that begins with a clone"
        )
    shape = {"trunk": settings.trunk, "head": settings.head, "seed": settings.seed}
    size = "smoke" if settings.preset in ("smoke", "refine-smoke") else "quick"
    return clone_preset(size, settings.variant, settings.begin_with).replace(**shape)


def begin_with(model: MaskablePPO, settings: PPOSettings, console: Console, *, progress: bool) -> None:
    """Give a model the weights that its run begins with: those of a stored policy, or of a clone that is made here.

    Raises:
        InvalidOptionError: The policy does not fit the run, or the player cannot be cloned.
        CheckpointError: The policy, or the file of the player, cannot be used.
    """
    if is_stored(settings.begin_with):
        take_weights(model.policy, _first_policy(settings).weights)
    else:
        clone = Clone(_cloning(settings), model, Board.default())
        with followed(console, clone.reports, progress) as show:
            clone.learn(lambda _, fit: show(fit))
        print_line(f"Cloned {settings.begin_with} from {clone.choices:,} choices.", console)
    sharpen(model, settings.sharpen)
