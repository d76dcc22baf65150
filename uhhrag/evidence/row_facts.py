"""What is so of many rows at once, in words: in how many a figure is as claimed, in how many it
rose or fell, and their sum. The verifier cannot count or add."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from uhhrag.evidence.columns import is_plan, period_of, shape_of
from uhhrag.evidence.comparisons import ClaimedRows
from uhhrag.evidence.counted_rows import CountedRows
from uhhrag.evidence.rows import COUNTING, words_of
from uhhrag.records import RowsFact
from uhhrag.text.conditions import Condition
from uhhrag.text.numerals import search_words
from uhhrag.text.quantities import Quantity, QuantityKind
from uhhrag.text.restatements import meets
from uhhrag.text.superlatives import FALLS

_LACKS = re.compile(
    r"\b(?:no|nobody|none|never|not|without)\b(?=((?: [\w’'-]+){1,4}))", re.IGNORECASE
)
_UP = re.compile(
    r"\b(?:rose|ris|grew|grow|gain|increas|climb|exceed|over(?:r[au]n|sp|sh)"
    r"|(?:up|more|higher|larger|over|above)\b)",
    re.IGNORECASE,
)
_DOWN = re.compile(
    rf"{FALLS.pattern}|\b(?:under(?:sp|r[au]n)|(?:down|less|fewer|lower|smaller|below)\b)"
)
_SHORT = re.compile(r"(?i)\b(?:short of|miss|fail|behind)")
"""Of a plan, of which more or less may be good."""
_BEFORE = re.compile(r"\b(?:before|earlier|previous|last)\b")
_RATE = re.compile(r"%|per ?cent|\b(?:average|mean|per|rate|price|share)\b", re.IGNORECASE)
"""Of what has no sum."""
_MAX_COLUMNS = 3
"""Columns that may be meant."""
_MAX_NAMED, _MIN_STEM_LETTERS = 12, 4
"""Rows named; letters that begin a longer word."""
_SCALE = 50
"""A limit so many times all figures counts other things."""
_MOVES = ("rose", "fell", "did not change")


def facts_of_rows(table: ClaimedRows, claim: str) -> tuple[RowsFact, ...]:
    """One per column that the claim may mean; () unless it counts or adds up rows."""
    facts = _RowFacts(table, claim)
    return tuple(dict.fromkeys(facts.facts())) if facts.items else ()


def counts_rows(table: ClaimedRows, claim: str) -> bool:
    """Whether the claim is of two or more rows, by their number."""
    return _RowFacts(table, claim).counts_several


class _RowFacts(CountedRows):
    def facts(self) -> list[RowsFact]:
        lines = self.meant
        if len(lines) < 2 or (self._compares and not self.adds):
            return []
        if self.counts and not self.amounts and (texts := [*self._texts(lines)]):
            return texts
        if self.counts and not self.condition and (classes := [*self._classes(lines)]):
            return classes
        first = next(iter(self.table.rows[lines[0]]))
        columns = [name for name in self.table.columns(lines[0]) if name != first]
        columns = [name for name in columns if len(self._numbers(lines, name)) == len(lines)]
        if not self.amounts:
            columns = self.table.with_outcome(lines[0], columns)
        if self.adds:
            found = [self._sum(lines, name) for name in columns]
        elif not self.counts:
            return []
        elif said := self.condition:
            found = [self._met(lines, name, said) for name in columns]
        elif self.amounts:
            return []
        elif len(pairs := self.table.pairs(lines[0], columns)) == 1:
            found = [self._changes(lines, *pairs[0])]
        else:
            found = [self._nothing(lines, name) or self._trend(lines, name) for name in columns]
        near = self.nouns & {*self.table.said} or any(map(self._says, columns))
        return [fact for fact in found if fact] if len(columns) <= _MAX_COLUMNS and near else []

    @property
    def _compares(self) -> bool:
        """Whether the claim has a superlative, unlike "most districts"."""
        best, noun = self.table.superlative, re.escape(self.noun(self.items))
        most = best and best.words == "most"
        return bool(best and not (most and re.search(rf"(?i)\bmost (?:\w+ )?{noun}", self.claim)))

    def _says(self, column: str) -> bool:
        """Whether the claim has a word of its name; for a year, a word for a row."""
        words = {word for word in words_of(column) if not word.isdecimal()} - self.nouns
        words = words or self.nouns
        return any(_is_alike(own, word) for own in words for word in self.table.said)

    def _numbers(self, lines: Sequence[int], name: str) -> dict[int, Fraction]:
        return {at: one.number for at in lines if (one := self.table.figure(at, name))}

    def _units(self, lines: Sequence[int], name: str) -> set[tuple[str, str]]:
        return {one.unit for at in lines if (one := self.table.figure(at, name))}

    def _met(self, lines: Sequence[int], name: str, said: Condition) -> RowsFact | None:
        limit, numbers, units = said.quantity, self._numbers(lines, name), self._units(lines, name)
        signs = f"{name} {' '.join(map(' '.join, units))}".lower()
        if limit is None or len(units) > 1:
            return None
        share, lasts = limit.kind is QuantityKind.SHARE, limit.kind is QuantityKind.DURATION
        if share is not ("%" in signs) or (lasts and limit.unit not in signs):
            return None
        value = limit.low * (100 if share else 1)
        if lasts:
            value = next((Fraction(w) for w in search_words(limit.text) if w[0].isdecimal()), value)
        if value > _SCALE * max(map(abs, numbers.values())):
            return None
        limit = Quantity(QuantityKind.AMOUNT, value, value, 0, 0, "")
        exact = said._replace(quantity=limit)
        met = [at for at, n in numbers.items() if meets(limit._replace(low=n, high=n), exact)]
        words = self.claim[said.start : said.end]
        text = f"{self._in(met, lines)}, {name} was {_low(words)}."
        return RowsFact(text, self.is_so(met, lines) if self._says(name) else None)

    def _nothing(self, lines: Sequence[int], name: str) -> RowsFact | None:
        none = [at for at, number in self._numbers(lines, name).items() if not number]
        some = [at for at in lines if at not in none]
        if not none or not self._says(name):
            return None
        said = (search_words(match[1]) for match in _LACKS.finditer(self.claim))
        lacks = any({*words_of(name)} & {*words} for words in said)
        text = f"{self._in(none, lines)}, {name} was 0; {_low(self._in(some, lines))} it was not."
        return RowsFact(text, self.is_so(none if lacks else some, lines))

    def _trend(self, lines: Sequence[int], name: str) -> RowsFact | None:
        times = self.table.times.of
        ordered = sorted((at for at in lines if at in times), key=lambda at: times[at].low)
        apart = len({times[at].low for at in ordered})
        if apart < max(3, len(lines)) or " than " in self.claim or not self._says(name):
            return None
        numbers = self._numbers(ordered, name)
        steps = {b: numbers[b] - numbers[a] for a, b in pairwise(ordered)}
        ends = " to ".join(self._called([at], lines) for at in (ordered[0], ordered[-1]))
        so = self.is_so(self._moving(steps), [*steps])
        return RowsFact(f"From {ends}, {name} {self._moved(steps, _MOVES)}.", so)

    def _changes(self, lines: Sequence[int], name: str, other: str) -> RowsFact | None:
        _, _, than = self.claim.partition(" than ")
        both = {*words_of(name), *words_of(other)} <= {*self.table.said}
        apart = than and not both and not (period_of(than) or _BEFORE.search(than))
        planned = is_plan(other, name)
        if apart or not (self._says(other) and (planned or self._says(name))):
            return None
        own, its = self._numbers(lines, name), self._numbers(lines, other)
        gaps = {at: own[at] - its[at] for at in lines if at in own and at in its}
        known = not (planned and _SHORT.search(self.claim))
        so = self.is_so(self._moving(gaps), [*gaps]) if known else None
        if shape_of(name) == shape_of(other) and (now := period_of(name)) > period_of(other):
            what = re.sub(r"\s*\([^()]*\)", "", name.replace(now, "")).strip(" ,") or "the figure"
            moved = self._moved(gaps, _MOVES)
            return RowsFact(f"From {period_of(other)} to {now}, {what} {moved}.", so)
        told = self._moved(gaps, ("more", "less", "neither more nor less"))
        return RowsFact(f"{name} was {told} than {other}.", so)

    def _moving(self, gaps: Mapping[int, Fraction]) -> list[int] | None:
        """Rows whose figures moved as claimed; None if it does not say up or down."""
        up, down = bool(_UP.search(self.claim)), bool(_DOWN.search(self.claim.lower()))
        return None if up is down else [at for at, gap in gaps.items() if (gap > 0, gap < 0)[down]]

    def _moved(self, gaps: Mapping[int, Fraction], words: Sequence[str]) -> str:
        signs = {at: (gap > 0) - (gap < 0) for at, gap in gaps.items()}
        parts = [
            f"{word} {_low(self._in(own, [*gaps]))}"
            for word, sign in zip(words, (1, -1, 0), strict=True)
            if (own := [at for at in gaps if signs[at] == sign])
        ]
        return " and ".join(parts)

    def _texts(self, lines: Sequence[int]) -> Iterator[RowsFact]:
        """In how many rows a column has a text of the claim, or "yes" to the claim's word."""
        rows, said = self.table.rows, {*self.table.said}
        for name in [*rows[lines[0]]][1:]:
            values = [rows[at].get(name, "") for at in lines]
            if "yes" in map(str.lower, values) and self._says(name):
                own = [
                    at for at, value in zip(lines, values, strict=True) if value.lower() == "yes"
                ]
                yield self._being(own, lines, name, "yes")
                continue
            repeats = len({*values}) * 2 <= len(values) and name not in self.table.times.pair
            meant = repeats and not self._numbers(lines, name)
            for value in dict.fromkeys(values) if meant else ():
                words = {*words_of(value)}
                told = words and words <= said and words_of(value) not in COUNTING
                if told and (self.nouns | {*words_of(name)}) & said:
                    own = [at for at in lines if rows[at].get(name) == value]
                    fact = self._being(own, lines, name, value)
                    # "All good schools" may be some of all.
                    some = not fact.met and self.kinds & {"every", "no"}
                    yield RowsFact(fact.text) if some else fact

    def _classes(self, lines: Sequence[int]) -> Iterator[RowsFact]:
        """In how many rows a named column of few figures has the one that the claim states."""
        figures = [one.low for one in self.amounts]
        for name in [*self.table.rows[lines[0]]][1:] if len(figures) == 1 else ():
            numbers = self._numbers(lines, name)
            if len({*numbers.values()}) * 2 <= len(numbers) == len(lines) and self._says(name):
                own = [at for at in lines if numbers[at] == figures[0]]
                yield self._being(own, lines, name, _plain(figures[0]))

    def _being(self, own: Sequence[int], lines: Sequence[int], name: str, value: str) -> RowsFact:
        return RowsFact(f"{self._in(own, lines)}, {name} is {value}.", self.is_so(own, lines))

    def _sum(self, lines: Sequence[int], name: str) -> RowsFact | None:
        units, chosen = self._units(lines, name), self._top(lines, name)
        parts = not self.key(lines) or any(" – " in self._called([at], lines) for at in lines)
        if parts or len(units) > 1 or len(chosen) < 2 or _RATE.search(f"{name} {units}"):
            return None
        ((before, after),) = units
        every = [at for at in self.items if at in self._numbers(self.items, name)]
        total, whole = (
            sum(self._numbers(own, name).values(), Fraction()) for own in (chosen, every)
        )
        part = len(chosen) < len(every)
        who = self._called(chosen, lines) if part else f"All {len(lines)} {self._plural(lines)}"
        text = f"{who} together: {name} {before}{_plain(total)}{after}"
        shares = any(one.kind is QuantityKind.SHARE for one in self.amounts)
        if part and shares and whole:
            total = total / whole
            text += f", {float(100 * total):.3g} % of all"
        return RowsFact(f"{text}.", self.is_sum(total) if self._says(name) else None)

    def _top(self, lines: Sequence[int], name: str) -> Sequence[int]:
        """As many of the first as the claim says, by its superlative."""
        best, numbers = self.table.superlative, self._numbers(lines, name)
        if best is None:
            return lines
        order = best.order(name, [*numbers.values()])
        ranked = sorted(numbers, key=lambda at: -order * numbers[at])
        words = [int(one) for one in self.table.said if one.isdecimal()]
        return ranked[: next((n for n in words if 1 < n < len(lines)), 0)] if order else []

    def _in(self, own: Sequence[int], lines: Sequence[int]) -> str:
        rows, who = f"{len(lines)} {self._plural(lines)}", self._called(own, lines)
        if len(own) in (0, len(lines)):
            return f"In all {rows}" if own else f"In none of the {rows}"
        return f"In {len(own)} of the {rows}{f' ({who})' if who else ''}"

    def _plural(self, lines: Sequence[int]) -> str:
        noun = self.noun(lines)
        return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun.removesuffix('s')}s"

    def _called(self, own: Sequence[int], lines: Sequence[int]) -> str:
        key = self.key(lines)
        keys = [key] if key else self.table.times.pair
        names = [" ".join(self.table.rows[at][one] for one in keys) for at in own[:_MAX_NAMED]]
        names += ["others"] if len(own) > _MAX_NAMED else []
        return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:]))) if keys else ""


def _is_alike(word: str, other: str) -> bool:
    """Whether they are the same, or one begins a longer one, as rain does rainfall."""
    short, long = sorted((word, other), key=len)
    return word == other or (len(short) >= _MIN_STEM_LETTERS and long.startswith(short))


def _low(text: str) -> str:
    return text[:1].lower() + text[1:]


def _plain(number: Fraction) -> str:
    return f"{int(number):,}" if number.denominator == 1 else f"{float(number):,.10g}"
