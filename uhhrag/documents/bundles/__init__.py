"""Files of several documents: mails, mailboxes, web archives, books."""
