"""Sentences, against texts whose sentences a person has marked: tests/documents/sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.benchmarks.sentences import measured
from uhhrag.text.sentences import sentences, spans


def test_marked_sentences_are_found():
    found = measured(sentences)
    assert found.marked >= 500
    assert found.precision > 0.985
    assert found.recall > 0.98


@pytest.mark.parametrize(
    "sentence",
    [
        "Bus No. 5 does not stop at St. Olav's Hospital.",
        "Art. 3, Sec. 4 and pp. 12-14 of ch. 7 apply.",
        "Figures (e.g. Table 3) were revised by Prof. Lie and Gov. Lind.",
        "The fee is approx. 40 crowns incl. VAT.",
        "1. The claim is dismissed.",
        "(b) It also ends when the boat is sold.",
        "§ 5. Nobody may fish in the lake without a licence.",
        "Cllr. Vance asked Mr. J. R. Holm of Acme Ltd. about it.",
        "The firm Yahoo! Inc. was sold.",
        "The Sec. of State and Maj. Gen. Holm met at 5 deg. C in May.",
        "Temperatures fell to -5.2 degrees.",
        "See Eq. (3) and Ref. [12] of it.",
        "The firm Yahoo! announced it on 3. May in Oslo, f.eks. in print.",
        "Lie et al. 2019 found 0.4 p.c. of it at 4 p.m. on Friday.",
        "The Rt. Hon. Lie met Det. Holm in Apt. 5 (Abs. 2).",
        "The max. load and the min. age are in the bk. of rules.",
        "Q1. Is the bridge safe?",
        "Table A1. Fees of boats by size.",
        "Fig. 1. Landings of cod by year.",
        "Prop. 8 set the fee at Rs. 500, or kr. 40.",
        "It runs Mon. – Fri. and costs 5 kr. each time.",
        "Invoice no.: 2024-0187 has Ref. No.: 12, i.e. Pos.: 3.",
        "It has a phone no.; its nos.: 4 and 5.",
        "Der Umsatz lag bei 3,5 Mio. Euro bzw. 2 Mrd. Kronen.",
    ],
)
def test_a_full_stop_of_an_abbreviation_ends_no_sentence(sentence):
    assert sentences(f"It rained. {sentence} Nobody came.") == [
        "It rained.",
        sentence,
        "Nobody came.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "He took the bus.|Costs rose.",
        "It was a scandal.|Nobody paid the tax.|Work began.",
        "She voted no.|Sen. Dahl voted yes.",
        "It opens at 5 p.m.|Tickets cost 12.50.",
        "They sell tar, rope etc.|Prices are fair.",
        'It says "2.5 m."|It should say "25 m."|Nobody noticed.',
        "He moved to the U.S.|In May he returned.",
        "We have no tab.|Nobody has.",
        "He owes me 5 kr.|I owe him 3 kr.|Nobody pays.",
        "She won the case.|A court said so.|I saw the table.|5 of them left.",
        "He lives at 12 Main St.|She lives next door.",
        "It fell.[1]|Then it rose.[2][note 3]|It fell again.",
        "It rose.¹²|Then it fell.",
        "“It fell.”³|«It rose.»²|It fell (in May.)¹|He said “it sank.”5|Nobody saw it.”³",
        "“It fell.”³, he said.|“It rose.”†|“It stood!”[4]|It left (“so.”).|“No!”¹ she said.",
        "It has much vitamin C.|It is good.",
        "Weekdays only.|* Preliminary.|** Not final. *",
        "It cost 5 m.|The rest was free.",
        "पुल बंद है।|दुकान खुली है।",
        "هل الجسر مغلق؟|نعم.",
    ],
)
def test_a_word_that_may_be_an_abbreviation_ends_a_sentence(text):
    assert sentences(text.replace("|", " ")) == text.split("|")


def test_sentences_of_scripts_without_spaces_are_told_apart():
    assert sentences("橋は「閉鎖。」店は開いた。对吗？不。") == [
        "橋は「閉鎖。」",
        "店は開いた。",
        "对吗？",
        "不。",
    ]


def test_a_smile_after_a_full_stop_begins_a_sentence():
    assert sentences("It is great.:) The sun is out.") == ["It is great.", ":) The sun is out."]


def test_an_ordinal_of_german_ends_no_sentence_before_its_noun():
    text = "Die 2. Liga beginnt im August. Im 19. Jahrhundert war sie klein."
    assert sentences(text) == [text[:30], text[31:]]
    assert sentences("I am 12. Ann is 9.") == ["I am 12.", "Ann is 9."]


def test_marks_of_a_list_belong_to_its_items():
    assert sentences("1. The claim is dismissed. 2. The claimant pays. 3. It may be appealed.") == [
        "1. The claim is dismissed.",
        "2. The claimant pays.",
        "3. It may be appealed.",
    ]


@given(st.text())
def test_spans_follow_one_another_and_hold_every_letter(text):
    found = spans(text)
    assert "".join("".join(text[a:b] for a, b in found).split()) == "".join(text.split())
    assert all(a < b for a, b in found)
    assert found == sorted(found)
