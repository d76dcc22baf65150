"""A folder of a user's own documents → one knowledge store of sentences that know their source.

folder      which files there are, and which are left out
document    what a reader gives: sentences with their pages, and the document's metadata
cutting     bytes → text → paragraphs → sentences
web portable office plain rows    one reader each: HTML; PDF; DOCX; text and Markdown; JSON lines
reading     the process that reads, apart from ours: no network, bounded memory, its own crash
ingest      what is new or changed is read, the rest kept, the store put in place in one step
"""
