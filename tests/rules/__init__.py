"""Tests of the rules, one or more for every clause; `position` builds the positions they start from."""
