"""What tests of several folders share: positions, games, environments."""
