"""HTML as shown, and its article; other markup; JSON rows."""
