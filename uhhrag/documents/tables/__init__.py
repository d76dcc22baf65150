"""Rows of cells → sentences that name their columns."""
