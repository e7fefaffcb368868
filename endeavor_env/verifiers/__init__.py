"""The game for verifiers: a taskset of set-ups, the games that a model plays of them, and how the model is asked.

verifiers finds tasksets as installed modules by their id, which has no dots; the package in docs/clients/endeavor_v1 is
such a module and hands these classes on.

```python
import verifiers.v1 as vf

config = vf.resolve_env_config({"taskset": {"id": "endeavor-v1", "variant": "solo"}})
env = vf.load_environment(config)
```
"""

from __future__ import annotations

try:
    from endeavor_env.verifiers.environment import EndeavorEnv, EndeavorEnvConfig
    from endeavor_env.verifiers.harness import EndeavorHarness
    from endeavor_env.verifiers.taskset import EndeavorConfig, EndeavorData, EndeavorTask, EndeavorTaskset
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"endeavor_env.verifiers needs {missing.name}: install it with pip install verifiers", name=missing.name
    ) from missing

__all__ = [
    "EndeavorConfig",
    "EndeavorData",
    "EndeavorEnv",
    "EndeavorEnvConfig",
    "EndeavorHarness",
    "EndeavorTask",
    "EndeavorTaskset",
]
