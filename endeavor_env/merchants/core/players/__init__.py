"""Compiled players of Merchants of Europe."""
