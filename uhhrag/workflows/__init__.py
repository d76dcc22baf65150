"""What each command does, as a function: from checked arguments to a frozen record.

A file per command. The command line and `uhhrag.api` call the same functions: the one prints the
record, the other returns it. Nothing here prints; progress, warnings and results that should be
seen at once go to an `Observer`.

| module | gives |
|---|---|
| observer | who is told of progress, warnings and early results |
| method | how claims are decided: options and recipe → settings and machine |
| documents | a folder of documents → one store, and where what is made of it is kept |
| table | any result → a pyarrow or pandas table |
"""
