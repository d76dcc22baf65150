"""What flows through the program, in the order it is made. All records are frozen.

store file → Page → Passage → Hit → Evidence → Finding → Vote → Verdict; Prompt and Reply are
what goes to the language model and comes back.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class Label(StrEnum):
    """The four AVeriTeC labels, spelt as in its files."""

    SUPPORTED = "Supported"
    REFUTED = "Refuted"
    NOT_ENOUGH = "Not Enough Evidence"
    CONFLICTING = "Conflicting Evidence/Cherrypicking"


class Grade(StrEnum):
    """How true a claim is on PolitiFact's scale of six, truest first."""

    TRUE = "true"
    MOSTLY_TRUE = "mostly true"
    HALF_TRUE = "half true"
    BARELY_TRUE = "barely true"
    FALSE = "false"
    PANTS_ON_FIRE = "pants-on-fire"


class Origin(StrEnum):
    """How a vote's label came about."""

    READ = "read"
    """parsed from freely generated text"""
    CONSTRAINED = "constrained"
    """the most probable of a closed set of continuations"""
    DEFAULTED = "defaulted"
    """the reply could not be read, and the rule's stated default stands in"""
    OWN = "own"
    """the approach's own verdict, reached while it looked for evidence"""


@dataclass(frozen=True, slots=True)
class Claim:
    """`id` is the claim's position in its file, counted from 0. `date` is as written there
    ("31-10-2020"); date and speaker are None where the file has none."""

    id: int
    text: str
    date: str | None = None
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """A claim that got no verdict, and why, on one line."""

    claim: Claim
    error: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sentence stands in what is searched."""

    document: int
    """the number of its document, counted from 0"""
    line: int
    """its position among the lines of the document, counted from 0"""


@dataclass(frozen=True, slots=True)
class Passage:
    """One line of a knowledge store or a document."""

    text: str
    urls: tuple[str, ...] = ()
    """all pages it stands on, first seen first"""
    places: tuple[Place, ...] = ()
    """where it stands on each page of `urls`, in their order; empty where no pages are kept"""


@dataclass(frozen=True, slots=True)
class Page:
    """One record of a knowledge store: a web page, or a document of the user's own.

    `lines` are its sentences in order; `numbers`, where the document has pages, is the page of
    each line, counted from 1; `unit` is what they count where that is not pages ("row"). `ocr`,
    where pages were read by OCR, is how sure it was of the page of each line, in percent on
    average, None for a line that was text. `sections` are the positions of headings, each with the
    name of what stands below it, of a document that was read from a file of the user's. `quoted`
    are the positions of lines that are somebody else's words, each with whose. `date` is
    ISO ("2020-10-31") or as the record has it, "" where it has none; `dated_by` is as in `Source`,
    "" where the page itself states the date. `file` is the one in the user's folder that it was
    read from: its path there, percent-encoded. `mended` says that characters were replaced by
    U+FFFD. `language` is that of a document not in English. `note` is what a reader of
    all of it should know ("with tracked changes")."""

    url: str
    lines: tuple[str, ...]
    mended: bool = False
    title: str = ""
    author: str = ""
    date: str = ""
    numbers: tuple[int, ...] = ()
    site: str = ""
    file: str = ""
    dated_by: str = ""
    language: str = ""
    unit: str = ""
    ocr: tuple[int | None, ...] = ()
    sections: tuple[tuple[int, str], ...] = ()
    quoted: tuple[tuple[int, str], ...] = ()
    note: str = ""

    def holds(self, text: str, line: int) -> bool:
        """Whether a text stands at a line."""
        return 0 <= line < len(self.lines) and self.lines[line] == text

    def part(self, place: range) -> tuple[str, ...]:
        """The lines at these positions, which follow one another."""
        return self.lines[place.start : place.stop]

    def section(self, line: int) -> str:
        """The name of the section that a line is in, "" where it is in none.

        >>> Page("", ("Fares", "A ticket costs 10 crowns."), sections=((0, "Fares"),)).section(1)
        'Fares'
        """
        above = bisect_left(self.sections, (line,))
        return self.sections[above - 1][1] if above else ""

    def quoted_at(self, line: int) -> str | None:
        """Whose words a line is, "" where that is not known, None where they are the page's own.

        >>> page = Page("", ("It leaks.", "It does not."), quoted=((0, "a reader"),))
        >>> page.quoted_at(0), page.quoted_at(1)
        ('a reader', None)
        """
        at = bisect_left(self.quoted, (line,))
        found = at < len(self.quoted) and self.quoted[at][0] == line
        return self.quoted[at][1] if found else None


@dataclass(frozen=True, slots=True)
class Source:
    """Where a passage stands, for a reader: what its page says of itself, "" where it
    says nothing, and the page's number for a document that has pages (`unit` and `ocr` are as in
    `Page`, `ocr` of the passage's line, None where it was text). `dated_by` says where the
    date is from: its "record" in the store, its "url", the "name" of its file, its first lines
    ("text"), its "capture" by a web archive, or the metadata of its "file", which say when the file
    was made. `file` is as in `Page`. `section` is the heading above the passage, after those above
    that. `quoted` says whose words the passage is where the document quotes it, "" for somebody's,
    None for its own. `note` is as in `Page`."""

    url: str
    title: str = ""
    author: str = ""
    date: str = ""
    number: int | None = None
    dated_by: str = ""
    site: str = ""
    file: str = ""
    unit: str = ""
    ocr: int | None = None
    section: str = ""
    quoted: str | None = None
    note: str = ""

    @property
    def by(self) -> str:
        """Whose words the passage is, "" where that is not known.

        >>> Source("file:a.eml", author="Press Office", quoted="A Reader").by
        'A Reader, quoted by Press Office'
        """
        if self.quoted is None:
            return self.author
        whose = self.quoted or "somebody else"
        return f"{whose}, quoted by {self.author}" if self.author else f"{whose}, quoted"

    @property
    def place(self) -> str:
        """Where in its document the passage stands, "" where that has no pages.

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
        """The number of its page, None where the document has none."""
        return None if self.unit else self.number


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage and its score; higher is better."""

    passage: Passage
    score: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """A question and the passage that answers it.

    `score` is what the approach gives it, a cosine or, of `entailed-qa`, the probability that its
    text entails it; `retrieval_score` is the cosine that the search gave the passage. `reply` is
    the raw text the question was read from ("" where the question came from a template). `context`
    is the text around the passage on its first page, the passage included, and `sources` say more
    of each URL, in the order of `urls`; both are empty where the index keeps no pages. `sentence`
    is the passage itself where `answer`, what votes read, is a longer text around it, else "".
    `places` are where the passage stands, as in `Passage`. `before` is the sentence that it refers
    back to ("It was sold."), else "". `read` is what the verifier reads where that is not the
    answer: with the headings above it, and the sentences that were found marked. `beside` is the
    evidence of the others of these, until it is known which of them decides."""

    question: str
    answer: str
    urls: tuple[str, ...] = ()
    score: float = 0.0
    retrieval_score: float = 0.0
    reply: str = ""
    context: str = ""
    sources: tuple[Source, ...] = ()
    sentence: str = ""
    places: tuple[Place, ...] = ()
    before: str = ""
    read: str = ""
    beside: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """What an approach found on a claim. `label` is its own verdict, where it reaches one on its
    way, and `grade` the finer one, where it is on the scale of six; `notes` say in order what a
    reader of the trace should know: a question without an answer, why it stopped."""

    evidence: tuple[Evidence, ...]
    label: Label | None = None
    notes: tuple[str, ...] = ()
    grade: Grade | None = None


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt for a language model: `head` is the part every prompt of this step shares
    (instructions, examples), `body` the rest. `step` names the template it was filled from."""

    step: str
    head: str
    body: str

    @property
    def text(self) -> str:
        return self.head + self.body


