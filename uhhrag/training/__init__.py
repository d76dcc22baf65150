"""Labelled pairs, their scores and model cards, beside the trainers."""
