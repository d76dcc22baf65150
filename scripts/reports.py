"""The pairs that the shipped verifier of news was trained further on: labelled pairs, and pairs
whose evidence speaks about the claim itself.

    python -m scripts.reports PAIRS --out news.jsonl [--seed 13]

PAIRS is a folder as `scripts.mixture` reads it. Pages on a news claim often report it ("Users claim
that …"), which says nothing about its truth, or judge it ("The claim that … is false"). Labelled
sets have hardly any such evidence. It is made from their claims by the sentences below, whose label
is that of the sentence, whatever the truth of the claim. A report in front of real evidence has the
label of that evidence.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scripts.mixture import NEUTRAL, drawn_from, pair, read_pairs, write_shuffled

Json = dict[str, Any]

TAKEN = {
    "fever-train": 5_000,
    "fever-train-nei": 2_500,
    "newprotocols-base": 1_200,
    "newprotocols-edit_premise": 1_000,
    "newprotocols-edit_other": 1_000,
    "healthver-multivers": 2_000,
    "healthver-multivers-neutral": 9_999,
    "checkcovid": 9_999,
    "climatefever": 3_000,
    "covidfact": 800,
    "factcheckbench": 9_999,
    "liar2": 9_999,
    "liar2-mostly": 9_999,
    "politihop": 9_999,
    "lingnli-lots": 1_200,
    "lingnli-litl": 1_200,
    "mnli-llmsknow-train": 2_400,
    "infotabs": 1_000,
    "semiauto-sim_wiki": 1_500,
    "semiauto-translate_wiki": 1_000,
    "sufficientfacts-hover-cut": 9_999,
    "sufficientfacts-vitaminc": 9_999,
    "sufficientfacts-vitaminc-cut": 9_999,
    "wice": 9_999,
    "wice-notsupported": 9_999,
    "wice-partial": 9_999,
}
"""Pairs drawn of each source, at most."""
CLAIMS = ("liar2", "liar2-mostly", "politihop", "healthver-multivers", "climatefever",
          "covidfact", "checkcovid", "fever-train")  # fmt: skip
"""Sources whose claims are reported and judged."""
LONGEST = 40
"""Words of a statement that is put into a sentence."""

REPORTED = (
    "A post that was shared on Facebook claims that {s}.",
    "Users on Twitter say that {s}.",
    "Rumours that {s} have appeared on social media.",
    "Rumors are circulating on WhatsApp that {s}.",
    "A message that is forwarded on WhatsApp says that {s}.",
    "It has been claimed online that {s}.",
    "A viral video is shared with the claim that {s}.",
    "A picture is being shared with a caption that reads: “{S}”",
    "Readers asked us to check whether {s}.",
    "Claim: {S}.",
    "Claim: {S}",
    "The post, which was shared more than 3,000 times, says: “{S}.”",
    "Conspiracy theorists believe that {s}.",
    "We looked into the rumor that {s}.",
    "A website has published an article with the headline “{S}”.",
    "Fact check: Is it true that {s}?",
    "Some people on the internet are convinced that {s}.",
    "The tweet reads: “{S}”, and thousands have liked it.",
    "Social media users have been sharing a photo and saying that {s}.",
    "A chain message warned that {s}.",
    "The claim that {s} has been around for years.",
    "{S}, a viral post claims.",
    "Posts in several languages say that {s}.",
    "Several Facebook pages have shared the image with the text “{S}”.",
    "An image on Instagram purports to show that {s}.",
    "A blog alleged without naming a source that {s}.",
    "For days, messages saying that {s} have been doing the rounds.",
    "What is the truth behind the viral claim that {s}?",
)
"""The claim is passed on, and nobody vouches for it."""
DENIED = (
    "The claim that {s} is false.",
    "It is not true that {s}.",
    "Fact-checkers found no evidence that {s}.",
    "Officials denied the rumor that {s}.",
    "A spokesman said that reports that {s} were untrue.",
    "The police called the message that {s} fake.",
    "The claim that {s} is misleading, experts told us.",
    "The hoax that {s} has been debunked many times.",
    "The ministry rejected as baseless a post saying that {s}.",
    "A viral post falsely claims that {s}.",
    "Social media users wrongly shared an old picture to say that {s}.",
    "Fact-checkers rate the claim “{S}” false.",
    "Claim: {S}. Verdict: False.",
    "Conclusion: The viral claim that {s} is fake news.",
    "No, the photo does not show that {s}.",
    "There is no proof for the conspiracy theory that {s}.",
)
"""The claim is judged to be wrong."""
CONFIRMED = (
    "It is true that {s}.",
    "Officials confirmed that {s}.",
    "Records show that {s}.",
    "The claim that {s} is correct, our research shows.",
    "A spokeswoman confirmed in a statement that {s}.",
    "The government announced that {s}.",
    "According to the official report, {s}.",
    "Fact-checkers rate the claim that {s} true.",
    "Claim: {S}. Verdict: True.",
    "The news agency reported on Monday that {s}.",
    "Court documents and interviews show that {s}.",
    "The study confirms that {s}.",
)
"""The claim is judged to be right, or told by somebody who answers for it."""
KINDS = ((REPORTED, NEUTRAL, 2_600), (DENIED, "refutes", 1_000), (CONFIRMED, "supports", 1_000))
BEFORE_EVIDENCE = 1_400
"""Reports that stand before real evidence."""

_SMALL = """a an the this that these those there it he she they we you in on at by for from to of
with after before during since under some many most more all no every each our their his her its if
when while because as people children women men one two three only nearly almost about according
over both even not"""
"""First words that are written small within a sentence."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=13)
    options = parser.parse_args()
    chance = random.Random(options.seed)  # noqa: S311 - a draw that can be repeated
    rows = list(read_pairs(options.pairs))
    labelled = drawn_from(rows, {source: (most, 1) for source, most in TAKEN.items()}, chance)
    news = [row for row in labelled if row["source"] in CLAIMS]
    mixture = [*labelled, *_spoken_of(news, chance), *_before_evidence(news, chance)]
    write_shuffled(mixture, options.out, chance)


