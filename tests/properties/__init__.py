"""Properties that hold in every game: Hypothesis draws the games."""
