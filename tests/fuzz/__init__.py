"""Hostile inputs for every reader of the package: `python -m tests.fuzz --inputs 4000`."""
