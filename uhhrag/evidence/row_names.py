"""Rows of a table that a claim names, by items or times."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from uhhrag.evidence.row_times import Times, holds, is_inside, is_since, puts_first, times_said
from uhhrag.evidence.rows import COUNTING, NO_ITEM, Row, first_of, is_total, words_of
from uhhrag.text.figures import Amount, AmountKind, figure_in
from uhhrag.text.numerals import search_words

_MOST_NAMED = 3
"""A claim that names more rows of a table names none."""
_COMMON = 3
"""A text in more than one of so many rows names none."""


def rows_named(rows: Mapping[int, Row], times: Times, claim: str) -> dict[int, str]:
    """Lines of rows, with what names them: times that the claim states, pairs of item and time or
    of items, or else items. The first is compared with the others."""
    words, keys = search_words(claim), times.pair
    said = _said_in(claim, times, since=not keys)
    items = [key for key in keys if key != times.column]
    own = {key: _own_words({row[key] for row in rows.values() if key in row}) for key in items}
    found = [
        line
        for line in (said if times.column else rows if keys else ())
        if all(_stands_in(own[key].get(rows[line].get(key, ""), ()), words) for key in items)
    ]
    if not 0 < len(found) <= _MOST_NAMED:
        return _by_items(rows, words) or _by_items(_without_codes(rows), words)
    columns = keys or (times.column,)
    differ = (key for key in columns if len({rows[line][key] for line in found}) > 1)
    name = next(differ, columns[0])
    found.sort(key=lambda line: place_in(words, rows[line][name]))
    if name == times.column:
        in_order = puts_first(claim)
        found.sort(key=lambda line: said[line] if in_order else -times.of[line].low)
    return {line: rows[line][name] for line in found}


def rows_with(rows: Mapping[int, Row], amount: Amount | None) -> dict[int, str]:
    """Rows with a figure that the claim states, or the total if it states a share, with their first
    texts."""
    if amount is None:
        return {}
    if amount.is_part:
        found = {line: first_of(row) for line, row in rows.items() if is_total(row)}
        return found if len(found) == 1 else {}
    if amount.kind is not AmountKind.FIGURE:
        return {}
    value, near = amount.value, amount.near
    found = {
        line: first_of(row)
        for line, row in rows.items()
        if any(it and abs(it.number - value) < near for it in map(figure_in, row.values()))
    }
    return found if len(found) <= _MOST_NAMED else {}


def _said_in(claim: str, times: Times, *, since: bool) -> dict[int, int]:
    """Rows whose time the claim states, with the time's place among the claim's; `since` it, the
    last row too."""
    said = times_said(claim)
    found: dict[int, int] = {}
    for line, own in times.of.items():
        if (at := next((at for at, one in enumerate(said) if holds(own, one)), None)) is not None:
            found[line] = at
    for at, one in enumerate(said):
        inside = [line for line, own in times.of.items() if is_inside(own, one)]
        if at not in found.values() and len(inside) == 1:
            found.setdefault(inside[0], at)
    if since and len(found) == 1 and is_since(claim, said[next(iter(found.values()))]):
        found.setdefault(max(times.of, key=lambda line: times.of[line].low), len(said))
    return found


def _own_words(texts: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Words of each text but those of all, if more than numbers remain.

    >>> _own_words(["Halden-Skarn", "Halden-Lund"])
    {'Halden-Skarn': ('skarn',), 'Halden-Lund': ('lund',)}
    >>> _own_words(["Ward 1", "Ward 2"])["Ward 1"]
    ('ward', '1')
    """
    named = {text: words_of(text) for text in texts}
    items = [{*words} for text, words in named.items() if not NO_ITEM.match(text)]
    shared = set.intersection(*items) if len(items) > 1 else set()
    own = {text: tuple(w for w in words if w not in shared) for text, words in named.items()}
    apart = all(any(map(str.isalpha, words)) for words in own.values())
    return own if apart else named


def place_in(claim: Sequence[str], text: str) -> int:
    """Position of the claim's first word that `text` has; 0 if none."""
    return min((claim.index(word) for word in words_of(text) if word in claim), default=0)


def _by_items(rows: Mapping[int, Row], claim: Sequence[str]) -> dict[int, str]:
    """Rows of which all own words of a rare text stand in the claim, side by side if any row's do,
    in the claim's order; not a row whose words another has among more."""
    texts = {line: [v for v in row.values() if not figure_in(v)] for line, row in rows.items()}
    times = Counter(text for values in texts.values() for text in values)
    rare = {text for text, n in times.items() if n == 1 or n * _COMMON <= len(rows)}
    rare = {text for text in rare if words_of(text) not in COUNTING}
    columns = _columns_of(rows)
    rare -= {v for values in columns if len({*values}) * 2 <= len(values) for v in values}
    own = {v: ws for vs in columns for v, ws in _own_words(rare.intersection(vs)).items()}
    said = frozenset(claim)
    found = {
        line: [v for v in values if v in rare and own[v] and said.issuperset(own[v])]
        for line, values in texts.items()
    }
    whole = {line: [v for v in texts if _stands_in(own[v], claim)] for line, texts in found.items()}
    found = {line: v for line, v in (whole if any(whole.values()) else found).items() if v}
    firsts = {line: first_of(row) for line, row in rows.items()}
    if len({*firsts.values()}) == len(rows):  # names of the rows: other texts are said of them
        found = {line: v for line, v in found.items() if firsts[line] in v} or found
    words = {line: {word for v in texts for word in own[v]} for line, texts in found.items()}
    kept = [line for line, mine in words.items() if not any(mine < more for more in words.values())]
    kept.sort(key=lambda line: min(map(claim.index, words[line])))
    names = {line: found[line][0] for line in kept}
    return _told_apart(rows, names) if len(kept) <= _MOST_NAMED else {}


def _told_apart(rows: Mapping[int, Row], names: Mapping[int, str]) -> dict[int, str]:
    """Equal names get the first text that differs in each of their rows.

    >>> rows = {0: {"Fare": "Single", "Day": "Mon"}, 1: {"Fare": "Single", "Day": "Sun"}}
    >>> _told_apart(rows, {0: "Single", 1: "Single"})
    {0: 'Single, Mon', 1: 'Single, Sun'}
    """
    if len({*names.values()}) == len(names):
        return dict(names)
    for column in rows[next(iter(names))]:
        texts = {line: rows[line].get(column, "") for line in names}
        if len({*texts.values()}) == len(names) and not any(map(figure_in, texts.values())):
            return {line: f"{name}, {texts[line]}" for line, name in names.items()}
    return dict(names)


def _without_codes(rows: Mapping[int, Row]) -> dict[int, Row]:
    """Rows without codes or numbers before their names, if all have these; or none.

    >>> _without_codes({0: {"Site": "S1 Weir"}, 1: {"Site": "S2 Otter Pool"}})
    {0: {'Site': 'Weir'}, 1: {'Site': 'Otter Pool'}}
    """
    parts = {line: first_of(row).partition(" ") for line, row in rows.items()}
    coded = all(re.search(r"\d", code) and name[:1].isalpha() for code, _, name in parts.values())
    if not coded:
        return {}
    return {line: {**row, next(iter(row)): parts[line][2]} for line, row in rows.items()}


def _columns_of(rows: Mapping[int, Row]) -> list[list[str]]:
    names = dict.fromkeys(name for row in rows.values() for name in row)
    return [[row[name] for row in rows.values() if name in row] for name in names]


def _stands_in(part: Sequence[str], whole: Sequence[str]) -> bool:
    return bool(part) and any(tuple(whole[at : at + len(part)]) == part for at in range(len(whole)))
