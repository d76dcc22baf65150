"""`uhhrag check`: an answer for a person and for a script, and nothing done twice."""

from __future__ import annotations

import json
import re
from pathlib import Path
from unittest import mock

import pytest

from tests.support.command import call
from tests.support.documents import HereReader, write_html, write_pdf, write_scan
from tests.support.doubles import load_nltk_data
from tests.support.packed_documents import write_xlsx
from uhhrag.archive import updating
from uhhrag.backends.fakes import hashing_embedder, scripted_llm
from uhhrag.backends.vector_cache import cached
from uhhrag.documents import draft
from uhhrag.indexing.vectors import EmbedderId
from uhhrag.wiring import checked_claims, embedders, llms
from uhhrag.workflows import documents

pytestmark = pytest.mark.slow

CLAIM = "The harbour of Varnby was dredged in 2019."
STEPS = {"ask_about": ["Was the harbour dredged in 2019?"]}


class Models:
    """Stand-ins that keep what they were asked; `letter` is every vote's."""

    def __init__(self) -> None:
        self.letter, self.embedded, self.asked = "B", [], 0
        self.plain = hashing_embedder()

    def embed(self, texts, /):
        self.embedded += texts
        return self.plain(texts)

    def llm(self, prompts, ask, /):
        self.asked += len(prompts)
        script = scripted_llm({**STEPS, "vote_constrained": lambda prompt: self.letter})
        return script(prompts, ask)


@pytest.fixture
def models(monkeypatch) -> Models:
    load_nltk_data()
    models = Models()
    monkeypatch.setattr(updating, "ReadingProcess", HereReader)
    monkeypatch.setattr(draft, "ReadingProcess", HereReader)
    monkeypatch.setattr(llms, "load_llm", lambda *_: (models.llm, "f" * 64))

    def load_embedder(name, device="cpu", memory=None):
        embed = cached(models.embed, "stand-in", memory) if memory else models.embed
        return embed, EmbedderId("stand-in", 64, "0" * 64)

    monkeypatch.setattr(embedders, "load_embedder", load_embedder)
    return models


