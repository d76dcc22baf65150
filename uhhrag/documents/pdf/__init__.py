"""PDF: letters → lines → reading order → tables → headings and paragraphs.

reader          the document of a file; pages that need OCR
places letters  letters by position; whether they are readable
lines struck    lines with their places, without what is struck out
fields          what is filled into a form
running order   running heads and line numbers removed, columns and notes apart
rows tables     lines side by side; tables
blocks          headings and paragraphs
page            a page as a picture, a sentence marked
"""
