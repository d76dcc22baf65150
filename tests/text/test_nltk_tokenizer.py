"""NLTK is loaded without what is not used of it."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from tests.support.doubles import load_nltk_data
from uhhrag.text.nltk_tokenizer import _Absent

_SPLIT = """
import sys
from uhhrag.wiring import nltk_data
from uhhrag.text.nltk_tokenizer import word_tokenize
nltk_data.load_nltk_data()
assert word_tokenize("It rained, didn't it?") == ["It", "rained", ",", "did", "n't", "it", "?"]
assert "scipy" not in sys.modules and "sklearn" not in sys.modules
import scipy.stats
assert scipy.stats.fisher_exact
"""


@pytest.mark.slow
def test_nltk_does_not_load_scipy_and_others_still_can():
    load_nltk_data()
    subprocess.run([sys.executable, "-c", _SPLIT], check=True)


def test_packages_are_absent_for_one_thread_only():
    absent = _Absent(threading.get_ident())
    with pytest.raises(ModuleNotFoundError):
        absent.find_spec("scipy", None)
    assert absent.find_spec("numpy", None) is None
    seen: list[object] = []
    other = threading.Thread(target=lambda: seen.append(absent.find_spec("scipy", None)))
    other.start()
    other.join()
    assert seen == [None]