@pytest.fixture
def docs(tmp_path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    pages = [["An opening page."], ["The harbour of Varnby was dredged. It cost much."]]
    write_pdf(folder / "report.pdf", pages, title="Harbours", author="A. Writer")
    (folder / "note.txt").write_text("Snow fell on Amber Hill in July.")
    return folder


@pytest.fixture
def check(models, docs):
    def run(*arguments: object, stdin: str = "") -> tuple[int, str, str]:
        folder = () if "--docs" in arguments else ("--docs", docs)
        return call("check", *folder, "--llm", "stand-in", *arguments)

    return run


def answers(out: str) -> list[dict]:
    return [json.loads(line) for line in out.splitlines()]


def test_an_answer_has_verdict_votes_sentences_sources_and_pages(check):
    code, said, notes = check(CLAIM, "--top-n", 1)
    assert code == 0
    assert re.search(r"^To read it as a page: uhhrag report \S+\.uhhrag/runs/\w+$", notes, re.M)
    lines = [line.strip() for line in said.splitlines()]
    assert lines[0] == f"Claim: {CLAIM}"
    assert lines[2].startswith("Refuted by ")
    assert "A: The harbour of Varnby was dredged." in lines
    assert any(
        line.startswith("report.pdf, page 2 · Harbours · A. Writer · file") for line in lines
    )
    assert lines[-1] == "Checked against 4 sentences of 2 documents."
    assert max(map(len, said.splitlines())) <= 80


def test_a_list_says_once_at_its_end_what_was_searched(check, docs, tmp_path):
    (docs / "broken.pdf").write_bytes(b"%PDF")
    (tmp_path / "claims.txt").write_text(f"{CLAIM}\nSnow fell in July.\n")
    code, said, _ = check("--claims", tmp_path / "claims.txt")
    assert code == 0
    _, first, second = re.split(r"^Claim \d: ", said, flags=re.M)
    assert "Not found:" not in first
    assert (
        "\n\nNot read:\n  - 1 file could not be read: broken.pdf\n\n"
        "Checked against 4 sentences of 2 documents.\n\nAll claims: 2 refuted\n"
    ) in second
    rows = second.partition("All claims: 2 refuted\n")[2].splitlines()
    assert [row.split()[0] for row in rows] == ["1.", "2."]
    assert rows[0].startswith("   1. Refuted")
    assert rows[0].endswith(CLAIM)


def test_the_json_holds_the_same_and_more(check, docs):
    _, said, notes = check(CLAIM, "--json", "--top-n", 1)
    (answer,) = answers(said)
    assert "whether the verifier would vote better was not" in notes
    assert answer["label"] == "Refuted"
    assert 0 < answer["confidence"] <= 1
    (piece,) = answer["evidence"]
    assert piece["vote"]["label"] == "Refuted"
    assert piece["sentence"] == piece["text"] == "The harbour of Varnby was dredged."
    assert {**piece["sources"][0], "date": ""} == {
        "url": "file:report.pdf",
        "title": "Harbours",
        "site": "",
        "author": "A. Writer",
        "date": "",
        "dated_by": "file",
        "page": 2,
        "place": "page 2",
        "section": "",
        "ocr": None,
        "file": "report.pdf",
        "by": "A. Writer",
        "note": "",
        "quoted": None,
        "document": 1,
        "line": 1,
    }
    assert answer["documents"] == {
        "files": 2,
        "documents": 2,
        "sentences": 4,
        "unread": {},
        "left_out": 0,
        "left_out_files": {},
        "other": {},
        "languages": {},
        "scans": {},
        "partly": {},
    }
    assert str(docs.parent) not in said


def test_a_row_of_a_spreadsheet_is_shown_with_its_sheet_and_number(check, docs):
    rows = (("Port", "Year", "Cost"), ("Varnby", "dredged in 2019", 14))
    write_xlsx(docs / "costs of ports.xlsx", {"By port": rows})
    _, said, _ = check(CLAIM, "--nearest", 0)
    assert "Port: Varnby; Year: dredged in 2019; Cost: 14" in said
    assert "costs of ports.xlsx, sheet By port, row 2 · B. Clerk" in said
    _, said, _ = check(CLAIM, "--json", "--nearest", 0)
    sources = [piece["sources"][0] for piece in answers(said)[0]["evidence"]]
    row = next(source for source in sources if source["place"] == "sheet By port, row 2")
    assert (row["page"], row["file"]) == (None, "costs of ports.xlsx")
    assert row["url"] == "file:costs%20of%20ports.xlsx#By%20port"


def test_a_table_of_claims_among_the_documents_is_no_evidence_for_them(check, docs):
    table = docs / "claims.csv"
    table.write_text(f"claim,date\n{CLAIM},2020-01-01\n")
    (docs / "other.csv").write_text("port,dredged\nVarnby,2019\n")
    code, said, _ = check("--claims", table, "--json", "--nearest", 0)
    assert code == 0
    files = {s["file"] for piece in answers(said)[0]["evidence"] for s in piece["sources"]}
    assert files == {"note.txt", "report.pdf", "other.csv"}


def test_a_web_page_is_shown_with_its_file_site_author_and_date(check, docs):
    write_html(docs / "saved page.html")
    _, said, _ = check("The harbour of Varnby was dredged in the spring of 2019.", "--json")
    (source,) = answers(said)[0]["evidence"][0]["sources"]
    assert (source["file"], source["site"], source["author"], source["date"]) == (
        "saved page.html",
        "Varnby News",
        "Ada Writer",
        "2019-06-11",
    )
    _, said, _ = check("The harbour of Varnby was dredged in the spring of 2019.")
    shown = " ".join(said.split())
    said_by = "Harbour dredged · Varnby News · Ada Writer · 11 June 2019"
    assert f"/saved/varnby · in saved page.html · {said_by}" in shown


def test_nothing_near_the_claim_is_said_and_no_side_is_taken(check, models):
    code, said, _ = check("Bananas ripen faster beside apples.", "--json", "--nearest", 0.9)
    (answer,) = answers(said)
    assert code == 0
    assert (answer["label"], answer["evidence"]) == ("Not Enough Evidence", [])
    (note,) = [note for note in answer["not_found"] if "near enough" in note]
    assert "below 0.90" in note


def test_votes_that_likely_say_nothing_are_marked(check, models):
    models.letter = "C"
    _, said, _ = check(CLAIM, "--json")
    (answer,) = answers(said)
    assert {piece["vote"]["says_nothing"] for piece in answer["evidence"]} == {True}
    assert "says so alone" in answer["summary"]
    assert not any("saying nothing" in note for note in answer["not_found"])  # it has a side


def test_documents_that_could_not_be_read_are_named_and_the_rest_is_used(check, docs):
    write_scan(docs / "scan.pdf")
    code, said, complaints = check(CLAIM)
    assert code == 0
    assert "1 file could not be read: scan.pdf" in said
    assert "scan.pdf: has no text" in complaints
    note = "1 page of 1 file is a scan (scan.pdf); install Tesseract to read it"
    assert note in complaints
    assert note in " ".join(said.split())


def test_another_claim_embeds_no_sentence_again(check, models):
    check(CLAIM)
    models.embedded.clear()
    check("Snow fell on Amber Hill.")
    assert "Snow fell on Amber Hill in July." not in models.embedded
    assert "Snow fell on Amber Hill." in models.embedded


def test_the_same_claim_again_asks_no_model(check, models):
    _, first, _ = check(CLAIM)
    models.asked = 0
    _, again, _ = check(CLAIM)
    assert models.asked == 0
    assert again == first


def test_a_changed_document_is_a_new_answer(check, models, docs):
    check(CLAIM)
    (docs / "note.txt").write_text(f"{CLAIM} So they say.")
    models.asked = 0
    _, said, complaints = check(CLAIM, "--json")
    assert models.asked > 0
    assert "2 files (1 read, 1 kept)" in complaints
    assert CLAIM in {piece["sentence"] for piece in answers(said)[0]["evidence"]}


@pytest.mark.parametrize("compacted", [20_000, 0])
def test_the_text_of_a_deleted_document_leaves_the_disk_or_what_removes_it_is_said(
    check, docs, monkeypatch, compacted
):
    monkeypatch.setattr(documents, "_COMPACTED", compacted)
    check("Snow fell on Amber Hill in July.")
    (docs / "note.txt").unlink()
    told = check("The harbour of Varnby was dredged.")[2]
    archive = docs.with_name("docs.uhhrag") / "archive"
    stays = any(b"Amber" in file.read_bytes() for file in archive.rglob("*") if file.is_file())
    said = f"their text is on the disk until you run: uhhrag archive compact {archive}" in told
    assert (stays, said) == ((not compacted), (not compacted))


def test_claims_come_from_a_file_and_are_answered_in_order(check, tmp_path):
    (tmp_path / "claims.csv").write_text(f'claim\n"{CLAIM}"\nSnow fell on Amber Hill.\n')
    _, said, _ = check("--claims", tmp_path / "claims.csv")
    assert said.count("\n\nClaim 2 (line 3): ") == 1  # a blank line stands between two answers
    _, said, _ = check("--claims", tmp_path / "claims.csv", "--json")
    assert [answer["claim"] for answer in answers(said)] == [CLAIM, "Snow fell on Amber Hill."]


def test_a_window_is_read_and_the_sentence_stays_marked(check):
    _, said, _ = check(CLAIM, "--granularity", "window:1", "--top-n", 1)
    text = " ".join(said.split())
    assert "An opening page. «The harbour of Varnby was dredged.» It cost much." in text
    _, said, _ = check(CLAIM, "--granularity", "document", "--json", "--top-n", 1)
    (piece,) = answers(said)[0]["evidence"]
    assert piece["sentence"] == "The harbour of Varnby was dredged."
    assert piece["text"] == "An opening page. The harbour of Varnby was dredged. It cost much."


def test_a_run_folder_of_ones_own_can_be_evaluated_and_is_not_mixed_up(check, tmp_path):
    run = tmp_path / "run"
    assert check(CLAIM, "--out", run)[0] == 0
    assert (run / "predictions.json").exists()
    code, _, complaints = check("Another claim.", "--out", run)
    assert code == 7
    assert "holds claim 0 with another text, other documents" in complaints
    assert check("Another claim.", "--out", run, "--overwrite")[0] == 0


def test_the_report_of_a_stopped_check_says_what_was_searched(check, models, monkeypatch, tmp_path):
    def stopped(*_):
        raise KeyboardInterrupt

    assert check(CLAIM, "--out", tmp_path / "run")[0] == 0
    (tmp_path / "run" / "documents.json").unlink()
    monkeypatch.setattr(models, "llm", stopped)
    (tmp_path / "claims.txt").write_text(f"{CLAIM}\nSnow fell on Amber Hill.\n")
    code, _, _ = check("--claims", tmp_path / "claims.txt", "--out", tmp_path / "run")
    assert code == 130
    assert call("report", tmp_path / "run", "--out", tmp_path / "page.html")[0] == 0
    page = (tmp_path / "page.html").read_text()
    assert "4 sentences of 2 documents in 2 files" in page


def test_a_run_in_the_folder_of_the_documents_is_refused(check, docs):
    code, _, said = check(CLAIM, "--out", docs)
    assert (code, "is the folder of the documents; give another" in said) == (2, True)
    assert sorted(path.name for path in docs.iterdir()) == ["note.txt", "report.pdf"]


def test_a_damaged_verdict_in_a_folder_of_ones_own_is_decided_again(check, tmp_path):
    check(CLAIM, "--out", tmp_path / "run")
    trace = tmp_path / "run" / "trace.jsonl"
    before = trace.read_bytes()
    trace.write_bytes(before.replace(b"label", b"lapel", 1))
    assert check(CLAIM, "--out", tmp_path / "run")[0] == 0
    assert trace.read_bytes() == before


def test_a_damaged_file_of_checked_claims_is_told_before_the_work(check, models, tmp_path):
    file = tmp_path / "checked.jsonl"
    file.write_text("no head\n")
    with mock.patch.object(checked_claims, "file_of_checked", lambda: file):
        code, _, said = check(CLAIM)
    assert (code, models.asked, models.embedded) == (3, 0, [])
    assert "is no sound file of checked claims" in said


def test_a_store_that_was_ingested_is_checked_against_as_it_is(check, tmp_path, docs):
    (first,) = answers(check(CLAIM, "--json")[1])
    store = tmp_path / "store.jsonl"
    assert call("archive", "export", tmp_path / "docs.uhhrag" / "archive", store)[0] == 0
    (docs / "note.txt").unlink()
    (same,) = answers(check(CLAIM, "--json", "--docs", store)[1])
    assert same["documents"]["documents"] == 2
    for field in ("label", "confidence", "evidence", "votes"):
        assert same.get(field) == first.get(field)
    archive = tmp_path / "store.jsonl.uhhrag" / "archive"
    for words in (("archive", "verify", archive), ("search", "ferry", "--docs", store)):
        assert call(*words)[0] == 0
    with store.open("a") as more:
        more.write("{\n")
    _, said, warned = check(CLAIM, "--docs", store, "--work", tmp_path / "w")
    assert "- read in part: store.jsonl: 1 record left out; the first at store.jsonl:3" in said
    assert f"{store}: 1 record left out; the first at store.jsonl:3: not JSON" in warned


def test_everything_is_kept_beside_the_documents_and_nothing_in_them(check, docs):
    before = sorted(docs.iterdir())
    check(CLAIM)
    assert sorted(docs.iterdir()) == before
    kept_there = {path.name for path in (docs.parent / "docs.uhhrag").iterdir()}
    assert {"archive", "vectors.sqlite", "runs"} <= kept_there


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((), 2, "or a draft: --article FILE"),
        ((CLAIM, "--claims", "x.txt"), 2, "give one claim in quotes"),
        ((CLAIM, "--docs", "nowhere"), 3, "nowhere: no such folder of documents"),
        ((CLAIM, "--docs", __file__), 3, "is a file; name the folder it is in by --docs"),
        ((CLAIM, "--docs", ""), 2, "--docs is empty; name the folder of your documents"),
        ((CLAIM, "--granularity", "page"), 2, "sentence, passages, window:N, document"),
        ((CLAIM, "--nearest", 1.5), 2, "--nearest 1.5: give 0 to 0.99"),
        (("--claims", "nowhere.txt"), 3, "nowhere.txt: cannot be read"),
    ],
)
def test_a_mistake_is_one_line_with_its_exit_code(check, arguments, code, said, tmp_path):
    ended, out, complaints = check(*arguments, "--work", tmp_path / "work")
    assert ended == code
    assert said in complaints
    assert (out, complaints.count("\n")) == ("", 1)


