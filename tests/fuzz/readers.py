"""Every reader of the package with good inputs to start from.

`read` gets a folder in which the input lies as the file `name`; what it raises must be ours.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from tests import small_run
from tests.doubles import CLAIMS, FAKE, fake_embed
from uhhrag import (
    calibrate,
    calibration,
    conversion,
    dates,
    evidence,
    examples,
    index,
    limits,
    prompts,
    retrieval,
    run,
    show,
    store,
    submission,
    verdict,
)
from uhhrag.backends.chat import wrap_in_chat
from uhhrag.backends.replies import remembered
from uhhrag.display import printable
from uhhrag.models import local, pull, unpack, wheels
from uhhrag.models.table import File, Model, Packages, Use
from uhhrag.pairing import pair
from uhhrag.records import Choose, Claim, Hit, Page, Passage, Prompt, Source


@dataclass(frozen=True, slots=True)
class Reader:
    """`prepare` fills the folder once; `seal` makes an input's checksums right again, so that
    hostile content is not stopped by its hash alone."""

    name: str
    seeds: tuple[bytes, ...]
    read: Callable[[Path], object]
    prepare: Callable[[Path], object] = lambda folder: None
    seal: Callable[[bytes], bytes] = lambda content: content


def _json(*values: Any) -> bytes:
    return b"\n".join(json.dumps(value).encode() for value in values)


def _zip(members: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


# Stores

_PAGE = {"claim_id": "0", "type": "gold", "query": "?", "url": "https://a.example", "url2text": []}
_PAGES = (
    {**_PAGE, "url2text": ["A cat sat.", " ", "The mat is red."], "title": "Cats", "date": "2020"},
    {**_PAGE, "url2text": ["Dogs bark."], "pages": [3], "author": "Ann"},
    {**_PAGE, "url": "", "url2text": ["Hay."]},
)


def _store(folder: Path) -> object:
    pages = [page for page in store.pages(folder, 0) if not isinstance(page, store.Skipped)]
    found = store.unique(passage for page in pages for passage in store.passages(page))
    return [passage.text.encode() for passage in found]


def _zipped_store(folder: Path) -> object:
    return _store(folder / "store.zip")


# Claims, gold and predictions

_ANSWER = {
    "answer": "Yes.",
    "answer_type": "Boolean",
    "boolean_explanation": "So.",
    "source_url": "u",
}
_QUESTIONS = [
    {"question": "Is it?", "answers": [_ANSWER]},
    {"question": "Who?", "answers": _ANSWER},
]
_CLAIMS = [
    {"claim": f"Claim {n}.", "claim_date": "1-2-2020", "speaker": None, "label": label}
    | {"questions": _QUESTIONS}
    for n, label in enumerate(submission.Label)
]
_EVIDENCE = [{"question": "Is it?", "answer": "Yes.", "url": ["u", "v"], "urls": ["u"]}]
_PREDICTIONS = [
    {"claim_id": n, "claim": f"Claim {n}.", "pred_label": "Refuted", "evidence": _EVIDENCE}
    for n in range(2)
]
_CSV = (
    b"id,claim,evi,label,split\r\n"
    b'0,Claim 0.,"Who?\t\t\nShe.\t\t\n\nWhen?\t\t\nIn 2020.",Refuted,dev\r\n'
    b'1,"Claim ""1"".",,Supported,dev\r\n'
)


def _predictions(name: str) -> Callable[[Path], object]:
    """Read, pair with claims, and write in both formats."""

    def read(folder: Path) -> object:
        found = submission.read_predictions(folder / name)
        for ending in ("csv", "json"):
            conversion.convert(folder / name, folder / f"out.{ending}", None, "dev")
        return pair([Claim(0, "Claim 0.")], found, name)

    return read


def _converted(folder: Path) -> object:
    claims = folder / "claims.json"
    return conversion.convert(folder / "p.json", folder / "out.csv", claims, "dev")


def _fill(name: str, content: bytes) -> Callable[[Path], object]:
    def fill(folder: Path) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)

    return fill


# Runs


def _run_files() -> dict[str, bytes]:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        list(small_run.run_all(Path(folder)))
        return {f.name: f.read_bytes() for f in Path(folder).iterdir() if f.is_file()}


_RUN = _run_files()
_TRACE = b"".join(_RUN["trace.jsonl"].splitlines(keepends=True)[:2])


def _sealed_lines(content: bytes) -> bytes:
    lines = []
    for line in content.split(b"\n"):
        try:
            record = orjson.loads(line)
            record.pop("sha256", None)
            lines.append(run.as_line(record).rstrip(b"\n"))
        except (ValueError, AttributeError, TypeError):
            lines.append(line)
    return b"\n".join(lines)


def _open_run(folder: Path) -> object:
    with run.open_run(folder, small_run.HEADER, overwrite=False, repair=False) as opened:
        return show.summary(opened)


def _fill_run(*left_out: str) -> Callable[[Path], object]:
    def fill(folder: Path) -> None:
        for name, content in _RUN.items():
            if name not in left_out:
                (folder / name).write_bytes(content)

    return fill


def _reopened(name: str) -> Callable[[Path], object]:
    """Open the run with the other files as they were."""

    def read(folder: Path) -> object:
        _fill_run(name)(folder)
        return _open_run(folder)

    return read


def _trace(folder: Path) -> object:
    list(run.read_trace(folder / "trace.jsonl", repair=True))
    return _reopened("trace.jsonl")(folder)


# Indexes


def _index_files() -> dict[str, bytes]:
    """An index of one claim, written without the prefilter, which needs a model of language."""
    recipe = index.Recipe(FAKE)
    pages = [Page("https://a.example", ("A cat sat there.", "The mat is red."), title="Cats")]
    hits = [Hit(Passage(line, (page.url,)), 1.0) for page in pages for line in page.lines]
    rows = fake_embed([hit.passage.text for hit in hits])
    files = index.contents(hits, rows, pages)
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    entry = index.Entry(CLAIMS[0], recipe, index.Counts(1, 2, 2, 2, 0, 0), "", hashes)
    files[index.MANIFEST] = index.manifest_to_bytes(entry)
    header = index.manifest_to_bytes(index.Header(recipe, "knowledge_store", 1, "0"))
    return {index.MANIFEST: header} | {f"claims/0/{n}": c for n, c in files.items()}


_INDEX = _index_files()
_ENTRY = orjson.loads(_INDEX["claims/0/manifest.json"])


def _fill_index(folder: Path) -> None:
    for name, content in _INDEX.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def _sealed(content: bytes) -> bytes:
    try:
        body = json.loads(content)
        body.pop("seal", None)
        return json.dumps({**body, "seal": index._seal(body)}).encode()
    except (ValueError, AttributeError, TypeError, RecursionError):
        return content


def _opened_index(folder: Path) -> object:
    opened = index.open_index(folder)
    for entry in opened.entries:
        found = index.load_claim(opened, entry.claim.id)
        corpus = index.corpus_of(found, small_run.hashing_embedder(16))
        corpus.search(entry.claim.text, 5)
        for hit in found.hits:
            for url in hit.passage.urls:
                corpus.pages(url)
    return opened.claims


def _index_file(name: str) -> Callable[[Path], object]:
    """Read the index with this file of claim 0 and a manifest that vouches for it."""

    def read(folder: Path) -> object:
        content = (folder / "claims" / "0" / name).read_bytes()
        entry = {
            **_ENTRY,
            "sha256": {**_ENTRY["sha256"], name: hashlib.sha256(content).hexdigest()},
        }
        manifest = folder / "claims" / "0" / "manifest.json"
        manifest.write_bytes(_sealed(json.dumps(entry).encode()))
        return _opened_index(folder)

    return read


# Templates, examples, calibrations, rankings


def _prompts(folder: Path) -> object:
    loaded = prompts.load_prompts(folder)
    return loaded("vote_constrained")(claim="Is $x ${y} so?", evidence="\x00$")


_CALIBRATION = [
    {"step": "s", "model": "m", "template": "t", "scale": 1.0, "bias": [0.1, -0.1]}
    | {"fitted_on": "train.json: 8 claims"}
]


def _calibration(folder: Path) -> object:
    found = calibration.find("m", "t", folder / "c.json")
    return found([-1.0] * max(1, len(found.bias)))


def _train(folder: Path) -> object:
    return examples.draw(folder / "train.json", 0)


def _known(folder: Path) -> object:
    found = calibrate.read_examples(folder / "train.json")
    labels = [submission.Label.SUPPORTED, submission.Label.REFUTED]
    drawn = calibrate.sample(found, labels, 8, 0)
    return [e.claim.text.strip() for e in drawn], calibrate.shares(found, labels)


_KNOWN = [
    {"claim": "C.", "label": label, "evidence": [{"question": "Q?", "answer": "A."}]}
    for label in ("Supported", "Refuted")
]
_TRAIN = [
    {"claim": f"C{n}.", "questions": [{"question": "Q?", "answers": [{"answer": "A b."}]}] * n}
    for n in range(1, 5)
]
_RANKING = b"0 Q0 p1 1 2.5 t\n0 Q0 p2 2 1e-3 t\n1 Q0 p1 1 0 t\n"
_QRELS = _json(
    {"claim_id": 0, "real": [{"sentence": "A.", "systems": ["x", "y"]}, {"sentence": "B."}]},
    {"claim_id": "1", "real": []},
)


def _ranking(folder: Path) -> object:
    return retrieval.as_text(
        retrieval.as_json(retrieval.read_runs(folder / "r.trec"), {0: {"p1": 1}})
    )


# Models


def _wheel(folder: Path) -> object:
    packages = Packages(("p==1",), "p/{path}")
    (folder / "m.gguf").unlink(missing_ok=True)
    with pull._disk(folder):
        wheels._append(folder / "p.whl", packages, 1, (File("m.gguf"),), folder)
    return None


def _limits(folder: Path) -> object:
    found = limits.read_limits(None, folder / "sites.txt", undated=False)
    page = Source("https://web.archive.org/web/2020/https://a.example/2020/10/x", date="1-2-2020")
    return limits.removes(found, CLAIMS[0])(page), str(found)


def _archive(folder: Path) -> None:
    with pull._disk(folder):
        unpack.unpack(folder / "m.zip")


def _journal(folder: Path) -> object:
    (folder / "m.gguf").write_bytes(b"x" * 40)
    return wheels._resume(folder / "parts.json", (File("m.gguf"),), folder)


_MODEL = Model("m", Use.DATA, "MIT", (File("a.bin"), File("b.zip", unpack=True)))


def _record(folder: Path) -> object:
    return local.state(_MODEL, folder), local._expected_hashes(_MODEL, folder / "m")


def _replies(folder: Path) -> object:
    asked = remembered(_answer, "model", folder / "replies.sqlite")
    for n in range(2):
        prompt, ask = [Prompt("s", "h", f"b{n}")], Choose(("A", "B"))
        if asked(prompt, ask) != _answer(prompt, ask):
            raise ValueError("another reply")
    return None


def _answer(prompts: Any, ask: Any, /) -> Any:
    return [small_run.scripted_llm({"s": ["A"]})(prompts, ask)[0] for _ in prompts]


def _memory() -> bytes:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        _replies(Path(folder))
        # SQLite puts it all in one file when the last connection closes
        import gc
        import sqlite3

        gc.collect()
        with sqlite3.connect(Path(folder) / "replies.sqlite") as memory:
            memory.execute("PRAGMA journal_mode = DELETE")
        return (Path(folder) / "replies.sqlite").read_bytes()


def _chat(folder: Path) -> object:
    return wrap_in_chat((folder / "t").read_text("utf-8", "replace"), bos="<s>", eos="</s>")


def _reply(folder: Path) -> object:
    text = (folder / "reply").read_bytes().decode("utf-8", "surrogateescape")
    asked = evidence.read_questions(text), evidence.read_question(text)
    votes = verdict.read_vote(text), verdict.read_label(text)
    addresses = retrieval.same_page(text), dates.site(text), dates.original(text)
    told = dates.dated(Source(text, date=text)), dates.read_date(text), printable(text)
    return asked, votes, addresses, told


_TEMPLATE = (
    b"{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    b"{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)

READERS: dict[str, tuple[str, Reader]] = {}


def _add(file: str, *made: Any, **more: Any) -> None:
    reader = Reader(*made, **more)
    READERS[reader.name] = (file, reader)


_add("0.json", "store file, JSON lines", (_json(*_PAGES), b"\xef\xbb\xbf" + _json(*_PAGES)), _store)
_add("0.json", "store file, one JSON list", (_json(list(_PAGES)),), _store)
_add(
    "store.zip",
    "store zip",
    (_zip({"0.json": _json(*_PAGES)}), _zip({"d/0.json": _json(*_PAGES), "d/1.json": b"x"})),
    _zipped_store,
)
_add(
    "c.json",
    "claims",
    (_json(_CLAIMS),),
    lambda f: [repr(c) for c in submission.read_claims(f / "c.json")],
)
_add("g.json", "gold", (_json(_CLAIMS),), lambda f: submission.read_gold(f / "g.json"))
_add("p.json", "predictions, JSON", (_json(_PREDICTIONS),), _predictions("p.json"))
_add("p.csv", "predictions, CSV of 2025", (_CSV, b"\xef\xbb\xbf" + _CSV), _predictions("p.csv"))
_add(
    "claims.json",
    "claims, for convert",
    (_json(_CLAIMS),),
    _converted,
    prepare=_fill("p.json", _json(_PREDICTIONS)),
)
_add("trace.jsonl", "trace", (_TRACE,), _trace)
_add("trace.jsonl", "trace, hashes made right", (_TRACE,), _trace, seal=_sealed_lines)
_add("run.json", "run.json", (_RUN["run.json"],), _reopened("run.json"))
_add("timings.jsonl", "timings", (_RUN["timings.jsonl"],), _reopened("timings.jsonl"))
_add(
    "manifest.json",
    "index manifest",
    (_INDEX["manifest.json"],),
    _opened_index,
    prepare=_fill_index,
)
_add(
    "manifest.json",
    "index manifest, hash made right",
    (_INDEX["manifest.json"],),
    _opened_index,
    prepare=_fill_index,
    seal=_sealed,
)
_add(
    "claims/0/manifest.json",
    "claim manifest, hash made right",
    (_INDEX["claims/0/manifest.json"],),
    _opened_index,
    prepare=_fill_index,
    seal=_sealed,
)
for _name in ("passages.parquet", "pages.parquet", "vectors.faiss"):
    _add(
        f"claims/0/{_name}",
        f"{_name}, hash made right",
        (_INDEX[f"claims/0/{_name}"],),
        _index_file(_name),
        prepare=_fill_index,
    )
_add(
    "vote_constrained.txt",
    "prompt template",
    (b"Claim: $claim\nEvidence: ${evidence}\nIt costs $$5.\n",),
    _prompts,
)
_add("c.json", "calibration", (_json(_CALIBRATION),), _calibration)
_add("train.json", "training file, for examples", (_json(_TRAIN),), _train)
_add("train.json", "training file, for calibrate", (_json(_KNOWN),), _known)
_add("r.trec", "TREC run", (_RANKING,), _ranking)
_add("q.txt", "TREC qrels", (b"0 0 p1 1\n1 0 p2 0\n",), lambda f: retrieval.read_qrels(f / "q.txt"))
_add("q.jsonl", "qrels, JSON lines", (_QRELS,), lambda f: retrieval.read_qrels(f / "q.jsonl"))
_add("sites.txt", "sites left out", (b"a.example # x\n*.b.example/*\n[!a]*\n",), _limits)
_add(
    "m.zip",
    "model archive",
    (_zip({"m/a": b"x" * 50, "m/b/c": b"y"}),),
    _archive,
)
_add("p.whl", "wheel of a model", (_zip({"p/m.gguf": b"x" * 90, "p/__init__.py": b""}),), _wheel)
_add("parts.json", "journal of a pull", (_json({"done": 1, "lengths": {"m.gguf": 9}}),), _journal)
_add(
    "m/pulled.json",
    "record of a pull",
    (_json({"files": {"a.bin": {"size": 3, "sha256": "0" * 64}}}),),
    _record,
    prepare=_fill("m/a.bin", b"abc"),
)
_add(
    "config.json",
    "config of a model with code",
    (_json({"auto_map": {"AutoModel": "org/repo--modeling.Model"}, "a": 1}),),
    lambda f: pull._use_local_code(f / "config.json"),
)
_add("replies.sqlite", "memory of replies", (_memory(),), _replies)
_add("t", "chat template", (_TEMPLATE,), _chat)
_add(
    "reply",
    "reply of a model",
    (
        b'{"label": "Supported", "score": 0.4}',
        b"Sure:\n1. Who owns the firm? 2) When was it\nThat is all.",
        b"https://web.archive.org/web/2020id_/http://www.A.org/x/?a=b#top",
    ),
    _reply,
)
