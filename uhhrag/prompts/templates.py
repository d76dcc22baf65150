"""Templates with `$slots`; `prompts/README.md` has the form of replies."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template

from uhhrag.errors import PromptError
from uhhrag.records import Prompt
from uhhrag.system.checksums import sha256
from uhhrag.system.terminal import meant

_EXAMPLES = "_examples"
# Slots that stay the same through a run; the lines before the first other one are the head.
_FIXED = frozenset({"examples", "count"})
_SLOT = re.compile(r"(?<!\$)(?:\$\$)*\$\{?([a-z_]+)")


@dataclass(frozen=True, slots=True)
class Prompts:
    texts: Mapping[str, str]
    """by file stem"""

    def __call__(self, step: str) -> StepTemplate:
        return StepTemplate(step, self.texts[step], self.texts.get(step + _EXAMPLES, ""))

    @property
    def hash(self) -> str:
        return sha256("".join(f"{name}\0{text}\0" for name, text in sorted(self.texts.items())))

    def with_examples(self, examples: Mapping[str, str]) -> Prompts:
        own = {step + _EXAMPLES: text for step, text in examples.items()}
        return Prompts({**self.texts, **own})

    def only(self, steps: Collection[str]) -> Prompts:
        kept = {name for step in steps for name in (step, step + _EXAMPLES)}
        return Prompts({name: text for name, text in self.texts.items() if name in kept})


@dataclass(frozen=True, slots=True)
class StepTemplate:
    step: str
    text: str
    examples: str = ""

    def __call__(self, **slots: str) -> Prompt:
        """
        >>> StepTemplate("x", "Q. $examples\\nClaim: $claim", "E.")(claim="It cost $5.")
        Prompt(step='x', head='Q. E.\\n', body='Claim: It cost $5.')
        """
        slot = next(
            (m.start() for m in _SLOT.finditer(self.text) if m[1] not in _FIXED), len(self.text)
        )
        # At a line's start, so that the words before and after the split stay whole tokens.
        split = self.text.rfind("\n", 0, slot) + 1
        values = {"examples": self.examples, **slots}
        head, body = self.text[:split], self.text[split:]
        return Prompt(
            self.step, Template(head).substitute(values), Template(body).substitute(values)
        )

    @property
    def hash(self) -> str:
        """What a calibration depends on."""
        return sha256(f"{self.text}\0{self.examples}")


def load_prompts(folder: Path | None = None) -> Prompts:
    """Those of `folder` replace ours. Raises PromptError."""
    shipped = _read(_shipped_folder())
    if folder is None:
        return Prompts(shipped)
    if not folder.is_dir():
        raise PromptError(f"{folder} is not a folder; --prompts takes a folder with template files")
    own = _read(folder)
    names = ", ".join(f"{name}.txt" for name in shipped if not name.endswith(_EXAMPLES))
    names += f", and NAME{_EXAMPLES}.txt for a template with $examples"
    if not own:
        raise PromptError(f"{folder} holds no .txt file; it may hold: {names}")
    for name, text in own.items():
        if name not in shipped:
            known = (meant(name, shipped) or f"the names are: {names}").rstrip()
            raise PromptError(f"{folder}/{name}.txt fits no step; {known}")
        if not name.endswith(_EXAMPLES):
            _check_slots(text, slots_of(shipped[name]), f"{folder}/{name}.txt")
    return Prompts({**shipped, **own})


def _shipped_folder() -> Path:
    here = Path(__file__).parent
    installed = here.parent / "templates"
    return installed if installed.is_dir() else here.parents[1] / "prompts"


def _read(folder: Path) -> dict[str, str]:
    try:
        # One final newline is the file's, not the prompt's: a reply goes on where the prompt ends.
        return {
            path.stem: path.read_text(encoding="utf-8-sig").removesuffix("\n")
            for path in sorted(folder.glob("*.txt"))
        }
    except (OSError, UnicodeDecodeError) as error:
        raise PromptError(f"a template in {folder} cannot be read: {error}") from error


def slots_of(text: str) -> set[str]:
    return set(Template(text).get_identifiers())


def _check_slots(text: str, needed: set[str], location: str) -> None:
    if not Template(text).is_valid():
        raise PromptError(f"{location} has a $ that opens no slot; write $$ for a dollar sign")
    slots = slots_of(text)
    if missing := sorted(needed - slots):
        raise PromptError(f"{location} lacks ${', $'.join(missing)}; add it where the text belongs")
    if unknown := sorted(slots - needed):
        raise PromptError(
            f"{location} has the unknown slot ${', $'.join(unknown)}; "
            f"it can have ${', $'.join(sorted(needed))} ($$ writes a dollar sign)"
        )
