"""Each command as a function, for the command line and `uhhrag.api`.

Nothing here prints: an `Observer` gets progress, warnings and early results."""
