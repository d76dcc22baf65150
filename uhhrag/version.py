"""The package's version; imports nothing."""

__version__ = "0.1.0"
