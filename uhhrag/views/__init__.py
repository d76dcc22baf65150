"""A run as a self-contained report, and parts of the desk's pages."""
