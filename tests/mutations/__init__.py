"""Mutation of the rules: one line is changed at a time, and the tests must notice."""
