"""The value player: a network estimates what a position is worth to a seat, by what this seat may see (K14)."""
