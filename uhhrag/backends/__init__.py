"""Models behind `protocols.py`, and fakes; only `wiring` imports them."""
