"""Samples drawn by llama.cpp."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support.llama_prompts import FACTS, VOTES, fresh
from uhhrag.records import Generate, Prompt

pytestmark = pytest.mark.model

TALE = Prompt("tale", "Tell stories.\n", "Tell a story of one sentence about a lighthouse.")


SAMPLED = Generate(6, temperature=1.0, top_k=50, seed=3)


def test_a_prompt_given_n_times_gets_n_samples_and_one_prefill(gguf):
    llm = fresh(gguf)
    alone = llm([TALE], SAMPLED)[0]
    one = llm.tokens_computed
    samples = llm([TALE] * 40, SAMPLED)
    written = sum(sample.reply_tokens for sample in samples)
    # each adds its last token of the prompt; the head stands from the first call
    assert llm.tokens_computed - one < one + 40 + written
    texts = [sample.text for sample in samples]
    assert texts[0] == alone.text
    assert len(set(texts)) > 30


def test_a_sample_does_not_depend_on_the_rest_of_the_call(llm):
    alone = llm([TALE], SAMPLED)[0]
    mixed = llm([VOTES[0], FACTS[0], TALE, *VOTES, TALE], SAMPLED)
    assert mixed[2] == alone
    assert mixed[-1].text != alone.text


def test_another_seed_gives_another_sample_and_the_same_seed_the_same(llm):
    again = [llm([TALE], SAMPLED)[0].text for _ in range(2)]
    other = [llm([TALE], replace(SAMPLED, seed=seed))[0].text for seed in range(4)]
    assert again[0] == again[1]
    assert len(set(other)) > 1


def test_one_of_the_likeliest_token_alone_is_greedy(llm):
    greedy = llm([TALE], Generate(6))
    assert llm([TALE], replace(SAMPLED, top_k=1)) == greedy
