"""`uhhrag archive`, `ingest --out FOLDER`, and `check` against a corpus."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command import call
from tests.support.corpora import read_here, write_documents
from tests.support.documents import write_rows
from tests.support.doubles import load_nltk_data
from tests.support.other_user import as_other, open_folder
from uhhrag import defaults, models
from uhhrag.archive import words as archive_words
from uhhrag.backends.fakes import hashing_embedder, scripted_llm
from uhhrag.cli.archive import _MEANINGS
from uhhrag.documents import changed
from uhhrag.indexing.vectors import EmbedderId
from uhhrag.protocols import Reranker
from uhhrag.system import checksummed_json
from uhhrag.wiring import embedders, llms, rerankers
from uhhrag.wiring.machine import Loaded
from uhhrag.workflows.documents import make_work_folder

pytestmark = pytest.mark.slow

CLAIM = "The harbour was dredged."


@pytest.fixture(autouse=True)
def stand_ins(monkeypatch) -> None:
    load_nltk_data()
    read_here(monkeypatch)
    plain = hashing_embedder()

    def load_embedder(name, device="cpu", memory=None, precision=None):
        return plain, EmbedderId("minilm", 64, "0" * 64)

    def load_reranker(name, machine):
        def relevance(query, texts, /):
            import numpy as np

            return np.array(["moon" in text for text in texts], np.float32)

        return Loaded(Reranker(relevance, len, 512), "reranker@0")

    script = scripted_llm({"ask_about": ["Was it?"], "vote_constrained": lambda prompt: "A"})
    monkeypatch.setattr(embedders, "load_embedder", load_embedder)
    monkeypatch.setattr(rerankers, "load_reranker", load_reranker)
    monkeypatch.setattr(llms, "load_llm", lambda *_: (script, "f" * 64))
    monkeypatch.setattr(models, "path", lambda name, real=models.path: _path(name, real))


def _path(name: str, real) -> Path:
    return Path() if name == "minilm" else real(name)


@pytest.fixture
def docs(tmp_path) -> Path:
    return write_documents(tmp_path / "docs")


@pytest.fixture
def corpus(tmp_path, docs) -> Path:
    assert call("ingest", docs, "--out", tmp_path / "corpus")[0] == 0
    return tmp_path / "corpus"


def info(corpus: Path) -> dict:
    return json.loads(call("archive", "info", corpus, "--json")[1])


def checked(corpus: Path, *options: object) -> dict:
    code, out, err = call("check", CLAIM, "--docs", corpus, "--json", *options)
    assert code == 0, err
    return json.loads(out)


def test_the_words_of_what_an_archive_holds_are_explained(corpus):
    said = call("archive", "info", corpus)[1].splitlines()
    assert "passages            4 (sentences in a row, which a search finds)" in said
    assert {*_MEANINGS} <= {*info(corpus)}


def test_a_folder_becomes_a_corpus_with_vectors_that_is_exported_as_a_store(docs, corpus, tmp_path):
    about = info(corpus)
    assert (about["files"], about["documents"], about["sentences"]) == (2, 4, 6)
    assert about["passages"] == about["with_vectors"] == 4
    assert about["search_by_meaning"] == "by the vectors above"
    store = tmp_path / "store.jsonl"
    assert call("archive", "export", corpus, store)[:2] == (0, f"4 documents → {store}\n")
    assert store.read_text().count("\n") == 4
    code, _, said = call("ingest", docs, "--out", tmp_path / "s.jsonl")
    assert (code, "an archive is a folder" in said) == (2, True)


def test_an_archive_with_vectors_needs_no_other_embedder(docs, corpus, monkeypatch):
    monkeypatch.setattr(models, "path", lambda name: pytest.fail(f"{name} is asked for"))
    assert call("ingest", docs, "--out", corpus)[0] == 0


def test_vectors_can_be_made_later(docs, tmp_path):
    monkeypatch = pytest.MonkeyPatch()
    corpus = tmp_path / "corpus"
    call("ingest", docs, "--out", corpus, "--no-vectors")
    assert info(corpus)["with_vectors"] == 0
    itself = "each check makes vectors of all sentences itself, as they are few"
    assert info(corpus)["search_by_meaning"] == itself
    monkeypatch.setattr(defaults, "POOL", 5)
    remedy = f"not yet: run uhhrag archive embed {corpus}"
    assert info(corpus)["search_by_meaning"] == remedy
    assert checked(corpus)["evidence"]
    (corpus.parent / "vectors.sqlite").touch()
    monkeypatch.undo()
    kept = f"{itself}, kept in {corpus.parent / 'vectors.sqlite'}"
    assert info(corpus)["search_by_meaning"] == kept
    assert call("archive", "embed", corpus)[1].startswith("4 passages embedded")
    assert call("archive", "embed", corpus)[1].startswith("0 passages embedded")
    assert info(corpus)["with_vectors"] == 4


def test_a_claim_is_checked_against_a_corpus_with_its_sources(corpus):
    answer = checked(corpus, "--rerank", 0)
    about = answer["documents"]
    assert (about["files"], about["documents"], about["sentences"]) == (2, 4, 6)
    best = answer["evidence"][0]
    assert best["sentence"] == "The harbour was dredged."
    assert best["sources"][0]["url"] == "https://news.a.example/harbour"
    assert best["sources"][0]["date"] == "2019-06-11"
    assert "text english-1 and vectors" in answer["signature"]


def test_limits_reach_into_the_corpus(corpus):
    answer = checked(corpus, "--rerank", 0, "--before", "2018-01-01", "--nearest", 0)
    assert (
        "2 passages of documents dated after the last day allowed were left out"
        in answer["not_found"]
    )
    urls = {s["url"] for piece in answer["evidence"] for s in piece["sources"]}
    assert "https://news.a.example/harbour" not in urls


def test_the_cross_encoder_reads_the_best_passages_again(corpus):
    without = call("archive", "search", corpus, CLAIM, "--json", "--rerank", 0)[1]
    read = call("archive", "search", corpus, CLAIM, "--json", "--rerank", 3)[1]
    assert json.loads(without)["passages"][0]["title"] == "Harbours"
    assert json.loads(read)["passages"][0]["title"] == "Dogs"
    assert "read by reranker@0" in checked(corpus, "--rerank", 3)["signature"]


def test_a_search_by_one_engine_with_filters(corpus, tmp_path):
    def titles(*options: object) -> list[str]:
        code, out, err = call("archive", "search", corpus, "harbour", "--json", *options)
        assert code == 0, err
        return [passage["title"] for passage in json.loads(out)["passages"]]

    assert titles("--rerank", 0, "--by", "text", "--before", "2020-01-01", "--no-undated") == [
        "Harbours"
    ]
    assert set(titles("--rerank", 0, "--by", "vectors", "--file", "rows.jsonl")) == {
        "Harbours",
        "Snow",
        "Dogs",
    }
    (tmp_path / "q.txt").write_text("snow\nhay\n")
    out = call(
        "archive", "search", corpus, "--claims", tmp_path / "q.txt", "--top", 1, "--rerank", 0
    )[1]
    assert "Snow fell on Amber Hill." in out
    assert "Cows eat grass near the harbour. Hay is dry." in out


def test_a_passage_is_named_by_its_file_and_the_date_that_it_states(tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a note.md").write_text("---\ndate: 2023-05\n---\nHay is dry.\n")
    corpus = tmp_path / "archive"
    call("ingest", tmp_path / "notes", "--out", corpus, "--no-vectors")
    out = call("archive", "search", corpus, "hay", "--rerank", 0)[1]
    assert "1. a note.md · May 2023\n" in out


def test_words_are_searched_in_a_folder_and_in_an_archive_alike(docs, corpus):
    def found(where: Path, *options: object) -> dict:
        code, out, err = call("search", *options, "--docs", where, "--json")
        assert code == 0, err
        return json.loads(out)

    for where in (docs, corpus):
        exact = found(where, "the HARBOUR", "--exact")
        assert (exact["sentences"], exact["documents"]) == (3, 3)
        first = next(one for one in exact["found"] if one["sentence"] == "The harbour was dredged.")
        assert (first["after"], first["line"]) == ("It cost much.", 0)
        assert first["source"]["url"] == "https://news.a.example/harbour"
        assert found(where, '"harbour the"', "--exact")["sentences"] == 0
        near = found(where, "Snow on Amber Hill", "--top-n", 1)
        assert near["found"][0]["sentence"] == "Snow fell on Amber Hill."
        assert (near["sentences"], near["documents"]) == (1, 1)
        near = found(where, "dredged", "--top-n", 9)
        assert near["found"][0]["sentence"] == "The harbour was dredged."
        assert (near["sentences"], len(near["found"]) > 1) == (1, True)
    shown = call("search", "harbour", "--docs", docs, "--exact", "--top-n", 1)[1]
    assert "3 sentences of 3 documents with every word." in shown
    none = "Nothing is found.\nLeave --exact out to find what is near in meaning, too.\n"
    assert call("search", "nothing like it", "--docs", docs, "--exact")[1] == none
    assert call("search", "?!", "--docs", docs)[0] == 2


def test_a_search_says_what_it_could_not_look_at(docs, monkeypatch):
    monkeypatch.setattr(archive_words, "MOST_DOCUMENTS", 0)
    said = call("search", "the of", "--docs", docs, "--exact")[1]
    assert said.startswith("Nothing is found, of the passages that full text ranks best.\n")
    monkeypatch.setattr(defaults, "POOL", 0)
    code, _, told = call("search", "snow", "--docs", docs)
    assert (code, "4 passages without a vector, found by words alone; run:" in told) == (0, True)


def test_update_add_and_remove_keep_a_corpus_current(corpus, docs, tmp_path):
    (docs / "sub" / "note.txt").unlink()
    write_rows(docs / "more.jsonl", {"_id": "9", "text": "A ship sank."})
    code, said, _ = call("archive", "update", corpus)
    assert (code, said.partition(":")[0]) == (0, "2 files (1 read, 1 kept)")
    assert info(corpus)["with_vectors"] == 5
    other = tmp_path / "other"
    other.mkdir()
    (other / "b.txt").write_text("Bees hum.")
    call("archive", "add", corpus, other)
    assert [Path(folder).name for folder in info(corpus)["folders"]] == ["docs", "other"]
    said = call("archive", "remove", corpus, "more.jsonl")[1]
    told = f"the text is on the disk until you run: uhhrag archive compact {corpus}\n"
    assert said == f"1 file removed: 1 document\n{told}"
    assert info(corpus)["documents"] == 4
    code, said, _ = call("archive", "compact", corpus)
    assert code == 0
    assert info(corpus)["deleted_passages"] == 0
    assert call("archive", "verify", corpus)[1].endswith("the archive is sound\n")
    assert call("archive", "repair", corpus)[1].endswith("nothing is damaged\n")


def test_files_that_an_older_version_read_are_said_and_read_anew_by_an_update(
    docs, tmp_path, monkeypatch
):
    made = tmp_path / "made"
    with monkeypatch.context() as older:
        older.setattr(changed, "read_with", lambda kind: f"{kind} 1")
        call("ingest", docs, "--out", made)
        assert info(made)["outdated_files"] == 0
    said = "2 files read by an older version of this program; to read anew: uhhrag archive u"
    assert said in call("search", "snow", "--docs", made)[2]
    assert info(made)["outdated_files"] == 2
    call("archive", "update", made)
    assert info(made)["outdated_files"] == 0
    assert "older version" not in call("search", "snow", "--docs", made)[2]


def test_an_archive_of_another_user_says_whose_it_is_and_how_to_have_ones_own():
    with open_folder() as folder:
        archive, work = folder / "docs.uhhrag" / "archive", folder / "docs.uhhrag"
        archive.mkdir(parents=True)
        why = "Permission denied: it is root's, and what uhhrag writes is closed to others"
        for closed in (work, archive):
            closed.chmod(0o700)
            said = as_other(lambda: make_work_folder(work))
            assert said.endswith(f"{work}: cannot be written: {why}; name another folder by --work")
            work.chmod(0o755)
        archive.chmod(0o755)
        work.chmod(0o700)
        said = as_other(lambda: call("archive", "info", archive))
        assert f"{archive}/manifest.json: cannot be read: {why}" in said


def test_an_update_goes_on_without_a_folder_that_was_moved(corpus, docs, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "b.txt").write_text("Bees hum.")
    call("archive", "add", corpus, other)
    docs.rename(tmp_path / "moved")
    (other / "c.txt").write_text("Cows eat grass.")
    code, said, told = call("archive", "update", corpus)
    assert (code, said.partition(":")[0]) == (9, "2 files (1 kept, 1 read)")
    assert f"{docs}: is not there, or empty; its documents stay as they were read" in told
    assert "1 of the documents or folders could not be read" in told
    assert info(corpus)["documents"] == 6
    docs.mkdir()
    assert call("archive", "update", corpus)[0] == 9
    assert info(corpus)["documents"] == 6
    docs.rmdir()
    (other / "b.txt").unlink()
    (other / "c.txt").unlink()
    code, _, told = call("archive", "update", corpus)
    assert (code, "if it moved: uhhrag archive add" in told) == (3, True)


def test_the_same_check_again_asks_nobody_and_a_changed_corpus_is_another_run(corpus, docs):
    first = checked(corpus, "--rerank", 0)
    assert checked(corpus, "--rerank", 0) == first
    (docs / "z.txt").write_text("The harbour was dredged in spring.")
    call("archive", "update", corpus)
    again = checked(corpus, "--rerank", 0)
    assert "The harbour was dredged in spring." in {p["sentence"] for p in again["evidence"]}


def test_an_update_names_the_files_that_went_away(corpus, docs):
    (docs / "rows.jsonl").unlink()
    gone = "1 file no longer there, whose documents are taken out: rows.jsonl\n"
    assert gone in call("archive", "update", corpus, "--no-vectors")[2]
    assert gone not in call("archive", "update", corpus, "--no-vectors")[2]


def test_mistakes_are_one_line(corpus, docs, tmp_path):
    store = tmp_path / "store.jsonl"
    call("archive", "export", corpus, store)
    for words, code, said in (
        (("archive", "info", docs), 4, f"with: uhhrag ingest {docs} --out {docs}.archive"),
        (("archive", "update", tmp_path / "none"), 4, "no archive here"),
        (("archive", "export", corpus, corpus / "manifest.json"), 2, "use one of: .jsonl .ndjson"),
        (("archive", "info", store), 4, "no archive here; give the folder of uhhrag ingest"),
        (("archive", "remove", corpus, "x.pdf"), 3, "has no file x.pdf; give its path in the"),
        (("archive", "search", corpus, "A.", "--before", "claim-date"), 2, "give --before YYYY"),
        (("verify", corpus), 3, "is an archive; see: uhhrag archive --help"),
        (("ingest", docs, "--out", docs), 2, "is not an archive and holds other things"),
    ):
        ended, _, complaint = call(*words)
        assert (ended, said in complaint, complaint.count("\n")) == (code, True, 1), complaint


def test_a_corpus_is_the_store_of_every_claim_of_an_index(corpus, tmp_path, monkeypatch):
    from uhhrag.indexing.index_folder import load_claim, open_index

    claims = [{"claim": CLAIM, "label": "Supported"}, {"claim": "Snow fell.", "label": "Refuted"}]
    data = tmp_path / "data"
    data.mkdir()
    (data / "claims.json").write_text(json.dumps(claims))
    code, _, err = call("index", data, "--store", corpus, "--out", tmp_path / "index")
    assert code == 0, err
    index = open_index(tmp_path / "index")
    texts = [{hit.passage.text for hit in load_claim(index, n).hits} for n in (0, 1)]
    assert CLAIM in texts[0]
    assert "Snow fell on Amber Hill." in texts[1]


def test_a_corpus_that_an_earlier_version_published_is_searched_here(corpus):
    own = checked(corpus, "--rerank", 0)
    file = corpus / "manifest.json"
    body = checksummed_json.from_bytes(file.read_bytes())
    body["published"] = {"folder": "/lake", "version": 1, "digest": "0" * 64, "state": 1}
    file.write_bytes(checksummed_json.to_bytes(body))
    assert info(corpus)["passages"] == 4
    assert checked(corpus, "--rerank", 0) == own


def test_one_flipped_bit_in_what_was_read_of_a_folder_is_found_and_no_answer_given(docs):
    assert call("check", CLAIM, "--docs", docs)[0] == 0
    (documents,) = (docs.parent / "docs.uhhrag" / "archive" / "segments").glob("*/documents.jsonl")
    content = bytearray(documents.read_bytes())
    content[len(content) // 2] ^= 1
    documents.write_bytes(bytes(content))
    code, out, said = call("check", CLAIM, "--docs", docs)
    assert (code, out) == (4, "")
    assert "is damaged" in said
    assert call("archive", "verify", docs.parent / "docs.uhhrag" / "archive")[0] == 4


def test_a_folder_and_an_archive_of_the_same_documents_give_the_same_answer(docs, corpus):
    of_folder, of_archive = checked(docs), checked(corpus)
    for key in ("label", "confidence", "evidence", "votes"):
        assert of_folder[key] == of_archive[key]
