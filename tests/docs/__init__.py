"""Tests of what the project says about itself."""
