"""The Gymnasium vector environments: one step plays many games."""
