"""Whose words a line is: what a page reports in order to deny it is marked, in every format."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.support.documents import HereReader
from uhhrag.documents.changed import read_if_changed
from uhhrag.documents.document import Document
from uhhrag.documents.listing import list_documents
from uhhrag.documents.whose_words import quoted_in
from uhhrag.records import Page
from uhhrag.store.knowledge_store import page_of

pytestmark = pytest.mark.usefixtures("nltk_loaded")


def page(folder: Path, name: str, text: str) -> Page:
    (folder / "docs").mkdir()
    (folder / "docs" / name).write_text(text)
    (file,) = list_documents(folder / "docs").files
    with HereReader() as reader:
        read_if_changed(file, None, reader, folder / "spool")
    found = page_of((folder / "spool").read_bytes(), name)
    assert isinstance(found, Page)
    return found


def quoted(found: Page) -> dict[str, str]:
    whose = {line: found.quoted_at(at) for at, line in enumerate(found.lines)}
    return {line: who for line, who in whose.items() if who is not None}


STORY = (
    "The bridge at Lunde was closed for repairs in May and opened again in the first week of June."
)
FELL = "The bridge fell down."


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", f"{STORY}\n\n> The bridge fell down.\n\nIt did not fall."),
        ("a.md", f"{STORY}\n\n> The bridge fell down.\n>\nIt did not fall."),
        ("a.rst", f"{STORY}\n\n  The bridge fell down.\n\nIt did not fall."),
        (
            "a.org",
            f"{STORY}\n\n#+begin_quote\n{FELL}\n#+end_quote\n\nIt did not fall.",
        ),
        (
            "a.tex",
            f"{STORY}\n\\begin{{quote}}{FELL}\\end{{quote}}\nIt did not fall.",
        ),
        (
            "a.html",
            f"<html><body><article><h1>Bridge</h1><p>{STORY}</p><p>{STORY} So it was.</p>"
            "<blockquote><p>The bridge fell down.</p></blockquote>"
            "<p>It did not fall, the county says today.</p></article></body></html>",
        ),
    ],
)
def test_a_block_quote_is_somebody_elses_words(tmp_path, name, text):
    assert quoted(page(tmp_path, name, text)) == {"The bridge fell down.": ""}


def test_what_an_arrow_or_a_sign_begins_is_the_pages_own_word(tmp_path):
    marks = "<p>&gt; Free for children</p><p>&gt; 50 % of it is new.</p><p>&gt;&gt; It is new.</p>"
    html = f"<html><body><article><h1>Bridge</h1><p>{STORY}</p>{marks}<p>{STORY} So it was.</p>"
    assert not quoted(page(tmp_path, "a.html", f"{html}</article></body></html>"))


@pytest.mark.parametrize(
    "quote",
    [
        f"<div class=quote><p>{FELL}</p></div><p>It did not fall, I say.</p>",
        f"<div class='box testimonial'><p>{FELL}</p></div><p>It did not fall, I say.</p>",
        f"<div class=m-said__quote>{FELL}</div><p>It did not fall, I say.</p>",
        f"<div class='b claim-text'>{FELL}</div><div class=get-quote>It did not fall, I say.</div>",
        f"<p>&gt; {FELL}</p><p>It did not fall, I say.</p>",
        f"<blockquote class='post-embed'>{FELL}</blockquote><p>It did not fall, I say.</p>",
        f"<div><b>Quote:</b><div>{FELL}</div></div><p>It did not fall, I say.</p>",
        f"<blockquote>{FELL}</blockquote><b>Quote:</b> no.<div>It did not fall, I say.</div>",
        "<pre>Anna wrote:\n\n&gt;<i> The bridge fell\n</i>&gt;<i> down.\n</i>\nIt did not "
        "fall, I say.</pre>",
    ],
)
def test_what_forums_and_mails_on_a_page_quote_is_somebody_elses_words(tmp_path, quote):
    html = f"<html><body><article><h1>Bridge</h1><p>{STORY}</p>{quote}<p>{STORY} So it was.</p>"
    found = page(tmp_path, "a.html", f"{html}</article></body></html>")
    assert quoted(found) == {FELL: ""}
    assert "It did not fall, I say." in found.lines


@pytest.mark.parametrize(
    ("post", "quote"),
    [
        (
            "<li class=post><div><a class=username>{who}</a><i>Member</i><dl><dt>Joined</dt><dd>May"
            "</dd></dl></div><div><blockquote class=postcontent>{said}</blockquote></div></li>",
            "<div class=bbcode_quote><p>Posted by <b>ann</b></p><div class=message>{}</div></div>",
        ),
        (
            "<li class=message><h3 class=username>{who}</h3><article><blockquote class=messageText>"
            "{said}<div>&nbsp;</div></blockquote></article></li>",
            "<div><aside><blockquote class=quoteContainer>{}</blockquote></aside></div>",
        ),
        (
            "<table class=a><tr><td><b class=author>{who}</b><tr><td><div>{said}</div></td></tr>"
            "</table>",
            "<div><div>Quote:</div><table><tr><td><div>{}</div></td></tr></table></div>",
        ),
        (
            "<table class=a><tr><td><b class=author>{who}</b><tr><td><div>{said}</div></td></tr>"
            "</table>",
            "<table><tr><td>ann wrote:</td></tr><tr><td class=quote>{}</td></tr></table>",
        ),
    ],
)
def test_a_post_of_a_forum_is_no_quotation_but_what_it_quotes_is(tmp_path, post, quote):
    fell = "The bridge fell down in May."
    answer = f"{quote.format(fell)}I work there and I know that it was tested in June. It held."
    posts = ((f"user {n}", answer if n % 2 else f"{STORY} So say {n}.") for n in range(4))
    told = "".join(post.format(who=who, said=said) for who, said in posts)
    page_of_posts = f"<html><body><h1>Is it safe?</h1><ol>{told}</ol></body></html>"
    found = page(tmp_path, "a.html", page_of_posts)
    whose = [found.quoted_at(at) for at in range(len(found.lines))]
    said = [*zip(found.lines, whose, strict=True)]
    assert (
        said.count((STORY, None)) == said.count((fell, "")) == said.count(("It held.", None)) == 2
    )
    assert all(any(who in line for line in found.lines) for who in ("user 0", "user 3"))


def test_a_text_beside_a_cell_for_quotes_is_read(tmp_path):
    beside = "The county says that the ferry has been late on more than a hundred days in the year."
    cells = f"<td class=quote><p>{STORY}</p><p>{STORY} So it was.</p></td><td>{beside}</td>"
    html = f"<html><body><table><tr>{cells}</tr></table><p>{STORY} It is old.</p></body></html>"
    assert beside in page(tmp_path, "a.html", html).lines


def test_a_pull_quote_that_repeats_a_sentence_of_its_article_is_the_articles(tmp_path):
    said, other = "It has not fallen in 90 years.", "It fell down in May."
    pulled = "".join(f"<blockquote><p>{one}</p></blockquote>" for one in (said, other))
    html = f"<html><body><article><h1>Bridge</h1><p>{STORY}</p>{pulled}<p>{STORY} {said}</p>"
    assert quoted(page(tmp_path, "a.html", f"{html}</article></body></html>")) == {other: ""}


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("## Claim\n\nThe bridge fell. It was old.\n\n## Verdict\n\nIt stands.", 2),
        ("## Myth 2\n\nThe bridge fell.\n\n## Fact\n\nIt stands.", 1),
        ("## Rumour:\n\nThe bridge fell.\n\nFact: it stands.", 1),
        ("Claim: The bridge fell.\n\nIt stands.", 1),
        ("**Myth:** The bridge fell. Fact: It stands.", 1),
        ("1. MYTH – The bridge fell.\n\nIt stands.", 1),
        ("FALSE: The bridge fell.\n\nIt stands.", 1),
        ("**Claim:**\n\nThe bridge fell. It was old.\n\nIt stands.", 2),
        ("The claim\n\nOur verdict: it stands.", 0),
        ("What was claimed: The bridge fell.\n\nIt stands.", 1),
        ("## The claims office\n\nThe bridge stands.", 0),
        ("Claims of damage rose to 14.\n\nFalse alarms fell.", 0),
        ("The myth: a study. It was printed in 1901.", 2),
        ("## Fiction\n\nIt was lent.\n\n## Other\n\nIt stands.\n\nFiction: 61,200 loans", 0),
        ("## Myths about bridges\n\n### The bridge fell\n\nIt stands.\n\n## Fares\n\nNo.", 1),
        ("## Fiction\n\nThe bridge fell.\n\n## Fact\n\nThe bridge stands.", 1),
        ("## Fact\n\nThe bridge stands.", 0),
        (
            "## Claims\n\nThe fund paid 41 people.\n\nClaims: 41 in May.\n\nFalse: 12 %; True: 9 %",
            0,
        ),
        ("## Claims\n\nThe bridge fell.\n\n## Facts\n\nThe bridge stands.", 1),
        ("Claims: 5G towers made us ill.\n\nClaims: 10,000 people died of it in May.", 2),
    ],
)
def test_what_stands_below_or_after_claim_and_myth_is_reported(tmp_path, text, reported):
    found = page(tmp_path, "a.md", f"# Is the bridge safe?\n\nWe asked the county.\n\n{text}\n")
    assert len(quoted(found)) == reported
    assert not any("stands" in line for line in quoted(found))


@pytest.mark.parametrize(
    ("myth", "fact"),
    [
        *(("Mythos", "Fakt"), ("Behauptung", "Bewertung"), ("Idée reçue", "Réalité")),
        *(("Intox", "Info"), ("Bulo", "Verificación"), ("Mito", "Verdade"), ("Bufala", "Realtà")),
        *(("Mythe", "Feit"), ("Påstand", "Fakta"), ("Myt", "Fakta"), ("Påstående", "Sant")),
    ],
)
def test_myths_of_other_languages_are_reported(tmp_path, myth, fact):
    text = f"## {myth}\n\n{FELL}\n\n## {fact}\n\nIt stands.\n\n{myth}: It is new.\n\nIt is old."
    found = page(tmp_path, "a.md", f"# Is the bridge safe?\n\nWe asked the county.\n\n{text}\n")
    assert quoted(found) == {FELL: "", f"{myth}: It is new.": ""}


def test_a_fact_beside_its_myth_in_a_table_is_the_pages_own_word(tmp_path):
    table = (
        "| Myth | Fact |\n|---|---|\n| It fell. It was old. | It stands. |\n| It burned. | No. |\n"
    )
    found = page(tmp_path, "a.md", f"# Bridges\n\n{STORY}\n\n{table}")
    assert quoted(found) == {"Myth: It fell. It was old.": "", "Myth: It burned.; Fact: No.": ""}
    assert "Fact: It stands." in found.lines


def test_a_finding_and_its_response_stay_together(tmp_path):
    table = "| Finding | Response |\n|---|---|\n| The roof leaks. | It was mended. |\n"
    found = page(tmp_path, "a.md", f"# Bridges\n\n{STORY}\n\n{table}")
    assert found.lines[-1] == "Finding: The roof leaks.; Response: It was mended."


def test_what_a_correction_takes_back_is_that_of_an_earlier_version(tmp_path):
    source = Path(__file__).parent / "cases" / "correction.html"
    found = page(tmp_path, "a.html", source.read_text())
    taken_back = (
        "Correction, 4 May: An earlier version of this article said the fare was 25 crowns."
    )
    assert quoted(found) == {taken_back: "an earlier version"}
    assert found.lines[-4:] == (
        taken_back,
        "It is 35 crowns.",
        "Fact box: The ferry carried 61,000 passengers in 2020.",
        "Update: The fare was cancelled by the county on 9 May.",
    )
    assert "The ferry is owned by the county." in found.lines


def test_a_correction_that_is_set_as_a_block_quote_is_the_pages_own(tmp_path):
    taken_back = "Correction: In an earlier version we wrote that it cost 53 crowns."
    found = page(tmp_path, "a.md", f"{STORY}\n\n> {taken_back} The right sum is 35.\n\n> It leaks.")
    assert "The right sum is 35." in found.lines
    assert quoted(found) == {taken_back: "an earlier version", "It leaks.": ""}


def test_a_block_quote_that_tells_of_an_earlier_version_later_on_is_somebody_elses(tmp_path):
    taken_back = "An earlier version of this article said 53."
    found = page(tmp_path, "a.md", f"{STORY}\n\n> It leaks. {taken_back} It is 35.")
    assert quoted(found) == dict.fromkeys(("It leaks.", taken_back, "It is 35."), "")


def test_what_stands_below_a_label_of_a_correction_belongs_to_the_article(tmp_path):
    taken_back = "A previous version of this story misstated the cost as nine million crowns."
    box = f"<div><h4>Correction</h4><p>{taken_back} It is four.</p></div>"
    article = f"<article><h1>Bridge</h1><p>{STORY}</p><p>{STORY} So it was.</p></article>"
    found = page(tmp_path, "a.html", f"<html><body>{article}{box}</body></html>")
    assert found.lines[-3:] == ("Correction", taken_back, "It is four.")
    assert quoted(found) == {taken_back: "an earlier version"}


def test_a_name_below_quoted_words_says_whose_they_are(tmp_path):
    tweet = "<blockquote><p>{}</p>&mdash; {} (@x) <a href=x>May 8, 2024</a></blockquote>"
    listed = "<blockquote><p>It has:</p><p>– Towers</p><p>– Ropes</p></blockquote>"
    quotes = tweet.format("It fell.", "Ann Lie") + tweet.format("It stands.", "B. Vik")
    article = f"<article><h1>Bridge</h1><p>{STORY}</p>{quotes}<p>{STORY} So it was.</p>{listed}"
    found = quoted(page(tmp_path, "a.html", f"<html><body>{article}</article></body></html>"))
    first, second = "Ann Lie (@x) May 8, 2024", "B. Vik (@x) May 8, 2024"
    assert (found["It fell."], found["It stands."], found["It has:"]) == (first, second, "")


def test_the_claim_that_a_fact_check_reviews_is_reported(tmp_path):
    stated = '{"@type": "ClaimReview", "claimReviewed": "The bridge fell &quot;down&quot;."}'
    html = (
        f"<html><head><script type='application/ld+json'>{stated}</script></head><body><article>"
        f'<h1>Bridge</h1><p>“The bridge fell "down"”</p><p>{STORY}</p><p>{STORY} So it was.</p>'
        "</article></body></html>"
    )
    assert quoted(page(tmp_path, "a.html", html)) == {'“The bridge fell "down"”': ""}


@pytest.mark.parametrize(
    ("line", "whose"),
    [
        ("The first version of the law had 12 sections.", None),
        ("The first version had 12 seats.", None),
        ("The original version of this story gave the sum as 5.", "an earlier version"),
        (
            "An earlier version of our county’s budget story gave the sum as 5.",
            "an earlier version",
        ),
        ("We incorrectly reported that it fell.", "an earlier version"),
        ("The earlier post said that it fell.", ""),
        ("In her previous post at the bank, she had led the board.", None),
        ("A viral post falsely claimed that it fell.", ""),
    ],
)
def test_only_an_earlier_version_of_the_page_is_called_so(tmp_path, line, whose):
    assert quoted(page(tmp_path, "a.txt", line)).get(line) == whose


@pytest.mark.parametrize(
    ("text", "taken_back"),
    [
        ("Correction: the June issue put the cost at 5 crowns. It was 7.", True),
        ("Correction, 6 May: in the answer as first published 12 were listed. There are 14.", True),
        ("## 4. A correction\n\nCircular 16 stated that it leaks. It does not.", True),
        ("## Corrections\n\nThe notice gave the fare as 5. It is 7.", True),
        ("Correction: the pump came from Vik, not from Ost. Ada said so.", False),
        ("Correction: it said nothing should have been paid. That holds.", False),
        ("Correction: the notice gave the fare as 5, two too few.\n\nIt rained.", False),
        ("## Figures\n\nThe notice gave the fare as 5. It is 7.", False),
        ("## Correction\n\nIt is 7.\n\n## Figures\n\nIt gave the fare as 5. It is 7.", False),
        ("Correction: it is 7.\n\nThe notice gave the fare as 5. It is 7.", False),
        ("Correction of 5 May\n\nThe notice gave the fare as 5. It is 7.", True),
    ],
)
def test_a_correction_takes_back_what_it_says_was_said(tmp_path, text, taken_back):
    found = page(tmp_path, "a.md", f"# Ferry\n\n{STORY}\n\n{text}\n")
    assert [*quoted(found).values()] == ["an earlier version"] * taken_back


def test_sentences_that_a_page_corrects_below_are_those_of_an_earlier_version(tmp_path):
    first, second = "Vik missed 3,900 boats in 2025.", "The council fined Vik 75,000 crowns."
    told = "Correction: An earlier version said that Vik had missed 3,900 boats."
    right = "It missed 2,900. The council fined Vik 57,000, not 75,000."
    found = page(tmp_path, "a.md", f"{first} {second} It has 3,900 men.\n\n{told} {right}\n")
    below = dict.fromkeys((first, second), "an earlier version, corrected below")
    assert quoted(found) == {**below, told: "an earlier version"}


@pytest.mark.parametrize("above", [True, False])
@pytest.mark.parametrize(
    ("note", "wrong", "others"),
    [
        (
            "Correction, 7 May 2024: An earlier version of this article said that the flood wall "
            "would cost £6 million. The contract price is £4.35 million. We apologise.",
            "A flood wall for Vik will cost £6m, the council has decided.",
            "The flood wall costs £4.35 million, not £6 million. It spent £6 million on roads.",
        ),
        (
            "Correction: An earlier version of this article gave the number of deaths as 5. "
            "Three people died.",
            "The number of deaths was five.",
            "Three people died. The house has 5 floors. Five people were saved.",
        ),
        (
            "An earlier version said the library had 58,900 visits in 2023. It had 41,200.",
            "The library had 58,900 visits in 2023.",
            "The library had 41,200 visits in 2023. The library sold books and visits in 2023.",
        ),
        (
            "An earlier version of this story said that Joan Pell had resigned. She has not.",
            "Joan Pell resigned on Monday.",
            "Joan Pell has not resigned. Joan Pell spoke on Monday. The mayor resigned.",
        ),
        (
            "An earlier version of this article said Mr Ek lost 31 hectares of celery. It was "
            "lettuce.",
            "Mr Ek lost 31 hectares of celery.",
            "Mr Ek, who grows celery, lost 31 hectares of lettuce.",
        ),
        (
            "A correction was made on 3 March 2024: An earlier version of this article misstated "
            "the number of people killed. It was 12, not 21.",
            "At least 21 people were killed.",
            "At least 12 people were killed. The number 21 bus came. 21 people were hurt.",
        ),
        (
            "This article originally stated that the depot would employ 450 people.",
            "The depot will employ 450 people.",
            "The depot has 450 lamps. The depot will employ 45 people.",
        ),
        (
            "Correction: The depot will employ 45 people, not 450.",
            "The new depot in Station ward will employ 450 people.",
            "The depot will employ 45 people. Some 450 homes are near.",
        ),
        (
            "Clarification: The vote was 8 to 5, not 9 to 4 as we wrote at first.",
            "The budget passed by 9 to 4 after a vote at night.",
            "Of 9 boats 4 sank. It passed by 8 to 5 after a vote. It lost by 9 to 4 in 2019.",
        ),
        (
            "Correction: The depot will employ 45 people rather than 450, as we reported.",
            "The new depot in Station ward will employ 450 people.",
            "The depot will employ 45 people. Some 450 homes are near.",
        ),
        (
            "Correction: the wall costs £4.35 million, not £6 million as an earlier version said.",
            "The wall will cost £6 million.",
            "The wall will cost £4.35 million.",
        ),
    ],
)
def test_only_what_a_note_takes_back_is_an_earlier_versions(tmp_path, note, wrong, others, above):
    text = [note, wrong, others] if above else [wrong, others, note]
    found = quoted(page(tmp_path, "a.md", "\n\n".join(text)))
    told = {line for line, who in found.items() if who != "an earlier version"}
    assert told == {wrong}
    assert found[wrong] == f"an earlier version, corrected {'above' if above else 'below'}"


def test_captions_and_notes_of_an_editor_belong_to_an_article_menus_do_not(tmp_path):
    html = (
        f"<html><body><nav><p>Sport and weather of today.</p></nav><article><h1>Bridge</h1>"
        f"<p>{STORY}</p><p>{STORY} So it was.</p><figure><img src=a.png>"
        "<figcaption>The bridge in 2019.</figcaption></figure><footer class='post-comments'>"
        "<p>Correction: the bridge was closed in June, I say.</p></footer></article>"
        "<div><small>Editor's note: the bridge is 90 metres long.</small></div>"
        "<aside><a href=/x>Read more about all the other bridges here.</a></aside></body></html>"
    )
    lines = page(tmp_path, "a.html", html).lines
    assert "The bridge in 2019." in lines
    assert "Editor's note: the bridge is 90 metres long." in lines
    assert not any("weather" in line or "Read more" in line or "I say" in line for line in lines)


def test_a_shared_post_in_a_table_is_its_authors():
    row = "user: Press; text: RT @reader: The pool leaks."
    assert quoted_in(Document((row, "user: Press; text: No.")), ()) == ((0, "@reader"),)


@pytest.mark.parametrize(
    ("lead", "reported"),
    [
        *((one, True) for one in ("Common myths:", "False claims:", "These rumours are not true:")),
        *(
            (one, False)
            for one in ("The council says:", "The facts:", "These claims were settled:")
        ),
    ],
)
@pytest.mark.parametrize("name", ["a.md", "a.txt"])
def test_every_item_below_a_line_that_denies_them_is_reported(tmp_path, name, lead, reported):
    found = page(tmp_path, name, f"{STORY}\n\n{lead}\n\n- It fell.\n- {FELL}\n\nIt did not fall.\n")
    assert {*quoted(found)} & {FELL, f"- {FELL}"} == ({found.lines[-2]} if reported else set())
    assert not {STORY, lead, "It did not fall."} & {*quoted(found)}


@pytest.mark.parametrize(
    ("line", "read_as"),
    [
        ("Insured: Yes ☐ No ☒", "Insured: No ☒"),
        ("Insured Yes ☒ No ☐ N/A ☐", "Insured Yes ☒"),
        ("Approved ☐ Refused ☒ Date 12 June", "Approved ☐ Refused ☒ Date 12 June"),
        ("Insured ☐ Yes ☒ No", "Insured ☒ No"),
        ("Insured: □ Yes ☒ No", "Insured: ☒ No"),
    ],
)
def test_a_box_of_a_form_may_stand_behind_its_words(tmp_path, line, read_as):
    assert page(tmp_path, "a.txt", f"The form was sent in May.\n\n{line}\n").lines[-1] == read_as


def test_what_is_not_chosen_in_a_form_is_not_asserted(tmp_path):
    text = "[x] The ship is insured.\n[ ] The ship is sold.\n\nFlag: ☐ Norway ☒ Panama ☐ Malta\n"
    found = page(tmp_path, "a.txt", text)
    assert found.lines[-1] == "Flag: ☒ Panama"
    assert quoted(found) == {"[ ] The ship is sold.": "a box that is not ticked"}
    (tmp_path / "b").mkdir()
    assert not quoted(page(tmp_path / "b", "b.txt", "☐ The fee is 60 crowns.\n\n☐ It is open.\n"))


@pytest.mark.parametrize(
    ("below", "of_others"),
    [("“The bridge fell down.”", True), ("“It did not fall,” said the mayor.", False)],
)
def test_a_stamp_above_a_line_in_quotation_marks_tells_that_it_is_others(
    tmp_path, below, of_others
):
    text = f"The bridge at Lunde is open.\n\nFALSE\n\n{below}\n\nIt was shut for two hours.\n"
    assert quoted(page(tmp_path, "a.txt", text)) == ({below: ""} if of_others else {})


@pytest.mark.slow
def test_a_page_of_thousands_of_corrections_is_told_in_seconds():
    pairs = (
        (
            f"Correction: the notice put fare {n} at {1000 + n} crowns.",
            f"The fare is {n}, not {900 + n}.",
        )
        for n in range(3000)
    )
    lines = *(line for pair in pairs for line in pair), "The fare of 2,700 crowns is due."
    began = time.process_time()
    found = dict(quoted_in(Document(lines, starts=tuple(range(0, len(lines), 2))), ()))
    assert time.process_time() - began < 20
    assert (found[0], found[6000]) == ("an earlier version", "an earlier version, corrected above")
