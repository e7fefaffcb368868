"""A game of a die and hidden cards as a stranger would write one: a package of its own, with an entry in the list."""
