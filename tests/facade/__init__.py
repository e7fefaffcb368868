"""The readable facade: Game, notation, records, and every way to misuse them."""
