"""The base game by chapter of the rulebook. Nothing here knows a variant."""
