"""PDF: letters → lines → reading order → tables → headings and paragraphs.

reader          the document of a file; pages that need OCR
lines letters   lines with their places; whether letters are readable
order           line numbers removed, columns and notes apart
rows tables     lines side by side; tables
blocks          headings and paragraphs
page            a page as a picture, a sentence marked
"""
