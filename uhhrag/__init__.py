"""Fact-checking of real-world claims, fully offline on one workstation."""

__version__ = "0.1.0"
