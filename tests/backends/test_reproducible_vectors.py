"""A text's vector is the same to the bit for any number of threads and any company.
`test_instruction_sets` runs this file as on other processors."""

from __future__ import annotations

import random
import threading

import numpy as np
import pytest

from tests.support.model_files import model_path
from uhhrag.backends import sentence_transformer
from uhhrag.indexing.choices import Precision

TEXTS = [
    "Rain.",
    "It rained all night, and in the morning the street was a river.",
    " ".join(f"word{i}" for i in range(40)),
    *(f"Sentence number {i} of them." for i in range(10, 50)),  # more than a batch of one length
    *(
        f"The sentence with the number {i} says that it rained in the town of Varnby."
        for i in "abc"
    ),
]


@pytest.fixture(scope="module", params=[Precision.FP32, Precision.BF16])
def embed(request):
    folder = model_path("minilm")
    return sentence_transformer.load(folder, numbers=str(request.param))


@pytest.fixture(scope="module")
def together(embed):
    return embed(TEXTS)


@pytest.mark.model
def test_a_vector_does_not_depend_on_the_other_texts(embed, together):
    shuffled = random.Random(1).sample(range(len(TEXTS)), len(TEXTS))  # noqa: S311
    assert (embed([TEXTS[i] for i in shuffled]) == together[shuffled]).all()
    for row in (0, 1, 2, 3, 20, 42, 45):
        assert (embed([TEXTS[row]])[0] == together[row]).all()


@pytest.mark.model
def test_a_vector_does_not_depend_on_the_number_of_threads(embed, together):
    import torch

    before = torch.get_num_threads()
    try:
        for threads in {1, 2, 3} - {before}:
            torch.set_num_threads(threads)
            assert (embed(TEXTS) == together).all()
    finally:
        torch.set_num_threads(before)


def _ids(*lengths):
    return [[n + 1] * length for n, length in enumerate(lengths)]


def test_texts_run_together_only_where_a_batch_has_the_bits_of_each_text_alone():
    from uhhrag.backends.reproducible_batches import OneThreadEncoder

    shapes = []

    def forward(ids):
        shapes.append(tuple(ids.shape))
        found = ids.float().mean(1, keepdim=True).repeat(1, 2)
        if ids.shape[0] > 1 and ids.shape[1] == 64:  # as a kernel does with the last rows
            found[-1] += 1e-6
        return found

    encode = OneThreadEncoder(forward, 2)
    lengths = [64] * 5 + [128] * 5
    expected = np.array([[n + 1] * 2 for n in range(10)], np.float32)
    for _ in range(2):
        shapes.clear()
        assert (encode(_ids(*lengths)) == expected).all()
    assert sorted(shapes) == [(1, 64)] * 5 + [(1, 128)] + [(2, 128)] * 2


def test_what_does_not_fill_a_batch_runs_in_halves_of_it():
    from uhhrag.backends.reproducible_batches import OneThreadEncoder

    shapes = []

    def forward(ids):
        shapes.append(tuple(ids.shape))
        found = ids.float().mean(1, keepdim=True).repeat(1, 2)
        if tuple(ids.shape) == (4, 32):
            found[-1] += 1e-6
        return found

    encode = OneThreadEncoder(forward, 2)
    tokens = _ids(*[64] * 7, *[32] * 7)
    expected = np.array([[n + 1] * 2 for n in range(14)], np.float32)
    for _ in range(2):
        shapes.clear()
        assert (encode(tokens) == expected).all()
    assert sorted(shapes) == [(1, 32), (1, 64), *[(2, 32)] * 3, (2, 64), (4, 64)]


def as_if_by_amx(shapes, places=()):
    """A kernel that gives a text other bits in a batch than alone; at the first of so many rows of
    `places`, other ones than at the others."""

    def forward(ids):
        shapes.append(tuple(ids.shape))
        found = ids.float().mean(1, keepdim=True).repeat(1, 2) + 1e-6 * min(ids.shape[0], 3)
        if ids.shape[1] in places:
            found[0] += 1e-3
        return found

    return forward


def test_where_a_batch_has_other_bits_every_batch_is_filled_up():
    from uhhrag.backends.reproducible_batches import OneThreadEncoder

    shapes = []
    encode = OneThreadEncoder(as_if_by_amx(shapes), 2, trial=[[1, 2] * 8])
    tokens = _ids(*[64] * 5, *[32] * 3, *[128] * 2, 64, 200)
    together = encode(tokens)
    shapes.clear()
    assert (encode(tokens) == together).all()
    assert sorted(shapes) == [(1, 200), (2, 128), (4, 32), (4, 64), (4, 64)]
    for row, ids in enumerate(tokens):
        assert (
            OneThreadEncoder(as_if_by_amx([]), 2, trial=[[1, 2] * 8])([ids]) == together[row]
        ).all()
        assert (encode([ids]) == together[row]).all()


