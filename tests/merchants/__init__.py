"""Tests of Merchants of Europe."""
