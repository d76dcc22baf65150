"""The commands on the workers of a Ray cluster: the same bytes, and what dies is done again."""

from __future__ import annotations

import itertools
import os
import random
import shutil
import threading
import time
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

import uhhrag
from tests.support.doubles import bytes_of
from tests.support.paths import SAMPLE
from tests.support.ray_cluster import (
    NODE,
    kill_one_worker,
    lines_in,
    models,
    workers_alive,
)
from uhhrag.errors import ClaimsFailed, ModelError, RunError, UsageError
from uhhrag.records import Failure
from uhhrag.store.claim_files import open_claim_file
from uhhrag.system import ray_workers
from uhhrag.system.ray_cluster import WorkerResources, read_cluster_address
from uhhrag.system.ray_workers import RayWork, spread_on_ray
from uhhrag.wiring import ray_tasks

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.skipif(find_spec("ray") is None, reason="the extra ray is not installed"),
]
AUTO = read_cluster_address("auto")
CLAIMS = 12


@pytest.fixture(scope="module")
def plain(tmp_path_factory, nltk_loaded):
    """What one process makes of the sample."""
    folder = tmp_path_factory.mktemp("plain")
    made = models()
    uhhrag.index(SAMPLE, folder / "index", embedder=made["embedder"])
    uhhrag.predict(folder / "index", folder / "run", cache=False, **made)
    return folder


def results(folder: Path) -> dict[str, bytes]:
    left_out = ("timings.jsonl", "replies.sqlite", ".lock")
    return {n: c for n, c in bytes_of(folder).items() if not Path(n).name.startswith(left_out)}


def on_ray(plain: Path, out: Path, seconds: float = 0.0, **more):
    made = models(seconds)
    return uhhrag.predict(plain / "index", out, cache=False, ray="auto", **made, **more)


# The same bytes


def test_a_run_is_the_same_bytes_and_comes_in_order(cluster, plain, tmp_path):
    seen: list[tuple[int, int, str]] = []
    run = on_ray(plain, tmp_path / "run", progress=lambda *state: seen.append(state))
    run.require_all()
    assert results(tmp_path / "run") == results(plain / "run")
    assert seen == [(n, CLAIMS, "claims") for n in range(1, CLAIMS + 1)]
    timed = (tmp_path / "run" / "timings.jsonl").read_bytes()
    assert timed.count(b"claim_id") == CLAIMS


def test_what_is_there_is_not_done_again_and_needs_no_cluster(plain, tmp_path):
    shutil.copytree(plain / "index", tmp_path / "index")
    shutil.rmtree(tmp_path / "index" / "claims" / "3")
    to = {"embedder": models()["embedder"], "out": tmp_path / "index"}
    nowhere = uhhrag.index(SAMPLE, ray="127.0.0.1:9", claim=[1, 2], **to)
    assert [outcome.seconds for outcome in nowhere] == [{}, {}]


def test_a_gap_in_an_index_is_filled_to_the_same_bytes(cluster, plain, tmp_path):
    shutil.copytree(plain / "index", tmp_path / "index")
    for claim in (0, 3, 11):
        shutil.rmtree(tmp_path / "index" / "claims" / str(claim))
    to = {"embedder": models()["embedder"], "out": tmp_path / "index"}
    made = uhhrag.index(SAMPLE, ray="auto", **to)
    made.require_all()
    assert [outcome.claim.id for outcome in made.fresh] == [0, 3, 11]
    assert [outcome.claim.id for outcome in made] == list(range(CLAIMS))
    assert results(tmp_path / "index") == results(plain / "index")


# A machine without the files


