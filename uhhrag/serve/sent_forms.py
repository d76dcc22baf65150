"""Acts once on a form that a double click sends twice."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from starlette.responses import RedirectResponse, Response

from uhhrag.system.checksummed_json import digest

_SOON = 10.0
"""Seconds in which a repeat is a mistake."""
_MOST = 1000
"""Forms remembered."""


@dataclass(slots=True)
class _Sent:
    lock: threading.Lock = field(default_factory=threading.Lock)
    until: float = 0.0
    led_to: str = ""


class SentForms:
    """Recent forms. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sent: dict[str, _Sent] = {}

    def answer(self, form: object, act: Callable[[], Response]) -> Response:
        """A repeated `form` (all that was sent, token included) is redirected to where `act`
        led."""
        with self._lock:
            sent = self._sent.setdefault(digest(form), _Sent())
            if len(self._sent) > _MOST:
                del self._sent[next(iter(self._sent))]
        with sent.lock:
            if time.monotonic() < sent.until:
                return RedirectResponse(sent.led_to, 303)
            answer = act()
            if answer.status_code == 303:
                sent.led_to, sent.until = answer.headers["location"], time.monotonic() + _SOON
            return answer