def test_a_claim_that_fails_is_said_and_the_others_are_answered(check, models, tmp_path):
    llm = models.llm

    def fails(prompts, ask, /):
        if any("Granite" in prompt.text for prompt in prompts):
            raise RuntimeError("struck")
        return llm(prompts, ask)

    models.llm = fails
    (tmp_path / "claims.txt").write_text(f"Granite is a stone.\n{CLAIM}\n")
    arguments = ("--claims", tmp_path / "claims.txt", "--json", "--nearest", 0, "--top-n", 1)
    code, said, complaints = check(*arguments)
    assert code == 8
    assert ["error" in answer for answer in answers(said)] == [True, False]
    assert "no verdict on 1 of 2 claims; the reason of each stands in " in complaints
    _, said, _ = check("Granite is a stone.", "--date", "2020-01-02", "--json")
    assert answers(said)[0]["date"] == "2020-01-02"


def test_the_claims_own_date_leaves_out_what_is_dated_later(check, docs):
    (docs / "minutes 2020-11-03.txt").write_text("The harbour of Varnby was dredged in 2019.")
    for day, removed in (("2020-11-03", {}), ("2020-11-02", {"date": 1})):
        arguments = ("--date", day, "--speaker", "The mayor", "--before", "claim-date", "--json")
        code, out, _ = check(CLAIM, *arguments)
        (answer,) = answers(out)
        assert (code, answer["date"]) == (0, day)
        left_out = [note for note in answer["not_found"] if "last day" in note]
        later = "passage of documents dated after the last day allowed was left out"
        assert left_out == [f"{n} {later}" for n in removed.values()]
        shown = check(CLAIM, "--before", day)[1].strip().endswith("less what was left out.")
        assert shown == bool(removed)


