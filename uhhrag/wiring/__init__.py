"""Settings → live objects. The only importer of `backends`.

| module | wires |
|---|---|
| machine | what depends on the machine and must not change a result |
| words | NLTK's data |
| embedders | the embedder |
| llms | a language model of a file or of a server, and its memory |
| readers | the cross-encoder, the NLI model, and a user's own model folders |
| header | what a run folder says of how it is made |
| predicting | a whole method, over an index or over one store |
| voting | the votes of one rule, for `calibrate` and `bench-llm` |
"""
