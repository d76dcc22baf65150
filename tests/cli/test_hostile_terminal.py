"""What a page, a claim, a file or a file's name holds can neither steer a terminal nor be markup.

The commands run on a pseudo-terminal, with the stand-ins of `mistakes` for the models, and every
byte that they send to it is looked at.
"""

from __future__ import annotations

import contextlib
import csv
import fcntl
import io
import itertools
import json
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from tests.support.doubles import load_nltk_data
from tests.support.nltk_data import nltk_data_folder
from tests.support.paths import ROOT

pytestmark = pytest.mark.slow

# Each steers a terminal in another way, and none is anything a progress bar sends.
STEERING = {
    "title": "\x1b]0;OWNED\x07",
    "colour": "\x1b[38;5;199m",
    "clear": "\x1b[2J\x1b[3J",
    "device": "\x1bP+q544e\x1b\\",
    "clipboard": "\x1b]52;c;T1dORUQ=\x07",
    "one byte": "\x9b38;5;199m\x9d0;OWNED\x9c",
    "backwards": "\u202eOWNED\u202c\u2066\u2069",
    "backspace": "True\x08\x08\x08\x08False\x7f",
    "bell": "\x07",
    "shift": "\x0e\x0f",
}
HOSTILE = "Rain fell " + " and ".join(STEERING.values()) + " in May."
HTML = '<script>alert("x")</script><img src=x onerror=alert(1)> &amp; "quoted"'
PROGRAM = """
import json, os, sys
from pathlib import Path
from tests.mistakes.room import stand_ins
from uhhrag.wiring import nltk_data
from uhhrag.cli import main

language = Path(os.environ["NLTK_DATA_FOLDER"])
nltk_data.load_nltk_data()
codes = []
with stand_ins():
    nltk_data.folder = lambda: language
    nltk_data.load_nltk_data = lambda: language
    for arguments in json.loads(os.environ["COMMANDS"]):
        sys.argv = ["uhhrag", *arguments]
        try:
            main()
        except SystemExit as ended:
            codes.append(ended.code)
        print(f"== {arguments[0]} ended with {codes[-1]}", flush=True)
sys.exit(0 if {*codes} == {int(os.environ["CODE"])} else 1)
"""


@pytest.fixture
def room(tmp_path):
    """A folder of hostile files."""
    answer = {"answer": HOSTILE, "answer_type": "Extractive", "source_url": HOSTILE}
    question = {"question": HOSTILE, "answers": [answer]}
    claims = [
        {"claim": f"{n} {HOSTILE} {HTML}", "label": label, "questions": [question]}
        for n, label in enumerate(("Supported", "Refuted"))
    ]
    page = {"url": f"https://x.example/{HOSTILE}", "url2text": [HOSTILE, HTML], "title": HOSTILE}
    evidence = [{"question": HOSTILE, "answer": HTML, "url": HOSTILE}]
    said = [
        {"claim_id": n, "claim": text, "pred_label": HOSTILE, "evidence": evidence}
        for n, text in enumerate((claims[0]["claim"], HOSTILE))
    ]
    train = [
        {"claim": HOSTILE, "label": label, "evidence": [{"question": HOSTILE, "answer": HTML}]}
        for label in ("Supported", "Refuted") * 4
    ]
    store = tmp_path / "data" / "knowledge_store"
    store.mkdir(parents=True)
    files = {"data/claims.json": claims, "said.json": said, "train.json": train}
    for name, content in files.items():
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    spoilt = '{"url": 1}\n\x1b]0;OWNED\x07\n'
    for number in range(2):
        row = json.dumps({**page, "url2text": [f"{number} {line}" for line in page["url2text"]]})
        (store / f"{number}.json").write_text(row + "\n" + spoilt, encoding="utf-8")
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.html").write_text(
        f"<title>{HOSTILE}</title><p>{HOSTILE}</p>" + "<p>It rained in the valley.</p>" * 40
    )
    (tmp_path / "texts" / "b.txt").write_text(f"{HOSTILE} {HTML}" + "It rained. " * 200)
    with contextlib.suppress(OSError):  # where file names may not hold that
        (tmp_path / f"odd{STEERING['title']}").mkdir()
    return tmp_path


