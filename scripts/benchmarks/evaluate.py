"""Time our scorer against NLTK's own METEOR called pair by pair, on the same files, in one run.

Both score every prediction file three times, in turn. Ours starts cold every time, with WordNet
just loaded; NLTK's keeps what it has read of WordNet. NLTK's part is less than the official scorer
does, which builds the Q+A scores three times over. Fails where the numbers differ in one bit or
the ratio of the medians is below ten.

usage: scripts/bench evaluate [AVERITEC_FOLDER]
"""

import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from nltk import word_tokenize
from nltk.translate.meteor_score import single_meteor_score
from scipy.optimize import linear_sum_assignment

from scripts.reference import reference_data
from uhhrag import models
from uhhrag.formats.gold import Gold, read_gold
from uhhrag.formats.submission import Prediction, read_predictions
from uhhrag.scores import averitec
from uhhrag.scores.meteor import forget, load_meteor_data

ROUNDS, WANTED = 3, 10.0
Score = Callable[[tuple[Prediction, ...]], Iterable[float]]


def theirs(gold: tuple[Gold, ...], predictions: tuple[Prediction, ...]) -> Iterator[float]:
    for wanted, found in zip(gold, predictions, strict=True):
        said = found.evidence[: averitec.LIMIT]
        questions = [question.question for question in wanted.questions]
        yield utility(questions, [item.question for item in said])
        pairs = [f"{item.question} {item.answer}" for item in said]
        yield utility(averitec.gold_strings(wanted), pairs)


def utility(expected: Sequence[str], said: Sequence[str]) -> float:
    if not said:
        return 0.0
    scores = np.empty((len(said), len(expected)))
    for i, given in enumerate(said):
        for j, wanted in enumerate(expected):
            scores[i, j] = single_meteor_score(word_tokenize(wanted), word_tokenize(given))
    rows, columns = linear_sum_assignment(scores, maximize=True)
    return float(scores[rows, columns].sum() * (1 / float(len(expected))))


def ours(
    gold: tuple[Gold, ...], predictions: tuple[Prediction, ...], folder: Path
) -> Iterator[float]:
    for claim in averitec.score(gold, predictions, folder, workers=1):
        yield claim.q
        yield claim.qa


def timed(score: Score, files: Sequence[tuple[Prediction, ...]]) -> tuple[float, list[float]]:
    begun = time.process_time()
    found = [value for predictions in files for value in score(predictions)]
    return time.process_time() - begun, found


def main() -> None:
    reference = Path(sys.argv[1]) if len(sys.argv) > 1 else reference_data()
    folder = models.path("nltk-data")
    gold = read_gold(reference / "dev60.json")
    files = [read_predictions(path) for path in sorted((reference / "predictions").glob("*.json"))]
    load_meteor_data(folder)
    single_meteor_score(["load"], ["WordNet"])
    times: dict[str, list[float]] = {"nltk": [], "uhhrag": [], "loading": []}
    for _ in range(ROUNDS):
        forget()
        begun = time.process_time()
        load_meteor_data(folder)
        times["loading"].append(time.process_time() - begun)
        seconds, our_scores = timed(lambda p: ours(gold, p, folder), files)
        times["uhhrag"].append(seconds)
        seconds, their_scores = timed(lambda p: theirs(gold, p), files)
        times["nltk"].append(seconds)
        if our_scores != their_scores:
            sys.exit("the scores differ")
    for name, taken in times.items():
        shown = " ".join(f"{one:.2f}" for one in taken)
        print(f"{name:<8} median {statistics.median(taken):6.2f} CPU s of {shown}")
    ratio = statistics.median(times["nltk"]) / statistics.median(times["uhhrag"])
    print(f"ratio    {ratio:.1f}, {len(files)} files of {len(gold)} claims, one process")
    if ratio < WANTED:
        sys.exit(f"slower than {WANTED:.0f} times NLTK's own function")


if __name__ == "__main__":
    main()
