"""One persistent corpus that any number of claims are checked against.

manifest      what belongs to the corpus, replaced in one step: the old state or the new one
windows       a document → passages, windows of its sentences
segments      documents and the tables that find them: written once, never changed
file_table    what is known of each of the user's files; what no file holds any more is deleted
text_index    full text (tantivy), each state of it in a folder of its own
writing       one writer: new segments, text, files, and the manifest last
following     folders of documents → the corpus brought into agreement with them
snapshot      one state, opened: what a reader sees while others write
pages         documents by their addresses, for a desk
filters       dates, sites and files that a search leaves out
engines       what searches an opened corpus: its full text and its vectors
search        ranked passages → sentences near a claim
"""
