"""Tables as rows of cells → sentences that name their columns."""
