"""A folder of a user's own documents → one knowledge store of sentences that know their source.

survey          which files there are, and which are left out
document        what a reader gives: sentences with their pages, and the document's metadata
segmentation    bytes → text → paragraphs → sentences
formats         every kind of file, a row each, with its reader
html docx odt rtf mail epub markup slides xlsx delimited text jsonl    the readers
pandoc pandoc_blocks tex    the program that reads most of them, and its documents as blocks
marks whose_words    what raised and lowered letters mean; what a document quotes or denies
archive xml_trees properties    packed documents and their XML, looked at before they are unpacked
html_tree html_nodes html_blocks    what a reader sees of an HTML text, as a tree, nodes and blocks
table_rows      rows of a table as sentences
office parts    what readers of packed documents share; files within others
pdf             the reader of PDFs: letters → lines → order, tables, headings and paragraphs
blocks headings           paragraphs, headings and rows as sentences; the sections they are in
scans ocr       pages that are pictures, drawn; what Tesseract makes of them
reader_process  the process that reads: no network, bounded memory, its own crash
reader_client   our side of it: ask, wait, start another
look            whether a file has to be read, and what came of it
ingest          what is new or changed is read, the rest copied, the store replaced in one step
"""
