"""Mails, mailboxes, web archives, books."""
