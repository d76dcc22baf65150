"""Paragraphs, typed tables, speakers, times, quoted mails."""
