"""Hostile inputs for every reader of the package: `scripts/fuzz`."""
