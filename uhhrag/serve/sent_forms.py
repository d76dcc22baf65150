"""A form that is sent twice, as by a double click, is done once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from starlette.responses import RedirectResponse, Response

from uhhrag.system.checksummed_json import digest

_SOON = 10.0
"""Seconds from an answer in which the same form is sent by mistake."""
_MOST = 1000
"""Most forms remembered."""


@dataclass(slots=True)
class _Sent:
    lock: threading.Lock = field(default_factory=threading.Lock)
    """Held while it is answered."""
    until: float = 0.0
    led_to: str = ""


class SentForms:
    """Forms answered of late. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sent: dict[str, _Sent] = {}

    def answer(self, form: object, act: Callable[[], Response]) -> Response:
        """What `act` answers, or where it led for the same form just before.

        `form` is all that was sent, so that it differs with each page that has a form."""
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
