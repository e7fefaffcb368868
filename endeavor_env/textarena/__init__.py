"""The game for TextArena: importing this registers ``Endeavor-v0`` and a variant each, as ``Endeavor-v0-solo``.

```python
import textarena as ta
import endeavor_env.textarena

env = ta.make("Endeavor-v0")
env.reset(num_players=4, seed=7)
agents = [endeavor_env.textarena.EndeavorAgent(env, name) for name in ("greedy", "value", "random", "greedy")]
done = False
while not done:
    seat, observation = env.get_observation()
    done, info = env.step(agents[seat](observation))
rewards, game_info = env.close()
```
"""

from __future__ import annotations

from endeavor_env.textarena.game import IDS, EndeavorAgent, EndeavorEnv, register

__all__ = ["IDS", "EndeavorAgent", "EndeavorEnv", "register"]

register()
