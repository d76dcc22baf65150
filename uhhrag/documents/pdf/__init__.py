"""PDF: letters → lines → the order they are read in → rows and tables → headings and paragraphs.

reader          the document of a file; pages of which OCR is asked
lines letters   lines with their places; whether letters are what a person sees
order           line numbers taken away, columns and notes apart
rows tables     lines beside one another; those that are tables
blocks          headings and paragraphs by how they are set
page            a page as a picture, with a sentence marked
"""
