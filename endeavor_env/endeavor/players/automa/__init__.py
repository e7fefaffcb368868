"""The automa: a player that follows the Opposition's priority list in an ordinary seat."""
