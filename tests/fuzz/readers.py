"""Every reader of the package, by its name."""

from __future__ import annotations

from tests.fuzz.corpora import CORPORA
from tests.fuzz.documents import DOCUMENTS
from tests.fuzz.models import MODELS
from tests.fuzz.reader import Reader
from tests.fuzz.runs import RUNS
from tests.fuzz.stores import STORES

READERS: dict[str, Reader] = {r.name: r for r in (*STORES, *RUNS, *MODELS, *DOCUMENTS, *CORPORA)}
