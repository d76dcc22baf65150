"""The desk: a local web server that checks claims and keeps verdicts and reviews."""
