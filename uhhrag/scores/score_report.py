from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uhhrag.errors import InputError
from uhhrag.formats.submission import Pairing
from uhhrag.records import Label
from uhhrag.rules.label_words import SHORT
from uhhrag.runs.trace import TRACE, read_trace
from uhhrag.scores.averitec import F1, LEVELS, LIMIT, MEASURES, ClaimScore, measure, resample
from uhhrag.scores.bootstrap import Bootstrap, Interval
from uhhrag.scores.meteor import LanguageData
from uhhrag.scores.reliability import ScoredConfidence
from uhhrag.system.terminal import columns, printable, quantity, wrapped
from uhhrag.system.text_files import encodable
from uhhrag.version import __version__

NO_LABEL = "none of the four"
"""A missing or unknown predicted label."""


@dataclass(frozen=True, slots=True)
class Report:
    run: str
    gold: str
    scores: tuple[ClaimScore, ...]
    pairing: Pairing
    language: LanguageData
    bootstrap: Bootstrap

    def means(self) -> dict[str, float]:
        return measure(self.scores)

    def intervals(self) -> dict[str, Interval]:
        values = resample(self.scores, self.bootstrap.draw(len(self.scores)))
        return {name: self.bootstrap.interval(values[name]) for name in MEASURES}


def signature(language: LanguageData) -> str:
    parity = (
        "as the official scorer of 2024"
        if language.official
        else "NOT comparable with published scores (they need nltk 3.8.1 to 3.9.2, wordnet 3.0)"
    )
    return (
        f"AVeriTeC 2024 Hungarian METEOR: Q Q+A veracity@{{{','.join(map(str, LEVELS))}}} "
        f"accuracy f1 | first {LIMIT} items | nltk {language.nltk} | wordnet {language.wordnet} | "
        f"uhhrag {__version__} | {parity}"
    )


def warnings_of(report: Report) -> list[str]:
    scores = report.scores
    ignored = [claim.id for claim in scores if claim.ignored]
    empty = [claim.id for claim in scores if not claim.counted and not claim.missing]
    notes: tuple[Note, ...] = (
        *pairing_notes(report.pairing),
        (empty, "no evidence, Q and Q+A are 0", empty),
        (ignored, f"more than {LIMIT} items of evidence, the rest is ignored", ignored),
    )
    return described(notes)


Note = tuple[object, str, Iterable[int]]
"""(applies, text, claims' ids)."""


def pairing_notes(pairing: Pairing) -> tuple[Note, ...]:
    unread = pairing.unread_labels
    labels = sorted({repr(label[:40]) for label in unread.values()})
    shown = "; ".join(labels[:5])
    return (
        (pairing.unasked, unasked_note(len(pairing.unasked), pairing.gold), ()),
        (pairing.by_position, "no prediction has a claim_id: paired by position", ()),
        (pairing.missing, "no prediction, scored 0", pairing.missing),
        (pairing.doubled, "several predictions, the first counts", pairing.doubled),
        (pairing.unknown, "id not in the gold file, left out", pairing.unknown),
        (pairing.other_text, "claim text is not gold's: is it the right file?", pairing.other_text),
        (unread, f"label none of the four ({shown}), wrong", unread),
    )


def shared_claims(asked: Iterable[Iterable[int]]) -> set[int]:
    """Those asked of all runs. Raises InputError without any."""
    if shared := set.intersection(*map(set, asked)):
        return shared
    raise InputError("no claim of gold was asked for in all of these runs; give runs on the same")


def unasked_note(unasked: int, gold: int) -> str:
    asked = f"the run was asked for only {gold - unasked} of {quantity(gold, 'gold claim')}"
    return f"{asked}; the others are left out of all scores here; official figures need all"


def described(notes: Iterable[Note]) -> list[str]:
    return [f"{text}{_claims(tuple(ids))}" for applies, text, ids in notes if applies]


