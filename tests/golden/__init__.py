"""Golden games: whole games as readable text, replayed line by line."""
