"""Pages a person reads in a browser: one self-contained file for a whole run, and the parts of it
that `serve` shows. Templates and assets lie beside the code; nothing is fetched from anywhere."""
