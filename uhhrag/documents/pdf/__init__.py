"""PDF: letters → lines → reading order → tables → headings and paragraphs.

reader              the document of a file; pages that need OCR
places              letters by position; whether they are readable
unseen small        what hides or strikes out letters, bullets; raised and lowered figures
lines fields        lines with their places; what is filled into a form
running pieces      running heads removed; lines put together from their pieces
line_numbers order  line numbers removed; columns, notes and what is drawn out of order
rows tables         lines side by side; tables
blocks              headings and paragraphs
page                a page as a picture, a sentence marked
"""
