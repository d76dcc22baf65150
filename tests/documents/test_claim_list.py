"""Claims in every form people have them."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from uhhrag.documents.draft import read_list
from uhhrag.errors import InputError, UsageError
from uhhrag.records import Claim
from uhhrag.workflows.given import given_claims, read_claims_of_any_kind
from uhhrag.workflows.observer import Observer

pytestmark = pytest.mark.slow

TWO = (Claim(0, "It rained."), Claim(1, "It “snowed”, too."))


def written(tmp_path: Path, name: str, text: str, encoding: str = "utf-8") -> Path:
    (tmp_path / name).write_text(text, encoding=encoding)
    return tmp_path / name


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("claims.txt", "It rained.\n\n  It “snowed”,   too. \n"),
        ("claims", "It rained.\r\nIt “snowed”, too.\r\n"),
        ("claims.csv", 'id,Claim\n1,It rained.\n,\n2,"It “snowed”, too."\n'),
        ("claims.csv", "id;claim\n1;It rained.\n2;It “snowed”, too.\n"),
        ("claims.jsonl", '{"claim": "It rained."}\n\n{"text": "It “snowed”, too."}\n'),
        ("claims.tsv", "id\tclaim\n1\tIt rained.\n2\tIt “snowed”, too.\n"),
        ("claims.csv", 'sep=;\r\nclaim;date\r\nIt rained.;\r\n"It “snowed”, too.";\r\n'),
        ("claims.csv", 'claim\nIt rained.\n"It “snowed”,\r\ntoo."\n'),
        ("claims.csv", "Draft of May, 2020;\nClaim;Date\nIt rained.;\nIt “snowed”, too.;\n"),
        ("claims.csv", '"sep=\t"\nclaim\tdate\nIt rained.\t\nIt “snowed”, too.\t\n'),
        ("claims.jsonl", '{"claim": "It rained."}\n{"claim": "It “snowed”,\u2028too."}\n'),
        ("claims.jsonl", '{"Claim": "It rained."}\n{"claim": "It “snowed”,\x85too."}\n'),
        ("claims.txt", "It\x85 rained.\u2028It “snowed”, too.\n"),
        ("claims.txt", "\ufeffIt rained.\r\rIt\x1c“snowed”, too."),
        ("claims.json", '[{"claim": "It rained."}, {"claim": "It “snowed”, too."}]'),
        ("claims.txt", '{"claim": "It rained."}\n{"claim": "It “snowed”, too."}\n'),
        ("claims.txt", "Claim\nIt rained.\nIt “snowed”, too.\n"),
        ("claims.txt", "claim\tdate\nIt rained.\t\nIt “snowed”, too.\t\n"),
        ("claims.csv", "claim;date\nIt rained.;\nclaim;date\nIt “snowed”, too.;\n"),
        ("claims.csv", "claim;;\nIt rained.;;\nIt “snowed”, too.;;\n"),
        ("claims.txt", "1. It rained.\n2. It “snowed”, too.\n"),
        ("claims.txt", "Claims of May:\n\n(1) It\n    rained.\n(2) It “snowed”, too.\n"),
        ("claims.txt", "Claim 1: It rained.\nClaim 2: It “snowed”, too.\n"),
        ("claims.txt", "1. It\nrained.\n2. It\n“snowed”, too.\n"),
        ("claims.txt", "1\tIt rained.\n2\tIt “snowed”, too.\n"),
        ("claims.txt", "[1] It rained.\n[2] It “snowed”, too.\n"),
        ("claims.txt", "Claim #1\nIt rained.\n\nClaim #2\nIt “snowed”, too.\n"),
        ("claims.md", "# May\n\n- [ ] It rained.\n- It “snowed”, too.\n\n---\n"),
        ("claims.md", "1. It rained.\n\n## June\n\n1. It “snowed”, too.\n"),
        ("claims.md", "> It **rained**.\n\n> It “snowed”, too.\n"),
        (
            "claims.md",
            "# May\n\n| **Claim** | Date |\n|---|---|\n| It rained. | |\n| It “snowed”, too. | |\n",
        ),
    ],
)
def test_claims_are_read_in_each_form(tmp_path, name, text):
    assert read_claims_of_any_kind(written(tmp_path, name, text)) == TWO


def test_a_first_line_that_is_a_sentence_names_no_columns(tmp_path):
    file = written(tmp_path, "c.txt", "Statement, 3 May: it rained.\nText by Ada\n")
    found = [claim.text for claim in read_claims_of_any_kind(file)]
    assert found == ["Statement, 3 May: it rained.", "Text by Ada"]


def test_a_sign_or_a_number_that_counts_no_items_is_kept(tmp_path):
    for rows in (
        ["- 5 degrees were measured.", "1. FC Lunde won.", "# of fires – not ships – doubled."],
        ["1. FC Lunde won.", "1. FC Vik lost."],
        ["1 - 0 was the score at Vik", "2 - 0 was the score at Holm"],
        ["1.5 million people live there", "2.5 million people do not"],
        ["2024. The year was dry.", "5. May was warm.", "It rained."],
        ["1. May 2024 was warm.", "2. May 2024 was cold.", "It rained on both."],
        ["3. The ferry was sold.", "It rained.", "4. Lunde won."],
        ["1. FC Lunde won.", "It rained.", "1. FC Vik lost."],
    ):
        file = written(tmp_path, "c.txt", "\n".join(rows))
        assert [claim.text for claim in read_claims_of_any_kind(file)] == rows


@pytest.mark.parametrize("head", ["# Claims", "Claims:", "CLAIMS\n======", "**Claim**"])
def test_a_first_line_that_only_says_claims_is_none(tmp_path, head):
    file = written(tmp_path, "c.txt", f"{head}\n\nLunde won\nVik lost")
    assert [claim.text for claim in read_claims_of_any_kind(file)] == ["Lunde won", "Vik lost"]


A, B, C = "The wall cost 6 million.", "Lunde won.", "It “snowed”, too."


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (f"# Speech\n\n1. {A}\n2. {B}\n- \n- {C}\n", [A, B, C]),
        (f"1) {A}\n2) {B}\n\nFrom the leader:\n3) {C}\n", [A, B, "From the leader:", C]),
        (f"{C}\n1. {A}\n2. {B}\n", [C, A, B]),
        (f"(1) {A}\n• {C}\n(2) {B}\n", [A, C, B]),
        (f"Claim 1: {A}\nClaim 2: {B}\n{C}\n", [A, B, C]),
        (f"1. {A}\n5. May was warm.\n2. {B}\n", [A, "5. May was warm.", B]),
        (f"1. {A}\n2. {B}\nLater:\n1. {B}\n2. {C}\n", [A, B, "Later:", B, C]),
        (f"1. {A}\n2024. {B}\n2. {C}\n", [A, f"2024. {B}", C]),
        (f"1. {A}\n- 12 ships sank.\n2. {B}\n", [A, "12 ships sank.", B]),
    ],
)
def test_numbers_that_count_from_one_are_taken_off_among_other_lines(tmp_path, text, claims):
    found = read_claims_of_any_kind(written(tmp_path, "c.txt", text))
    assert [claim.text for claim in found] == claims


def test_items_that_all_have_number_one_are_numbered(tmp_path):
    file = written(tmp_path, "c.txt", "1. NATO grew.\n1. EU exports fell.")
    found = [claim.text for claim in read_claims_of_any_kind(file)]
    assert found == ["NATO grew.", "EU exports fell."]


def test_a_first_claim_without_full_stop_is_no_heading(tmp_path):
    file = written(tmp_path, "c.txt", "Lunde lost to Vik\n- Lunde won\n- It rained")
    found = [claim.text for claim in read_claims_of_any_kind(file)]
    assert found == ["Lunde lost to Vik", "Lunde won", "It rained"]


def test_a_figure_behind_the_bullet_of_each_line_is_no_minus(tmp_path):
    file = written(tmp_path, "c.txt", "- 12 ships sank.\n- Lunde won.")
    found = [claim.text for claim in read_claims_of_any_kind(file)]
    assert found == ["12 ships sank.", "Lunde won."]


def test_a_byte_order_mark_of_a_spreadsheet_is_no_part_of_a_column(tmp_path):
    file = written(tmp_path, "c.csv", "claim\nIt rained.\n", "utf-8-sig")
    assert read_claims_of_any_kind(file) == TWO[:1]


def test_date_and_speaker_come_along(tmp_path):
    row = {"claim": "It rained.", "claim_date": "31-10-2020", "speaker": "Ada Brook"}
    file = written(tmp_path, "c.jsonl", json.dumps(row))
    assert read_claims_of_any_kind(file) == (Claim(0, "It rained.", "31-10-2020", "Ada Brook"),)


@pytest.mark.parametrize("name", ["c.txt", "c.csv", "c.tsv", "c.jsonl"])
def test_claims_are_read_in_the_encoding_they_are_in(tmp_path, name):
    rows = {"c.txt": "{}\n", "c.jsonl": '{{"claim": "{}"}}\n'}
    text = rows.get(name, "claim\n{}\n").format("The mayor’s fee is £5.")
    file = written(tmp_path, name, text, "cp1252")
    assert read_claims_of_any_kind(file) == (Claim(0, "The mayor’s fee is £5."),)


def test_a_column_is_read_and_not_its_neighbour_where_a_cell_is_empty(tmp_path):
    """`text` is of an article here, `date` of a check."""
    rows = "claim,text,claim_date,date,speaker,author\nIt rained.,An article.,,2020-01-01,,Ada\n"
    file = written(tmp_path, "c.csv", rows)
    assert read_claims_of_any_kind(file) == (Claim(0, "It rained."),)
    file = written(tmp_path, "c.jsonl", '{"claim": "It rained.", "date": NaN}')
    assert read_claims_of_any_kind(file) == (Claim(0, "It rained."),)


@pytest.mark.parametrize(
    "text",
    [
        "It rained.\nIt “snowed”, too.\n",
        '{"claim": "It rained."}\n',
        "claim,date\nIt rained.,\n",
        "sep=;\r\nclaim;date\r\nIt rained.;\r\n",
    ],
)
def test_standard_input_is_read_too(monkeypatch, text):
    class Stdin:
        buffer = io.BytesIO(text.encode())

    monkeypatch.setattr(sys, "stdin", Stdin)
    assert given_claims((), Path("-"))[0] == TWO[0]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("c.csv", "id,statment\n1,It rained.\n", "statment; rename one to claim, text or"),
        (
            "c.csv",
            'Aussage;Datum\n"It rained in May.";2023\n',
            'it has: aussage, datum .separated by ";".; rename one to claim, text or statement$',
        ),
        (
            "c.tsv",
            'Aussage\tDatum\n"It rained in May."\t2023\n',
            "aussage, datum .separated by tabs.; rename one to claim, text",
        ),
        ("c.csv", 'claim\nIt rained.\n"never closed\n', "c.csv, line 3: is not CSV"),
        ("c.csv", "claim,text\n,An article.\n", "line 2: has no claim"),
        ("c.csv", "claim,date, Claim\nA.,,B.\n", "c.csv: has two columns claim; rename one"),
        ("c.jsonl", '{"claim": "A.", "date": 1580515200}', "1: its date 1580515200 is no text"),
        ("c.jsonl", '{"claim": null, "text": "An article."}', "line 1: has no claim"),
        ("c.txt", '[\n {"claim": "It rained."}\n]', "c.txt: is a JSON list; give a claim a line"),
        ("c.html", "<!DOCTYPE html>\n<p>It rained.", "c.html: is markup"),
        ("c.csv", "claim\n", "holds no claim"),
        ("c.csv", "claim,date\n,2020\n", r"\(claim, text, statement\); write one, or remove it"),
        ("c.jsonl", '{"claim": "It rained."}\nno json\n', "line 2: is not JSON; write one"),
        ("c.jsonl", "[1]\n", "line 1: is not a JSON object; write one object"),
        ("c.jsonl", '{"claim": 3}\n', "line 1: has no claim"),
        ("c.txt", " \n", "is empty"),
        ("c.docx", "PK\x03\x04\x14", "is a document or a packed file; save its claims as text"),
        ("c.csv", "%PDF-1.7 \x80", "CSV, or check a draft by --article"),
        ("c.csv", "claim\nIt rained, hard.\n", "line 2: has more cells than there are columns"),
        ("c.csv", 'sep=;\nclaim\nIt rained;"so"\n', "line 3: has more cells"),
    ],
)
def test_what_is_no_claim_is_named_by_its_place(tmp_path, name, text, said):
    with pytest.raises(InputError, match=said):
        read_claims_of_any_kind(written(tmp_path, name, text))


def test_a_byte_that_is_no_text_is_named_by_its_line(tmp_path):
    file = tmp_path / "c.txt"
    file.write_bytes(b"It rained.\nIt cost \x815.\n")
    with pytest.raises(InputError, match=r"c.txt, line 2: 1 byte is no character in cp1252"):
        read_claims_of_any_kind(file)
    file.write_bytes(b"K\x94ln is sch\x94n.\n")
    with pytest.raises(InputError, match=r"c.txt: is in an encoding other than cp1252, it seems"):
        read_claims_of_any_kind(file)


@pytest.mark.parametrize("given", [((), None), (("A claim.",), Path("f")), ((" ",), None)])
def test_one_claim_or_one_file_is_to_be_given(given):
    with pytest.raises(UsageError):
        given_claims(*given)


def test_several_claims_or_one_without_quotes_are_told_how_to_be_given():
    told = r"^2 claims are given, of which the second is 'B.'; put one .*--claims FILE$"
    with pytest.raises(UsageError, match=told):
        given_claims(("A.", "B."), None)
    with pytest.raises(UsageError, match=f"the second is '{'b' * 40}'; put one"):
        given_claims(("A.", "b" * 80), None)


@given(st.sampled_from(["c.csv", "c.jsonl", "c.txt"]), st.text(max_size=80))
def test_any_file_gives_claims_or_one_line_saying_why_not(tmp_path_factory, name, text):
    file = tmp_path_factory.getbasetemp() / name
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        claims = read_claims_of_any_kind(file)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert [claim.id for claim in claims] == list(range(len(claims)))
        assert all(claim.text.strip() for claim in claims)


@pytest.mark.parametrize("ending", ["xlsx", "xlsm"])
def test_the_claims_of_a_workbook_stand_below_its_column_of_claims(tmp_path, ending):
    book = Workbook()
    book.active.append(("Notes of May",))
    sheet = book.create_sheet("List")
    for row in (("Checked by A. Brook",), ("No.", "Claim", "Date"), (1, "It rained.", 45061)):
        sheet.append(row)
    sheet["C3"].number_format = "dd/mm/yyyy"
    sheet.append((2, "It “snowed”,\ntoo.", None))
    hidden = book.create_sheet("Old")
    hidden.append(("claim",))
    hidden.sheet_state = "hidden"
    book.save(tmp_path / f"c.{ending}")
    claims = read_claims_of_any_kind(tmp_path / f"c.{ending}")
    assert claims == (Claim(0, "It rained.", "2023-05-15"), TWO[1])


def test_a_faulty_sheet_of_claims_is_not_passed_over_for_another(tmp_path):
    book = Workbook()
    for row in (("claim", "date"), ("It rained.", None, "ask Ada"), (None, "2020")):
        book.active.append(row)
    other = book.create_sheet("Last year")
    for row in (("claim", "date"), ("It “snowed”, too.",)):
        other.append(row)
    book.save(tmp_path / "c.xlsx")
    with pytest.raises(InputError, match=r"c.xlsx, sheet Sheet, row 3: has no claim"):
        read_claims_of_any_kind(tmp_path / "c.xlsx")
    book.active.delete_rows(3)
    book.save(tmp_path / "c.xlsx")
    assert read_claims_of_any_kind(tmp_path / "c.xlsx") == TWO
    book.active.delete_rows(2)
    book.save(tmp_path / "c.xlsx")
    assert [claim.text for claim in read_claims_of_any_kind(tmp_path / "c.xlsx")] == [TWO[1].text]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("statment",), ("It rained.",)], "c.xlsx: has no column claim; it has: statment"),
        ([("claim", "date"), (None, "2020")], "c.xlsx, sheet Sheet, row 2: has no claim"),
        ([], "c.xlsx: is empty"),
        (
            [("claim",), ("=A9",), ("It rained.",)],
            "c.xlsx: sheet Sheet has formulas that no program",
        ),
    ],
)
def test_a_workbook_without_claims_says_so(tmp_path, rows, said):
    book = Workbook()
    for row in rows:
        book.active.append(row)
    book.save(tmp_path / "c.xlsx")
    with pytest.raises(InputError, match=said):
        read_claims_of_any_kind(tmp_path / "c.xlsx")
    (tmp_path / "c.xlsx").write_bytes(b"no workbook")
    with pytest.raises(InputError, match=r"c.xlsx: is text; rename it .txt"):
        read_claims_of_any_kind(tmp_path / "c.xlsx")


def test_dates_and_speakers_are_found_under_the_names_that_tables_have_for_them(tmp_path):
    table = "Statement,Claimant,Claim date\nIt rained.,A. Berg,2024-05-14\n"
    for name, text in (
        ("claims.csv", table),
        (
            "claims.jsonl",
            '{"text": "It rained.", "claimant": "A. Berg", "claimDate": "2024-05-14"}',
        ),
    ):
        (claim,) = read_claims_of_any_kind(written(tmp_path, name, text))
        assert claim == Claim(0, "It rained.", "2024-05-14", "A. Berg")


@pytest.mark.parametrize(
    ("name", "text", "ids"),
    [
        ("c.csv", "No;claim\n7;It rained.\nB-2;It snowed.\n", ["7", "B-2"]),
        ("c.csv", "claim,date\nIt rained.,\n\nIt snowed.,\n", ["line 2", "line 4"]),
        ("c.jsonl", '{"claim": "It rained.", "id": 12}\n{"text": "It snowed."}', ["12", "line 2"]),
        ("c.txt", "It rained.\nIt snowed.\n", ["", ""]),
    ],
)
def test_a_claim_keeps_the_id_of_its_list_or_its_row(tmp_path, name, text, ids):
    claims = read_claims_of_any_kind(written(tmp_path, name, text))
    assert [(claim.id, claim.given_id) for claim in claims] == [*enumerate(ids)]


def test_a_claim_of_a_workbook_keeps_its_id_or_its_row(tmp_path):
    book = Workbook()
    book.active.title = "Wards"
    for row in (("claim_id", "claim"), (31, "It rained.")):
        book.active.append(row)
    other = book.create_sheet("Schools")
    for row in (("Our list",), ("claim",), ("It snowed.",)):
        other.append(row)
    book.save(tmp_path / "c.xlsx")
    claims = read_claims_of_any_kind(tmp_path / "c.xlsx")
    assert [claim.given_id for claim in claims] == ["31", "sheet Schools, row 3"]


def test_a_second_row_of_names_below_a_merged_one_is_no_claim(tmp_path):
    book = Workbook()
    for row in (("claim", "day"), (None, "of week"), ("It rained.", "Monday")):
        book.active.append(row)
    book.active.merge_cells("A1:A2")
    book.save(tmp_path / "c.xlsx")
    assert read_claims_of_any_kind(tmp_path / "c.xlsx") == (Claim(0, "It rained."),)


def test_claims_of_all_sheets_are_read_and_a_merged_speaker_is_that_of_each(tmp_path):
    book = Workbook()
    for row in (("claim", "speaker"), ("It rained.", "A. Berg"), ("It poured.", None)):
        book.active.append(row)
    book.active.merge_cells("B2:B3")
    for title, *rows in (
        ("Legend", ("claim", "a sentence"), ("speaker", "who said it")),
        ("June", ("claim", "speaker"), ("It snowed.",)),
    ):
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(tmp_path / "c.xlsx")
    assert read_claims_of_any_kind(tmp_path / "c.xlsx") == (
        Claim(0, "It rained.", None, "A. Berg"),
        Claim(1, "It poured.", None, "A. Berg"),
        Claim(2, "It snowed."),
    )


def saved(tmp_path, **sheets):
    book = Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(tmp_path / "c.xlsx")
    return book


HEAD = ("No", "Claim", "Date", "Speaker", "Note")
FIRST = [HEAD, (1, "It rained.", None, "Ada", "a"), (2, "It poured.", None, "Ada", "b")]


@pytest.mark.parametrize(
    ("sheets", "texts", "told"),
    [
        ({"Other": [HEAD[:4], (1, "It snowed.")]}, ["It rained.", "It poured.", "It snowed."], ""),
        ({"Other": [("claim",), ("It snowed.",)]}, ["It rained.", "It poured.", "It snowed."], ""),
        (
            {"Other": [("Speaker", "CLAIM"), ("Bo", "It snowed.")]},
            ["It rained.", "It poured.", "It snowed."],
            "",
        ),
        (
            {"Notes": [("Of May",), ("ask Ada",)]},
            ["It rained.", "It poured."],
            "no column of claims in sheet Notes",
        ),
        (
            {"Sources": [("Source", "Text"), ("Echo", "It rained in May.")], "Empty": []},
            ["It rained.", "It poured."],
            "no column of claims in sheet Sources",
        ),
        (
            {"Legend": [("Claim", "a sentence"), ("Note", "of ours"), ("Date", "of the claim")]},
            ["It rained.", "It poured."],
            "no column of claims in sheet Legend",
        ),
    ],
)
def test_every_sheet_with_a_column_of_claims_counts(tmp_path, sheets, texts, told):
    saved(tmp_path, May=FIRST, **sheets)
    said: list[str] = []
    file = tmp_path / "c.xlsx"
    claims = read_claims_of_any_kind(file, Observer(warn=said.append))
    assert [claim.text for claim in claims] == texts
    assert said == ([f"{file}: {told}"] if told else [])
    assert read_list(file, "c.xlsx", None).partly == told


def test_what_is_hidden_in_a_workbook_of_claims_is_said(tmp_path):
    book = saved(tmp_path, May=FIRST, Old=[("claim",), ("It snowed.",)], Notes=[("ask Ada",)])
    book["May"].row_dimensions[2].hidden = True
    book["May"].column_dimensions["E"].hidden = True
    book["Old"].sheet_state = "hidden"
    book.save(tmp_path / "c.xlsx")
    listed = read_list(tmp_path / "c.xlsx", "c.xlsx", None)
    assert [one.text for one in listed.claims] == ["It poured."]
    assert listed.partly == (
        "hidden and not read: 1 row of sheet May, 1 column of sheet May, sheet Old; "
        "no column of claims in sheet Notes"
    )
