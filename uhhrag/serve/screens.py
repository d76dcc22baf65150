"""Opens a page in the user's browser."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser


def open_page(address: str) -> bool:
    """False without a screen, where a text browser would take over the terminal."""
    screen = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
    if sys.platform.startswith("linux") and not screen:
        return False
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    return True
