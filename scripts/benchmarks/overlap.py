"""Measures of evidence that compare words alone, beside which the judges of Ev2R are shown."""

import re
from collections.abc import Sequence

import numpy as np
from nltk.translate.bleu_score import sentence_bleu

from uhhrag.scores.averitec import utility
from uhhrag.scores.ev2r import QuestionAnswer
from uhhrag.scores.meteor import meteor
from uhhrag.text.nltk_tokenizer import word_tokenize

Pairs = Sequence[QuestionAnswer]


def overlap(gold: Pairs, predicted: Pairs) -> dict[str, float]:
    """Each measure of one item, by its name. METEOR's data must be loaded."""
    expected, given = joined(gold), joined(predicted)
    return {
        "METEOR": meteor(expected, given),
        "Hungarian METEOR": hungarian(gold, predicted),
        "BLEU": bleu(expected, given),
        "ROUGE-L": rouge_l(expected, given),
        "number of words": float(len(given.split())),
    }


def hungarian(gold: Pairs, predicted: Pairs) -> float:
    """The measure of 2024, of all evidence: divided by the number of gold's pairs."""
    return utility([f"{q} {a}" for q, a in gold], [f"{q} {a}" for q, a in predicted])


def joined(pairs: Pairs) -> str:
    """All evidence of one side as one text."""
    return " ".join(f"{question} {answer}" for question, answer in pairs)


def bleu(expected: str, given: str) -> float:
    """BLEU-4 without smoothing (Papineni et al. 2002); 0 where no four words in a row agree."""
    words = word_tokenize(given)
    if len(words) < 4:
        return 0.0
    reference = word_tokenize(expected)
    agreeing = [_agree(reference, words, n) for n in range(1, 5)]
    if not all(agreeing):
        return 0.0
    return float(sentence_bleu([reference], words))


def _agree(reference: Sequence[str], words: Sequence[str], n: int) -> bool:
    """Whether any n words in a row agree; where none do, NLTK gives a very small number."""

    def runs(of: Sequence[str]) -> set[tuple[str, ...]]:
        return {tuple(of[i : i + n]) for i in range(len(of) - n + 1)}

    return bool(runs(reference) & runs(words))


def rouge_l(expected: str, given: str) -> float:
    """F1 of the longest common subsequence of lower-case words (Lin 2004)."""
    reference, words = (re.findall(r"[a-z0-9]+", text.lower()) for text in (expected, given))
    if not reference or not words:
        return 0.0
    longest = np.zeros(len(reference) + 1, dtype=np.int64)
    for word in words:
        met = np.array([word == other for other in reference])
        longer = np.where(met, longest[:-1] + 1, longest[1:])
        longest[1:] = np.maximum.accumulate(longer)
    return float(2 * longest[-1] / (len(reference) + len(words)))
