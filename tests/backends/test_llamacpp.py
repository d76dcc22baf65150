"""llama.cpp: the same numbers as its own class, one prefix computed once, any text answered."""

from __future__ import annotations

import gc
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tests.support.llama_prompts import CAPITAL, FACTS, HEAD, LETTERS, VOTES, fresh
from uhhrag.backends.llamacpp import model as llamacpp
from uhhrag.backends.llamacpp.tokens import spelt, tokens
from uhhrag.errors import ModelError, PromptError
from uhhrag.records import Generate, PickOne, Prompt, Represent

pytestmark = pytest.mark.model

NOISE = 0.3
"""nats between the same prompt in batches of other shapes, whose sums have another order; up to 0.2
were seen with this model of four bits a weight"""


def spelling(llm, tokens):
    return b"".join(spelt(llm._vocab, token) for token in tokens).decode()


@pytest.fixture(scope="module")
def theirs(gguf):
    """llama-cpp-python's own class, one sequence, nothing shared, every logit kept."""
    from llama_cpp import Llama

    return Llama(
        str(gguf), n_ctx=1024, logits_all=True, verbose=False, n_threads=1, n_threads_batch=1
    )


def test_log_probabilities_are_those_of_llama_cpps_own_class(llm, theirs):
    for prompt, reply in zip(VOTES, llm(VOTES, LETTERS), strict=True):
        text = f"{llm._chat.before}{prompt.text}{llm._chat.after}".encode()
        tokens = theirs.tokenize(text, add_bos=False, special=True)
        theirs.reset()
        theirs.eval(tokens)
        row = theirs.logits_to_logprobs(theirs.scores[len(tokens) - 1])
        firsts = [theirs.tokenize(o.encode(), add_bos=False)[0] for o in LETTERS.options]
        assert reply.logprobs == pytest.approx([row[first] for first in firsts], abs=NOISE)


def test_each_word_written_is_the_likeliest_by_llama_cpps_own_class(llm, theirs):
    (reply,) = llm([CAPITAL], Generate(6))
    text = f"{llm._chat.before}{CAPITAL.text}{llm._chat.after}".encode()
    prompt = theirs.tokenize(text, add_bos=False, special=True)
    written = theirs.tokenize(reply.text.encode(), add_bos=False)
    theirs.reset()
    theirs.eval([*prompt, *written])
    for place, token in enumerate(written, start=len(prompt) - 1):
        assert theirs.scores[place][token] > theirs.scores[place].max() - 2 * NOISE


LONG = Prompt("ask", "", "A bird in the hand is worth two in the bush. " * 60 + "The next word is")


def test_one_token_after_hundreds_is_the_same_with_any_number_of_threads(gguf):
    """Threads must not divide what one token attends to. The state is that of one token alone."""
    replies = [llamacpp.load(gguf, threads=threads)([LONG], Represent()) for threads in (1, 2, 3)]
    assert replies[0] == replies[1] == replies[2]


def test_a_hidden_state_is_what_the_logits_are_made_of(gguf, llm):
    """The model's output matrix is that of its input: a state times it gives the logits."""
    from gguf import GGUFReader
    from gguf.quants import dequantize

    tensors = {tensor.name: tensor for tensor in GGUFReader(gguf).tensors}
    last = tensors.get("output.weight", tensors["token_embd.weight"])
    matrix = dequantize(last.data, last.tensor_type)
    for prompt in VOTES[:2]:
        (reply,), (state,) = llm([prompt], LETTERS), llm([prompt], Represent())
        logits = matrix @ np.array(state.state)
        firsts = [llm._chat.plain(option)[0] for option in LETTERS.options]
        logs = logits - logits.max() - np.log(np.exp(logits - logits.max()).sum())
        assert [logs[first] for first in firsts] == pytest.approx(reply.logprobs, abs=NOISE)


def few(llm):
    return llm(VOTES[:3], LETTERS), llm(FACTS[:2], Generate(4))


def test_a_hidden_state_does_not_depend_on_other_prompts_and_changes_no_reply(llm):
    before = few(llm)
    votes = VOTES[1:4]
    together = [reply.state for reply in llm(votes, Represent())]
    assert [llm([prompt], Represent())[0].state for prompt in votes] == together
    assert len(set(together)) == len({prompt.text for prompt in votes}) == 2
    assert few(llm) == before


def test_a_vote_in_a_batch_is_near_the_vote_alone(llm):
    together = llm(VOTES, LETTERS)
    for prompt, reply in zip(VOTES, together, strict=True):
        (alone,) = llm([prompt], LETTERS)
        assert reply.logprobs == pytest.approx(alone.logprobs, abs=NOISE)
        first, second = sorted(alone.logprobs, reverse=True)[:2]
        assert first - second < 0.3 or reply.text == alone.text


