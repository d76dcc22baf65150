"""Documents of a user → sentences with their sources, in a knowledge store.

survey look     which files are documents; which have to be read
formats         the kinds of file, each with its reader
reader_client reader_process    the process that reads: no network, bounded memory
document blocks segmentation    what a reader gives; blocks → sentences
table_rows headings whose_words    rows as sentences; sections; quotations
pandoc pandoc_blocks marks tex    pandoc, its JSON as blocks, raised letters, formulas
html_tree html_nodes html_blocks    HTML as a tree, as nodes, as blocks
archive xml_trees xml_events office parts    packed documents, their XML, files within files
pdf scans ocr   PDFs; pictures; Tesseract
"""
