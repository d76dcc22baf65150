"""The program's records, all frozen, in the order they are made.

store file → Page → Passage → Hit → Evidence → Finding → Vote → Verdict; Prompt and Reply are a
language model's input and output.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class Label(StrEnum):
    """The AVeriTeC labels as in its files."""

    SUPPORTED = "Supported"
    REFUTED = "Refuted"
    NOT_ENOUGH = "Not Enough Evidence"
    CONFLICTING = "Conflicting Evidence/Cherrypicking"


class Grade(StrEnum):
    """PolitiFact's scale, truest first."""

    TRUE = "true"
    MOSTLY_TRUE = "mostly true"
    HALF_TRUE = "half true"
    BARELY_TRUE = "barely true"
    FALSE = "false"
    PANTS_ON_FIRE = "pants-on-fire"


class Origin(StrEnum):
    """How a vote got its label."""

    READ = "read"
    """from generated text"""
    CONSTRAINED = "constrained"
    """the most probable of given options"""
    DEFAULTED = "defaulted"
    """the rule's default for an unreadable reply"""
    OWN = "own"
    """the approach's own verdict"""


@dataclass(frozen=True, slots=True)
class Claim:
    id: int
    """position in its file, from 0"""
    text: str
    date: str | None = None
    """as in the file, such as 31-10-2020"""
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """A claim without verdict, and why, on one line."""

    claim: Claim
    error: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sentence is."""

    document: int
    """number, from 0"""
    line: int
    """in the document, from 0"""


@dataclass(frozen=True, slots=True)
class Passage:
    """One line of a knowledge store or document."""

    text: str
    urls: tuple[str, ...] = ()
    """of all its pages, in order of first sight"""
    places: tuple[Place, ...] = ()
    """one for each URL; empty if pages are not kept"""


@dataclass(frozen=True, slots=True)
class Page:
    """A record of a knowledge store: a web page or a user's document. Unknown fields are empty."""

    url: str
    lines: tuple[str, ...]
    """sentences"""
    mended: bool = False
    """some characters became U+FFFD"""
    title: str = ""
    author: str = ""
    date: str = ""
    """ISO, or as in the record"""
    numbers: tuple[int, ...] = ()
    """page of each line, from 1"""
    site: str = ""
    file: str = ""
    """percent-encoded path in the user's folder"""
    dated_by: str = ""
    """as in `Source`; "" if the page states its date"""
    language: str = ""
    """if not English"""
    unit: str = ""
    """what `numbers` count if not pages ("row")"""
    ocr: tuple[int | None, ...] = ()
    """mean confidence in each line's page, in percent; None for text"""
    sections: tuple[tuple[int, str], ...] = ()
    """positions of headings, with names"""
    quoted: tuple[tuple[int, str], ...] = ()
    """positions of quoted lines, with the speaker"""
    note: str = ""
    """for readers, such as: with tracked changes"""

    def holds(self, text: str, line: int) -> bool:
        return 0 <= line < len(self.lines) and self.lines[line] == text

    def part(self, place: range) -> tuple[str, ...]:
        return self.lines[place.start : place.stop]

    def section(self, line: int) -> str:
        """The name of the section of a line, or "".

        >>> Page("", ("Fares", "A ticket costs 10 crowns."), sections=((0, "Fares"),)).section(1)
        'Fares'
        """
        above = bisect_left(self.sections, (line,))
        return self.sections[above - 1][1] if above else ""

    def quoted_at(self, line: int) -> str | None:
        """Who is quoted in a line ("" if unknown); None for the page's own words.

        >>> page = Page("", ("It leaks.", "It does not."), quoted=((0, "a reader"),))
        >>> page.quoted_at(0), page.quoted_at(1)
        ('a reader', None)
        """
        at = bisect_left(self.quoted, (line,))
        found = at < len(self.quoted) and self.quoted[at][0] == line
        return self.quoted[at][1] if found else None


@dataclass(frozen=True, slots=True)
class Source:
    """Where a passage is from, for a reader; see `Page` for the other fields."""

    url: str
    title: str = ""
    author: str = ""
    date: str = ""
    number: int | None = None
    """of the page, from 1"""
    dated_by: str = ""
    """its "record", "url", "text", the "name" of its file, the "capture" by a web archive, or the
    metadata of the "file", which say when it was made"""
    site: str = ""
    file: str = ""
    unit: str = ""
    ocr: int | None = None
    """of the passage's line"""
    section: str = ""
    """headings above the passage"""
    quoted: str | None = None
    """who is quoted ("" if unknown); None for the page's own words"""
    note: str = ""

    @property
    def by(self) -> str:
        """Whose words the passage is, or "".

        >>> Source("file:a.eml", author="Press Office", quoted="A Reader").by
        'A Reader, quoted by Press Office'
        """
        if self.quoted is None:
            return self.author
        whose = self.quoted or "somebody else"
        return f"{whose}, quoted by {self.author}" if self.author else f"{whose}, quoted"

    @property
    def place(self) -> str:
        """Where in its document the passage is, or "".

        >>> Source("file:a.pdf", number=4).place, Source("file:a.csv", number=7, unit="row").place
        ('page 4', 'row 7')
        >>> Source("file:a.srt", number=751, unit="time").place
        'at 00:12:31'
        """
        if self.number and self.unit == "time":
            minutes, second = divmod(self.number, 60)
            return f"at {minutes // 60:02}:{minutes % 60:02}:{second:02}"
        return f"{self.unit or 'page'} {self.number}" if self.number else ""

    @property
    def page(self) -> int | None:
        """The page number, if the document has pages."""
        return None if self.unit else self.number


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage with its score; higher is better."""

    passage: Passage
    score: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """A question and the passage that answers it."""

    question: str
    answer: str
    """what votes read"""
    urls: tuple[str, ...] = ()
    score: float = 0.0
    """the approach's: a cosine, or for `entailed-qa` the probability of entailment"""
    retrieval_score: float = 0.0
    """cosine in the search"""
    reply: str = ""
    """from which the question was read"""
    context: str = ""
    """text around the passage on its first page, if kept"""
    sources: tuple[Source, ...] = ()
    """one for each URL, if pages are kept"""
    sentence: str = ""
    """the passage, if `answer` is a longer text around it"""
    places: tuple[Place, ...] = ()
    before: str = ""
    """the sentence that the passage refers back to"""
    read: str = ""
    """what the verifier reads, if not `answer`: headings, and marks around found sentences"""
    beside: tuple[Evidence, ...] = ()
    """other found sentences, until one is chosen"""


