"""Plain text: paragraphs, typed tables, speakers, times, quoted mails."""
