"""Documents of a user → sentences with their sources, in a knowledge store.

listing changed    which files are documents; which have to be read
formats first_bytes    the kinds of file, each with its reader; which a file is
reader_client reader_process helper_process    the process that reads: no network, bounded memory
document blocks segmentation    what a reader gives; blocks → sentences
headings whose_words marks    sections; quotations; letters
archive xml_trees parts    packed documents, files within files
scans ocr    pictures; Tesseract
claim_list draft collections    claims in a file; sentences of a draft; the desk's folders

Rooms, each knows only those before it:
tables sheets plain pandoc web office bundles pdf    see their `__init__`
"""
