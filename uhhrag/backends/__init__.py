"""Real models behind the seams of `protocols.py`, and the fakes of each in `tiny.py`.

Only `wiring` imports from here, so that no other part of the program depends on them.
"""
