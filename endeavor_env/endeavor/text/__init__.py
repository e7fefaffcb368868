"""A game in words, for language models and programs in any language: prompts, answers, and all of a position as JSON.

```python
from endeavor_env import Game
from endeavor_env.endeavor.text import TextTable

table = TextTable(Game.new(players=4, seed=7))
print(table.prompt())
reply = table.answer("I want more discs. [build:shipyard]")
```
"""

from __future__ import annotations

from endeavor_env.endeavor.text.answers import AnswerError, move_in
from endeavor_env.endeavor.text.position import events, position, result
from endeavor_env.endeavor.text.primer import primer
from endeavor_env.endeavor.text.schema import schema
from endeavor_env.endeavor.text.short import lines, short
from endeavor_env.endeavor.text.structures import FORMAT, Message, Position
from endeavor_env.endeavor.text.table import Reply, TextOptions, TextTable

__all__ = [
    "FORMAT",
    "AnswerError",
    "Message",
    "Position",
    "Reply",
    "TextOptions",
    "TextTable",
    "events",
    "lines",
    "move_in",
    "position",
    "primer",
    "result",
    "schema",
    "short",
]
