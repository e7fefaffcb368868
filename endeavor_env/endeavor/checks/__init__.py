"""Checks of states and decisions. Nothing in play calls them."""
