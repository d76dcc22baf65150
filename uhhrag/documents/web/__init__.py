"""HTML: what of a page is shown, and what is its article. Other markup; rows of JSON."""