def test_a_store_that_a_machine_lacks_is_sent_one_member_at_a_time(
    cluster, plain, tmp_path, monkeypatch
):
    store = tmp_path / "knowledge_store.zip"
    with zipfile.ZipFile(store, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted((SAMPLE / "knowledge_store").glob("*.json")):
            archive.write(file, file.name)
    sent: list[int] = []

    def opened(store: Path, claim_id: int):
        sent.append(claim_id)
        return open_claim_file(store, claim_id)

    monkeypatch.setattr(ray_tasks, "open_claim_file", opened)
    monkeypatch.setattr(ray_tasks, "IndexingWorkers", blind_indexing)
    to = {"embedder": models()["embedder"], "out": tmp_path / "index", "store": store}
    uhhrag.index(SAMPLE, ray="auto", **to).require_all()
    assert set(sent) == set(range(CLAIMS))
    assert results(tmp_path / "index") == results(plain / "index")


_indexing, _deciding = ray_tasks.IndexingWorkers, ray_tasks.DecidingWorkers


class Blind:
    """Workers, of which every second one is on a machine without the files."""

    def __init__(self, seeing, blind) -> None:
        self.seeing, self.blind = seeing, blind

    def __call__(self, number: int, cores: int):
        return (self.blind if number % 2 else self.seeing)(number, cores)


def blind_indexing(_, *more):
    """All workers without the store: one that has it can be done before another has started."""
    return _indexing(Path("/nowhere/store.zip"), *more)


def blind_deciding(settings, machine, folder, *more):
    nowhere = _deciding(settings, machine, Path("/nowhere/index"), *more)
    return Blind(_deciding(settings, machine, folder, *more), nowhere)


def test_an_index_that_a_machine_lacks_is_sent(cluster, plain, tmp_path, monkeypatch):
    monkeypatch.setattr(ray_tasks, "DecidingWorkers", blind_deciding)
    on_ray(plain, tmp_path / "run").require_all()
    assert results(tmp_path / "run") == results(plain / "run")


def test_a_claim_whose_files_are_damaged_fails_alone_as_on_one_machine(cluster, plain, tmp_path):
    shutil.copytree(plain / "index", tmp_path / "index")
    (tmp_path / "index" / "claims" / "4" / "vectors.faiss").write_bytes(b"damaged")
    runs = {}
    for name, more in (("here", {}), ("there", {"ray": "auto"})):
        out = tmp_path / name
        runs[name] = uhhrag.predict(tmp_path / "index", out, cache=False, **models(), **more)
        with pytest.raises(ClaimsFailed):
            runs[name].require_all()
    assert results(tmp_path / "here") == results(tmp_path / "there")


# What dies


def square(number: int, cores: int):
    return lambda item: item * item


def work(prepare, send=lambda item: item):
    return RayWork(prepare=prepare, send=send, give_up=lambda item, reason: (item, reason))


def test_an_item_that_kills_every_worker_is_given_up_alone(cluster, tmp_path):
    def deadly(number: int, cores: int):
        def do(item: int) -> int:
            with (tmp_path / "begun").open("a") as file:
                file.write(f"{item}\n")
            if item == 5:
                os._exit(9)
            return item * item

        return do

    made = list(spread_on_ray(AUTO, WorkerResources(2), work(deadly), range(30)))
    assert [one for one in made if isinstance(one, int)] == [n * n for n in range(30) if n != 5]
    item, reason = made[5]
    assert item == 5 and reason.startswith("given up after 3 workers")
    begun = (tmp_path / "begun").read_text().split()
    assert begun.count("5") == 3
    assert len(begun) == 30 + 2


def test_items_that_raise_what_nobody_expects_are_given_up_alone(cluster):
    def prepare(number: int, cores: int):
        return lambda item: 60 // item if item >= 0 else bytes(2**62)

    made = list(spread_on_ray(AUTO, WorkerResources(2), work(prepare), [1, 0, -1, 2]))
    assert (made[0], made[3]) == (60, 30)
    assert "division" in made[1][1]
    assert "MemoryError" in made[2][1]


def test_a_model_that_is_missing_on_a_machine_ends_it_all(cluster):
    def prepare(number: int, cores: int):
        raise ModelError("no such model; run: uhhrag models pull it")

    with pytest.raises(ModelError, match=r"^on 127\.0\.0\.1: no such model"):
        list(spread_on_ray(AUTO, WorkerResources(2), work(prepare), range(3)))


def test_workers_that_cannot_start_end_it_all(cluster, monkeypatch):
    monkeypatch.setattr(ray_workers, "_STARTS", 2)

    def prepare(number: int, cores: int):
        os._exit(3)

    with pytest.raises(RunError, match="no worker can be started"):
        list(spread_on_ray(AUTO, WorkerResources(2), work(prepare), range(3)))


def test_a_driver_of_another_kind_is_refused(cluster, plain, tmp_path, monkeypatch):
    monkeypatch.setattr(ray_tasks, "kind_of_machine", lambda: "arm64; uhhrag 0")
    with pytest.raises(ModelError, match=r"the driver's is arm64.* not mixed"):
        on_ray(plain, tmp_path / "run")


def test_a_worker_that_would_give_another_signature_is_refused(
    cluster, plain, tmp_path, monkeypatch
):
    def other(*given):
        *before, signature, kind = given
        return _deciding(*before, signature.replace("top:", "top:9"), kind)

    monkeypatch.setattr(ray_tasks, "DecidingWorkers", other)
    with pytest.raises(ModelError, match="models or packages are others"):
        on_ray(plain, tmp_path / "run")


def test_no_more_items_are_taken_than_the_workers_need(cluster):
    taken: list[int] = []

    def items():
        for item in itertools.count():
            taken.append(item)
            yield item

    running = spread_on_ray(AUTO, WorkerResources(2), work(square), items())
    assert [next(running) for _ in range(5)] == [0, 1, 4, 9, 16]
    running.close()
    assert len(taken) <= 5 + 4 * 2
    wait_until(lambda: not workers_alive())


@pytest.mark.parametrize("kills", [3, pytest.param(20, marks=pytest.mark.heavy)])
def test_workers_killed_at_random_moments(cluster, plain, tmp_path, kills):
    chance = random.Random(kills)  # noqa: S311
    struck = [0]
    ended, out = threading.Event(), tmp_path / "run"

    def strike():
        """Kill, but not before a claim was decided since: workers that never get to an item end
        the command, and on a busy machine they take long to start."""
        while len(struck) <= kills and not ended.wait(chance.uniform(0, 3)):
            done = lines_in(out / "trace.jsonl")
            if done != struck[-1] and kill_one_worker(chance):
                struck.append(done)

    killer = threading.Thread(target=strike)
    killer.start()
    try:
        while len(struck) <= kills:
            on_ray(plain, out, seconds=0.15, overwrite=True)
    finally:
        ended.set()
        killer.join()
    on_ray(plain, out)  # a claim that was struck three times is tried again
    assert results(out) == results(plain / "run")


def test_a_node_is_lost(cluster, plain, tmp_path):
    node = cluster.add_node(**NODE)

    def strike():
        wait_until(lambda: lines_in(tmp_path / "run" / "trace.jsonl") >= 2)
        cluster.remove_node(node, allow_graceful=False)

    killer = threading.Thread(target=strike)
    killer.start()
    on_ray(plain, tmp_path / "run", seconds=0.3).require_all()
    killer.join()
    assert results(tmp_path / "run") == results(plain / "run")


@pytest.mark.heavy
def test_results_that_do_not_fit_into_the_object_store_wait_on_disk(cluster):
    def large(number: int, cores: int):
        return lambda item: bytes([item]) * 30 * 2**20

    made = spread_on_ray(AUTO, WorkerResources(2), work(large), range(40))
    assert [(one[0], len(one)) for one in made] == [(n, 30 * 2**20) for n in range(40)]


# What is refused


@pytest.mark.parametrize(
    "word",
    # A port above 65535 would be another one, without its highest bits.
    ["", "0", "-1", "one", "ray://10.0.0.1:10001", "10.0.0.1", "1000", "127.0.0.1:99999", "h:0"],
)
def test_what_is_no_place(word):
    with pytest.raises(UsageError, match="is no place for workers"):
        read_cluster_address(word)


def test_an_address_where_no_cluster_answers_is_refused_at_once():
    import ray  # noqa: F401 - loading it takes seconds

    begun = time.monotonic()
    with pytest.raises(UsageError, match=r"no cluster answers: .*; start one by: ray start"):
        next(
            spread_on_ray(
                read_cluster_address("127.0.0.1:9"), WorkerResources(), work(square), range(3)
            )
        )
    assert time.monotonic() - begun < 10


def test_a_second_cluster_is_refused_and_the_first_stays(cluster):
    import ray

    for word in (cluster.address, "2"):
        with pytest.raises(UsageError, match="is connected to a cluster; give auto"):
            next(
                spread_on_ray(read_cluster_address(word), WorkerResources(), work(square), range(3))
            )
        assert ray.is_initialized()


def test_a_model_that_cannot_be_sent(cluster, plain, tmp_path):
    made = models()
    lock = threading.Lock()
    made["llm"] = uhhrag.Loaded(lambda *call: lock and made["llm"].model(*call), "f" * 64)
    with pytest.raises(UsageError, match="a model cannot be sent to workers: "):
        uhhrag.predict(plain / "index", tmp_path / "run", ray="auto", **made)


def test_more_than_any_machine_has(cluster):
    with pytest.raises(UsageError, match="no machine of the cluster has 64 cores for a worker"):
        next(spread_on_ray(AUTO, WorkerResources(64), work(square), range(3)))


def test_a_failure_of_the_spread_is_written_as_any_other(cluster, plain, tmp_path, monkeypatch):
    def deadly(*given):
        return Deadly(_deciding(*given))

    monkeypatch.setattr(ray_tasks, "DecidingWorkers", deadly)
    run = on_ray(plain, tmp_path / "run", limit=3)
    failed = [result for result in run if isinstance(result, Failure)]
    assert [failure.claim.id for failure in failed] == [1]
    assert "given up after 3 workers" in failed[0].error
    uhhrag.predict(plain / "index", tmp_path / "run", cache=False, **models()).require_all()
    assert results(tmp_path / "run") == results(plain / "run")


class Deadly:
    def __init__(self, inner) -> None:
        self.inner = inner

    def __call__(self, number: int, cores: int):
        do = self.inner(number, cores)
        return lambda item: os._exit(9) if item.manifest.claim.id == 1 else do(item)


def wait_until(condition, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)
