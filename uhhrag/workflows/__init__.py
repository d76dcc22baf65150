"""Each command as a function; an `Observer` gets progress, warnings and early results."""
