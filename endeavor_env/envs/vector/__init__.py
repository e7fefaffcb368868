"""The Gymnasium vector environments: many games in one step."""
