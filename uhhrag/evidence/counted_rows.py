"""Rows of a table that a claim counts or adds up, and whether the number is as it says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from uhhrag.evidence.comparisons import ClaimedRows
from uhhrag.evidence.rows import ASIDE, COUNTING, is_no_item, words_of
from uhhrag.text.conditions import DATED, Condition, condition_of
from uhhrag.text.figures import TIME_UNITS, figure_in
from uhhrag.text.numerals import DIGITS, NUMBER_WORD, search_words
from uhhrag.text.periods import days_in
from uhhrag.text.quantities import Quantity, QuantityKind, quantities
from uhhrag.text.restatements import meets

_KINDS = {
    kind: re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for kind, words in {
        "every": r"every|each|all|always|both|(\w+) after \1",
        "no": "no|none|never|neither",
        "only": "only|alone",
        "most": "most|majority",
    }.items()
}
_AT_ALL_TIMES = re.compile(r"never|always|\w+ after \w+", re.IGNORECASE)
_APART = frozenset({"in", "on", "at", "for", "with", "from", "than", "and", "a", "per"})
"""Between a word that counts and what it does not count."""
_MAX_WORDS_AFTER = 6
"""Words after it."""
_EXCEPT = re.compile(r"\b(?:except|apart from|other than|but)\b", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|\w+n[’']t)\b(?! only)( all\b| every\b| each\b)?", re.IGNORECASE)
_TOGETHER = re.compile(
    r"\b(?:total\w*|altogether|together|combined|overall|between them|in all(?=[.,;]|$)"
    r"|all of (?=\d))",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    rf"(?<![\w.,:/-])(?:{DIGITS}|{NUMBER_WORD})\b(?! (?:{NUMBER_WORD})\b)", re.IGNORECASE
)
_UNTIL = (" to ", " and ", " through ", "–")
_CODE = re.compile(r"\W*\b(?:no\b\.?|nr\b\.?|numbers?|ids?|codes?|ref(?:erence)?s?)\W*$")
_NOUN = re.compile(r"[^\W\d_]{3}")


@dataclass(frozen=True)
class CountedRows:
    table: ClaimedRows
    claim: str

    @cached_property
    def items(self) -> list[int]:
        """Without totals; those of a kind that the claim names, if other rows have it."""
        rows, said = self.table.rows, {*self.table.said}
        items = [at for at, row in rows.items() if not is_no_item(row)]
        if not items:
            return []
        measured = any(one.kind not in DATED for one in quantities(self.claim))
        for key in () if self._only else [*rows[items[0]]][0 if self.table.times.pair else 1 :]:
            values = {rows[at].get(key, "") for at in items}
            words = [words_of(one) for one in values if one and not figure_in(one)]
            kind = {one for one in words if one and {*one} <= said and one not in COUNTING}
            filters = len(values) * 2 <= len(items) and (measured or key in self.table.times.pair)
            if kind and filters:
                items = [at for at in items if words_of(rows[at].get(key, "")) in kind]
        return items

    @cached_property
    def meant(self) -> list[int]:
        """Rows of the claim's times, those that it names if it adds them, or all."""
        within = [at for at in self.items if at in self._within]
        if self.table.times.pair:  # a time and, perhaps, an item
            within = [at for at in within if at in self._named] or within
        if len(within) > 1 or (within and self.table.times.pair):
            return within
        if self.table.times.of and days_in(self.claim) and not within and not self._named:
            return []
        if len(self._named) in (0, len(self.items)) or not self.adds:
            free = not self._named or self._only or _EXCEPT.search(self.claim)
            return self.items if free else []
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
        elif len(said) == 2 and self.claim[said[0].end : said[1].start] in _UNTIL:
            high = max(high, said[1].high)
        elif len(said) > 1:
            return []
        return [at for at, one in times.items() if low <= one.low and one.high <= high]

    @cached_property
    def _named(self) -> list[int]:
        first = {at: next(iter(self.table.rows[at].values())) for at in self.items}
        numbers = [at for at, one in first.items() if one.isdecimal() and one in self.table.said]
        own = {*search_words(self.noun(self.items))} & {*self.table.said}
        said, times = {*self.table.said}, self.table.times.of
        # Those that only have the figure that the claim states are not named.
        named = [
            at
            for at, name in self.table.named.items()
            if at in first and (at in times or not said.isdisjoint(words_of(name)))
        ]
        return named or (numbers if own else [])

    @cached_property
    def nouns(self) -> set[str]:
        """Words for a row, and of columns of texts that tell rows apart."""
        rows = [self.table.rows[at] for at in self.items]
        texts = (
            name
            for name in rows[0]
            if len({row.get(name) for row in rows}) == len(rows)
            and not any(map(figure_in, (row.get(name, "") for row in rows)))
        )
        own = {*search_words(self.noun(self.items))}.union(*map(search_words, texts))
        times = TIME_UNITS | {"time", "season"} if self.table.times.of else set[str]()
        first = self.items[0]
        figures = [name for name in self.table.rows[first] if self.table.figure(first, name)]
        return own | times.difference(*map(words_of, figures))

    def _counts(self, end: int) -> bool:
        """Whether what the claim says up to `end` counts rows."""
        words = self.claim[end:].split()[:_MAX_WORDS_AFTER]
        for at, word in enumerate(words):
            if self.nouns & {*search_words(word)}:
                return True
            if word.lower() in _APART or (_NUMBER.fullmatch(word) and "of" not in words[:at]):
                break
        return False

    @cached_property
    def kinds(self) -> set[str]:
        """How many rows the claim speaks of, but for a number."""
        found = set()
        for kind, words in _KINDS.items():
            for match in words.finditer(self.claim):
                always = _AT_ALL_TIMES.fullmatch(match[0]) and self.table.times.of
                if always or kind == "only" or self._counts(match.end()):
                    found.add(kind)
        return found

    @cached_property
    def _count(self) -> Quantity | None:
        """How many rows the claim speaks of."""
        for match in _NUMBER.finditer(self.claim):
            number = next(iter(search_words(match[0])), "")
            value = Fraction(number if number.isdecimal() else 0)
            if 0 < value <= len(self.items) and self._counts(match.end()):
                return Quantity(QuantityKind.AMOUNT, value, value, *match.span(), match[0])
        return None

    @cached_property
    def _share(self) -> Quantity | None:
        """The part of the rows that the claim speaks of."""
        shares = (one for one in quantities(self.claim) if one.kind is QuantityKind.SHARE)
        return next((one for one in shares if self._counts(one.end)), None)

    @property
    def counts(self) -> bool:
        return bool(self.kinds or self._count or self._share)

    @property
    def counts_several(self) -> bool:
        several = self._share or (self._count and self._count.low > 1)
        return bool(self.items and several and not self.kinds)

    @property
    def _only(self) -> bool:
        return bool(_KINDS["only"].search(self.claim))

    @cached_property
    def adds(self) -> bool:
        if not self.amounts or (" than " in self.claim and not self.condition):
            return False
        names = " ".join(self.table.rows[self.items[0]]).lower()
        if any(match[0].lower() not in names for match in _TOGETHER.finditer(self.claim)):
            return True
        whole = self._count.low == len(self.items) if self._count else len(self._within) > 1
        return bool(self.table.times.of) and whole and not self.kinds

    @cached_property
    def amounts(self) -> list[Quantity]:
        """Of the claim, without counts of rows and names of rows and columns."""
        names = {next(iter(self.table.rows[at].values())) for at in self.items}
        columns = [{*search_words(name)} for name in self.table.rows[self.items[0]]]
        counted = {one.start for one in (self._count, self._share) if one}
        return [
            one
            for one in quantities(self.claim)
            if one.kind not in DATED and one.start not in counted and one.text not in names
            if not any({*search_words(one.text)} <= words for words in columns)
        ]

    @cached_property
    def condition(self) -> Condition | None:
        said = [one for own in self.amounts if (one := condition_of(self.claim, own))]
        return said[-1] if said else None

    def is_so(self, own: Sequence[int] | None, lines: Sequence[int]) -> bool | None:
        """Whether what is true of some rows is true of as many as the claim says."""
        named = {*self._named} & {*lines} if len(self._within) < 2 else set[int]()
        kinds, counted, negated = self.kinds, self._count, _NOT.search(self.claim)
        if own is None or (negated and not negated[1]):
            return None
        if self._share:
            part = Fraction(len(own), len(lines))
            said = condition_of(self.claim, self._share)
            return meets(self._share._replace(low=part, high=part), said) if said else None
        if counted and (kinds <= {"only"} or (counted.low == len(lines) and len(kinds) != 1)):
            said = condition_of(self.claim, counted)
            number = counted._replace(low=Fraction(len(own)), high=Fraction(len(own)))
            return meets(number, said) if said else counted.low == len(own)
        (kind,) = kinds if len(kinds) == 1 else ("",)
        if named and kind in ("every", "no") and _EXCEPT.search(self.claim):
            return {*own} == (named if kind == "no" else {*lines} - named)
        if kind == "only":
            hinted = any(map(self._hints_at, {*own} - named))
            return {*own} == named if named and not hinted else None
        whole = {"every": len(own) == len(lines), "no": not own, "most": 2 * len(own) > len(lines)}
        so = None if named else whole.get(kind)
        return not so if so is not None and negated else so

    def _hints_at(self, line: int) -> bool:
        """Whether the claim has a word of a row's name, as "rape" of "Oilseed rape"."""
        name = self.table.rows[line].get(self.key(self.items), "")
        return not {*self.table.said}.isdisjoint(words_of(name))

    def is_sum(self, total: Fraction) -> bool | None:
        """Whether it is as the claim says, if that states one amount."""
        if len(self.amounts) != 1 or _NOT.search(self.claim) or total <= 0:
            return None
        said = condition_of(self.claim, self.amounts[0])
        own = self.amounts[0]._replace(low=total, high=total)
        return meets(own, said) if said else total == self.amounts[0].low or None

    def key(self, lines: Sequence[int]) -> str:
        """The column that tells rows apart, or ""."""
        rows = self.table.rows
        keys = [*[*rows[lines[0]]][:1], *self.table.times.pair] if lines else []
        return next((k for k in keys if len({rows[at][k] for at in lines}) == len(lines)), "")

    def noun(self, lines: Sequence[int]) -> str:
        key = self.key(lines)
        noun = _CODE.sub("", " ".join(ASIDE.sub("", key).lower().split()))
        return noun if _NOUN.match(noun) else "row"
