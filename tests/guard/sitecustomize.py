"""Imported by every Python that has this folder on its path, children included: a process that
looks a name up, opens a connection, or reads a pickle from a file says so in a log and ends.

UHHRAG_GUARD names the log. Sockets between processes of this machine (AF_UNIX) are left alone.
"""

from __future__ import annotations

import os
import sys
import traceback
from typing import Any

_LOG = os.environ.get("UHHRAG_GUARD", "")
_NETWORK = {
    "socket.connect",
    "socket.sendto",
    "socket.sendmsg",
    "socket.bind",
    "socket.getaddrinfo",
    "socket.gethostbyname",
    "socket.gethostbyaddr",
    "socket.getnameinfo",
    "urllib.Request",
    "http.client.connect",
    "ftplib.connect",
    "smtplib.connect",
}
_ADDRESSED = {"socket.connect", "socket.sendto", "socket.sendmsg", "socket.bind"}
_PICKLES = (".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".joblib")


def _told(event: str, arguments: tuple[Any, ...]) -> str:
    if event in _NETWORK:
        to_a_file = event in _ADDRESSED and isinstance(arguments[-1], str | bytes)
        return "" if to_a_file else event
    if event == "open" and str(arguments[0]).lower().endswith(_PICKLES):
        return f"open of {arguments[0]}"
    # Processes of one run talk in pickles; what they hold comes from themselves.
    if event == "pickle.find_class" and "multiprocessing" not in sys.modules:
        return f"pickle of {arguments}"
    return ""


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if told := _told(event, arguments):
        with os.fdopen(os.open(_LOG, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "w") as log:
            log.write(f"{told} {arguments!r}\n{''.join(traceback.format_stack()[:-1])}\n")
        os._exit(97)


if _LOG:
    sys.addaudithook(_hook)
