"""The advised player: a value player that also asks a policy network which of its moves are likely to be good."""
