"""Drawing: shapes, and what shows them as SVG, pixels or a window; it knows no game."""
