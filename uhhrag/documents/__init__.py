"""Documents of a user → sentences with their sources.

listing changed    which files are documents; which to read
formats first_bytes    kinds of file with readers; which a file is
reader_client reader_process helper_process    the reading process: no network, bounded memory
document blocks segmentation    what a reader gives; blocks → sentences
headings whose_words marks    sections; quotations; letters
archive xml_trees parts    packed documents, files within files
scans ocr    pictures; Tesseract
claim_list draft collections    claims of a file; sentences of a draft; the desk's folders

Rooms, each knows only those before it:
tables sheets plain pandoc web office bundles pdf    see their `__init__`
"""