@dataclass(frozen=True, slots=True)
class Generate:
    """Ask for free text: at most `max_tokens` tokens, ending before the first of `stop` that would
    appear (a stop string of "?" is kept in the text).

    `temperature` 0 is greedy; above it each token is drawn, from the `top_k` likeliest (0: from
    all) and of these from the likeliest that together reach `top_p`. What is drawn depends on
    `seed`, the prompt's text and how many times the same text stands before it in the call, so a
    prompt given n times gets n samples."""

    max_tokens: int
    stop: tuple[str, ...] = ()
    repetition_penalty: float = 1.0
    temperature: float = 0.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Choose:
    """Ask which of a closed set of continuations comes next."""

    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Represent:
    """Ask for the hidden state with which the model would begin its reply."""


Ask = Generate | Choose | Represent


@dataclass(frozen=True, slots=True)
class Reply:
    """What a language model gave back. For `Choose`, `text` is the most probable option (or what
    was written in its place, see `protocols.LLM`) and `logprobs` are natural logarithms of the
    probability of each option, in order, not normalised over the options. For `Represent`, `state`
    is the last layer's output after its norm. `cut`: a prompt too long lost its middle."""

    text: str
    logprobs: tuple[float, ...] = ()
    prompt_tokens: int = 0
    reply_tokens: int = 0
    cut: bool = False
    state: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Vote:
    """One reading of evidence against the claim.

    `probability` is the calibrated probability of `label` among the options of a constrained
    vote, None for a vote read from text or defaulted. `options` are the model's own
    log-probabilities by option, as they came, and `meanings` say what each option stands for: a
    label or a grade (their texts where a trace was read), or None where it says that the evidence
    says nothing. `grade` is what the label was mapped from, where the vote is on the scale of
    six."""

    label: Label
    origin: Origin
    reply: str
    probability: float | None = None
    options: Mapping[str, float] = field(default_factory=dict)
    cut: bool = False
    grade: Grade | None = None
    meanings: Mapping[str, str | None] = field(default_factory=dict)

    @property
    def says_nothing(self) -> bool:
        """Whether the likeliest option says that the evidence says nothing about the claim; False
        for a vote that was not read from the probabilities of options."""
        return bool(self.options) and self.meanings.get(self.reply, self.label) is None