def test_the_metadata_of_a_file_is_called_that_and_the_name_is_preferred(check, docs):
    write_pdf(docs / "dredging, 3 May 2021.pdf", [["The harbour of Varnby was dredged in 2019."]])
    _, out, _ = check(CLAIM, "--json")
    by_file = {s["file"]: s for e in answers(out)[0]["evidence"] for s in e["sources"]}
    named = by_file["dredging, 3 May 2021.pdf"]
    assert (named["date"], named["dated_by"]) == ("2021-05-03", "name")
    assert by_file["report.pdf"]["dated_by"] == "file"
    _, out, _ = check(CLAIM)
    said = " ".join(out.split())
    assert "3 May 2021 by its file's name" in said
    assert "A. Writer · file made" in said


def test_claim_date_is_refused_where_a_claim_has_none(check, tmp_path):
    code, _, said = check(CLAIM, "--before", "claim-date")
    assert (code, "the claim has no date; add --date YYYY-MM-DD" in said) == (2, True)
    claims = tmp_path / "claims.csv"
    claims.write_text("claim,date\nA.,2020-99-01\n")
    code, _, said = check("--claims", claims, "--before", "claim-date")
    assert (code, "the claim's date '2020-99-01' cannot be read; write it as" in said) == (2, True)
    claims.write_text("claim,date\nA.,2020-10-31\nB.,\nC.,last week\n")
    code, _, said = check("--claims", claims, "--before", "claim-date")
    assert code == 2
    assert "no date can be read of 2 of 3 claims, first “B.”" in said
    code, _, said = check("--claims", claims)
    assert "no date can be read of 1 of 3 claims, first “C.”: “last week”" in said