@dataclass(frozen=True, slots=True)
class Finding:
    """What an approach found on a claim."""

    evidence: tuple[Evidence, ...]
    label: Label | None = None
    notes: tuple[str, ...] = ()
    """for readers of the trace"""
    grade: Grade | None = None


@dataclass(frozen=True, slots=True)
class Prompt:
    step: str
    """the template's name"""
    head: str
    """shared by all prompts of a step"""
    body: str

    @property
    def text(self) -> str:
        return self.head + self.body


@dataclass(frozen=True, slots=True)
class Generate:
    """Ask for text. Samples depend on `seed`, the prompt and its repetitions before in the call."""

    max_tokens: int
    stop: tuple[str, ...] = ()
    """ends the text before any of these; "?" is kept"""
    repetition_penalty: float = 1.0
    temperature: float = 0.0
    """0 is greedy"""
    top_k: int = 0
    """0 for all"""
    top_p: float = 1.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class PickOne:
    """Ask which of the options comes next."""

    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Represent:
    """Ask for the hidden state before the reply."""


Ask = Generate | PickOne | Represent


@dataclass(frozen=True, slots=True)
class Reply:
    text: str
    """of `Choose` the most probable option, or see `protocols.LLM`"""
    logprobs: tuple[float, ...] = ()
    """natural logarithms for each option, not normalised over them"""
    prompt_tokens: int = 0
    reply_tokens: int = 0
    cut: bool = False
    """a prompt too long lost its middle"""
    state: tuple[float, ...] = ()
    """the last layer's output after its norm"""


@dataclass(frozen=True, slots=True)
class Vote:
    """One reading of evidence against the claim."""

    label: Label
    origin: Origin
    reply: str
    probability: float | None = None
    """calibrated, of `label` among the options; None for a vote read from text"""
    options: Mapping[str, float] = field(default_factory=dict)
    """the model's log-probabilities, uncalibrated"""
    cut: bool = False
    grade: Grade | None = None
    """from which the label was mapped"""
    meanings: Mapping[str, str | None] = field(default_factory=dict)
    """label or grade of each option; None if the evidence says nothing"""

    @property
    def says_nothing(self) -> bool:
        """Whether the likeliest option is that the evidence says nothing."""
        return bool(self.options) and self.meanings.get(self.reply, self.label) is None


@dataclass(frozen=True, slots=True)
class Ballots:
    """The votes on a claim."""

    votes: tuple[Vote, ...] = ()
    per_piece: bool = False
    """votes[i] is on evidence[i] alone"""
    reading: Mapping[Label, float] = field(default_factory=dict)
    """the labels' log-probabilities by a reader of all evidence, or empty"""
    evidence: tuple[Evidence, ...] = ()
    """with the deciding sentences, if the voter chose them"""


@dataclass(frozen=True, slots=True)
class Decision:
    label: Label
    leaning: Label | None = None
    """the likely label that a limit overrode"""
    probabilities: Mapping[Label, float] = field(default_factory=dict)
    """of a learned verdict"""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A claim's label with everything that led to it."""

    claim: Claim
    label: Label
    evidence: tuple[Evidence, ...]
    votes: tuple[Vote, ...]
    notes: tuple[str, ...] = ()
    """of the approach"""
    removed: Mapping[str, int] = field(default_factory=dict)
    """passages removed by each limit"""
    grade: Grade | None = None
    leaning: Label | None = None
    """the votes' label, if they were not sure enough"""
    vote_per_piece: bool = True
    """votes[i] is on evidence[i]; else each vote is on all evidence"""
    probabilities: Mapping[Label, float] = field(default_factory=dict)
    """of the labels by a learned verdict"""
    reading: Mapping[Label, float] = field(default_factory=dict)
    """of the labels by `rules.reading_head`"""

    @property
    def confidence(self) -> float | None:
        """The probability of a learned verdict, or of the leaning by the votes' mean, to which
        other votes give what they leave; None without probabilities."""
        label = self.leaning or self.label
        if self.probabilities:
            return self.probabilities[label]
        shares = [
            vote.probability if vote.label is label else 1 - vote.probability
            for vote in self.votes
            if vote.probability is not None
        ]
        return math.fsum(shares) / len(shares) if shares else None


def source_of(page: Page, line: int | None = None) -> Source:
    """The source of a page or one of its lines."""

    def of_line(values: Sequence[int | None]) -> int | None:
        return values[line] if line is not None and len(values) > line else None

    return Source(
        *(page.url, page.title, page.author, page.date, of_line(page.numbers)),
        dated_by=page.dated_by,
        site=page.site,
        file=page.file,
        unit=page.unit,
        ocr=of_line(page.ocr),
        section="" if line is None else page.section(line),
        quoted=None if line is None else page.quoted_at(line),
        note=page.note,
    )


NO_ANSWER = "No answer could be found."
"""AVeriTeC's text for a question without an answer."""
