"""Modules that stand in for those that commands use, until they are used."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.paths import ROOT

LOOKING_THROUGH = """
import inspect, sys
import uhhrag.cli
from uhhrag.cli.lazy import LAZY
from uhhrag import doctor

def waiting():
    return {name for name in LAZY if type(sys.modules[name]).__name__ == "_StandIn"}

before = waiting()
inspect.getmodule(inspect.currentframe())
names = [module.__name__ for module in sys.modules.values() if hasattr(module, "__file__")]
assert set(LAZY) <= set(names), "a stand-in has a name and a file"
assert waiting() == before and len(before) > 20, before - waiting()
assert "numpy" not in sys.modules
assert doctor.__doc__ and "uhhrag.doctor" not in waiting(), "another attribute loads the module"
assert callable(doctor.as_text)
assert not hasattr(doctor, "nothing")
"""


@pytest.mark.slow
def test_what_looks_through_all_modules_loads_none_of_them_and_an_attribute_does():
    done = subprocess.run(
        [sys.executable, "-c", LOOKING_THROUGH],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_a_check_waits_for_no_library_that_only_scores_fits_or_new_documents_need():
    code = (
        "import sys, uhhrag.cli; from uhhrag.workflows import check; check.check\n"
        "print({'nltk', 'scipy', 'sentence_transformers', 'torch', 'trafilatura'} & {*sys.modules})"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "set()\n"
