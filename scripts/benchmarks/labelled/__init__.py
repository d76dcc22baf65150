"""Pages with known text, made by many programs: the text that goes in is the label."""
