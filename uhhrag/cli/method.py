from __future__ import annotations

from collections.abc import Callable
from typing import cast

from uhhrag.cli.options import parameter, with_options
from uhhrag.config.choices import Beside, Choices
from uhhrag.config.option import declared
from uhhrag.wiring.machine import Machine
from uhhrag.workflows.method import MethodOptions, choose

OPTIONS = [parameter(one) for kind in (Beside, Choices, Machine) for one in declared(kind)]


def decides_claims(command: Callable[..., None]) -> Callable[..., None]:
    """Adds these options, read as the argument `chosen`."""
    return with_options(
        command, OPTIONS, "chosen", lambda given: choose(cast(MethodOptions, given))
    )
