"""Models behind the interfaces of `protocols.py`, and fakes of them. Only `wiring` imports them."""