@dataclass(frozen=True, slots=True)
class Ballots:
    """The votes on a claim, with what a language model gave that read the evidence together."""

    votes: tuple[Vote, ...] = ()
    per_piece: bool = False
    """votes[i] is on evidence[i] alone"""
    reading: Mapping[Label, float] = field(default_factory=dict)
    """the natural logarithms of the labels' probabilities, empty where there was no such reading"""
    evidence: tuple[Evidence, ...] = ()
    """the evidence with the sentences that decide, where the voter looked for them"""


@dataclass(frozen=True, slots=True)
class Decision:
    """The label of a claim, the likely label where a limit of a learned verdict took precedence
    over it, and that verdict's probability of each label."""

    label: Label
    leaning: Label | None = None
    probabilities: Mapping[Label, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A claim's label with everything that led to it.

    With `vote_per_piece`, votes[i] is on evidence[i] alone and there are as many votes as pieces;
    otherwise each vote is over all of the evidence. `notes` are those of the approach, and
    `removed` says how many passages each time or site limit took away beforehand. `grade` is the
    claim's place on the scale of six, where the rule gives one. `leaning` is the label that the
    votes gave, where they were not sure enough for a verdict and `label` says so.
    `probabilities` are those of the labels where a learned verdict decided, `reading` those that a
    language model gave which read the evidence together (see `rules.reading_head`); else empty."""

    claim: Claim
    label: Label
    evidence: tuple[Evidence, ...]
    votes: tuple[Vote, ...]
    notes: tuple[str, ...] = ()
    removed: Mapping[str, int] = field(default_factory=dict)
    grade: Grade | None = None
    leaning: Label | None = None
    vote_per_piece: bool = True
    probabilities: Mapping[Label, float] = field(default_factory=dict)
    reading: Mapping[Label, float] = field(default_factory=dict)

    @property
    def confidence(self) -> float | None:
        """How sure the verdict is, from 0 to 1, or where it abstains the label that the votes lean
        to. Of a learned verdict it is the probability of the label. Otherwise it is the mean over
        the votes of what each gives the label; a vote for another label gives it what that leaves,
        the most it can be. None where votes carry no probability."""
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
    """The source of a page: what it says of itself, and where one of its lines stands."""

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
"""How AVeriTeC says that a question has none."""
