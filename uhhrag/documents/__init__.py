"""Documents of a user → sentences with their sources, in a knowledge store.

survey look     which files are documents; which have to be read
formats         the kinds of file, each with its reader
reader_client reader_process helper_process    the process that reads: no network, bounded memory
document blocks segmentation    what a reader gives; blocks → sentences
table_rows table_headings    rows as sentences, the rows that name columns
headings whose_words    sections; quotations
pandoc pandoc_blocks pandoc_tables marks tex    pandoc, its JSON as blocks, letters, formulas
html_tree html_styles html_nodes html_article    HTML as a tree, as nodes; what of it is shown
archive xml_trees parts unread    packed documents, their XML, files within files, old kinds
office numbering word_tables rtf_tables    what readers of office files share; numbers, tables
pdf scans ocr   PDFs; pictures; Tesseract
"""
