"""Archives among a model's files."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.small_models import content_of, file, wheel
from uhhrag import models
from uhhrag.errors import ModelError
from uhhrag.models import local
from uhhrag.models.catalogue import MODELS, Model, Packages, Use
from uhhrag.models.pull import pull

pytestmark = pytest.mark.usefixtures("nothing_outside")


def zipped(members: Mapping[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


def test_an_archive_is_unpacked_beside_itself_and_its_content_verified(
    index: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
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
    linked, left = tmp_path / "elsewhere", local.root() / ".words.partial" / "index" / "corpora"
    linked.mkdir()
    left.mkdir(parents=True)
    (left / "words").symlink_to(linked)  # by somebody else
    where = pull(model, say=lambda _: None)
    assert not list(linked.iterdir())
    assert content_of(where) == {"corpora/words/one": b"1", "corpora/words/en/two": b"2"}
    (where / "corpora/words/one").write_bytes(b"3")
    with pytest.raises(ModelError, match=r"damaged: corpora/words/one"):
        models.verify("words")
    (where / "corpora/words/one").unlink()
    assert local.state(model) is local.ModelState.DAMAGED
    pull(model, say=lambda _: None)
    assert models.verify("words").keys() == {"corpora/words/one", "corpora/words/en/two"}