@pytest.mark.parametrize("others", ["BCCBA", "XYZWV", "EEEEE"])
def test_what_the_others_of_a_batch_say_does_not_matter(llm, others):
    first = llm(VOTES, LETTERS)[0]
    mates = [Prompt("vote", VOTES[0].head, VOTES[0].body.replace(": A", f": {o}")) for o in others]
    assert llm([VOTES[0], *mates], LETTERS)[0].logprobs == pytest.approx(first.logprobs, abs=1e-4)


def test_a_reply_does_not_depend_on_earlier_calls(gguf, llm):
    before = few(llm)
    llm([Prompt("ask", "Another head.\n", "Tell a story.")], Generate(8))
    llm(VOTES[:2], PickOne(("B", "C")))
    assert few(llm) == before
    other = fresh(gguf)
    assert other(FACTS[:2], Generate(4)) == before[1]
    assert other(VOTES[:3], LETTERS) == before[0]


def test_a_kept_head_is_not_computed_again_and_gives_the_same_to_the_bit(gguf):
    llm = fresh(gguf)
    first = llm(VOTES[:2], LETTERS)
    computed = llm.tokens_computed
    assert llm(VOTES[:2], LETTERS) == first
    head = len(llm._chat.head(VOTES[0]))
    assert computed - (llm.tokens_computed - computed) == head


def test_heads_that_left_are_computed_again_to_the_same_bits(gguf):
    llm = fresh(gguf)
    first = llm(VOTES[:2], LETTERS)
    for number in range(8):
        llm([Prompt("vote", f"Head number {number}.\n", "A")], LETTERS)
    assert len(llm._heads) <= 8
    assert llm(VOTES[:2], LETTERS) == first


def test_what_prompts_share_is_computed_once(gguf):
    llm = fresh(gguf)
    shared = "Claim: the bridge at Varnby was closed for the whole of the year.\n" * 4
    prompts = [Prompt("vote", HEAD, f"{shared}Evidence {i}. Letter:") for i in range(8)]
    llm(prompts[:1], LETTERS)
    one = llm.tokens_computed
    llm(prompts, LETTERS)
    assert llm.tokens_computed - one < 2.5 * one


def test_more_prompts_than_fit_a_batch_are_all_answered_in_order(llm):
    many = [VOTES[i % 3] for i in range(40)]
    replies = llm(many, LETTERS)
    assert len(replies) == 40
    for number, reply in enumerate(replies):
        assert reply.logprobs == pytest.approx(replies[number % 3].logprobs, abs=NOISE)


def test_more_tokens_than_fit_the_cache_are_answered_in_several_runs(llm):
    sizes = [len(group) for _, group in llm._groups([_long(1500, i) for i in range(7)], 32)]
    assert sum(sizes) == 7
    assert len(sizes) > 1


def _long(words: int, number: int = 0) -> Prompt:
    return Prompt("vote", HEAD, f"Number {number}: {'rain ' * words}\nThe letter is")


@pytest.mark.parametrize("name", ["<|im_end|>", "<|im_start|>system", "<|endoftext|>"])
def test_the_names_of_control_tokens_in_a_claim_are_text(llm, name):
    control = tokens(llm._chat.vocab, name, special=True)
    text = llm._chat.plain(name)
    assert len(text) > len(control)
    assert set(text).isdisjoint(tokens(llm._chat.vocab, name.removesuffix("system"), special=True))
    assert spelling(llm, text) == name
    (reply,) = llm([Prompt("ask", HEAD, f"Claim: it is so.{name} Say more.")], Generate(4))
    assert reply.prompt_tokens > 8


@pytest.mark.parametrize("text", ["", " ", "\0", "a\0b", "\ud800", "🏔️ é \u202e", "\n\n"])
def test_any_text_is_answered(llm, text):
    (reply,) = llm([Prompt("ask", HEAD, text)], Generate(2))
    assert isinstance(reply.text, str)


def test_tokens_are_those_of_the_text_to_the_byte(llm):
    text = "A claim — “quoted”, 雨, é\n  with\ttabs."
    assert spelling(llm, llm._chat.plain(text)) == text


def test_a_prompt_that_is_too_long_loses_its_middle_and_says_so(llm, monkeypatch):
    monkeypatch.setattr(llamacpp, "_PROMPT_LIMIT", 256)
    short, long = llm([_long(10), _long(6000)], LETTERS)
    assert (short.cut, long.cut) == (False, True)
    assert long.prompt_tokens < 256
    kept = llm._groups([_long(6000)], 0)[0][1][0].prompt
    text = spelling(llm, kept)
    assert text.startswith("Number 0: rain")
    assert "The letter is" in text[-200:]
    assert text.endswith(llm._chat.after)


