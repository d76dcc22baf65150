"""A run as a self-contained report, and parts of `serve`'s pages."""
