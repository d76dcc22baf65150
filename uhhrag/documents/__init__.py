"""A folder of a user's own documents → one knowledge store of sentences that know their source.

survey          which files there are, and which are left out
document        what a reader gives: sentences with their pages, and the document's metadata
segmentation    bytes → text → paragraphs → sentences
html docx odt rtf mail epub xlsx delimited text jsonl    one reader each; `text` reads Markdown
archive xml_events properties    packed documents and their XML, looked at before they are unpacked
html_blocks table_rows    all blocks of an HTML text; rows of a table as sentences
pdf             the reader of PDFs: letters → lines → order, tables, headings and paragraphs
blocks headings           paragraphs, headings and rows as sentences; the sections they are in
scans ocr       pages that are pictures, drawn; what Tesseract makes of them
reader_process  the process that reads: no network, bounded memory, its own crash
reader_client   our side of it: ask, wait, start another
look            whether a file has to be read, and what came of it
ingest          what is new or changed is read, the rest copied, the store replaced in one step
"""
