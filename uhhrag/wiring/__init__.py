"""Settings → live objects. The only importer of `backends`.

| module | wires |
|---|---|
| machine | what depends on the machine and must not change a result |
| nltk_data | NLTK's data |
| embedders | the embedder |
| llms | a language model of a file or of a server, and its memory |
| loaded | a model with its fingerprint; models that a program brings itself |
| rerankers | the cross-encoder, the NLI model, and a user's own model folders |
| run_header | what a run folder says of how it is made |
| pipeline | a whole method, over an index or over one store |
| voter | the votes of one rule, for `calibrate` and `bench-llm` |
"""
