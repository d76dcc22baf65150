"""A cluster of one machine as its user meets it: interrupted, killed, and without a network."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import psutil
import pytest

import uhhrag
from tests.pipeline.test_offline import without_network
from tests.support.doubles import bytes_of
from tests.support.paths import ROOT, SAMPLE
from tests.support.ray_cluster import lines_in, models

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.skipif(find_spec("ray") is None, reason="the extra ray is not installed"),
]


@pytest.fixture(scope="module")
def index(tmp_path_factory, nltk_loaded):
    folder = tmp_path_factory.mktemp("built")
    uhhrag.index(SAMPLE, folder / "index", embedder=models()["embedder"])
    return folder / "index"


def begun(index: Path, run: Path, scratch: Path) -> subprocess.Popen[str]:
    """A run on two workers that has written two more claims and has not ended."""
    wanted = lines_in(run / "trace.jsonl") + 2
    command = [sys.executable, "-m", "tests.support.ray_command", "3", str(index), str(run), "2"]
    child = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(scratch)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    )
    end = time.monotonic() + 120
    while lines_in(run / "trace.jsonl") < wanted:
        assert time.monotonic() < end and child.poll() is None, child.communicate()
        time.sleep(0.05)
    return child


def all_gone(family: list[psutil.Process], seconds: float) -> list[psutil.Process]:
    """Those that are not."""
    return psutil.wait_procs(family, timeout=seconds)[1]


@pytest.mark.slow
def test_ctrl_c_and_a_kill_leave_no_process_and_the_next_run_goes_on(index, tmp_path):
    run, scratch = tmp_path / "run", Path("/tmp")  # noqa: S108 - the path of a socket is short
    for blow in (signal.SIGINT, signal.SIGKILL):
        child = begun(index, run, scratch)
        family = psutil.Process(child.pid).children(recursive=True)
        running = [" ".join(process.cmdline()) for process in family]
        assert [line for line in running if "/raylet " in line], running
        listening = {
            one.laddr.ip.removeprefix("::ffff:")
            for process in family
            for one in process.net_connections()
            if one.status == psutil.CONN_LISTEN
        }
        assert listening == {"127.0.0.1"}
        assert not any(
            "--modules-to-load=UsageStatsHead" not in line for line in dashboards(family)
        )
        before = lines_in(run / "trace.jsonl")
        if blow is signal.SIGINT:
            os.killpg(child.pid, blow)  # as a terminal does
        else:
            child.kill()
        out, err = child.communicate(timeout=120)
        assert child.returncode == (130 if blow is signal.SIGINT else -9), err
        assert out == ""
        if blow is signal.SIGKILL:  # Ray's idle agents look for the others for a minute, then end
            family = [p for p, line in zip(family, running, strict=True) if "Agent" not in line]
        assert all_gone(family, 30) == []
        assert lines_in(run / "trace.jsonl") >= before
    whole = tmp_path / "whole"
    made = models()
    uhhrag.predict(index, run, cache=False, **made).require_all()
    uhhrag.predict(index, whole, cache=False, **made)
    assert results(run) == results(whole)


def dashboards(family: list[psutil.Process]) -> list[str]:
    """A process has the name even where there is no dashboard, and then serves no pages."""
    lines = [" ".join(process.cmdline()) for process in family]
    return [line for line in lines if "dashboard.py" in line]


def results(folder: Path) -> dict[str, bytes]:
    left_out = ("timings.jsonl", "replies.sqlite", ".lock")
    return {n: c for n, c in bytes_of(folder).items() if not Path(n).name.startswith(left_out)}


LOOPBACK_UP = """
import fcntl, os, socket, struct, sys
with socket.socket() as any_socket:  # ifconfig lo up
    fcntl.ioctl(any_socket, 0x8914, struct.pack("16sH14x", b"lo", 0x49))
os.execv(sys.executable, [sys.executable, "-m", "uhhrag", *sys.argv[1:]])
"""


@pytest.mark.slow
@pytest.mark.model
def test_two_workers_without_a_network_give_the_bytes_of_the_plain_command(small_models, tmp_path):
    """With the real small models."""
    home = tmp_path / "home"
    home.mkdir()
    few = ("--limit", "2")
    small = ("--llm", "smollm2-135m", "--top-n", "2", "--no-cache")
    for name, more in (("plain", ()), ("ray", ("--ray", "2"))):
        made = tmp_path / name
        before = [*without_network(), sys.executable, "-c", LOOPBACK_UP]
        to_index = ("index", SAMPLE, "--out", made / "index", *few, *more)
        to_predict = ("predict", "--index", made / "index", "--out", made / "run", *small, *more)
        for command in (to_index, to_predict):
            words = [*before, *map(str, command)]
            env = {**os.environ, "RAY_USAGE_STATS_ENABLED": "1"}
            ran = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True)
            assert ran.returncode == 0, ran.stderr
            assert "Ray" not in ran.stdout + ran.stderr
    assert results(tmp_path / "ray") == results(tmp_path / "plain")
