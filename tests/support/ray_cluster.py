"""A real Ray cluster of several nodes in this machine, stand-ins that any worker can load, and what
looks for processes that are left."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from uhhrag import Loaded
from uhhrag.backends.fakes import hashing_embedder, scripted_llm
from uhhrag.records import Prompt
from uhhrag.system import ray_cluster

STORE = 100 * 2**20
"""Bytes of a node's object store."""
NODE = {
    "num_cpus": 2,
    "object_store_memory": STORE,
    "node_ip_address": "127.0.0.1",
    "include_dashboard": False,
    "include_log_monitor": False,
    "no_monitor": True,
    # A port that is given is not waited for, which a busy machine is too slow for.
    "metrics_agent_port": -1,
}


@contextmanager
def several_nodes(count: int = 2) -> Iterator[Any]:
    """A cluster whose nodes are sets of processes; this process is connected to the first one."""
    with ray_cluster._environment(ray_cluster._CLOSED):
        import ray
        from ray.cluster_utils import Cluster

        ray_cluster._loaded_closed.set()
        cluster = Cluster(initialize_head=True, head_node_args=NODE)
        try:
            for _ in range(count - 1):
                cluster.add_node(**NODE)
            connect(cluster)
            yield cluster
        finally:
            ray.shutdown()
            cluster.shutdown()


def connect(cluster: Any) -> None:
    import ray

    if not ray.is_initialized():
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")


def letter(prompt: Prompt) -> str:
    return "AB"[len(prompt.text) % 2]


def asked(prompt: Prompt) -> str:
    return f"What is known of {len(prompt.body)} things?"


class Waiting:
    """A model that takes its time: `seconds` for each call."""

    def __init__(self, model: Any, seconds: float) -> None:
        self.model, self.seconds = model, seconds

    def __call__(self, *arguments: Any) -> Any:
        time.sleep(self.seconds)
        return self.model(*arguments)


def models(seconds: float = 0.0) -> dict[str, Any]:
    """Stand-ins for both models, which keep nothing from one call to the next."""
    script = {"ask_about": asked, "vote_constrained": letter, "label_constrained": letter}
    return {
        "embedder": Loaded(hashing_embedder(16), "e" * 64),
        "llm": Loaded(Waiting(scripted_llm(script), seconds), "f" * 64),
    }


def workers_alive() -> list[psutil.Process]:
    """The processes of workers, on any node."""
    return [p for p in psutil.process_iter(["cmdline"]) if _is_worker(p)]


def _is_worker(process: psutil.Process) -> bool:
    words: Sequence[str] = process.info["cmdline"] or ()
    return bool(words) and words[0].startswith("ray::_Worker")


def kill_one_worker(chance: random.Random) -> bool:
    """Kill a worker, whatever it does; whether there was one."""
    workers = workers_alive()
    if workers:
        os.kill(chance.choice(workers).pid, signal.SIGKILL)
    return bool(workers)


def processes_in(session: str) -> list[str]:
    """The command lines of processes that belong to a cluster, by a part of its folder's name."""
    lines = [" ".join(p.info["cmdline"] or ()) for p in psutil.process_iter(["cmdline"])]
    return [line for line in lines if session in line]


def lines_in(file: Path) -> int:
    return file.read_bytes().count(b"\n") if file.exists() else 0