def as_json(report: Report) -> dict[str, Any]:
    means, intervals, pairing = report.means(), report.intervals(), report.pairing
    scores = report.scores
    return {
        "run": report.run,
        "gold": report.gold,
        "claims": len(scores),
        **{name: value for name, value in means.items() if name not in F1.values()},
        "f1": {label.value: means[name] for label, name in F1.items()},
        "intervals": {name: list(interval) for name, interval in intervals.items()},
        "intervals_are": report.bootstrap.described(len(scores)),
        "labels": label_mix(scores),
        "confusion": confusion(scores),
        "wrong_sides": wrong_sides(scores),
        "pairing": {
            "by": "position" if pairing.by_position else "claim_id",
            **{n: getattr(pairing, n) for n in ("missing", "doubled", "unknown", "other_text")},
            "unasked": pairing.unasked,
        },
        "unread_labels": {str(number): text for number, text in pairing.unread_labels.items()},
        "evidence": repeats(scores) | {"ignored": sum(claim.ignored for claim in scores)},
        "beware": warnings_of(report),
        "signature": signature(report.language),
    }


def as_text(scores: Mapping[str, Any]) -> str:
    """From `as_json`."""
    means = {**scores, **{name: scores["f1"][label] for label, name in F1.items()}}
    measures = [
        (name, f"{means[name]:.4f}", f"{low:.4f} to {high:.4f}")
        for name, (low, high) in scores["intervals"].items()
    ]
    lines = heading(scores)
    lines += columns([("measure", "mean", "95 % interval"), *measures], "<><")
    lines += ["", *_confusion_lines(scores["confusion"]), ""]
    told = (_wrong_sides_line(scores["wrong_sides"]), _repeats_line(scores["evidence"]))
    return "\n".join([*lines, *(wrapped(line, "") for line in told), *how_scored(scores)])


def how_scored(scores: Mapping[str, Any]) -> list[str]:
    """The end of every text: what the intervals are, and the signature."""
    return [wrapped(scores["intervals_are"], ""), wrapped(scores["signature"], "")]


def heading(scores: Mapping[str, Any]) -> list[str]:
    """Of a run's scores."""
    return _heading([scores["run"]], scores, {"": scores["beware"]})


def heading_of_two(scores: Mapping[str, Any]) -> list[str]:
    """Of a comparison."""
    runs = [f"A  {scores['a']}", f"B  {scores['b']}"]
    return _heading(runs, scores, warnings_of_two(scores))


def warnings_of_two(scores: Mapping[str, Any]) -> dict[str, list[str]]:
    """Of a comparison, by what stands before the colon."""
    beware = scores.get("beware", {})
    places = (("", "both"), (" about A", "a"), (" about B", "b"))
    told = ((about, beware.get(place) or []) for about, place in places)
    return {about: [one] if isinstance(one, str) else one for about, one in told}


def _heading(
    runs: Iterable[str], scores: Mapping[str, Any], warnings: Mapping[str, Iterable[str]]
) -> list[str]:
    """`warnings` by what stands before the colon."""
    against = f"against {printable(scores['gold'])}, {quantity(scores['claims'], 'claim')}"
    of = ((about, note) for about, notes in warnings.items() for note in notes)
    told = (wrapped(note, f"warning{about}: ") for about, note in of)
    return [*map(printable, runs), against, *differs_in(scores), "", *told]


def differs_in(scores: Mapping[str, Any]) -> list[str]:
    """A line on two runs' settings; none if one is not known."""
    apart = scores.get("differs_in")
    return [] if apart is None else [wrapped(apart or "no setting", "differs in: ")]


def outcomes(run: Path, scores: Sequence[ClaimScore]) -> list[ScoredConfidence]:
    """Empty without confidences."""
    records = read_trace(run / TRACE) if run.is_dir() else ()
    # Where a verdict only leans to a label, its confidence is that label's.
    sure = {r["claim_id"]: r.get("confidence") for r in records if not r.get("leaning")}
    pairs = ((sure.get(claim.id), claim.right) for claim in scores)
    return [
        ScoredConfidence(confidence, right) for confidence, right in pairs if confidence is not None
    ]


