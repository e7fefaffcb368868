"""Recording games of the environments with Minari's ``DataCollector``. Needs Minari with its extra ``create``.

``minari.DataCollector(env, step_data_callback=MaskCallback, record_infos=True)`` records the masks of legal actions.
"""

from __future__ import annotations

from typing import Any

from endeavor_env.basics.inputs import MASK_KEY

try:
    from minari import StepDataCallback
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"endeavor_env.minari needs {missing.name}: install it with pip install 'minari[create]'", name=missing.name
    ) from missing


class MaskCallback(StepDataCallback):
    """Keeps the mask of every step as the only info, so that all steps of an episode have infos of one structure.

    Minari stores infos as arrays over the steps and refuses those that change. Those of the environments do: the first
    one has the seat and the seed, the last one scores and winners. With ``flat=True`` the mask stands nowhere else.
    """

    def __call__(self, env: Any, obs: Any, info: dict[str, Any], *result: Any, **results: Any) -> Any:
        """Return what is recorded of a step: all that Minari records, and of the info only ``"action_mask"``.

        The arguments are those of ``minari.StepDataCallback``. The mask is (actions,), as ``info`` has it.
        """
        return super().__call__(env, obs, {MASK_KEY: info[MASK_KEY]}, *result, **results)
