"""Real models behind the seams of `protocols.py`, and a fake of each in `fakes.py`.

Only `wiring` imports from here, so that no other part of the program depends on them.
"""