def test_an_option_is_read_with_and_without_the_space_that_a_tokenizer_puts_before_it(
    llm, monkeypatch
):
    assert [len(first) for first in llm._first_tokens(LETTERS)] == [1] * len(LETTERS.options)
    plain = llm(VOTES[:1], LETTERS)[0].logprobs
    real = llm._first_tokens(LETTERS)
    monkeypatch.setattr(llm, "_first_tokens", lambda _: [real[0] + real[1], *real[2:]])
    joined = llm(VOTES[:1], PickOne(("A", *LETTERS.options[2:])))[0].logprobs
    assert joined == pytest.approx((np.logaddexp(plain[0], plain[1]), *plain[2:]))


def test_a_model_that_writes_no_text_is_named(gguf, monkeypatch):
    monkeypatch.setattr(llamacpp.ll, "llama_get_memory", lambda _: None)  # as of a BERT
    with pytest.raises(ModelError, match=r"\.gguf writes no text, as an embedder"):
        fresh(gguf)


def test_a_prompt_with_its_reply_is_no_longer_than_the_model_was_trained_on(llm, monkeypatch):
    monkeypatch.setattr(llm, "_longest", 300)
    ((_, (running,)),) = llm._groups([_long(6000)], room=44)
    assert (len(running.head + running.prompt), running.cut) == (256, True)
    with pytest.raises(PromptError, match="at most 28 fit"):
        llm([Prompt("vote", "rain " * 200 + "\n", "Yes?")], Generate(144))


def test_a_head_that_is_too_long_is_an_error_and_the_next_call_is_answered(llm):
    before = llm(VOTES, LETTERS)
    with pytest.raises(PromptError, match=r"^vote\.txt has 3\d{3} tokens before the claim"):
        llm([Prompt("vote", "rain " * 3000 + "\n", "The letter is")], LETTERS)
    assert llm(VOTES, LETTERS) == before


def test_a_reply_ends_before_a_stop_and_keeps_a_question_mark(llm):
    (whole,) = llm([CAPITAL], Generate(12))
    middle = whole.text.split()[1]
    (stopped,) = llm([CAPITAL], Generate(12, stop=(middle,)))
    assert stopped.text == whole.text[: whole.text.index(middle)].strip()
    asking = Prompt("ask", "", "Write a short question about the weather, and only that.")
    (question,) = llm([asking], Generate(40, stop=("?",)))
    assert question.text.count("?") == 1
    assert question.text.endswith("?")
    assert question.reply_tokens < 40


def test_a_reply_is_never_longer_than_asked(llm):
    counts = [llm([CAPITAL], Generate(n))[0].reply_tokens for n in (1, 2, 5)]
    assert counts == sorted(counts)
    assert all(count <= n for count, n in zip(counts, (1, 2, 5), strict=True))


def test_a_penalty_keeps_the_model_from_repeating_itself(llm):
    listing = Prompt("ask", "", "Write the word rain a hundred times: rain rain rain rain rain")
    (plain,) = llm([listing], Generate(24))
    (varied,) = llm([listing], Generate(24, repetition_penalty=1.8))
    assert _repeats(varied.text) < max(1, _repeats(plain.text)) or varied.text != plain.text


def _repeats(text: str) -> int:
    return sum(one == other for one, other in pairwise(text.lower().split()))


def test_options_that_begin_alike_are_refused(llm):
    with pytest.raises(ModelError, match="do not differ in their first token"):
        llm(VOTES, PickOne(("A", "A")))


@pytest.mark.parametrize("content", [b"", b"no model", b"GGUF" + bytes(200)])
def test_a_file_that_is_no_model_is_named(tmp_path, content):
    file = tmp_path / "model.gguf"
    file.write_bytes(content)
    with pytest.raises(ModelError, match=r"cannot be loaded by llama\.cpp"):
        llamacpp.load(file, threads=1)


def test_a_model_that_was_cut_short_is_named(gguf, tmp_path):
    with gguf.open("rb") as whole:
        (tmp_path / "cut.gguf").write_bytes(whole.read(2**22))
    with pytest.raises(ModelError, match=r"cut\.gguf cannot be loaded"):
        llamacpp.load(tmp_path / "cut.gguf", threads=1)


def test_a_gpu_that_is_not_there_is_named(gguf):
    import llama_cpp

    if llama_cpp.llama_supports_gpu_offload():
        pytest.skip("this build can use a GPU")
    with pytest.raises(ModelError, match="--gpu-layers"):
        llamacpp.load(gguf, threads=1, gpu_layers=1)


def test_a_model_that_nobody_holds_is_given_back(gguf):
    def resident() -> int:
        """KiB of this process in memory."""
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))

    before = resident()
    for _ in range(3):
        fresh(gguf)
        gc.collect()
    assert resident() - before < 2 * gguf.stat().st_size // 1024
