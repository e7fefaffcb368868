"""Training: self-play with sb3-contrib's MaskablePPO, and the measuring of checkpoints and runs."""