def test_a_date_that_is_none_and_a_date_beside_a_file_are_refused(check, tmp_path):
    code, _, said = check(CLAIM, "--date", "2020")
    assert (code, "--date 2020: is not a date" in said) == (2, True)
    claims = tmp_path / "claims.txt"
    claims.write_text("A.")
    code, _, said = check("--claims", claims, "--speaker", "X")
    assert (code, "belong to a claim in quotes" in said) == (2, True)


DRAFT = """The harbour

The harbour of Varnby was dredged in 2019. Was it worth it? We must build more.

Snow fell on Amber Hill in July.
"""


@pytest.fixture
def draft_file(tmp_path) -> Path:
    file = tmp_path / "draft.txt"
    file.write_text(DRAFT)
    return file


def test_the_claims_of_a_draft_are_listed_checked_and_marked_in_it(check, draft_file, docs):
    code, said, told = check("--article", draft_file)
    assert code == 0
    assert "2 claims in 5 sentences of draft.txt:" in told
    assert "   1. The harbour of Varnby was dredged in 2019." in told
    assert re.findall(r"^Claim \d: .*", said, re.M) == [
        "Claim 1: The harbour of Varnby was dredged in 2019.",
        "Claim 2: Snow fell on Amber Hill in July.",
    ]
    assert said.endswith(
        "\n\nNot checked (3 sentences):\n"
        "  - no whole sentence: The harbour\n"
        "  - a question: Was it worth it?\n"
        "  - a wish or a demand: We must build more.\n"
    )
    page = Path(told.splitlines()[-1].removeprefix("The draft with its verdicts: "))
    text = page.read_text()
    assert 'href="#claim-0">The harbour of Varnby was dredged in 2019.</a>' in text
    assert 'href="#claim-1">Snow fell on Amber Hill in July.</a>' in text
    assert "Was it worth it?" in text.partition('class="draft-text"')[2].partition("</div>")[0]
    listed = text.partition("3 sentences without a check, with the reason")[2].partition("</ul>")[0]
    assert 'Was it worth it?</span> <span class="minor">· a question' in listed
    article = json.loads((page.parent / "article.json").read_text())
    assert [one["check"] for one in article["sentences"]] == [None, 0, None, None, 1]
    assert article["sentences"][2]["why"] == "a question"