def test_texts_that_do_not_fill_a_batch_run_in_the_smallest_that_gives_its_bits():
    from uhhrag.backends.reproducible_batches import OneThreadEncoder

    def by_rows(shapes):
        """A kernel whose sums have another order below 37 rows, as with Intel's AMX."""

        def forward(ids):
            shapes.append(tuple(ids.shape))
            return ids.float().mean(1, keepdim=True) + 1e-6 * (ids.numel() < 37)

        return forward

    def embedded(encode, tokens):
        encode(tokens)  # trials
        shapes.clear()
        return encode(tokens)

    shapes = []
    encode = OneThreadEncoder(by_rows(shapes), 1, trial=[[1, 2] * 8])
    full = embedded(encode, _ids(*[12] * 21, *[40] * 6))
    assert sorted(shapes) == [(6, 40), (21, 12)]
    for count, rows_of_12, rows_of_40 in ((1, 5, 1), (3, 5, 3), (6, 10, 6)):
        some = embedded(encode, _ids(*[12] * count, *[40] * count))
        assert (some[:count] == full[:count]).all()
        assert sorted(shapes) == [(rows_of_40, 40), (rows_of_12, 12)]
    more = embedded(encode, _ids(*[12] * 24))
    assert (more[:21] == full[:21]).all()
    assert sorted(shapes) == [(5, 12), (21, 12)]


def test_a_length_whose_batch_has_other_bits_at_one_place_is_computed_alone():
    from uhhrag.backends.reproducible_batches import OneThreadEncoder

    shapes = []
    encode = OneThreadEncoder(as_if_by_amx(shapes, places=(64,)), 2, trial=[[1, 2] * 8])
    tokens = _ids(*[64] * 5, *[32] * 3)
    encode(tokens)
    shapes.clear()
    together = encode(tokens)
    assert sorted(shapes) == [(1, 64)] * 5 + [(4, 32)]
    assert all((encode([ids]) == together[row]).all() for row, ids in enumerate(tokens))


def test_a_trial_that_has_the_same_bits_changes_nothing():
    from uhhrag.backends.reproducible_batches import OneThreadEncoder

    shapes = []

    def forward(ids):
        shapes.append(tuple(ids.shape))
        return ids.float().mean(1, keepdim=True).repeat(1, 2)

    encode = OneThreadEncoder(forward, 2, trial=[[1, 2] * 8])
    encode(_ids(*[64] * 5))
    shapes.clear()
    encode(_ids(*[64] * 5))
    assert sorted(shapes) == [(1, 64), (4, 64)]


def test_trials_are_remembered_for_the_model_its_numbers_and_the_processor(tmp_path, monkeypatch):
    from uhhrag.backends.reproducible_batches import OneThreadEncoder
    from uhhrag.backends.self_tests import BatchShapes

    monkeypatch.setenv("UHHRAG_HOME", str(tmp_path))
    tokens = _ids(*[64] * 5, *[32] * 3)

    def encoded(model, numbers):
        shapes = []
        batches = BatchShapes.recalled(model, numbers)
        encode = OneThreadEncoder(as_if_by_amx(shapes), 2, trial=[[1, 2] * 8], batches=batches)
        return encode(tokens), len(shapes)

    first, trials = encoded("model", "bf16")
    again, passes = encoded("model", "bf16")
    assert (first == again).all()
    assert passes == 3  # two batches of 64 tokens and one of 32
    assert trials > passes
    monkeypatch.setenv("ONEDNN_DEFAULT_FPMATH_MODE", "BF16")
    assert encoded("model", "bf16")[1] == trials
    monkeypatch.undo()
    monkeypatch.setenv("UHHRAG_HOME", str(tmp_path))
    assert encoded("model", "fp32")[1] == encoded("other", "bf16")[1] == trials
    assert encoded("", "bf16")[1] == encoded("", "bf16")[1] == trials
    (tmp_path / "cache" / "batches.json").write_text("{}")
    assert encoded("model", "bf16")[1] == trials


def test_each_text_is_computed_by_one_thread_and_other_threads_keep_theirs():
    import torch

    from uhhrag.backends.reproducible_batches import OneThreadEncoder

    seen = set()

    def forward(ids):
        info = torch.__config__.parallel_info()
        seen.add((torch.get_num_threads(), "mkl_get_max_threads() : 1\n" in info))
        return ids.float()

    before = torch.get_num_threads()
    try:
        torch.set_num_threads(3)
        OneThreadEncoder(forward, 4)(_ids(*[4] * 9))
        assert seen == {(1, True)}
        later: list[int] = []
        thread = threading.Thread(target=lambda: later.append(torch.get_num_threads()))
        thread.start()
        thread.join()
        assert later == [torch.get_num_threads()] == [3]
    finally:
        torch.set_num_threads(before)
