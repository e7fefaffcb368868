"""Training: self-play with sb3-contrib's MaskablePPO, and what it leaves behind."""
