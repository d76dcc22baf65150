"""Workbooks and delimited files: cells as shown, then tables."""
