"""Claims as files: tables and JSON, a Word document, ClaimReview for search engines."""
