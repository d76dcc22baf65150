"""The room in which mistakes are made: a folder with data, an index, a run and spoilt files."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from tests.mistakes.mistake import Mistake
from tests.support.command import call
from tests.support.doubles import PAGES, fake_embed, write_store
from uhhrag import models
from uhhrag.backends import kernels
from uhhrag.backends.fakes import scripted_llm
from uhhrag.defaults import LLM as DEFAULT_LLM
from uhhrag.indexing import index_folder
from uhhrag.indexing.vectors import EmbedderId
from uhhrag.records import Claim, Hit, Page, Passage
from uhhrag.rules.learned import NEWS
from uhhrag.wiring import embedders, llms, nltk_data, verifiers
from uhhrag.wiring.verifiers import SHIPPED, LoadedVerifier, shipped_for

_ANSWER = {"answer": "It is.", "answer_type": "Extractive", "source_url": "https://a.example"}
_LABELS = ("Supported", "Refuted", "Refuted")
_CLAIMS = [
    {"claim": claim, "label": label, "questions": [{"question": "Is it?", "answers": [_ANSWER]}]}
    for claim, label in zip(("The cat sat.", "Dogs bark.", "Cows eat."), _LABELS, strict=True)
]
_EVIDENCE = [{"question": "Is it so?", "answer": "It is.", "url": "https://a.example"}]
_SAID = [
    {"claim_id": n, "claim": row["claim"], "pred_label": "Refuted", "evidence": _EVIDENCE}
    for n, row in enumerate(_CLAIMS)
]
_OURS = EmbedderId("minilm", 16, "0" * 64)
_OTHER = EmbedderId("gte-base-en-v1.5", 768, "f" * 64)


def _changed(rows: list[dict[str, object]], **fields: object) -> str:
    """The rows with fields of the second changed, or left out where they are `...`."""
    second = {k: v for k, v in {**rows[1], **fields}.items() if v is not ...}
    return json.dumps([rows[0], second, rows[2]])


_FILES = {
    "gold.json": json.dumps(_CLAIMS),
    "said.json": json.dumps(_SAID),
    "data/claims.json": json.dumps(_CLAIMS),
    "dev/dev.json": json.dumps(_CLAIMS),
    "alone/claims.json": json.dumps(_CLAIMS),
    "cut.json": json.dumps(_CLAIMS)[:90],
    "object.json": json.dumps({"claims": _CLAIMS}),
    "none.json": "[]",
    "empty.json": "",
    "number.json": _changed(_CLAIMS, claim=7),
    "blank.json": _changed(_CLAIMS, claim=" "),
    "part.json": _changed(_CLAIMS, claim_id=7),
    "other.json": _changed(_CLAIMS, claim="Cats bark."),
    "unlabelled.json": _changed(_CLAIMS, label=...),
    "label.json": _changed(_CLAIMS, label="Wrong"),
    "unasked.json": _changed(_CLAIMS, questions=[]),
    "unanswered.json": _changed(_CLAIMS, questions=[{"question": "Is it?"}]),
    "nolabel.json": _changed(_SAID, pred_label=...),
    "word.json": _changed(_SAID, claim_id="two"),
    "noid.json": _changed(_SAID, claim_id=None),
    "noquestion.json": _changed(_SAID, evidence=[{"answer": "It is."}]),
    "textual.json": _changed(_SAID, evidence="It is."),
    "columns.csv": "id,claim,label\n0,The cat sat.,Refuted\n",
    "marks.csv": "id,claim,evi,label\n0,The cat sat.,Is it so? It is.,Refuted\n",
    "few.json": json.dumps(_CLAIMS[:1]),
    "onesided.json": json.dumps(
        [{"claim": "C.", "label": "Refuted", "evidence": [{"question": "Q?", "answer": "A."}]}]
    ),
    "calibration.json": json.dumps(
        [{"model": "m", "template": "t", "scale": 1, "bias": [0, 0], "fitted_on": "x"}]
    ),
    "notes.json": '[{"note": "no calibration"}]',
    "marks2.csv": "statements,date\nIt rained.,2020-10-31\n",
    "notes.toml": "taste = 'salty'\n",
    "notes.txt": "Some notes.\n",
    "notes.gguf": "Some notes.\n",
    "lacking/vote_constrained.txt": "Claim: $claim\n",
    "strange/vote_constrained.txt": "Claim: $claim $evidence $mood\n",
    "dollar/vote_constrained.txt": "Claim: $claim $evidence costs $5\n",
    "unknown/vote_for_me.txt": "Claim: $claim\n",
    "texts/a.txt": "It rained.\n",
    "bad/a.pdf": "Some notes.\n",
    "run.trec": "0 Q0 p1 1 2.5 tag\n",
    "short.trec": "0 Q0 p1\n",
    "word.trec": "0 Q0 p1 1 high tag\n",
    "qrels.txt": "0 0 p1 1\n",
    "noclaim.jsonl": '{"real": []}\n',
}


def furnish(room: Path) -> None:
    """Fill an empty folder, which is the working directory, with everything mistakes need."""
    for name, content in _FILES.items():
        (room / name).parent.mkdir(parents=True, exist_ok=True)
        (room / name).write_text(content, encoding="utf-8")
    (room / "latin.json").write_bytes('[{"claim": "Café"}]'.encode("latin-1"))
    (room / "empty").mkdir()
    (room / "language").mkdir()
    write_store(room / "data" / "knowledge_store")
    (room / "store.zip").write_text("no zip\n")
    _write_index(room / "index", _OURS)
    _write_index(room / "foreign", _OTHER)
    code, _, error = call("predict", "--out", "run")
    if code:
        raise RuntimeError(error)


def _write_index(folder: Path, embedder: EmbedderId) -> None:
    recipe = index_folder.IndexSettings(embedder)
    claims = [Claim(number, str(row["claim"])) for number, row in enumerate(_CLAIMS)]
    header = index_folder.Header(
        recipe, "knowledge_store", len(claims), "0", index_folder.hash_of(claims)
    )
    folder.mkdir()
    (folder / index_folder.MANIFEST).write_bytes(index_folder.manifest_to_bytes(header))
    for number, claim in enumerate(claims):
        pages = [Page(url, tuple(lines)) for url, lines in PAGES[number]]
        hits = [
            Hit(Passage(line, (page.url,)), 1.0) for page in pages for line in page.lines if line
        ]
        files = index_folder.contents(hits, fake_embed([hit.passage.text for hit in hits]), pages)
        hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
        counts = index_folder.Counts(1, len(hits), len(hits), len(hits), 0, 0)
        manifest = index_folder.ClaimManifest(claim, recipe, counts, "", hashes)
        files[index_folder.MANIFEST] = index_folder.manifest_to_bytes(manifest)
        index_folder.claim_folder(folder, number).mkdir(parents=True)
        for name, content in files.items():
            (index_folder.claim_folder(folder, number) / name).write_bytes(content)


@contextlib.contextmanager
def stand_ins() -> Iterator[None]:
    """The default models replaced by stand-ins; every other model is missing."""
    llm = scripted_llm(
        {"ask_about": ["Who said so in May?"], "vote_constrained": ["A", "B"], "decompose": ["Is?"]}
    )
    real_llm, real_embedder = llms.load_llm, embedders.load_embedder
    real_verifier = verifiers.load_verifier

    def load_llm(name, *rest):
        return (llm, "f" * 64) if name == DEFAULT_LLM else real_llm(name, *rest)

    def load_embedder(name, device="cpu", *rest):
        known = name in (_OURS.name, _OTHER.name)
        return (fake_embed, _OURS) if known else real_embedder(name, device, *rest)

    def load_verifier(folder=SHIPPED, machine=None, passages=False):
        if folder not in (SHIPPED, shipped_for(NEWS)):
            return real_verifier(folder, machine)
        return LoadedVerifier(lambda pairs: [(0.6, 0.3, 0.1)] * len(pairs), "f" * 64)

    with tempfile.TemporaryDirectory() as home, contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.dict(os.environ, {"UHHRAG_HOME": home, "COLUMNS": "80"}))
        stack.enter_context(mock.patch.object(kernels, "probed", lambda kernel: 1.0))
        stack.enter_context(mock.patch.object(llms, "load_llm", load_llm))
        stack.enter_context(mock.patch.object(embedders, "load_embedder", load_embedder))
        stack.enter_context(mock.patch.object(verifiers, "load_verifier", load_verifier))
        stack.enter_context(mock.patch.object(nltk_data, "load_nltk_data", lambda: None))
        stack.enter_context(mock.patch.object(nltk_data, "folder", _language))
        yield


def _language() -> Path:
    """Data that no mistake gets as far as to read; the real look-up where the room has none."""
    folder = Path("language")
    return folder if folder.is_dir() else models.path("nltk-data")


def said(command: str) -> tuple[int, str, str]:
    """Run a whole command line in this process: exit code, output, errors."""
    return call(*shlex.split(command)[1:])


def make(mistake: Mistake, furnished: Path, room: Path) -> tuple[int, str, str]:
    """Make the mistake in a fresh copy of the furnished room: exit code, output, errors."""
    shutil.copytree(furnished, room, symlinks=True)
    with contextlib.chdir(room):
        mistake.spoil()
        code, out, err = said(mistake.command)
    return code, out, err.replace(str(room.resolve()), "/home/me")
