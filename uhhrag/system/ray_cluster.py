"""Ray clusters, joined or started; started ones end after use and listen on loopback."""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uhhrag.errors import RunError, UsageError, first_line
from uhhrag.system.extras import OptionalModule
from uhhrag.system.spare import spare_folder
from uhhrag.system.terminal import quantity

ray: Any = OptionalModule("ray", "ray", "workers of --ray")

CORES = 4
"""Per worker on several machines."""
_OBJECT_STORE = 512 * 2**20
"""Bytes for waiting results; the rest waits on disk."""
_STARTS = 2
_ANSWER = 5.0
"""Seconds."""
_TOKEN = secrets.token_hex(32)
_CLOSED = {
    # Ray's name for: listen on the loopback address, where a cluster of several machines is none.
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": _TOKEN,
    "RAY_USAGE_STATS_ENABLED": "0",
    # Workers are the command's own work; Ray would let every other process go first.
    "RAY_worker_niceness": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}
_loaded_closed = threading.Event()
"""Whether Ray, which reads the environment once, saw `_CLOSED`."""
_LOOPBACK = ("127.0.0.1", "::1")
_BEGIN = "start one by: ray start --head"


@dataclass(frozen=True, slots=True)
class ClusterAddress:
    local: int | None = None
    """Workers on this machine; None: a cluster."""
    address: str = "auto"
    """Or "auto": this machine's cluster."""

    def __str__(self) -> str:
        return self.address if self.local is None else str(self.local)


def read_cluster_address(text: str | int) -> ClusterAddress:
    """As `--ray`: a number, "auto" or HOST:PORT. Raises UsageError.

    >>> read_cluster_address("4"), read_cluster_address("10.0.0.1:6379").address
    (ClusterAddress(local=4, address='auto'), '10.0.0.1:6379')
    """
    word = str(text).strip()
    if word.isascii() and word.isdigit() and len(word) < 4 and int(word):
        return ClusterAddress(local=int(word))
    host, _, port = word.rpartition(":")
    is_port = port.isascii() and port.isdigit() and len(port) < 6 and 0 < int(port) < 2**16
    if word == "auto" or (host and "/" not in word and is_port):
        return ClusterAddress(address=word)
    raise UsageError(
        f"--ray {word!r} is no place for workers; give their number on this machine, auto, or the "
        "HOST:PORT of a cluster"
    )


@dataclass(frozen=True, slots=True)
class WorkerResources:
    cores: int | None = None
    """None divides those there are."""
    gpu: bool = False


@dataclass(frozen=True, slots=True)
class Cluster:
    workers: int
    """How many fit."""
    cores: int
    gpu: bool

    def has_room(self) -> bool:
        return any(_places(node, self.cores, self.gpu) for node in _nodes())


@contextlib.contextmanager
def connected(address: ClusterAddress, needs: WorkerResources) -> Iterator[Cluster]:
    """Raises UsageError without cluster or room, RunError if none starts here."""
    _require_listener(address)
    if "ray" in sys.modules and ray.is_initialized():
        if address != ClusterAddress():
            raise UsageError(f"--ray {address}: this program is connected to a cluster; give auto")
        yield _measured(address, needs)
        return
    with contextlib.ExitStack() as stack:
        stack.enter_context(_restored_sigterm())
        if address.local:
            _start(address.local, needs, stack)
        else:
            _join(address)
        stack.callback(ray.shutdown)
        if address.local and any(node["NodeManagerAddress"] not in _LOOPBACK for node in _nodes()):
            raise RunError("Ray listens beyond this machine; its version is not supported")
        stack.enter_context(_silent())
        yield _measured(address, needs)


def _start(workers: int, needs: WorkerResources, stack: contextlib.ExitStack) -> None:
    """`stack` holds its environment and folder."""
    if "ray" in sys.modules and not _loaded_closed.is_set():
        raise UsageError(
            f"--ray {workers}: this program has loaded Ray before, which would listen beyond this "
            "machine; start another process, or connect it to a cluster and give auto"
        )
    cores = needs.cores or max(1, (os.cpu_count() or 1) // workers)
    stack.enter_context(_environment(_CLOSED))
    folder = stack.enter_context(_scratch())
    _loaded_closed.set()
    try:
        _connect(
            address="local",
            num_cpus=workers * cores,
            include_dashboard=False,
            object_store_memory=_OBJECT_STORE,
            _temp_dir=str(folder),
        )
    except Exception as error:  # noqa: BLE001 - Ray raises bare ones
        raise RunError(f"Ray does not start on this machine: {first_line(error)}") from None


def _join(address: ClusterAddress) -> None:
    try:
        _connect(address=address.address)
    except Exception as error:  # noqa: BLE001 - Ray raises bare ones
        reason = first_line(error)
        raise UsageError(f"--ray {address}: no cluster answers: {reason}; {_BEGIN}") from None


def _connect(**settings: Any) -> None:
    """Tries again: a machine may be busy, or a node just died."""
    for left in reversed(range(_STARTS)):
        try:
            ray.init(log_to_driver=False, logging_level=logging.ERROR, **settings)
            return
        except Exception:
            ray.shutdown()
            if not left:
                raise


def _require_listener(address: ClusterAddress) -> None:
    """Raises UsageError at once, where Ray would try for minutes."""
    host, _, port = address.address.rpartition(":")
    if not host:
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_ANSWER).close()
    except OSError as error:
        raise UsageError(f"--ray {address}: no cluster answers: {error}; {_BEGIN}") from None


def _measured(address: ClusterAddress, needs: WorkerResources) -> Cluster:
    nodes = _nodes()
    most = max((int(node["Resources"].get("CPU", 0)) for node in nodes), default=0)
    if address.local:
        cores = needs.cores or max(1, most // address.local)
    else:
        cores = needs.cores or max(1, min(CORES, most))
    workers = sum(_places(node, cores, needs.gpu) for node in nodes)
    if not workers:
        wanted = f"{quantity(cores, 'core')}{' and a GPU' if needs.gpu else ''}"
        raise UsageError(f"--ray {address}: no machine of the cluster has {wanted} for a worker")
    return Cluster(workers, cores, needs.gpu)


def _nodes() -> list[dict[str, Any]]:
    return [node for node in ray.nodes() if node["Alive"]]


def _places(node: dict[str, Any], cores: int, gpu: bool) -> int:
    resources = node["Resources"]
    places = int(resources.get("CPU", 0)) // cores
    return min(places, int(resources.get("GPU", 0))) if gpu else places


def _scratch() -> contextlib.AbstractContextManager[Path]:
    """In a short path: a socket's has at most 107 characters."""
    base = tempfile.gettempdir()
    return spare_folder(Path(base if len(base) < 29 else "/tmp"))  # noqa: S108


@contextlib.contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """Without Ray's messages of dead workers among our results."""
    with contextlib.ExitStack() as stack, _environment({"RAY_IGNORE_UNHANDLED_ERRORS": "1"}):
        stack.callback(_said_by_ray, _said_by_ray(lambda *_, **__: None))
        yield


def _said_by_ray(show: Any) -> Any:
    module = ray._private.worker
    before, module.print_to_stdstream = module.print_to_stdstream, show
    return before


@contextlib.contextmanager
def _restored_sigterm() -> Iterator[None]:
    """Undoes Ray's own handler."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
