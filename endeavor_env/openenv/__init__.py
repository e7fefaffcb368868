"""The game for OpenEnv: a server with ``reset``, ``step`` and ``state``, and its client.

```bash
uvicorn endeavor_env.openenv.server:app --port 8000
```

```python
from endeavor_env.openenv import EndeavorAction, EndeavorEnv

with EndeavorEnv(base_url="http://localhost:8000").sync() as env:
    seen = env.reset(seed=7, game="standard:players=4", opponents="greedy").observation
    system = seen.rules
    while not seen.done:
        seen = env.step(EndeavorAction(answer=model(system, seen.refused or seen.prompt))).observation
    print(seen.reward, seen.result)
```
"""

from __future__ import annotations

from endeavor_env.openenv.client import EndeavorEnv
from endeavor_env.openenv.environment import EndeavorEnvironment
from endeavor_env.openenv.models import EndeavorAction, EndeavorObservation, EndeavorState

__all__ = ["EndeavorAction", "EndeavorEnv", "EndeavorEnvironment", "EndeavorObservation", "EndeavorState"]
