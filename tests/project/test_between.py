"""A verifier between two is their weighted mean, number by number."""

from __future__ import annotations

import pytest
import torch
from safetensors.torch import save_file

from scripts.between import between
from uhhrag.backends import verifier


@pytest.fixture
def folders(tmp_path):
    made = []
    for name, value in (("start", 1.0), ("end", 2.0)):
        (tmp_path / name).mkdir()
        numbers = torch.full((2, 3), value, dtype=torch.float16)
        save_file({"a": numbers, "b": -numbers}, tmp_path / name / verifier.ADAPTER)
        made.append(tmp_path / name)
    return made


@pytest.mark.parametrize(("share", "value"), [(0, 1), (0.25, 1.25), (0.5, 1.5), (1, 2)])
def test_every_number_is_the_weighted_mean(folders, share, value):
    mixed = between(*folders, share)
    assert mixed["a"].tolist() == [[value] * 3] * 2
    assert mixed["b"].tolist() == [[-value] * 3] * 2
    assert {numbers.dtype for numbers in mixed.values()} == {torch.float16}


def test_adapters_of_other_matrices_have_nothing_between_them(folders):
    save_file({"c": torch.zeros(1)}, folders[0] / verifier.ADAPTER)
    with pytest.raises(KeyError):
        between(*folders, 0.5)