def label_mix(scores: Sequence[ClaimScore]) -> dict[str, dict[str, int]]:
    gold = Counter(claim.gold.value for claim in scores)
    predicted = Counter(claim.predicted.value if claim.predicted else NO_LABEL for claim in scores)
    names = [*(label.value for label in Label), *([NO_LABEL] if predicted[NO_LABEL] else [])]
    return {"gold": {n: gold[n] for n in names}, "said": {n: predicted[n] for n in names}}


def confusion(scores: Sequence[ClaimScore]) -> dict[str, dict[str, int]]:
    """Claims by gold, then predicted label."""
    counts = Counter((claim.gold, claim.predicted) for claim in scores)
    columns = [*Label, *([None] if any(claim.predicted is None for claim in scores) else [])]
    names = {label: label.value if label else NO_LABEL for label in columns}
    return {gold.value: {n: counts[gold, said] for said, n in names.items()} for gold in Label}


def wrong_sides(scores: Sequence[ClaimScore]) -> dict[str, dict[str, int]]:
    """Wrong Supported or Refuted among claims of other gold labels."""
    sides = {"false_reassurance": Label.SUPPORTED, "false_alarm": Label.REFUTED}
    others = {name: [c for c in scores if c.gold is not side] for name, side in sides.items()}
    return {
        name: {"claims": sum(claim.predicted is sides[name] for claim in claims), "of": len(claims)}
        for name, claims in others.items()
    }


def repeats(scores: Sequence[ClaimScore]) -> dict[str, int]:
    """Repeats can game the measure."""
    names = ("counted", "repeated_pairs", "repeated_answers")
    sums = {name: sum(getattr(claim, name) for claim in scores) for name in names}
    return sums | {"claims_with_repeated_answers": sum(c.repeated_answers > 0 for c in scores)}


def rows(scores: Sequence[ClaimScore]) -> list[dict[str, Any]]:
    return [
        {
            "id": claim.id,
            "claim": encodable(claim.claim),
            "gold": claim.gold.value,
            "said": claim.predicted.value if claim.predicted else None,
            "right": claim.right,
            "Q": claim.q,
            "Q+A": claim.qa,
            **{f"veracity@{level}": claim.veracity(level) for level in LEVELS},
            "missing": claim.missing,
            "counted": claim.counted,
            "ignored": claim.ignored,
            "repeated_pairs": claim.repeated_pairs,
            "repeated_answers": claim.repeated_answers,
        }
        for claim in scores
    ]


def _confusion_lines(table: Mapping[str, Mapping[str, int]]) -> list[str]:
    names = [SHORT[label] for label in Label]
    if NO_LABEL in table[Label.REFUTED.value]:
        names.append("none")
    rows = {gold: [*row.values(), sum(row.values())] for gold, row in table.items()}
    rows["all"] = [sum(column) for column in zip(*rows.values(), strict=True)]
    titles = ("gold label; claims by predicted label", *names, "all")
    cells = [(gold, *map(str, row)) for gold, row in rows.items()]
    return columns([titles, *cells], "<" + ">" * (len(titles) - 1))


def _wrong_sides_line(sides: Mapping[str, Mapping[str, int]]) -> str:
    reassured, alarmed = sides.values()
    return (
        f"wrongly called Supported (false reassurance): {reassured['claims']} of {reassured['of']};"
        f" wrongly called Refuted (false alarm): {alarmed['claims']} of {alarmed['of']}"
    )


def _repeats_line(counts: Mapping[str, int]) -> str:
    answers = quantity(counts["repeated_answers"], "answer")
    return (
        f"repeated evidence, of {quantity(counts['counted'], 'item')}: {answers} "
        f"({quantity(counts['claims_with_repeated_answers'], 'claim')}), "
        f"{quantity(counts['repeated_pairs'], 'pair')} of question and answer"
    )


def _claims(ids: tuple[int, ...], shown: int = 20) -> str:
    """
    >>> _claims((3, 5)), _claims(()), _claims((1, 2, 3), shown=2)
    (': 2 claims (3, 5)', '', ': 3 claims (1, 2, and 1 more)')
    """
    if not ids:
        return ""
    more = f", and {len(ids) - shown} more" if len(ids) > shown else ""
    some = ", ".join(map(str, ids[:shown]))
    return f": {quantity(len(ids), 'claim')} ({some}{more})"
