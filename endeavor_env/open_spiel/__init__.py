"""The game for OpenSpiel: importing this registers ``endeavor``, ``endeavor_solo`` and the other variants with pyspiel.

```python
import endeavor_env.open_spiel
import pyspiel

game = pyspiel.load_game("endeavor(players=4,seed=7)")
state = game.new_initial_state()
bots = [endeavor_env.open_spiel.bot("greedy", seed=seat) for seat in range(4)]
while not state.is_terminal():
    state.apply_action(bots[state.current_player()].step(state))
print(state.returns())
```

OpenSpiel's own ``pyspiel.MCTSBot`` of the wheel 2.0.2 crashes the process on every game written in Python; its Python
search, ``open_spiel.python.algorithms.mcts``, works, and ``bot("search:ms=50")`` is many times as strong.
"""

from __future__ import annotations

from endeavor_env.open_spiel.bots import EndeavorBot, bot
from endeavor_env.open_spiel.game import EndeavorGame, EndeavorState, register

__all__ = ["EndeavorBot", "EndeavorGame", "EndeavorState", "bot", "register"]

register()