def _spoken_of(rows: Sequence[Json], chance: random.Random) -> list[Json]:
    """Claims that evidence reports, denies or confirms; in a third of them in the words of other
    evidence that supports the claim."""
    made = []
    for sentences, label, count in KINDS:
        for row in chance.choices(rows, k=count):
            other = row["label"] == "supports" and chance.random() < 0.67
            statement = row["premise"] if other and _fits(row["premise"]) else row["hypothesis"]
            if _fits(statement):
                text = _sentence(chance.choice(sentences), statement)
                made.append(pair(text, row["hypothesis"], label, "reported", row["group"]))
    return made


def _before_evidence(rows: Sequence[Json], chance: random.Random) -> list[Json]:
    """Reports of claims, and then their evidence, whose label is that of both."""
    made = []
    for row in chance.choices(rows, k=BEFORE_EVIDENCE):
        if _fits(row["hypothesis"]):
            text = _sentence(chance.choice(REPORTED), row["hypothesis"])
            premise = f"{text} {row['premise']}"
            made.append(pair(premise, row["hypothesis"], row["label"], "reported", row["group"]))
    return made


def _fits(statement: str) -> bool:
    """Whether a statement is one sentence that another can hold."""
    return len(statement.split()) <= LONGEST and not any(
        mark in statement.strip()[:-1] for mark in (". ", "? ", "! ", "“", '"', "»")
    )


def _sentence(form: str, statement: str) -> str:
    """A statement in one of the forms.

    >>> _sentence("Claim: {S}.", "The ferry sank."), _sentence("They say {s}.", "The sea rose!")
    ('Claim: The ferry sank.', 'They say the sea rose.')
    """
    plain = statement.strip().rstrip(".!? ")
    first, _, rest = plain.partition(" ")
    small = f"{first.lower()} {rest}" if first.lower() in _SMALL.split() else plain
    return form.format(s=small, S=plain)


if __name__ == "__main__":
    main()
