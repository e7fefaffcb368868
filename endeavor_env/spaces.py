"""The classes of the environments' spaces. Checkpoints of learners name them by this path, which stays."""

from __future__ import annotations

from typing import Any, NoReturn

import gymnasium
import numpy as np
from gymnasium.vector.utils import batch_space


class MaskedSpace(gymnasium.spaces.Dict):
    """The space of observations with masks: a ``Dict`` that says what to do when it is taken for a ``Box``."""

    def __getattr__(self, name: str) -> NoReturn:
        """Raise AttributeError; for the limits of a ``Box``, say how to get one."""
        if name in ("low", "high"):
            raise AttributeError(
                f"an observation with a mask is a Dict and has no {name!r}: make the environment with flat=True, and "
                "an observation is a Box, the mask being in the infos"
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


class ActionSpace(gymnasium.spaces.Discrete):  # type: ignore[type-arg]  # no class of Gymnasium's can be subscripted
    """The action ids: a ``Discrete`` that draws by masks of bool as well, which Gymnasium's refuses."""

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Return a random action id, as ``Discrete.sample`` does; ``mask`` is (actions,) int8 or bool."""
        return super().sample(_as_int8(mask), probability)


class ActionSpaces(gymnasium.spaces.MultiDiscrete):  # type: ignore[type-arg]  # see ActionSpace
    """An action id for each game of a vector environment; what Gymnasium's ``batch_space`` makes of ``ActionSpace``."""

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Return random action ids, (num_envs,), as ``MultiDiscrete.sample`` does.

        ``mask`` has a mask for each game: a tuple of arrays, (actions,) int8 or bool, or (num_envs, actions).
        """
        return super().sample(None if mask is None else tuple(map(_as_int8, mask)), probability)


@batch_space.register(ActionSpace)
def _batched(space: ActionSpace, n: int = 1) -> ActionSpaces:
    """Return the space of ``n`` actions."""
    plain: Any = batch_space.dispatch(gymnasium.spaces.Discrete)(space, n)
    return ActionSpaces(plain.nvec, dtype=plain.dtype, seed=plain.np_random, start=plain.start)


def _as_int8(mask: Any) -> Any:
    """Return a mask of bool as int8, of which it has the bytes, and anything else as it is."""
    return mask.view(np.int8) if isinstance(mask, np.ndarray) and mask.dtype == np.bool_ else mask
