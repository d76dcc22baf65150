"""Exports of claims: tables, JSON, Word, ClaimReview."""
