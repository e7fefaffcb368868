"""The automa: the Opposition's priority list, played by an ordinary seat."""
