"""The solitaire game: its grid, its action scale and its Opposition (S0-S9)."""
