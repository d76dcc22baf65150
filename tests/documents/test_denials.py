"""Lines that deny what stands below them, and lines that look like them."""

from __future__ import annotations

import pytest

from tests.documents.test_whose_words import STORY, page, quoted
from uhhrag.documents.denials import denies

pytestmark = pytest.mark.usefixtures("nltk_loaded")

DENIALS = (
    "It is not true that:",
    "It isn’t true that:",
    "It is false that:",
    "It is simply not true to say that:",
    "It is wrong to claim that:",
    "It is not the case that:",
    "It is a myth that:",
    "It's a common misconception that:",
    "Contrary to what was shared, it is not true that:",
    "We did not say that:",
    "We didn't say this:",
    "The mayor never said:",
    "The council has never claimed that:",
    "Nor did the board say that; it never wrote the following:",
    "None of these is true:",
    "None of the following is true:",
    "None of these claims is correct:",
    "Neither of these statements is true:",
    "The following is false:",
    "The following are not true:",
    "These are all false:",
    "The following claims are wrong:",
    "These rumours are not true:",
    "What is not true:",
    "What’s false:",
    "The ministry denies that:",
    "The ministry denied these allegations:",
    "The bank denies the following:",
    "She denied having said that:",
    "There is no truth in the following rumours:",
    "There is no evidence that:",
    "There's no evidence for these claims:",
    "There is no basis for the following claims:",
    "Five myths about the tram:",
    "Common misconceptions about vaccines:",
    "Fake news about the tram:",
    "False claims circulating online:",
    "Claims rated false:",
    "Statements found to be untrue:",
    "Claims that are not true:",
    "The video falsely claims that:",
    "It has been wrongly reported that:",
    "He was falsely accused of the following:",
    "Do not believe that:",
    "Don't fall for these claims:",
    "False claim circulating on WhatsApp:",
    "Claims about the tram that are false:",
    "Es ist nicht wahr, dass:",
    "Es stimmt nicht, dass:",
    "Il est faux que :",
    "Il n’est pas vrai que :",
    "No es cierto que:",
    "Non è vero che:",
    "Não é verdade que:",
    "Het is niet waar dat:",
    "Det er ikke sant at:",
    "Det är inte sant att:",
    "No, we did not say any of this:",
    "Myths:",
    "Fake posts we have seen:",
    "It is not correct that:",
    "It is incorrect to say that:",
    "The following statements have been proven false:",
    "The company rejects the following accusations:",
)
OTHERS = (
    "It is not true that nothing was done:",
    "We did not meet these targets:",
    "None of these schools is open:",
    "It is true that:",
    "It is not only true that:",
    "That is not true:",
    "This is false:",
    "It is not true:",
    "The claim is false:",
    "None of these claims was answered:",
    "We do not deny that:",
    "Nobody denies that:",
    "None of these is false:",
    "What the critics did not say:",
    "The council did not say why:",
    "The council denied these applications:",
    "The council denied the following:",
    "There is no doubt that:",
    "There is no evidence against the following:",
    "How to spot false claims:",
    "Penalties for false statements:",
    "False alarms by month:",
    "False positives:",
    "Insurance claims refused:",
    "The mayor said that:",
    "We did say that:",
    "Contrary to rumours:",
    "Not all of these are true:",
    "The court rejected the appeals of:",
    "The stations that did not report:",
    "The following did not report:",
    "These claims were settled:",
    "The facts:",
    "The council says:",
    "Wrong answers cost points:",
    "We never forget these people:",
    "He did not make the following changes:",
    "Tell us if the following is not true:",
    "It was wrong to close these schools:",
    "It is wrong to do the following:",
    "The claim that the tram is unsafe is false:",
    "It is clear that the following is needed:",
    "We do not think of:",
    "There was no proof of payment for:",
    "Report false claims to:",
    "It is a mistake to do the following:",
)
LISTS = {
    "a.md": "- The tram is {}.\n- It runs on {}.",
    "a.txt": "    The tram is {}.\n    It runs on {}.",
    "a.rst": "* The tram is {}.\n* It runs on {}.",
    "a.html": "<ul><li>The tram is {}.</li><li>It runs on {}.</li></ul>",
}


@pytest.mark.parametrize("lead", DENIALS)
def test_a_lead_denies_what_is_below(lead):
    assert denies(lead)


@pytest.mark.parametrize("lead", OTHERS)
def test_a_lead_that_looks_like_a_denial_is_none(lead):
    assert not denies(lead)


@pytest.mark.parametrize("name", LISTS)
def test_items_below_a_denial_are_marked_in_every_format(tmp_path, name):
    told = [STORY, "It is not true that:", "{}", "It is blue.", "None of these is open:", "{}"]
    between = "\n\n"
    if name == "a.html":
        told, between = [one if one == "{}" else f"<p>{one}</p>" for one in told], ""
    text = between.join(told).format(
        LISTS[name].format("red", "coal"), LISTS[name].format("new", "gas")
    )
    text = (
        f"<html><body><article><h1>Tram</h1>{text}</article></body></html>" * (not between) or text
    )
    assert [*quoted(page(tmp_path, name, text))] == ["The tram is red.", "It runs on coal."]


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("## False claims about the tram\n\n- It fell.\n\nIt stands.", ["It fell."]),
        ("## False claims\n\n- A fine of 9 crowns is due.", []),
        (
            "We did not say that:\n\n“It fell. It burnt.”\n\n“It sank.”\n\nIt stands.",
            ["“It fell.", "It burnt.”", "“It sank.”"],
        ),
        ("It is false that:\n\nThe tram fell.\n\nIt stands.", ["The tram fell."]),
        ("These claims are false:\n\nThe tram stands.\n\nIt is open.", []),
        (
            'It runs. False claim on Facebook: "It fell. It burnt." It stands.',
            ['False claim on Facebook: "It fell.', 'It burnt."'],
        ),
        ('The mayor said: "It stands."', []),
    ],
)
def test_what_else_a_denial_introduces_is_marked(tmp_path, text, reported):
    assert [*quoted(page(tmp_path, "a.md", f"# Trams\n\n{STORY}\n\n{text}\n"))] == reported


def test_leads_of_reports_that_speak_of_false_things_deny_nothing():
    leads = (
        *("The following adverts were found to be misleading:", "Meters found wrong:"),
        *("Insurance claims are not so common in these areas:", "Rejected claims:"),
        *("The news is not so good for these towns:", "The insurer rejected claims:"),
        *(
            "The council may cancel a licence if statements are false:",
            "Never share the following:",
        ),
        *("Signs that news is fake:", "Companies that have not reported this:"),
    )
    assert [lead for lead in leads if denies(lead)] == []
