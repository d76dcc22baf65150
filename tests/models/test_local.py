"""Names, paths and fingerprints of models on this machine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.small_models import TINY, sha
from uhhrag import models
from uhhrag.errors import ModelError
from uhhrag.models.catalogue import PullSource
from uhhrag.models.pull import pull

pytestmark = pytest.mark.usefixtures("nothing_outside")


def test_a_local_folder_or_gguf_file_is_a_model(tmp_path: Path) -> None:
    (tmp_path / "mine.gguf").write_bytes(b"GGUF")
    assert models.path(str(tmp_path)) == tmp_path
    assert models.path(str(tmp_path / "mine.gguf")) == tmp_path / "mine.gguf"
    assert models.verify(str(tmp_path / "mine.gguf")) == {"mine.gguf": sha(b"GGUF")}
    assert models.fingerprint(tmp_path / "mine.gguf") == sha(b"GGUF")


@pytest.mark.parametrize("name", ["x", "x.gguf", "", "~no such user/x", "a\0b"])
def test_what_is_neither_name_nor_path_says_where_to_look(name: str) -> None:
    with pytest.raises(ModelError, match="not in the table and no such folder"):
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
