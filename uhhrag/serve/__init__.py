"""The desk: a local web server for checks, verdicts and reviews."""
