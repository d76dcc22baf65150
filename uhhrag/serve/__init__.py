"""The desk: a local web server that checks claims one by one and keeps verdicts and reviews."""