def on_a_terminal(room: Path, commands: list[list[str]], code: int = 0) -> bytes:
    """Run commands on a terminal of 80 columns, each of which must end with the code: all that
    was sent there."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    more = {"NLTK_DATA_FOLDER": str(nltk_data_folder()), "COMMANDS": json.dumps(commands)}
    more |= {"PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "CODE": str(code)}
    child = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        cwd=room,
        env={**os.environ, **more},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    sent = b""
    with contextlib.suppress(OSError):  # the terminal is gone with the process
        while chunk := os.read(ours, 65536):
            sent += chunk
    os.close(ours)
    lines = sent.decode(errors="replace").splitlines()
    told = [line for line in lines if "ended with" in line or "uhhrag: " in line]
    assert child.wait() == 0, "\n".join(told or lines[-20:])
    return sent


def steered_by(sent: bytes) -> set[str]:
    """Which steering text got through, and after which command."""
    marks = [b"\x1b]", b"\x1b[38;5;199m", b"\x1b[2J", b"\x1b[3J", b"\x1bP", b"\x07", b"\x08"]
    marks += [b"\x0e", b"\x0f", b"\x7f", *(c.encode() for c in "\x9b\x9c\x9d\u202e\u2066")]
    parts = sent.split(b"== ")
    return {
        f"{mark!r} before {b!r:.20}"
        for a, b in itertools.pairwise(parts)
        for mark in marks
        if mark in a
    }


def test_no_command_passes_on_what_steers_a_terminal(room):
    load_nltk_data()
    commands = [
        "index data",
        "predict --trec",
        "calibrate train.json --out c.json --size 8",
        "evaluate said.json --gold data/claims.json",
        "evaluate said.json --gold data/claims.json --json",
        "compare said.json runs/retrieve-question --gold data/claims.json",
        "report runs/retrieve-question --gold data/claims.json",
        "check-files index",
        "check-files runs/retrieve-question",
        "ingest texts --out archive --no-vectors",
        "convert said.json said.csv",
        "convert said.csv again.json --claims data/claims.json",
    ]
    sent = on_a_terminal(room, [command.split() for command in commands])
    assert steered_by(sent) == set()
    assert sent.count(b"Rain fell") > 10
    assert b"\x1b[" in sent  # the bar of progress is there, which is what makes it a terminal

    run = room / "runs" / "retrieve-question"
    (found, _) = json.loads((run / "predictions.json").read_text(encoding="utf-8"))
    assert any(HTML in item["answer"] for item in found["evidence"])
    for file in ("predictions.json", "trace.jsonl", "run.json"):
        raw = (run / file).read_bytes()
        assert not {b"\x1b", b"\x07"} & {bytes([byte]) for byte in raw}, file
    page = (run / "report.html").read_text(encoding="utf-8")
    assert HTML not in page
    assert '<script>alert("x")' not in page
    assert "<img src=x" not in page
    assert "&lt;script&gt;alert(" in page
    assert not set("\x1b\x07\x08\x9b\x9d") & set(page)
    rows = list(csv.DictReader(io.StringIO((room / "said.csv").read_text(encoding="utf-8"))))
    assert HTML in rows[0]["evi"]


def test_a_name_that_steers_is_made_harmless_in_messages(room):
    name = f"nowhere{''.join(STEERING.values())}"
    commands = [
        ["index", name, "--claims", "said.json"],
        ["index", "data", "--claims", name],
        ["index", "data", "--store", name],
        ["evaluate", name, "--gold", "data/claims.json"],
        ["evaluate", "said.json", "--gold", name],
        ["convert", name, "x.csv"],
        ["predict", "--examples", name],
    ]
    on_a_terminal(room, [["index", "data"]])
    sent = on_a_terminal(room, commands, 3)
    assert sent.count(b"nowhere") >= len(commands)
    assert steered_by(sent) == set()


def test_a_name_that_steers_is_made_harmless_where_results_are_told(room):
    name = f"odd{STEERING['title']}"
    if not (room / name).exists():
        pytest.skip("this file system does not take such names")
    load_nltk_data()
    commands = [
        ["index", "data", "--out", f"{name}/index"],
        ["predict", "--index", f"{name}/index", "--out", f"{name}/run"],
        ["convert", "said.json", f"{name}/said.csv"],
        ["evaluate", f"{name}/said.csv", "--gold", "data/claims.json"],
        ["compare", f"{name}/said.csv", f"{name}/run", "--gold", "data/claims.json"],
        ["calibrate", "train.json", "--out", f"{name}/c.json", "--size", "8"],
        ["report", f"{name}/run", "--out", f"{name}/page.html"],
        ["check-files", f"{name}/run"],
        ["ingest", "texts", "--out", f"{name}/archive", "--no-vectors"],
        ["models", "path", name],
    ]
    sent = on_a_terminal(room, commands)
    assert steered_by(sent) == set()
