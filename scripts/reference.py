"""Where the reference data lie that benchmarks read."""

import os
from pathlib import Path


def reference_data() -> Path:
    """The `averitec` folder of the reference data.

    The environment variable UHHRAG_SHARED names the folder that holds it; without the variable
    that is the folder `shared` beside the repository.
    """
    beside = Path(__file__).resolve().parents[2] / "shared"
    return Path(os.environ.get("UHHRAG_SHARED", beside)) / "averitec"
