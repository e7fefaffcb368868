"""What is said of a game: its options and set-ups, moves in words, results and rewards, and what the Opposition did."""
