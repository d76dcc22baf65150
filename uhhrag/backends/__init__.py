"""The models behind the seams, one file a library. Only `uhhrag.wiring` imports them."""
