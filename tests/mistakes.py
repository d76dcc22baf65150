"""A user's mistakes, each with its exit code and what the message must tell them to do.

`python -m tests.mistakes` makes each of them and writes `docs/mistakes.md`.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from tests.doubles import PAGES, fake_embed, write_store
from uhhrag import index as layout
from uhhrag import models, wiring
from uhhrag.backends.tiny import scripted_llm
from uhhrag.cli import main
from uhhrag.config import DEFAULT_LLM
from uhhrag.records import Claim, Hit, Page, Passage
from uhhrag.run import as_line
from uhhrag.vectors import EmbedderId

PAGE = Path(__file__).resolve().parents[1] / "docs" / "mistakes.md"

Spoil = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Mistake:
    """`do` is the part of the message that tells what to do; `spoil` changes the room first."""

    what: str
    command: str
    code: int
    do: str
    spoil: Spoil = lambda: None


# The room in which mistakes are made: a folder with data, an index, a run and spoilt files

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
    code, _, error = call("uhhrag predict --out run")
    if code:
        raise RuntimeError(error)


def _write_index(folder: Path, embedder: EmbedderId) -> None:
    recipe = layout.Recipe(embedder)
    header = layout.Header(recipe, "knowledge_store", len(_CLAIMS), "0")
    folder.mkdir()
    (folder / layout.MANIFEST).write_bytes(layout.manifest_to_bytes(header))
    for number, row in enumerate(_CLAIMS):
        pages = [Page(url, tuple(lines)) for url, lines in PAGES[number]]
        hits = [
            Hit(Passage(line, (page.url,)), 1.0) for page in pages for line in page.lines if line
        ]
        files = layout.contents(hits, fake_embed([hit.passage.text for hit in hits]), pages)
        hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
        claim = Claim(number, str(row["claim"]))
        counts = layout.Counts(1, len(hits), len(hits), len(hits), 0, 0)
        entry = layout.Entry(claim, recipe, counts, "", hashes)
        files[layout.MANIFEST] = layout.manifest_to_bytes(entry)
        layout.claim_folder(folder, number).mkdir(parents=True)
        for name, content in files.items():
            (layout.claim_folder(folder, number) / name).write_bytes(content)


@contextlib.contextmanager
def stand_ins() -> Iterator[None]:
    """The default models replaced by stand-ins; every other model is missing."""
    llm = scripted_llm(
        {"ask_about": ["Who said so in May?"], "vote_constrained": ["A", "B"], "decompose": ["Is?"]}
    )
    real_llm, real_embedder = wiring.load_llm, wiring.load_embedder

    def load_llm(name, *rest):
        return (llm, "f" * 64) if name == DEFAULT_LLM else real_llm(name, *rest)

    def load_embedder(name, device="cpu", *rest):
        known = name in (_OURS.name, _OTHER.name)
        return (fake_embed, _OURS) if known else real_embedder(name, device, *rest)

    with tempfile.TemporaryDirectory() as home, contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.dict(os.environ, {"UHHRAG_HOME": home, "COLUMNS": "80"}))
        stack.enter_context(mock.patch.object(wiring, "load_llm", load_llm))
        stack.enter_context(mock.patch.object(wiring, "load_embedder", load_embedder))
        stack.enter_context(mock.patch.object(wiring, "load_words", lambda: None))
        for command in ("evaluate", "compare", "report"):
            stack.enter_context(mock.patch(f"uhhrag.cli.{command}.language_folder", _language))
        yield


def _language() -> Path:
    """Data that no mistake gets as far as to read; the real look-up where the room has none."""
    folder = Path("language")
    return folder if folder.is_dir() else models.path("nltk-data")


def call(command: str) -> tuple[int, str, str]:
    """Run a command in this process: exit code, output, errors."""
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.object(sys, "argv", shlex.split(command)),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as ended:
            return int(ended.code or 0), out.getvalue(), err.getvalue()
    raise RuntimeError(f"{command} did not end")


# What can be spoilt before


def _overwrite(name: str, content: str) -> Spoil:
    return lambda: Path(name).write_text(content, encoding="utf-8")


def _flip(name: str, place: int = -40) -> Spoil:
    def flip() -> None:
        content = bytearray(Path(name).read_bytes())
        content[place] ^= 1
        Path(name).write_bytes(content)

    return flip


def _another_shape() -> None:
    Path("run/trace.jsonl").write_bytes(as_line({"claim_id": 0, "claim": 1}))


def _without(name: str) -> Spoil:
    return lambda: Path(name).unlink()


def _no_words() -> None:
    Path("language").rmdir()


def _link_out() -> None:
    Path("data/knowledge_store/0.json").unlink()
    Path("data/knowledge_store/0.json").symlink_to(Path("gold.json").absolute())


_EVALUATE = "uhhrag evaluate said.json --gold"
_SCORE = "uhhrag evaluate {} --gold gold.json"

MISTAKES: tuple[Mistake, ...] = (
    # The program
    Mistake("a command that does not exist", "uhhrag indx data", 2, "--help"),
    Mistake("an option that does not exist", "uhhrag predict --aproach pursuit", 2, "--approach"),
    Mistake("an option without its value", "uhhrag predict --top-n", 2, "requires an argument"),
    # index
    Mistake("no folder named", "uhhrag index", 2, "DATA"),
    Mistake("a folder that is not there", "uhhrag index nowhere", 3, "give the one that holds"),
    Mistake("a file in place of the folder", "uhhrag index gold.json", 3, "give the one that"),
    Mistake("a folder without claims.json", "uhhrag index dev", 3, "name the claims file by"),
    Mistake("a folder without a store", "uhhrag index alone", 3, "name the store by --store"),
    Mistake(
        "a claims file that is not there", "uhhrag index data --claims nowhere.json", 3, "give"
    ),
    Mistake("a folder as claims file", "uhhrag index data --claims empty", 3, "give a file"),
    Mistake("claims cut short", "uhhrag index data --claims cut.json", 3, "copy it again"),
    Mistake("claims that are no list", "uhhrag index data --claims object.json", 3, "a JSON list"),
    Mistake("an empty claims file", "uhhrag index data --claims empty.json", 3, "copy it again"),
    Mistake("a claims file without claims", "uhhrag index data --claims none.json", 3, "give"),
    Mistake("claims in another encoding", "uhhrag index data --claims latin.json", 3, "save it as"),
    Mistake("a claim that is a number", "uhhrag index data --claims number.json", 3, "must be"),
    Mistake("a part of a claims file", "uhhrag index data --claims part.json", 3, "leave claim_id"),
    Mistake("a claim without text", "uhhrag index data --claims blank.json", 3, "give it its text"),
    Mistake("a store that is not there", "uhhrag index data --store nowhere", 3, "give a folder"),
    Mistake(
        "a store that is no zip", "uhhrag index data --out i --store store.zip --claim 0", 8, "mend"
    ),
    Mistake(
        "a store without files",
        "uhhrag index data --out i --store empty --claim 0",
        8,
        "mend their",
    ),
    Mistake(
        "a store file that leads out of it",
        "uhhrag index data --out i --claim 0",
        8,
        "put the file",
        _link_out,
    ),
    Mistake("a claim that is not there", "uhhrag index data --claim 99", 2, "give 0 to 2"),
    Mistake("a negative claim", "uhhrag index data --claim -1", 2, "--help"),
    Mistake("a claim that is no number", "uhhrag index data --claim two", 2, "integer"),
    Mistake("no claims at all", "uhhrag index data --limit 0", 2, "--help"),
    Mistake("an empty pool", "uhhrag index data --pool 0", 2, "--help"),
    Mistake("a pool that is no number", "uhhrag index data --pool many", 2, "integer"),
    Mistake("an embedder nobody knows", "uhhrag index data --embedder nowhere", 5, "models list"),
    Mistake(
        "an embedder not yet fetched", "uhhrag index data --embedder gte-base", 5, "run: uhhrag"
    ),
    Mistake("a folder that is no embedder", "uhhrag index data --embedder empty", 5, "give"),
    Mistake("a language model as embedder", "uhhrag index data --embedder notes.gguf", 5, "give"),
    Mistake("another index in the place", "uhhrag index data --pool 7", 4, "--overwrite"),
    Mistake("an index in a folder in use", "uhhrag index data --out dev", 4, "choose another"),
    Mistake("a file in place of the index", "uhhrag index data --out gold.json", 4, "mend that"),
    Mistake("other claims than indexed", "uhhrag index data --claims other.json", 4, "--overwrite"),
    Mistake(
        "a damaged index", "uhhrag index data", 4, "run: uhhrag index", _flip("index/manifest.json")
    ),
    # predict
    Mistake("no index there", "uhhrag predict --index nowhere", 4, "run: uhhrag index"),
    Mistake("a folder that is no index", "uhhrag predict --index data", 4, "run: uhhrag index"),
    Mistake("an index of another model", "uhhrag predict --index foreign", 4, "run: uhhrag index"),
    Mistake("an unknown approach", "uhhrag predict --approach guess", 2, "it is one of"),
    Mistake("an unknown rule", "uhhrag predict --verdict dice", 2, "it is one of"),
    Mistake("an unknown decoding", "uhhrag predict --decoding beam", 2, "'constrained', 'paper'"),
    Mistake("an unknown kind of question", "uhhrag predict --questions none", 2, "'llm'"),
    Mistake("no evidence wanted", "uhhrag predict --top-n 0", 2, "give 1 or more"),
    Mistake("a number that is none", "uhhrag predict --top-n many", 2, "integer"),
    Mistake("an option the approach lacks", "uhhrag predict --set mood=good", 2, "options"),
    Mistake("a date that is none", "uhhrag predict --before someday", 2, "give YYYY-MM-DD"),
    Mistake("a missing list of sites", "uhhrag predict --exclude-sites nowhere", 3, "give a text"),
    Mistake("a claim the index lacks", "uhhrag predict --claim 99", 2, "uhhrag index makes more"),
    Mistake("no claims wanted", "uhhrag predict --limit 0", 2, "give 1 or more"),
    Mistake("no threads", "uhhrag predict --threads 0", 2, "--help"),
    Mistake("a seed that is no number", "uhhrag predict --seed x", 2, "integer"),
    Mistake("a model nobody knows", "uhhrag predict --llm nowhere", 5, "models list"),
    Mistake("a model file that is not there", "uhhrag predict --llm no.gguf", 5, "models list"),
    Mistake(
        "a model not yet fetched", "uhhrag predict --llm smollm2-135m", 5, "run: uhhrag models"
    ),
    Mistake("a folder as language model", "uhhrag predict --llm empty", 5, "takes one or a .gguf"),
    Mistake("a file that is no model", "uhhrag predict --llm notes.gguf", 5, "check it with"),
    Mistake(
        "an embedder as language model", "uhhrag predict --llm minilm", 5, "run: uhhrag models"
    ),
    Mistake("a folder of templates not there", "uhhrag predict --prompts nowhere", 6, "takes a"),
    Mistake("a folder without templates", "uhhrag predict --prompts empty", 6, "it may hold"),
    Mistake("a template without a slot", "uhhrag predict --prompts lacking", 6, "add it where"),
    Mistake("a slot nobody fills", "uhhrag predict --prompts strange", 6, "it can have"),
    Mistake("a dollar sign by itself", "uhhrag predict --prompts dollar", 6, "write $$"),
    Mistake("a template of another name", "uhhrag predict --prompts unknown", 6, "the names are"),
    Mistake(
        "a calibration not there", "uhhrag predict --calibration no.json", 3, "uhhrag calibrate"
    ),
    Mistake(
        "a file that is no calibration", "uhhrag predict --calibration notes.json", 3, "make one"
    ),
    Mistake(
        "another model's calibration", "uhhrag predict --calibration calibration.json", 2, "make"
    ),
    Mistake("no training file there", "uhhrag predict --examples nowhere.json", 3, "give"),
    Mistake("too few examples", "uhhrag predict --examples few.json", 3, "it needs"),
    Mistake("no file of examples", "uhhrag predict --examples notes.json", 3, "give"),
    Mistake("a run with other settings", "uhhrag predict --out run --top-n 3", 7, "--overwrite"),
    Mistake("an index in place of the run", "uhhrag predict --out index", 7, "of its own by --out"),
    Mistake("a file in place of the run", "uhhrag predict --out gold.json", 7, "another --out"),
    Mistake(
        "a damaged line of the trace",
        "uhhrag predict --out run",
        7,
        "--repair",
        _flip("run/trace.jsonl"),
    ),
    Mistake("a trace of something else", "uhhrag predict --out run", 7, "--repair", _another_shape),
    Mistake(
        "a damaged run.json",
        "uhhrag predict --out run",
        7,
        "--repair",
        _overwrite("run/run.json", "{"),
    ),
    Mistake(
        "a run without run.json",
        "uhhrag predict --out run",
        7,
        "another --out",
        _without("run/run.json"),
    ),
    Mistake(
        "a claim whose vectors are damaged",
        "uhhrag predict --out new",
        8,
        "run the same command again",
        _flip("index/claims/1/vectors.faiss"),
    ),
    # calibrate
    Mistake("nowhere to write to", "uhhrag calibrate onesided.json", 2, "--out"),
    Mistake("no training claims there", "uhhrag calibrate nowhere.json --out c.json", 3, "give"),
    Mistake("training claims cut short", "uhhrag calibrate cut.json --out c.json", 3, "copy it"),
    Mistake("claims without evidence", "uhhrag calibrate gold.json --out c.json", 3, "each is an"),
    Mistake(
        "only one label", "uhhrag calibrate onesided.json --out c.json", 3, "needs some of each"
    ),
    Mistake("too few claims", "uhhrag calibrate onesided.json --out c.json --size 1", 2, "--help"),
    Mistake(
        "a rule without votes",
        "uhhrag calibrate onesided.json --out c.json --verdict dice",
        2,
        "it is one of",
    ),
    Mistake(
        "a file that is no calibration",
        "uhhrag calibrate onesided.json --out notes.json",
        3,
        "make one with",
    ),
    # evaluate
    Mistake("nothing to score", "uhhrag evaluate --gold gold.json", 2, "name a prediction file"),
    Mistake("no gold named", "uhhrag evaluate said.json", 2, "--gold"),
    Mistake("gold that is not there", f"{_EVALUATE} nowhere.json", 3, "give"),
    Mistake("gold without labels", f"{_EVALUATE} unlabelled.json", 3, "give"),
    Mistake("a label of one's own", f"{_EVALUATE} label.json", 3, "is none of"),
    Mistake("gold without questions", f"{_EVALUATE} unasked.json", 3, "give"),
    Mistake("a question without answers", f"{_EVALUATE} unanswered.json", 3, "must be"),
    Mistake("predictions not there", _SCORE.format("nowhere.json"), 3, "give"),
    Mistake("a folder without predictions", _SCORE.format("empty"), 3, "give"),
    Mistake("predictions cut short", _SCORE.format("cut.json"), 3, "copy it again"),
    Mistake("predictions that are no list", _SCORE.format("object.json"), 3, "a JSON list"),
    Mistake("a prediction without label", _SCORE.format("nolabel.json"), 3, "give one of"),
    Mistake("a claim number in words", _SCORE.format("word.json"), 3, "must be the claim's"),
    Mistake("one id missing", _SCORE.format("noid.json"), 3, "give"),
    Mistake("evidence without question", _SCORE.format("noquestion.json"), 3, "must be a text"),
    Mistake("evidence that is a text", _SCORE.format("textual.json"), 3, "must be a list"),
    Mistake("a table without a column", _SCORE.format("columns.csv"), 3, "needs id,claim"),
    Mistake("evidence without marks", _SCORE.format("marks.csv"), 3, "write"),
    Mistake("a format that is none", _SCORE.format("said.json --per-claim x.xls"), 2, "use one of"),
    Mistake(
        "scores of no run",
        "uhhrag evaluate --trec run.trec --gold gold.json --per-claim x.csv",
        2,
        "needs a prediction file",
    ),
    Mistake(
        "no language data", _SCORE.format("said.json"), 5, "run: uhhrag models pull", _no_words
    ),
    Mistake("no processes", _SCORE.format("said.json --workers 0"), 2, "--help"),
    Mistake("no resamples", _SCORE.format("said.json --resamples 0"), 2, "--help"),
    Mistake("a ranking not judged", _SCORE.format("--trec run.trec"), 2, "needs --qrels"),
    Mistake("no ranking there", _SCORE.format("--trec no.trec --qrels qrels.txt"), 3, "give"),
    Mistake(
        "a folder without rankings", _SCORE.format("--trec empty --qrels qrels.txt"), 3, "write"
    ),
    Mistake(
        "a ranking cut short", _SCORE.format("--trec short.trec --qrels qrels.txt"), 3, "needs"
    ),
    Mistake("a score in words", _SCORE.format("--trec word.trec --qrels qrels.txt"), 3, "give"),
    Mistake(
        "judgements of no claim", _SCORE.format("--trec run.trec --qrels noclaim.jsonl"), 3, "with"
    ),
    # compare and convert
    Mistake("one run to compare", "uhhrag compare said.json --gold gold.json", 2, "B"),
    Mistake(
        "a run that is not there", "uhhrag compare no.json said.json --gold gold.json", 3, "give"
    ),
    Mistake("a format that is none", "uhhrag convert said.json said.txt", 2, "use .json or .csv"),
    Mistake("nothing to convert", "uhhrag convert nowhere.json said.csv", 3, "give"),
    Mistake("a file in a file", "uhhrag convert said.json gold.json/said.csv", 2, "give another"),
    # report, verify and merge
    Mistake("a report on no run", "uhhrag report nowhere", 7, "give"),
    Mistake("a report on an index", "uhhrag report index", 7, "give"),
    Mistake(
        "a report on a damaged run", "uhhrag report run", 7, "--repair", _flip("run/trace.jsonl")
    ),
    Mistake("a report into nowhere", "uhhrag report run --out gold.json/r.html", 2, "give another"),
    Mistake("gold that is not there", "uhhrag report run --gold nowhere.json", 3, "give"),
    Mistake("nothing to verify", "uhhrag verify nowhere", 3, "give what"),
    Mistake("a folder of something else", "uhhrag verify dev", 3, "give what"),
    Mistake(
        "a damaged file of an index",
        "uhhrag verify index",
        4,
        "--repair",
        _flip("index/claims/1/vectors.faiss"),
    ),
    Mistake(
        "a damaged line of a run", "uhhrag verify run", 7, "--repair", _flip("run/trace.jsonl")
    ),
    Mistake("one folder to merge", "uhhrag merge joined", 2, "PART"),
    Mistake("a part that is not there", "uhhrag merge joined index nowhere", 3, "give what"),
    Mistake("a run and an index merged", "uhhrag merge joined index run", 2, "join one kind"),
    Mistake("indexes of two embedders", "uhhrag merge joined index foreign", 4, "cannot be joined"),
    Mistake("a share that is none", "uhhrag index data --shard 4/3", 2, "1/3"),
    Mistake("a share in words", "uhhrag predict --shard some", 2, "1/3"),
    # ingest
    Mistake("a folder of documents not there", "uhhrag ingest nowhere --out s.jsonl", 3, "give"),
    Mistake("no documents in the folder", "uhhrag ingest empty --out s.jsonl", 3, "give"),
    Mistake("no store named", "uhhrag ingest data", 2, "--out"),
    Mistake("a store that is something else", "uhhrag ingest texts --out gold.json", 2, "another"),
    Mistake("a document that cannot be read", "uhhrag ingest bad --out s.jsonl", 9, "see above"),
    # check and serve
    Mistake("a claim without documents", "uhhrag check 'It rained.'", 2, "--docs"),
    Mistake("documents that are not there", "uhhrag check Rain. --docs nowhere", 3, "name it by"),
    Mistake("no claim to check", "uhhrag check --docs texts", 2, "give one claim"),
    Mistake("an empty claim", "uhhrag check ' ' --docs texts", 2, "give"),
    Mistake("no claims in the file", "uhhrag check --docs texts --claims empty.json", 3, "copy it"),
    Mistake("claims without a column", "uhhrag check --docs texts --claims marks2.csv", 3, "claim"),
    Mistake("an unknown recipe", "uhhrag predict --recipe soup", 2, "it is one of"),
    Mistake("a recipe that is none", "uhhrag predict --recipe notes.toml", 3, "it can have"),
    Mistake("nothing to serve", "uhhrag serve --index nowhere", 4, "run: uhhrag index"),
    Mistake("a port that is none", "uhhrag serve --index index --port 99999", 2, "--help"),
    Mistake(
        "open to others without a token", "uhhrag serve --index index --host 0.0.0.0", 2, "--token"
    ),
    # bench-llm
    Mistake("a server to measure", "uhhrag bench-llm --llm http://127.0.0.1:1", 2, "only models"),
    # models
    Mistake("a model nobody knows", "uhhrag models pull nonsense", 5, "there are"),
    Mistake("a source nobody knows", "uhhrag models pull minilm --source moon", 2, "'hub'"),
    Mistake("no model named", "uhhrag models pull", 2, "NAME"),
    Mistake("where nothing is", "uhhrag models path minilm", 5, "run: uhhrag models pull"),
    Mistake("a path to nothing", "uhhrag models path nowhere.gguf", 5, "models list"),
)


_PROGRESS = re.compile(r"(index|claims|ingest): \d+/\d+, ")


def make(mistake: Mistake, furnished: Path, room: Path) -> tuple[int, str, str]:
    """Make the mistake in a fresh copy of the furnished room: exit code, output, errors."""
    shutil.copytree(furnished, room, symlinks=True)
    with contextlib.chdir(room):
        mistake.spoil()
        code, out, err = call(mistake.command)
    return code, out, err.replace(str(room.resolve()), "/home/me")


def row(mistake: Mistake, code: int, error: str) -> str:
    """The row of the page. Lines above the last are of single claims."""
    lines = [line.removeprefix("uhhrag: ").replace("|", "\\|") for line in error.splitlines()]
    message = "<br>".join(line for line in lines if not _PROGRESS.match(line))
    return f"| {mistake.what} | `{mistake.command}` | {code} | {message} |"


def page(rows: list[str]) -> str:
    head = (Path(__file__).parent / "mistakes_head.md").read_text(encoding="utf-8")
    return head + "\n".join(rows) + "\n"


def write_page() -> None:
    with tempfile.TemporaryDirectory() as scratch, stand_ins():
        furnished = Path(scratch) / "furnished"
        furnished.mkdir()
        with contextlib.chdir(furnished):
            furnish(furnished)
        rows = []
        for number, mistake in enumerate(MISTAKES):
            code, _, error = make(mistake, furnished, Path(scratch) / str(number))
            rows.append(row(mistake, code, error))
            fit = code == mistake.code and mistake.do in rows[-1]
            print("  " if fit else "! ", rows[-1])  # noqa: T201
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    write_page()
