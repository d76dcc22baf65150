"""Templates with `$slots`; `prompts/README.md` has the form of replies."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template

from uhhrag.errors import PromptError
from uhhrag.records import Prompt
from uhhrag.system.checksums import sha256

SLOTS: Mapping[str, frozenset[str]] = {
    "ask_about": frozenset({"examples", "claim", "sentence"}),
    "decompose": frozenset({"examples", "count", "claim"}),
    "question_set": frozenset({"claim", "date", "speaker"}),
    "answer": frozenset({"context", "question"}),
    "statement": frozenset({"question", "answer"}),
    "entails_constrained": frozenset({"premise", "hypothesis"}),
    "vote_constrained": frozenset({"claim", "evidence"}),
    "vote_paper": frozenset({"claim", "evidence"}),
    "label_constrained": frozenset({"claim", "evidence"}),
    "label_paper": frozenset({"claim", "evidence"}),
    "reader": frozenset({"claim", "evidence"}),
    "ask_first": frozenset({"examples", "origin", "claim"}),
    "ask_next": frozenset({"examples", "origin", "claim", "pairs"}),
    "best_document": frozenset({"documents", "question"}),
    "answer_document": frozenset({"documents", "question"}),
    "paraphrase": frozenset({"examples", "count", "question"}),
    "yes_no": frozenset({"examples", "count", "origin", "claim"}),
    "summarise": frozenset({"origin", "claim", "document"}),
    "summarise_few": frozenset({"examples", "origin", "claim", "document"}),
    "pairs_constrained": frozenset({"claim", "evidence"}),
    "pairs_paper": frozenset({"claim", "evidence"}),
    "pairs_four_constrained": frozenset({"claim", "evidence"}),
    "pairs_four_paper": frozenset({"claim", "evidence"}),
    "justify": frozenset({"examples", "claim", "evidence"}),
    "grade_constrained": frozenset({"claim", "evidence"}),
    "grade_paper": frozenset({"claim", "evidence"}),
    "ev2r_facts": frozenset({"claim", "evidence", "other"}),
    "ev2r_questions": frozenset({"claim", "questions", "others"}),
}
_EXAMPLES = frozenset(step for step, slots in SLOTS.items() if "examples" in slots)
# Slots that stay the same through a run; the lines before the first other one are the head.
_FIXED = frozenset({"examples", "count"})
_SLOT = re.compile(r"(?<!\$)(?:\$\$)*\$\{?([a-z_]+)")


@dataclass(frozen=True, slots=True)
class Prompts:
    texts: Mapping[str, str]
    """by file stem"""

    def __call__(self, step: str) -> StepTemplate:
        return StepTemplate(step, self.texts[step], self.texts.get(f"{step}_examples", ""))

    @property
    def hash(self) -> str:
        return sha256("".join(f"{name}\0{text}\0" for name, text in sorted(self.texts.items())))

    def with_examples(self, examples: Mapping[str, str]) -> Prompts:
        return Prompts({**self.texts, **{f"{step}_examples": t for step, t in examples.items()}})


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
    """Those of `folder` replace the shipped. Raises PromptError."""
    shipped = _read(_shipped_folder())
    if folder is None:
        return Prompts(shipped)
    if not folder.is_dir():
        raise PromptError(f"{folder} is not a folder; --prompts takes a folder with template files")
    own = _read(folder)
    if not own:
        raise PromptError(f"{folder} holds no .txt file; it may hold: {', '.join(_names())}")
    for name, text in own.items():
        if name not in _names():
            raise PromptError(f"{folder}/{name}.txt fits no step; the names are: {_known()}")
        if name in SLOTS:
            _check_slots(text, SLOTS[name], f"{folder}/{name}.txt")
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


def _check_slots(text: str, needed: frozenset[str], where: str) -> None:
    if not Template(text).is_valid():
        raise PromptError(f"{where} has a $ that opens no slot; write $$ for a dollar sign")
    slots = set(Template(text).get_identifiers())
    if missing := sorted(needed - slots):
        raise PromptError(f"{where} lacks ${', $'.join(missing)}; add it where the text belongs")
    if unknown := sorted(slots - needed):
        raise PromptError(
            f"{where} has the unknown slot ${', $'.join(unknown)}; "
            f"it can have ${', $'.join(sorted(needed))} ($$ writes a dollar sign)"
        )


def _names() -> list[str]:
    return sorted(SLOTS) + sorted(f"{step}_examples" for step in _EXAMPLES)


def _known() -> str:
    return ", ".join(f"{name}.txt" for name in _names())
