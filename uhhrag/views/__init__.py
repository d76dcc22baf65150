"""Pages for a browser: a self-contained report of a run, and the parts that `serve` shows."""