def test_a_draft_has_a_date_a_speaker_json_and_a_page_elsewhere(check, draft_file, tmp_path):
    page = tmp_path / "marked.html"
    given = ("--date", "2020-01-02", "--speaker", "Ada", "--json", "--html", page)
    code, said, _ = check("--article", draft_file, *given)
    assert code == 0
    assert [(a["claim"], a["date"], a["language"]) for a in answers(said)] == [
        ("The harbour of Varnby was dredged in 2019.", "2020-01-02", None),
        ("Snow fell on Amber Hill in July.", "2020-01-02", None),
    ]
    assert "Fact-check report" in page.read_text()


def test_the_page_of_a_draft_is_neither_the_draft_nor_evidence(check, docs):
    draft = docs / "draft.html"
    draft.write_text(f"<p>{CLAIM}</p>")
    code, said, told = check("--article", draft, "--html", draft)
    assert (code, said, "draft.html: is read here, and would be lost" in told) == (2, "", True)
    assert draft.read_text() == f"<p>{CLAIM}</p>"
    for _ in range(2):
        code, said, _ = check("--article", draft, "--html", docs / "page.html", "--json")
    assert code == 0
    files = [s["file"] for piece in answers(said)[0]["evidence"] for s in piece["sources"]]
    assert "page.html" not in files


def test_a_draft_is_checked_again_without_asking_again(check, draft_file, models):
    check("--article", draft_file)
    asked = models.asked
    code, said, _ = check("--article", draft_file)
    assert (code, models.asked, said.count("\n\nClaim 2: ")) == (0, asked, 1)


def test_a_draft_without_claims_says_so(check, tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("What a day! We must act.")
    code, _, told = check("--article", file)
    assert code == 3
    assert "none of its 2 sentences is taken for a claim; the rules are for English" in told
    file.write_text("Der Hafen wurde im Mai ausgebaggert. Er war sehr teuer.")
    code, _, told = check("--article", file)
    assert code == 3
    assert "it looks German, and the rules are for English" in told


def test_claims_and_documents_that_are_not_english_are_named(check, docs):
    (docs / "bericht.txt").write_text("Der Hafen wurde im Mai ausgebaggert. Er war sehr teuer.")
    code, said, _ = check("Der Hafen von Varnby wurde 2019 ausgebaggert.")
    assert code == 0
    line = " ".join(said.split())
    assert "This claim looks German. uhhrag was made and measured for English; do not" in line
    assert "Not in English: bericht.txt (German). uhhrag was made" in line
    _, said, _ = check("Der Hafen von Varnby wurde 2019 ausgebaggert.", "--json")
    (answer,) = answers(said)
    assert answer["language"] == "German"
    assert answer["documents"]["languages"] == {"bericht.txt": "German"}


def test_a_long_claim_is_marked(check):
    _, out, _ = check("The school was shut. " * 40)
    assert "This claim has 839 characters." in out


def test_a_folder_without_documents_leaves_no_work_folder(check, tmp_path):
    (tmp_path / "bare").mkdir()
    code, _, said = check(CLAIM, "--docs", tmp_path / "bare")
    assert (code, "holds no document; give" in said, ".doc " in said) == (3, True, False)
    assert not (tmp_path / "bare.uhhrag").exists()


def test_a_model_that_is_not_there_is_told_before_documents_are_read(docs, tmp_path):
    load_nltk_data()
    work = tmp_path / "work"
    arguments = (CLAIM, "--docs", docs, "--work", work, "--llm", "nowhere")
    code, _, said = call("check", *arguments)
    assert (code, said[:23]) == (5, "uhhrag: model 'nowhere'")
    assert not work.exists()
