"""Every statement of the desk's pages and files is true, whatever was done before: counts,
verdicts, what was searched, what has changed since, history, reviews, what a search finds, what was
removed.

A person's way through the desk is gone in a real browser. `World` is what was really done: it is
kept by the test from the texts that it gives, never from what the desk says. After each step all
pages and exports are compared with it."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import zipfile
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path

import docx
import pytest

from tests.serve import test_library
from tests.serve.test_library import library_desk
from tests.support.browser import opener, press
from tests.support.doubles import load_nltk_data
from tests.support.small_run import METHOD
from tests.support.waiting import until
from uhhrag.archive import updating
from uhhrag.prompts.templates import load_prompts
from uhhrag.protocols import EvidenceSource, Tools, VotingModels
from uhhrag.records import Hit
from uhhrag.rules.learned import DOCUMENTS
from uhhrag.rules.rules import RULES, Decoding
from uhhrag.serve.app import NO_LONGER
from uhhrag.voters.opening import Opening
from uhhrag.voters.verifier import open_verifier

pytestmark = pytest.mark.browser

TOP = 3
STANCES = {"stands": (0.9, 0.05, 0.05), "denied": (0.05, 0.9, 0.05), "maybe": (0.5, 0.3, 0.2)}
SILENT = (0.1, 0.1, 0.8)
SIDES = ("for", "against", "nothing")


def stance(sentence: str) -> tuple[float, float, float]:
    return next((s for word, s in STANCES.items() if word in sentence), SILENT)


def load(snapshot, sentences, doing):
    """Searches for sentences that have the last word of the claim; the verifier reads a word."""
    index = sentences()
    opening = Opening(
        rule=RULES["baseline"],
        decoding=Decoding.CONSTRAINED,
        prompts=load_prompts(),
        field=DOCUMENTS,
        verifier="words",
    )

    def search(query, top, /):
        found = [p for p in index.passages if query.rstrip(".").split()[-1] in p.text]
        return [Hit(passage, 0.9 - place / 100) for place, passage in enumerate(found[:top])]

    method = replace(
        METHOD,
        top=TOP,
        tools=Tools(METHOD.tools.embed, None, METHOD.tools.prompts),
        voter=open_verifier(opening).voter,
        models=VotingModels(verifier=lambda pairs: [stance(text) for text, _ in pairs]),
        join=opening.rule.join,
    )
    corpus = EvidenceSource(search, index.document)
    return (lambda claim: corpus), method


@dataclass(frozen=True)
class Given:
    """A file as it was given: its documents as lists of sentences, none where it cannot be read."""

    content: bytes
    documents: tuple[tuple[str, ...], ...] = ()
    language: str = ""

    @property
    def sentences(self) -> list[str]:
        return [sentence for one in self.documents for sentence in one]


def text(*sentences: str, language: str = "") -> Given:
    return Given(" ".join(sentences).encode(), (sentences,), language)


def packed(**members: tuple[str, ...]) -> Given:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        for name, sentences in members.items():
            archive.writestr(f"{name}.txt", " ".join(sentences))
    return Given(sink.getvalue(), tuple(members.values()))


def rows(*documents: tuple[str, ...]) -> Given:
    lines = [json.dumps({"title": f"Letter {n}", "text": d}) for n, d in enumerate(documents)]
    return Given("\n".join(lines).encode(), documents)


MINUTES = text("The crane stands at the quay.", "It was painted in May.")
BOX = packed(
    east=("The ferry sailed on Monday.", "The council denied the ferry."),
    west=("The tower stands on the hill.", "There is maybe a second tower."),
)
LETTERS = rows(("The mayor saw the chapel.",), ("They will maybe see the chapel.", "It rained."))
HAFEN = text(
    "Der Hafen wurde im vergangenen Jahr für viel Geld ausgebaut.",
    "Die Kosten waren nach Angaben der Stadt viel höher als geplant.",
    language="German",
)
BROKEN = Given(b"%PDF-1.7 but no more")
FIRST = {
    "minutes.txt": MINUTES,
    "box.zip": BOX,
    "letters.jsonl": LETTERS,
    "hafen.txt": HAFEN,
    "broken.pdf": BROKEN,
}


@dataclass(frozen=True)
class Check:
    """A check as it must have come out: of a claim about a word, on the files that were read."""

    claim: str
    files: dict[str, Given]

    @property
    def found(self) -> list[str]:
        word = self.claim.rstrip(".").split()[-1]
        every = (s for _, one in sorted(self.files.items()) for s in one.sentences)
        return [sentence for sentence in every if word in sentence][:TOP]

    @property
    def cited(self) -> set[str]:
        found = set(self.found)
        return {name for name, one in self.files.items() if found & set(one.sentences)}

    def counts(self) -> Counter[str]:
        return Counter(SIDES[max(range(3), key=stance(s).__getitem__)] for s in self.found)

    @property
    def label(self) -> str:
        sides = self.counts()
        if not self.found or not (sides["for"] or sides["against"]):
            return "Not Enough Evidence"
        if sides["for"] and sides["against"]:
            return "Conflicting Evidence/Cherrypicking"
        return "Supported" if sides["for"] else "Refuted"

    @property
    def confidence(self) -> float | None:
        """The mean of what each vote gives the label."""
        side = {"Supported": 0, "Refuted": 1, "Not Enough Evidence": 2}.get(self.label)
        shares = []
        for read in map(stance, self.found):
            said = max(range(3), key=read.__getitem__)
            shares.append(read[said] if said == side else 1 - read[said])
        return sum(shares) / len(shares) if shares else None

    @property
    def unclear(self) -> bool:
        sided = self.label != "Not Enough Evidence"
        return sided and self.confidence is not None and self.confidence < 0.5

    @property
    def size(self) -> str:
        """What was searched, in words."""
        read = [one for one in self.files.values() if one.documents]
        counts = (
            (sum(len(one.sentences) for one in read), "sentence"),
            (sum(len(one.documents) for one in read), "document"),
            (len(read), "file"),
        )
        sentences, documents, files = (f"{n} {word}{'s' * (n != 1)}" for n, word in counts)
        return f"{sentences} of {documents} in {files}."


@dataclass
class Asked:
    """A claim of the desk: its checks, the last one valid, and what people said of it."""

    checks: list[Check]
    review: tuple[str, str, str] | None = None
    """label, name, note of the valid review"""
    old_reviews: int = 0
    attached: list[tuple[str, str]] = field(default_factory=list)
    attachings: int = 0
    removed: bool = False

    @property
    def now(self) -> Check:
        return self.checks[-1]

    @property
    def shown(self) -> str:
        """The class that counts."""
        if self.review:
            return self.review[0]
        return "Unclear" if self.now.unclear else self.now.label


@dataclass
class World:
    there: dict[str, Given] = field(default_factory=dict)
    """the files of the collection"""
    read: dict[str, Given] = field(default_factory=dict)
    """those that were read last, as they were then"""
    every: list[Asked] = field(default_factory=list)
    """what was asked, by number"""
    draft: tuple[Asked, ...] = ()
    """those of them that are the sentences of the draft"""
    begun: date = field(default_factory=lambda: datetime.now(UTC).date())

    @property
    def days(self) -> set[date]:
        """Those on which it is reviewed: two where midnight passes."""
        return {self.begun, datetime.now(UTC).date()}

    @property
    def claims(self) -> dict[int, Asked]:
        """Those that were not removed, by number."""
        return {n: asked for n, asked in enumerate(self.every, 1) if not asked.removed}

    @property
    def documents(self) -> list[tuple[str, ...]]:
        return [one for file in self.read.values() for one in file.documents]

    def changes(self, check: Check) -> dict[str, list[str]]:
        """What the collection has gained and lost since a check, of files that can be read."""
        before, now = (
            {n: f for n, f in d.items() if f.documents} for d in (check.files, self.read)
        )
        both = before.keys() & now.keys()
        found = {
            "Added": sorted(now.keys() - before.keys()),
            "Removed": sorted(before.keys() - now.keys()),
            "Changed": sorted(n for n in both if before[n].content != now[n].content),
        }
        return {how: names for how, names in found.items() if names}

    def affected(self, check: Check) -> bool:
        """Whether that can matter: there is new text, or a file of the evidence is gone."""
        changes, cited = self.changes(check), check.cited
        new, gone = {"Added", "Changed"} & changes.keys(), {*changes.get("Removed", ())}
        return bool(changes) and (not cited or bool(new) or bool(cited & gone))


class Desk:
    """The desk in a browser, and what it must say."""

    def __init__(self, served, page, world: World) -> None:
        self.served, self.page, self.world = served, page, world
        (self.key,) = [one.key for one in served.app.library.collections()] or [""]

    def go(self, path: str) -> str:
        """All words of a page, also of its closed parts."""
        self.page.goto(self.served.address + path)
        return " ".join(self.page.locator("main").evaluate("e => e.textContent").split())

    def is_settled(self) -> None:
        """Wait for all verdicts, and for the page to have its own."""
        until(lambda: not self.served.app.database.waiting())
        self.page.locator("[data-watch], [data-live]").wait_for(state="detached")

    # what is done

    def make(self) -> None:
        self.go("/collections")
        self.page.get_by_label("Name").fill("Harbour")
        self.page.get_by_role("button", name="Make it").click()
        self.page.wait_for_url("**/collections/*")
        self.key = self.page.url.rpartition("/")[2]

    def give(self, files: dict[str, Given], folder: Path) -> None:
        """Give files on the page; they are read."""
        folder.mkdir(exist_ok=True)
        for name, one in files.items():
            (folder / name).write_bytes(one.content)
        self.go(f"/collections/{self.key}")
        self.page.locator("#choose").set_input_files([folder / name for name in files])
        self.page.locator("#told", has_text="Read:").wait_for(state="attached")
        replaced = [name for name in files if name in self.world.there]
        self.world.there |= files
        self.is_read()
        said = self.go(f"/collections/{self.key}")
        told = f"{len(files)} taken. In the place of earlier ones: {', '.join(replaced)}."
        assert (told in said) == bool(replaced)

    def is_read(self) -> None:
        library = self.served.app.library
        collection = library.find(self.key)

        def done():
            files = library.files(collection)
            every = len(files) == len(self.world.there) and all(files.values())
            return every and library.reading(self.key).over

        until(done)
        self.is_settled()
        self.world.read = dict(self.world.there)

    def take_out(self, name: str) -> None:
        self.go(f"/collections/{self.key}")
        self.page.locator(f"summary[aria-label='Take out {name}']").click()
        press(self.page, f"Delete {name}")
        if "Keep it" in self.page.content():  # claims quote it
            press(self.page, "Delete it here")
        del self.world.there[name]
        self.is_read()

    def ask(self, claim: str) -> None:
        self.go(f"/collections/{self.key}")
        self.page.get_by_label("The claim, as one sentence").fill(claim)
        self.page.get_by_role("button", name="Check", exact=True).click()
        self.world.every.append(Asked([Check(claim, dict(self.world.read))]))
        self.page.wait_for_url(f"**/claims/check-{len(self.world.every)}")
        self.page.get_by_text("Your review").wait_for()

    def again(self, number: int) -> None:
        self.go(f"/claims/check-{number}")
        press(self.page, "Check it again")
        self.is_settled()
        self._checked_again(self.world.claims[number])

    def again_all(self, path: str = "/") -> None:
        """Check again what is affected, of all claims or of a draft."""
        self.go(path)
        press(self.page, "Check the affected again")
        self.is_settled()
        for asked in self.world.claims.values() if path == "/" else self.world.draft:
            if self.world.affected(asked.now):
                self._checked_again(asked)

    def _checked_again(self, asked: Asked) -> None:
        before = asked.now
        asked.checks.append(Check(before.claim, dict(self.world.read)))
        same = (before.label, before.found) == (asked.now.label, asked.now.found)
        if asked.review and not same:
            asked.review, asked.old_reviews = None, asked.old_reviews + 1

    def review(self, number: int, label: str, name: str, note: str) -> None:
        self.go(f"/claims/check-{number}")
        self.page.locator("#review .chip", has_text=re.compile(f"^{label}$", re.I)).click()
        self.page.locator("#reviewer").fill(name)
        self.page.get_by_label("Note").fill(note)
        self.page.get_by_role("button", name="Save the review").click()
        self.page.wait_for_url("**#your-review")
        asked = self.world.claims[number]
        asked.old_reviews += bool(asked.review)
        asked.review = (label.capitalize(), name, note)

    def attach(self, number: int, words: str, sentence: str, side: str) -> None:
        self.go(f"/search/{self.key}?q={words}&claim=check-{number}")
        row = self.page.locator("li.claim", has_text=sentence).first
        row.get_by_role("button", name=f"Attach as {side}").click()
        self.page.wait_for_url("**#attached")
        told = {"supporting": "supports", "contradicting": "contradicts"}[side]
        self.world.claims[number].attached.append((told, sentence))
        self.world.claims[number].attachings += 1

    def detach(self, number: int) -> None:
        self.go(f"/claims/check-{number}")
        self.page.get_by_role("button", name="Take it off").first.click()
        self.page.wait_for_url("**#attached")
        del self.world.claims[number].attached[0]
        self.world.claims[number].attachings += 1

    def remove_claim(self, number: int) -> None:
        """By two clicks, as people click."""
        self.go(f"/claims/check-{number}")
        self.page.get_by_text("Remove from the desk").click()
        self.page.get_by_role("button", name=re.compile("^Remove it")).dblclick()
        self.page.get_by_text("Fact-check desk").wait_for()
        self.world.claims[number].removed = True
        assert self.served.get(f"/claims/check-{number}").status == 404

    def remove_draft(self) -> None:
        self.go("/drafts/1")
        self.page.get_by_text("Remove the draft").click()
        self.page.get_by_role("button", name="Remove it for good").dblclick()
        self.page.get_by_text("Fact-check desk").wait_for()
        self.world.draft = ()
        assert self.served.get("/drafts/1").status == 404

    def delete_collection(self) -> None:
        self.go(f"/collections/{self.key}")
        self.page.get_by_text("Delete this collection").click()
        self.page.get_by_role("button", name="Delete it for good").dblclick()
        self.page.get_by_text("There is no collection yet.").wait_for()
        self.world.there, self.world.read, self.key = {}, {}, ""

    def check_draft(self, *sentences: str) -> None:
        self.go("/")
        self.page.get_by_text("Check a draft, or a list of claims").click()
        self.page.get_by_label("Paste the text").fill(" ".join(sentences))
        self.page.get_by_role("button", name="Find the claims").click()
        self.page.wait_for_url("**/drafts/1")
        for sentence in sentences:
            self.page.get_by_label(sentence).check()
        press(self.page, "Check the ticked sentences")
        self.is_settled()
        self.world.draft = tuple(Asked([Check(s, dict(self.world.read))]) for s in sentences)
        self.world.every += self.world.draft

    # what is said

    def check_all(self) -> None:
        """Compare all that the desk says with what was done."""
        if self.key:
            self.collection_is_true()
            self.search_is_true()
        self.list_is_true()
        for number, asked in self.world.claims.items():
            self.claim_is_true(number, asked)
        self.files_are_true()
        if self.world.draft:
            self.draft_is_true()
        assert self.page.complaints == []

    def collection_is_true(self) -> None:
        there, read = self.world.there, self.world.read
        readable = [one for one in read.values() if one.documents]
        sentences = sum(len(one.sentences) for one in readable)
        size = f"{sentences} sentence{'s' * (sentences != 1)}"
        shelf = self.go("/collections")
        assert (f"Harbour{size}" if readable else "Harbournothing to search") in shelf
        said = self.go(f"/collections/{self.key}")
        count = f"{len(there)} file{'s' * (len(there) != 1)}"
        assert self.page.locator("#files").inner_text() == count
        table = self.page.locator("table.files tbody tr").all()
        found = {row.locator("bdi").inner_text(): row.inner_text() for row in table}
        assert found.keys() == there.keys()
        for name, one in there.items():
            told = found[name]
            assert ("not read yet" in told) == (read.get(name) != one), name
            if read.get(name) == one:
                assert ("not read" in told) == (not one.documents)
                assert (one.language or "German") not in told.replace(one.language or " ", "", 1)
                if one.documents:
                    assert f"\t{len(one.sentences)}\t" in told
        bad = sum(read.get(name) == one and not one.documents for name, one in there.items())
        if there:
            caption = self.page.locator("table.files caption").inner_text()
            assert caption == count + (f"; {bad} not read, or not wholly, first" if bad else "")
        assert ("Check a claim against these documents" in said) == bool(readable)
        assert f"deletes the {count} here" in said

    def search_is_true(self) -> None:
        """What a search counts, lists and opens."""
        documents = self.world.documents
        for word in ("crane", "chapel", "tower", "tram") if documents else ():
            said = self.go(f"/search/{self.key}?q={word}")
            found = [s for one in documents for s in one if word in s]
            of = sum(any(word in sentence for sentence in one) for one in documents)
            counts = ((len(found), "sentence"), (of, "document"))
            sentences, holding = (f"{n} {name}{'s' * (n != 1)}" for n, name in counts)
            assert f"{sentences} of {holding} with every word" in said
            rows = self.page.locator("li.claim")
            assert sorted(rows.locator("p:first-child").all_inner_texts()) == sorted(found)
            for sentence in found[:1]:
                with self.page.expect_navigation():
                    rows.filter(has_text=sentence).first.get_by_role("link").first.click()
                assert self.page.locator("mark").inner_text() == sentence
                lines = self.page.locator(".lines p:not(.page-number)").all_inner_texts()
                assert tuple(lines) in documents

    def list_is_true(self) -> None:
        claims = self.world.claims
        said = self.go("/")
        if not claims:
            welcome = not any(one.documents for one in self.world.read.values())
            assert ("Welcome" if welcome else "No claim has been checked yet.") in said
            return
        mix = Counter(asked.shown for asked in claims.values())
        legend = self.page.locator(".legend li").all_inner_texts()
        assert Counter(dict(_counted(line) for line in legend)) == +Counter(
            {_word(label): number for label, number in mix.items()}
        )
        total = f"{len(claims)} claim{'s' * (len(claims) != 1)}"
        assert f"{len(claims)} of {total} shown" in said
        left = sum(asked.review is None for asked in claims.values())
        assert f"only unreviewed ({left})" in said
        shown = self.page.locator("#listed li.claim").all()
        outdated = 0
        for row, (number, asked) in zip(shown, reversed(claims.items()), strict=True):
            told = " ".join(row.inner_text().split())
            assert f"{number} {asked.now.claim}" in told
            badge = row.locator(".badge").inner_text()
            assert badge.lower().startswith(_word(asked.shown)), (number, badge)
            changed = self.world.affected(asked.now)
            gone = not any(one.documents for one in self.world.read.values())
            outdated += changed and not gone
            since = re.search(r"(added|removed|changed) since", told)
            assert bool(since) == (changed and not gone)
            assert ("documents not here" in told) == gone
            sure = asked.now.confidence
            assert (f"{sure:.2f}" if sure is not None else "Confidence") in told or sure is None
            assert ("reviewed" in told.split()) == (bool(asked.review) or asked.old_reviews > 0)
        were = f"since {outdated} claim{'s were' if outdated != 1 else ' was'} checked"
        assert (were in said) == bool(outdated)
        assert ("done" in said) == bool(self.world.draft)

    def claim_is_true(self, number: int, asked: Asked) -> None:
        now = asked.now
        said = self.go(f"/claims/check-{number}")
        of_draft = any(asked is one for one in self.world.draft)
        assert ("The draft that it is from" in said) == of_draft
        head = self.page.locator("header.head [role=status] .badge").inner_text()
        assert head.lower().startswith(_word(asked.shown)), (number, head)
        assert now.size in said, (number, said)
        assert "Harbour, as it was then:" in said
        self.headline_is_true(asked)
        for name, one in now.files.items():
            if one.documents:
                assert f"{name}{hashlib.sha256(one.content).hexdigest()}" in said.replace(" ", "")
            else:
                assert f"Could not be read: {name}:" in said
        foreign = [name for name, one in now.files.items() if one.language]
        assert ("German" in said) == bool(foreign)
        changes = self.world.changes(now)
        gone = not any(one.documents for one in self.world.read.values())
        assert ("documents of this verdict are not here any more" in said) == gone
        assert ("Since this verdict" in said) == (bool(changes) and not gone)
        if changes and not gone:
            counts = ", ".join(f"{len(names)} {how.lower()}" for how, names in changes.items())
            word = "file" if len(next(iter(changes.values()))) == 1 else "files"
            assert f"Since this verdict: {counts.replace(' ', f' {word} ', 1)}." in said
            for how, names in changes.items():
                assert f"{how}: {', '.join(names)}" in said
        assert self.page.get_by_role("button", name="Check it again").count() == (not gone)
        self.history_is_true(asked, said)
        reviewed = sum(bool(one.review) for one in self.world.claims.values())
        assert f"{reviewed} of {len(self.world.claims)} reviewed" in said
        if asked.review:
            _, name, note = asked.review
            assert f"By {name}" in said
            assert note in said
            days = [f"{day.day} {day:%B %Y}" for day in self.world.days]
            assert any(f"this one on {day}" in said for day in days)
        for told, sentence in asked.attached:
            assert f"{told}: “{sentence}”" in said
        assert ("Attached by hand" in said) == bool(asked.attached)
        history = f"Attached, turned and taken off: {asked.attachings}"
        assert (history in said) == bool(asked.attachings)
        there = [sentence for one in self.world.documents for sentence in one]
        assert said.count(NO_LONGER) == sum(sentence not in there for _, sentence in asked.attached)
        self.sources_are_true(number, now)

    def sources_are_true(self, number: int, check: Check) -> None:
        """What a piece's document shows: the sentence in it, or that it is not there any more."""
        there = [sentence for one in self.world.documents for sentence in one]
        for place, sentence in enumerate(check.found, 1):
            answer = self.served.get(f"/claims/check-{number}/pieces/{place}/sources/0")
            if answer.status == 404:  # as whole files are
                assert sentence not in there
            else:
                assert (f"<mark>{sentence}</mark>" in answer.body) == (sentence in there)
                assert ("is not where it was" in answer.body) == (sentence not in there)

    def draft_is_true(self) -> None:
        draft = [asked for asked in self.world.draft if not asked.removed]
        said = self.go("/drafts/1")
        count = len(draft)
        assert f"{count} of {count} done" in said
        assert "Checked against Harbour" in said
        marked = self.page.locator(".draft-text .checked").all_inner_texts()
        assert marked == [asked.now.claim for asked in draft]
        badges = self.page.locator(".draft-text .badge").all_inner_texts()
        for badge, asked in zip(badges, draft, strict=True):
            assert badge.lower().startswith(_word(asked.shown))
        changed = sum(self.world.affected(asked.now) for asked in draft)
        outdated = changed if any(one.documents for one in self.world.read.values()) else 0
        were = f"since {outdated} claim{'s were' if outdated != 1 else ' was'} checked"
        assert (were in said) == bool(outdated)
        report = self.served.get("/drafts/1/export/report.html").body
        every = len(self.world.draft)
        assert f"{every} sentences, of which {count} ha{'s' if count == 1 else 've'}" in report
        table = self.served.get("/drafts/1/export/claims.csv").body
        rows = list(csv.DictReader(io.StringIO(table)))
        assert [row["claim"] for row in rows] == [asked.now.claim for asked in draft]

    def headline_is_true(self, asked: Asked) -> None:
        now, counts = asked.now, asked.now.counts()
        says = self.page.locator(".says").inner_text()
        if not now.found:
            assert says.endswith("nothing that was searched is near enough to the claim.")
            return
        leans = f"Unclear, leans {_word(now.label)}" if now.unclear else now.label
        assert leans in says
        assert f"Confidence {now.confidence:.2f}" in says
        own = {"Supported": "for", "Refuted": "against"}.get(now.label)
        told = {"for": "for it", "against": "against it", "nothing": "without a side"}
        silent = not own and counts["nothing"] == len(now.found)
        assert ("takes a side" in says) == silent, says
        for side, words in told.items():
            if side != own and counts[side] and not silent:
                assert f"{counts[side]} {words}" in says, says
        if own:
            pieces = f"by {counts[own]} of {len(now.found)} piece{'s' * (len(now.found) != 1)}"
            assert pieces in says
            best = max(now.found, key=lambda s: stance(s)[SIDES.index(own)])
            assert f"piece {now.found.index(best) + 1}" in says
            quoted = self.page.locator(".strongest blockquote").first.inner_text()
            assert quoted == best
        marks = self.page.locator(".evidence mark").all_inner_texts()
        assert sorted(marks) == sorted(now.found)

    def history_is_true(self, asked: Asked, said: str) -> None:
        earlier = asked.checks[:-1]
        assert (f"Earlier checks: {len(earlier)}" in said) == bool(earlier)
        for before in earlier:
            size = before.size.partition(" in ")[0]
            assert f"· Harbour: {size}" in said, (size, said)
        if asked.old_reviews and asked.review:
            assert f"Earlier reviews: {asked.old_reviews}" in said

    def files_are_true(self) -> None:
        """The exports."""
        claims = self.world.claims
        if not claims:
            return
        get = self.served.download
        listed = json.loads(get("/export/claims.json")[1])["claims"]
        table = list(csv.DictReader(io.StringIO(get("/export/claims.csv")[1].decode())))
        report = get("/export/report.html")[1].decode()
        word = "\n".join(
            paragraph.text
            for paragraph in docx.Document(io.BytesIO(get("/export/report.docx")[1])).paragraphs
        )
        for row, line, asked in zip(listed, table, claims.values(), strict=True):
            now = asked.now
            assert row["claim"] == line["claim"] == now.claim
            assert row["status"] == line["status"] == ("unclear" if now.unclear else "clear")
            label = "Not Enough Evidence" if now.unclear else now.label
            assert row["label"] == line["label"] == label
            assert row["leans"] == (now.label if now.unclear else None)
            assert [piece["sentence"] for piece in row["evidence"]] == now.found
            assert row["confidence"] == pytest.approx(now.confidence, abs=1e-6)
            about = row["searched"]["documents"]
            told = f"{about['sentences']} sentence", f"{about['documents']} document"
            assert all(part in now.size for part in told)
            assert line["sentences"] == str(about["sentences"])
            assert line["documents"] == str(about["documents"])
            readable = {n: f for n, f in now.files.items() if f.documents}
            hashes = {n: hashlib.sha256(f.content).hexdigest() for n, f in readable.items()}
            assert row["searched"]["files"] == hashes
            assert all(one in word and one in report for one in hashes.values())
            assert about["unread"].keys() == now.files.keys() - readable.keys()
            assert line["reviewer_label"] == (asked.review[0] if asked.review else "")
            assert line["reviewer"] == (asked.review[1] if asked.review else "")
            if asked.review:
                assert row["review"]["note"] == asked.review[2]
            kept = [(one["side"], one["sentence"]) for one in row.get("attached", ())]
            assert kept == asked.attached
            assert now.size.partition(" in ")[0] in word
        told = " ".join(re.sub(r"<[^>]*>", " ", report).split())
        assert f"{len(claims)} claim{'s' * (len(claims) != 1)}: every sentence" in told
        for asked in claims.values():
            assert asked.now.size in told
        self.claim_review_is_true()

    def claim_review_is_true(self) -> None:
        claims = [asked for asked in self.world.claims.values() if asked.review]
        answer = self.served.get("/export/claimreview.jsonld")
        assert answer.status == (200 if claims else 409)
        for one, asked in zip(json.loads(answer.body) if claims else (), claims, strict=True):
            label, name, note = asked.review or ("", "", "")
            assert one["claimReviewed"] == asked.now.claim
            assert one["reviewRating"]["alternateName"] == label
            assert one["author"]["name"] == name
            assert one["reviewBody"] == note
            assert date.fromisoformat(one["datePublished"]) in self.world.days
            assert len(one.get("citation", ())) == len({s for _, s in asked.attached})


