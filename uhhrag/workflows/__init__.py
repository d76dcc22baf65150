"""Each command as a function, from checked arguments to a frozen record.

The command line and `uhhrag.api` call the same functions. Nothing here prints: progress, warnings
and early results go to an `Observer`."""
