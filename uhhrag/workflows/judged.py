from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from uhhrag.errors import InputError
from uhhrag.formats.gold import Gold, read_gold
from uhhrag.formats.submission import Pairing, Prediction, pair, read_predictions
from uhhrag.prompts.templates import load_prompts
from uhhrag.records import Grade
from uhhrag.runs.run_folder import HEADER, asked_in, predictions_in
from uhhrag.runs.trace import TRACE
from uhhrag.runs.verify import check_run
from uhhrag.scores.averitec import score
from uhhrag.scores.bootstrap import Bootstrap
from uhhrag.scores.choices import JudgeKind
from uhhrag.scores.ev2r import ClaimEv2r, Judge, case_of, score_claim
from uhhrag.scores.ev2r_report import Ev2rReport, JudgeId
from uhhrag.scores.llm_judge import FACTS, QUESTIONS, llm_judge
from uhhrag.scores.meteor import load_meteor_data
from uhhrag.scores.score_report import Report, shared_claims, unasked_note
from uhhrag.scores.verifier_judge import shipped_weights, verifier_judge
from uhhrag.system.checksums import sha256
from uhhrag.system.terminal import printable
from uhhrag.text.nltk_tokenizer import sentences
from uhhrag.wiring import llms, nltk_data, verifiers
from uhhrag.wiring.machine import Loaded
from uhhrag.workflows.observer import Observer
from uhhrag.workflows.tasks import Judging, Scoring


@dataclass(frozen=True, slots=True)
class LoadedJudge:
    judge: Judge
    identity: JudgeId
    at_once: int
    """Claims per call of the judge."""


def warn_of_faults(observer: Observer, *runs: Path) -> None:
    """Of damaged and missing files."""
    folders = (run for run in runs if any((run / name).exists() for name in (HEADER, TRACE)))
    for checked in chain.from_iterable(map(check_run, folders)):
        if checked.fault:
            observer.warn(printable(f"{checked.file}: {checked.fault}"))


def load_judge(judging: Judging) -> LoadedJudge:
    """Raises ModelError or PromptError."""
    if judging.kind is JudgeKind.LLM:
        return _llm(judging)
    nltk_data.load_nltk_data()
    given = judging.verifier or verifiers.SHIPPED
    if isinstance(given, Loaded):
        entailment, model = given.model, given.name
    else:
        # Passages, as its weights were fitted
        loaded = verifiers.load_verifier(given, judging.machine, passages=True)
        entailment = loaded.entailment
        model = f"{loaded.server or Path(given).name}@{loaded.fingerprint[:8]}{loaded.numbers}"
    return LoadedJudge(
        verifier_judge(entailment, sentences, shipped_weights()),
        JudgeId(JudgeKind.VERIFIER, model),
        at_once=20,
    )


def _llm(judging: Judging) -> LoadedJudge:
    prompts = load_prompts(judging.prompts)
    used = sha256("".join(prompts(step).hash for step in (FACTS, QUESTIONS)))
    if isinstance(judging.llm, Loaded):
        llm, model = judging.llm.model, judging.llm.name
    else:
        llm, whole = llms.load_llm(judging.llm, judging.machine, judging.replies)
        model = llms.llm_fingerprint(judging.llm, whole)
    return LoadedJudge(llm_judge(llm, prompts), JudgeId(JudgeKind.LLM, model, used), at_once=1)


def scored(runs: Sequence[Path], gold: Path, scoring: Scoring) -> Iterator[Report]:
    """As the official scorer of 2024, over the claims asked of all runs."""
    folder = nltk_data.folder()
    known, by_run = read_gold(gold), _asked_by(runs)
    claims = _shared(known, by_run)
    for run in runs:
        pairing = _paired(run, claims, known, by_run.get(run))
        scores = score(claims, pairing.predictions, folder, scoring.workers)
        language = load_meteor_data(folder)
        yield Report(str(run), str(gold), scores, pairing, language, scoring.bootstrap)


def judge_run(
    run: Path, gold: Path, loaded: LoadedJudge, bootstrap: Bootstrap, observer: Observer
) -> Ev2rReport:
    """Over the claims asked of it."""
    known, by_run = read_gold(gold), _asked_by([run])
    claims = _shared(known, by_run)
    pairing = _paired(run, claims, known, by_run.get(run))
    paired = list(zip(claims, pairing.predictions, strict=True))
    rated = observer.track(_scores(paired, loaded), len(paired), "claims", loaded.at_once)
    return Ev2rReport(str(run), str(gold), tuple(rated), pairing, loaded.identity, bootstrap)


def _asked_by(runs: Sequence[Path]) -> dict[Path, frozenset[int]]:
    """Claims asked of each run that records them."""
    return {run: asked for run in runs if (asked := asked_in(run))}


def _shared(gold: Sequence[Gold], by_run: Mapping[Path, frozenset[int]]) -> list[Gold]:
    """Claims asked of all runs."""
    shared = shared_claims([[one.claim.id for one in gold], *by_run.values()])
    return [one for one in gold if one.claim.id in shared]


def _paired(
    run: Path, claims: Sequence[Gold], gold: Sequence[Gold], asked: frozenset[int] | None
) -> Pairing:
    """`claims` are of `gold`. Raises InputError if several texts can be compared and none is
    gold's."""
    read = predictions_in(run) or read_predictions(run)  # confidences are of the trace
    pairing = pair([one.claim for one in claims], read, str(run))
    if 1 < len(pairing.other_text) == sum(bool(one and one.claim) for one in pairing.predictions):
        raise InputError(f"{run}: no claim has the text that gold has; give the gold file of these")
    every = [one.claim.id for one in gold]
    unasked = tuple(number for number in every if asked and number not in asked)
    unknown = tuple(number for number in pairing.unknown if number not in every)
    return replace(pairing, unasked=unasked, unknown=unknown, gold=len(every))


def grades_asked(
    runs: Sequence[Path], gold: Mapping[int, Grade], observer: Observer
) -> dict[int, Grade]:
    """Gold's, of the claims asked of all runs. Raises InputError if none."""
    by_run = _asked_by(runs)
    shared = shared_claims([gold, *by_run.values()])
    for run, asked in by_run.items():
        if unasked := gold.keys() - asked:
            observer.warn(printable(f"{run}: {unasked_note(len(unasked), len(gold))}"))
    return {number: grade for number, grade in gold.items() if number in shared}


def _scores(
    paired: Sequence[tuple[Gold, Prediction | None]], loaded: LoadedJudge
) -> Iterator[ClaimEv2r]:
    for start in range(0, len(paired), loaded.at_once):
        part = paired[start : start + loaded.at_once]
        judged = loaded.judge([case_of(gold, prediction) for gold, prediction in part])
        for (gold, prediction), rulings in zip(part, judged, strict=True):
            yield score_claim(gold, prediction, rulings)
