"""Labelled pairs, scores and model cards."""
