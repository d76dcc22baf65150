"""The slots of each step's shipped template."""

from __future__ import annotations

from uhhrag.prompts.templates import load_prompts, slots_of

SLOTS = {
    name: slots_of(text)
    for name, text in load_prompts().texts.items()
    if not name.endswith("_examples")
}
