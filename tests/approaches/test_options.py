"""The options of an approach, as words of the command line."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path

import pytest

from uhhrag.approaches import APPROACHES, Plain
from uhhrag.approaches.options import Count, CountOrNone, Share, Temperature, as_words, read_options
from uhhrag.config.choices import Choices
from uhhrag.config.settings import parse
from uhhrag.errors import UsageError


class Order(StrEnum):
    BEST = "best"
    WORST = "worst"


@dataclass(frozen=True, slots=True)
class Some:
    late: bool = True
    pairs: int = 5
    share: float = 0.7
    first: Order = Order.BEST
    word_list: str = "a"
    many: Count = 1
    level: Share = 0.5
    heat: Temperature = 0.7
    extra: CountOrNone = 0


def test_options_not_named_keep_the_papers_values():
    assert read_options(Some, ["pairs=10"], "x") == Some(pairs=10)


def test_each_kind_of_option_is_read_as_its_type_asks():
    words = ["late=no", "pairs=3", "share=.5", "first=worst", "word-list=b=c"]
    assert read_options(Some, words, "x") == Some(False, 3, 0.5, Order.WORST, "b=c")


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("late", "x can have NAME=VALUE of: late=yes, pairs=5, share=0.7, first=best, word_list=a"),
        ("none=1", "x can have NAME=VALUE of: late=yes"),
        ("late=maybe", "give yes or no"),
        ("pairs=many", "give a whole number"),
        ("first=middle", "give one of: best, worst"),
        ("many=0", "give a whole number, 1 or more"),
        ("many=two", "give a whole number, 1 or more"),
        ("extra=-1", "give a whole number, 0 or more"),
        ("level=1.1", "give a number, 0 to 1"),
        ("level=nan", "give a number, 0 to 1"),
        ("heat=-.1", "give a number, 0 to 100"),
        ("heat=inf", "give a number, 0 to 100"),
    ],
)
def test_a_wrong_option_is_refused_with_what_would_be_right(word, told):
    with pytest.raises(UsageError, match=f"--set {word}: .*{told}"):
        read_options(Some, [word], "x")


def test_the_least_and_the_greatest_value_are_allowed():
    words = ["many=1", "level=1", "heat=0", "extra=0"]
    assert read_options(Some, words, "x") == Some(many=1, level=1.0, heat=0.0, extra=0)


@pytest.mark.parametrize(
    "approach", [name for name in APPROACHES if fields(APPROACHES[name].options)]
)
def test_no_option_of_an_approach_takes_a_negative_number(approach):
    for field in fields(APPROACHES[approach].options):
        if type(field.default) in (int, float) and field.name != "seed":
            with pytest.raises(UsageError, match=f"--set {field.name}=-1: give a .*number, [01] "):
                parse(Choices(approach=approach, options=(f"{field.name}=-1",)))


def test_an_approach_without_options_says_so():
    with pytest.raises(UsageError, match="retrieve-question has no options of its own"):
        parse(Choices(options=("late=no",)))


def test_an_nli_model_that_would_not_be_asked_is_refused():
    nli = Path("nli")
    with pytest.raises(UsageError, match=r"--nli nli: pursuit checks no .*--approach entailed-qa$"):
        parse(Choices(approach="pursuit", nli=nli))
    assert parse(Choices(approach="entailed-qa", nli=nli)).nli is nli


def test_the_words_of_a_record_read_back_as_the_same_record():
    some = Some(False, 3, 0.5, Order.WORST, "b")
    assert read_options(Some, [f"{k}={v}" for k, v in as_words(some).items()], "x") == some
    assert as_words(Some(pairs=3)) == {"pairs": "3"}
    assert as_words(Plain()) == {}