def _word(label: str) -> str:
    return {"Conflicting Evidence/Cherrypicking": "conflicting"}.get(label, label.lower())


def _counted(line: str) -> tuple[str, int]:
    words = line.split()
    return " ".join(words[:-1]).lower(), int(words[-1])


@pytest.fixture
def opened(tmp_path, browser, monkeypatch):
    """What opens the desk, again and again, in a world that stays."""
    load_nltk_data()
    monkeypatch.setattr(updating, "ReadingProcess", test_library.ReadHere)
    world = World()
    stack = ExitStack()

    def open_desk(**more):
        stack.close()
        served = stack.enter_context(library_desk(tmp_path / "home", load=load, **more))
        page = stack.enter_context(opener(browser))(served.address + "/collections")
        return Desk(served, page, world)

    yield open_desk
    stack.close()


def test_every_statement_is_true_after_every_step(opened, tmp_path):
    desk = opened()
    desk.make()
    desk.check_all()
    desk.give(FIRST, tmp_path / "given")
    desk.check_all()
    for word in ("crane", "ferry", "tower", "chapel", "tram"):
        desk.ask(f"They speak of the {word}.")
    desk.check_all()
    desk.review(2, "supported", "Ada", "The council was wrong.")
    desk.review(4, "refuted", "Bo", "I saw it.")
    desk.attach(3, "painted", "It was painted in May.", "contradicting")
    desk.check_all()
    more = text("The council denied the crane.", "The chapel stands.", "It is old.")
    desk.give({"more.txt": more, "minutes.txt": text("The crane stands at the quay.")}, tmp_path)
    desk.check_all()
    desk.again(1)
    desk.take_out("hafen.txt")
    desk.check_all()
    desk = opened()
    desk.check_all()
    desk.again_all()
    desk.check_draft(
        "The council of Varnby has an old crane.",
        "The city of Varnby has paid for the ferry.",
        "The people of Varnby have built the chapel.",
    )
    desk.check_all()
    desk.review(4, "supported", "Cy", "Looked at anew.")
    desk.take_out("box.zip")
    desk.check_all()
    desk.again_all("/drafts/1")
    desk.detach(3)
    desk.remove_claim(5)
    desk.remove_claim(7)
    desk.check_all()
    desk.remove_draft()
    for name in [*desk.world.there]:
        desk.take_out(name)
    desk.check_all()
    desk = opened()
    desk.delete_collection()
    desk.check_all()
