"""Endeavor (2009): its rules, players, boards, records and pictures."""
