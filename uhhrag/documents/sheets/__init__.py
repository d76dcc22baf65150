"""Workbooks and delimited files: cells as shown, then tables; a document per sheet, a numbered
sentence per row."""
