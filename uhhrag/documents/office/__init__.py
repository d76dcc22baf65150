"""Word, OpenDocument, RTF, PowerPoint."""
