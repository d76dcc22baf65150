"""What is so of many rows of a table at once, in words: in how many a figure is as a claim says,
in how many it rose or fell, and what rows have together. The verifier cannot count or add."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from uhhrag.evidence.columns import period_of, shape_of
from uhhrag.evidence.comparisons import ClaimedRows
from uhhrag.evidence.row_names import is_no_item, words_of
from uhhrag.records import RowsFact
from uhhrag.text.conditions import DATED, Condition, Relation, condition_of
from uhhrag.text.figures import TIME_UNITS, CellFigure, figure_in
from uhhrag.text.numerals import DIGITS, NUMBER_WORD, search_words
from uhhrag.text.periods import days_in
from uhhrag.text.quantities import Quantity, QuantityKind, quantities
from uhhrag.text.restatements import meets
from uhhrag.text.superlatives import FALLS

_KINDS = {
    kind: re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for kind, words in {
        "every": "every|each|all|always|both",
        "no": "no|none|never|neither",
        "only": "only|alone",
        "most": "most|majority",
    }.items()
}
_AT_ALL_TIMES = ("never", "always")
_APART = frozenset(["in", "on", "at", "for", "with", "from", "than", "and"])
"""Words between one that counts and what is not counted."""
_EXCEPT = re.compile(r"\b(?:except|apart from|other than|but)\b", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|\w+n[’']t)\b(?! only)( all\b| every\b| each\b)?", re.IGNORECASE)
_LACKS = re.compile(
    r"\b(?:no|nobody|none|never|not|without)\b(?=((?: [\w’'-]+){1,4}))", re.IGNORECASE
)
_TOGETHER = re.compile(
    r"\b(?:total\w*|altogether|together|combined|overall|between them|in all(?=[.,;]|$)"
    r"|all of (?=\d))",
    re.IGNORECASE,
)
_NUMBER = re.compile(rf"(?<![\w.,:/-])(?:{DIGITS}|{NUMBER_WORD})\b", re.IGNORECASE)
_UP = re.compile(
    r"\b(?:rose|ris|grew|grow|gain|increas|climb|up\b|more\b|higher\b|larger\b)", re.IGNORECASE
)
_DOWN = re.compile(rf"{FALLS.pattern}|\b(?:down|less|fewer|lower|smaller)\b")
_BEFORE = re.compile(r"\b(?:before|earlier|previous|last)\b")
_RATE = re.compile(r"%|per ?cent|\b(?:average|mean|per|rate|price|share)\b", re.IGNORECASE)
"""Of what has no sum."""
_MOST = 3
"""Columns that may be meant, and rows named of those that have a sum."""
_MANY, _FAR, _STEM = 12, 6, 4
_SCALE = 50
_ASIDE = re.compile(r"\s*\([^()]*\)")


def facts_of_rows(table: ClaimedRows, claim: str) -> tuple[RowsFact, ...]:
    """One for each column that the claim may mean; () unless it is about many rows."""
    return tuple(dict.fromkeys(_ManyRows(table, claim).facts()))


@dataclass(frozen=True)
class _ManyRows:
    table: ClaimedRows
    claim: str

    def facts(self) -> list[RowsFact]:
        lines = self._meant
        if len(lines) < 2 or (self._compares and not self._adds):
            return []
        if self._counted and not self._condition and (texts := [*self._texts(lines)]):
            return texts
        first = next(iter(self.table.rows[lines[0]]))
        columns = [
            name
            for name in self.table.columns(lines[0])
            if name != first and all(self._figure(at, name) for at in lines)
        ]
        if self._adds:
            found = [self._sum(lines, name) for name in columns]
        elif not self._counted:
            return []
        elif self._condition:
            found = [self._met(lines, name, self._condition) for name in columns]
        elif self._amounts:
            return []
        elif len(pairs := self.table.pairs(lines[0], columns)) == 1:
            found = [self._changes(lines, *pairs[0])]
        else:
            found = [self._nothing(lines, name) or self._trend(lines, name) for name in columns]
        near = self._nouns & {*self.table.said} or any(map(self._says, columns))
        return [fact for fact in found if fact] if len(columns) <= _MOST and near else []

    def _is_so(self, own: Sequence[int] | None, lines: Sequence[int]) -> bool | None:
        """Whether what is true of some rows is true of as many as the claim says."""
        named = {*self._named} & {*lines} if len(self._within) < 2 else set[int]()
        kinds, counted = self._kinds, self._count
        negated = _NOT.search(self.claim)
        if own is None or (negated and not negated[1]):
            return None
        if counted and (kinds <= {"only"} or (counted.low == len(lines) and len(kinds) != 1)):
            said = condition_of(self.claim, counted)
            number = counted._replace(low=Fraction(len(own)), high=Fraction(len(own)))
            return meets(number, said) if said else counted.low == len(own)
        (kind,) = kinds if len(kinds) == 1 else ("",)
        if named and kind in ("every", "no") and _EXCEPT.search(self.claim):
            return {*own} == (named if kind == "no" else {*lines} - named)
        if kind == "only":
            return {*own} == named if named else None
        whole = {"every": len(own) == len(lines), "no": not own, "most": 2 * len(own) > len(lines)}
        so = None if named else whole.get(kind)
        return not so if so is not None and negated else so

    def _counts_rows(self, end: int) -> bool:
        """Whether what the claim says up to `end` counts rows."""
        for word in self.claim[end:].split()[:_FAR]:
            if self._nouns & {*search_words(word)}:
                return True
            if word.lower() in _APART:
                break
        return False

    @cached_property
    def _nouns(self) -> set[str]:
        """Words for a row."""
        own = {*search_words(self._noun(self._items))}
        return own | (TIME_UNITS | {"time"} if self.table.times.of else set())

    @cached_property
    def _kinds(self) -> set[str]:
        """What the claim says of how many rows, but for a number."""
        found = set()
        for kind, words in _KINDS.items():
            for match in words.finditer(self.claim):
                always = match[0].lower() in _AT_ALL_TIMES and self.table.times.of
                if always or kind == "only" or self._counts_rows(match.end()):
                    found.add(kind)
        return found

    @cached_property
    def _items(self) -> list[int]:
        """Rows that are no totals; those of a kind that the claim names, if other rows have it."""
        rows, said = self.table.rows, {*self.table.said}
        items = [at for at, row in rows.items() if not is_no_item(row)]
        only = _KINDS["only"].search(self.claim)
        for key in () if only else [*rows[items[0]]][0 if self.table.times.pair else 1 :]:
            values = {rows[at].get(key, "") for at in items}
            words = [words_of(one) for one in values if one and not figure_in(one)]
            kind = {one for one in words if one and {*one} <= said}
            measured = any(one.kind not in DATED for one in quantities(self.claim))
            if (
                kind
                and len(values) * 2 <= len(items)
                and (measured or key in self.table.times.pair)
            ):
                items = [at for at in items if words_of(rows[at].get(key, "")) in kind]
        return items

    @cached_property
    def _meant(self) -> list[int]:
        """Rows that the claim is about: of its times, or that it names if it adds them, or all."""
        items, times = self._items, self.table.times
        within = [at for at in items if at in self._within]
        if len(within) > 1 or (within and times.pair):
            return within
        if times.of and days_in(self.claim) and not within and not self._named:
            return []
        if len(self._named) in (0, len(items)) or not self._adds:
            free = (
                not self._named or _KINDS["only"].search(self.claim) or _EXCEPT.search(self.claim)
            )
            return items if free else []
        return self._named

    @cached_property
    def _within(self) -> list[int]:
        """Rows of times within the one, or the period, that the claim states."""
        times, said = self.table.times.of, days_in(self.claim)
        if not said:
            return []
        (low, high), before = said[0][1:3], self.claim[: said[0].start].lower()
        if before.endswith("since ") or (len(said) == 1 and before.endswith("from ")):
            high = max((one.high for one in times.values()), default=high)
        elif len(said) == 2 and self.claim[said[0].end : said[1].start] in (" to ", " and ", "–"):
            high = max(high, said[1].high)
        elif len(said) > 1:
            return []
        return [at for at, one in times.items() if low <= one.low and one.high <= high]

    @cached_property
    def _named(self) -> list[int]:
        first = {at: next(iter(self.table.rows[at].values())) for at in self._items}
        numbers = [at for at, one in first.items() if one.isdecimal() and one in self.table.said]
        own = {*search_words(self._noun(self._items))} & {*self.table.said}
        return [at for at in self.table.named if at in first] or (numbers if own else [])

    @cached_property
    def _count(self) -> Quantity | None:
        """How many rows the claim speaks of."""
        for match in _NUMBER.finditer(self.claim):
            number = next(iter(search_words(match[0])), "")
            if number.isdecimal() and self._counts_rows(match.end()):
                if (value := Fraction(number)) <= len(self._items):
                    return Quantity(QuantityKind.AMOUNT, value, value, *match.span(), match[0])
        return None

    @cached_property
    def _compares(self) -> bool:
        best = self.table.superlative
        noun = re.escape(self._noun(self._items))
        most = (
            best and best.words == "most" and re.search(rf"(?i)\bmost (?:\w+ )?{noun}", self.claim)
        )
        return best is not None and not most

    @cached_property
    def _adds(self) -> bool:
        if not self._amounts or (" than " in self.claim and not self._condition):
            return False
        names = " ".join(self.table.rows[self._items[0]]).lower()
        if any(match[0].lower() not in names for match in _TOGETHER.finditer(self.claim)):
            return True
        whole = self._count is not None and self._count.low == len(self._items)
        whole = whole if self._count else len(self._within) > 1
        return bool(self.table.times.of) and whole and not self._kinds

    @property
    def _counted(self) -> bool:
        return bool(self._kinds) or self._count is not None

    @cached_property
    def _amounts(self) -> list[Quantity]:
        """Of the claim, but for how many rows."""
        counted = self._count
        found = (one for one in quantities(self.claim) if one.kind not in DATED)
        return [one for one in found if not counted or one.start != counted.start]

    @cached_property
    def _condition(self) -> Condition | None:
        said = [one for own in self._amounts if (one := condition_of(self.claim, own))]
        return said[-1] if said else None

    def _figure(self, line: int, name: str) -> CellFigure | None:
        return self.table.figure(line, name)

    def _numbers(self, lines: Sequence[int], name: str) -> dict[int, Fraction]:
        return {at: one.number for at in lines if (one := self._figure(at, name))}

    def _met(self, lines: Sequence[int], name: str, said: Condition) -> RowsFact | None:
        limit, numbers = said.quantity, self._numbers(lines, name)
        units = {one.unit for at in lines if (one := self._figure(at, name))}
        signs = f"{name} {' '.join(map(' '.join, units))}"
        if limit is None or len(units) > 1:
            return None
        if (limit.kind is QuantityKind.SHARE) is not ("%" in signs):
            return None
        if limit.kind is QuantityKind.DURATION and limit.unit not in signs.lower():
            return None
        value = limit.low * (100 if limit.kind is QuantityKind.SHARE else 1)
        if limit.kind is QuantityKind.DURATION:
            value = next((Fraction(w) for w in search_words(limit.text) if w[0].isdecimal()), value)
        if value > _SCALE * max(map(abs, numbers.values())):
            return None
        limit = Quantity(QuantityKind.AMOUNT, value, value, 0, 0, "")
        said_of = said._replace(quantity=limit)
        met = [at for at, n in numbers.items() if meets(limit._replace(low=n, high=n), said_of)]
        words = self.claim[said.start : said.end]
        text = f"{self._in(met, lines)}, {name} was {words[:1].lower()}{words[1:]}."
        return RowsFact(text, self._is_so(met, lines) if self._says(name) else None)

    def _nothing(self, lines: Sequence[int], name: str) -> RowsFact | None:
        none = [at for at, number in self._numbers(lines, name).items() if not number]
        some = [at for at in lines if at not in none]
        if not none or not self._says(name):
            return None
        said = (search_words(match[1]) for match in _LACKS.finditer(self.claim))
        lacks = any({*words_of(name)} & {*words} for words in said)
        text = f"{self._in(none, lines)}, {name} was 0; {_low(self._in(some, lines))} it was not."
        return RowsFact(text, self._is_so(none if lacks else some, lines))

    def _trend(self, lines: Sequence[int], name: str) -> RowsFact | None:
        times = self.table.times.of
        ordered = sorted((at for at in lines if at in times), key=lambda at: times[at].low)
        if len({times[at].low for at in ordered}) < max(3, len(lines)) or " than " in self.claim:
            return None
        if not self._says(name):
            return None
        numbers = self._numbers(ordered, name)
        steps = {b: numbers[b] - numbers[a] for a, b in pairwise(ordered)}
        first, last = self._called(ordered[:1], lines), self._called(ordered[-1:], lines)
        so = self._is_so(self._moving(steps), [*steps])
        return RowsFact(f"From {first} to {last}, {name} {self._moved(steps)}.", so)

    def _says(self, column: str) -> bool:
        """Whether the claim has a word of its name; of one that is a year, a word for a row."""
        words = {word for word in words_of(column) if not word.isdecimal()} or self._nouns
        return any(_is_alike(own, word) for own in words for word in self.table.said)

    def _changes(self, lines: Sequence[int], name: str, other: str) -> RowsFact | None:
        if not (self._says(name) and self._says(other)):
            return None
        _, _, than = self.claim.partition(" than ")
        both = {*words_of(name), *words_of(other)} <= {*self.table.said}
        if than and not both and not (period_of(than) or _BEFORE.search(than)):
            return None
        own, its = self._numbers(lines, name), self._numbers(lines, other)
        gaps = {at: own[at] - its[at] for at in lines if at in own and at in its}
        so = self._is_so(self._moving(gaps), [*gaps])
        if shape_of(name) == shape_of(other) and (now := period_of(name)) > period_of(other):
            what = _ASIDE.sub("", name.replace(now, "")).strip(" ,") or "the figure"
            return RowsFact(f"From {period_of(other)} to {now}, {what} {self._moved(gaps)}.", so)
        told = self._moved(gaps, ("more", "less", "neither more nor less"))
        return RowsFact(f"{name} was {told} than {other}.", so)

    def _moving(self, gaps: Mapping[int, Fraction]) -> list[int] | None:
        """Rows whose figures moved as the claim says; None if it does not say up or down."""
        up, down = bool(_UP.search(self.claim)), bool(_DOWN.search(self.claim.lower()))
        return None if up is down else [at for at, gap in gaps.items() if (gap > 0, gap < 0)[down]]

    def _moved(
        self,
        gaps: Mapping[int, Fraction],
        words: Sequence[str] = ("rose", "fell", "did not change"),
    ) -> str:
        parts = [[at for at, gap in gaps.items() if sign(gap)] for sign in _SIGNS]
        told = [f"{w} {_low(self._in(own, [*gaps]))}" for w, own in zip(words, parts) if own]
        return " and ".join(told)

    def _texts(self, lines: Sequence[int]) -> Iterator[RowsFact]:
        """In how many rows a column has a text that the claim has."""
        rows = self.table.rows
        for name in [*rows[lines[0]]][1:]:
            values = [rows[at].get(name, "") for at in lines]
            repeats = len({*values}) * 2 <= len(values) and name not in self.table.times.pair
            repeats = repeats and bool((self._nouns | {*words_of(name)}) & {*self.table.said})
            for value in dict.fromkeys(values) if repeats else ():
                told = words_of(value) and {*words_of(value)} <= {*self.table.said}
                if told and not self._figure(lines[0], name):
                    own = [at for at in lines if rows[at].get(name) == value]
                    yield RowsFact(
                        f"{self._in(own, lines)}, {name} is {value}.", self._is_so(own, lines)
                    )

    def _sum(self, lines: Sequence[int], name: str) -> RowsFact | None:
        units = {self._figure(at, name).unit for at in lines}
        unit = next(iter(units))
        chosen = self._top(lines, name)
        parts = self._key(lines) == "" or any(" – " in self._called([at], lines) for at in lines)
        if parts or len(units) > 1 or _RATE.search(f"{name} {unit}") or len(chosen) < 2:
            return None
        every = [at for at in self._items if self._figure(at, name)]
        total, whole = (
            sum(self._numbers(own, name).values(), Fraction()) for own in (chosen, every)
        )
        part = len(chosen) < len(every)
        who = self._called(chosen, lines) if part else f"All {len(lines)} {self._plural(lines)}"
        text = f"{who} together: {name} {unit[0]}{_plain(total)}{unit[1]}"
        shares = any(one.kind is QuantityKind.SHARE for one in self._amounts)
        if part and shares and whole:
            share = total / whole
            return RowsFact(
                f"{text}, {float(100 * share):.3g} % of all.", self._is_sum(name, share)
            )
        return RowsFact(f"{text}.", self._is_sum(name, total))

    def _is_sum(self, name: str, total: Fraction) -> bool | None:
        """Whether it is as the claim says, if that states one amount."""
        if not self._says(name) or len(self._amounts) != 1 or _NOT.search(self.claim) or total <= 0:
            return None
        (own,) = self._amounts
        if own.low > _SCALE * total or total > _SCALE * own.low:
            return None
        said = condition_of(self.claim, own) or Condition(Relation.ABOUT, own, 0, 0)
        return meets(own._replace(low=total, high=total), said)

    def _top(self, lines: Sequence[int], name: str) -> Sequence[int]:
        """As many of the first as the claim says, if it has a superlative."""
        best, numbers = self.table.superlative, self._numbers(lines, name)
        if best is None:
            return lines
        order = best.order(name, [*numbers.values()])
        ranked = sorted(numbers, key=lambda at: -order * numbers[at])
        words = [int(one) for one in self.table.said if one.isdecimal()]
        return ranked[: next((n for n in words if 1 < n < len(lines)), 0)] if order else []

    def _in(self, own: Sequence[int], lines: Sequence[int]) -> str:
        rows = f"{len(lines)} {self._plural(lines)}"
        if len(own) in (0, len(lines)):
            return f"In all {rows}" if own else f"In none of the {rows}"
        who = self._called(own, lines)
        return f"In {len(own)} of the {rows}{f' ({who})' if who else ''}"

    def _key(self, lines: Sequence[int]) -> str:
        """The column that tells rows apart."""
        rows = self.table.rows
        keys = [*[*rows[lines[0]]][:1], *self.table.times.pair] if lines else []
        return next((k for k in keys if len({rows[at][k] for at in lines}) == len(lines)), "")

    def _noun(self, lines: Sequence[int]) -> str:
        key = self._key(lines)
        return _ASIDE.sub("", key).lower() if key[:1].isalpha() else "row"

    def _plural(self, lines: Sequence[int]) -> str:
        noun = self._noun(lines)
        return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"

    def _called(self, own: Sequence[int], lines: Sequence[int]) -> str:
        rows, key = self.table.rows, self._key(lines)
        keys = [key] if key else self.table.times.pair
        if not keys:
            return ""
        names = [" ".join(rows[at][one] for one in keys) for at in own[:_MANY]]
        names += ["others"] if len(own) > _MANY else []
        return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


_SIGNS = (lambda gap: gap > 0, lambda gap: gap < 0, lambda gap: gap == 0)


def _is_alike(word: str, other: str) -> bool:
    """Whether they are the same, or one begins a longer one, as rain does rainfall."""
    short, long = sorted((word, other), key=len)
    return word == other or (len(short) >= _STEM and long.startswith(short))


def _low(text: str) -> str:
    return text[:1].lower() + text[1:]


def _plain(number: Fraction) -> str:
    return f"{int(number):,}" if number.denominator == 1 else f"{float(number):,.10g}"
