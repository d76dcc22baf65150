"""Templates: what is missing is named, and what stands in a claim stays text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.prompt_slots import SLOTS
from uhhrag.errors import PromptError
from uhhrag.prompts.templates import load_prompts

README = Path(__file__).parents[2] / "prompts" / "README.md"


def test_every_step_has_a_shipped_template_with_the_slots_that_its_page_lists():
    rows = re.findall(r"^\| `(\w+)\.txt` \| ([^|]+) \|", README.read_text(), re.MULTILINE)
    told = {name: set(re.findall(r"\$(\w+)", listed)) for name, listed in rows}
    assert told == {name: SLOTS[name] for name in told}
    assert SLOTS.keys() - told.keys() == {"summarise", "summarise_few"}  # in one row
    prompts = load_prompts()
    for step, slots in SLOTS.items():
        filled = prompts(step)(**{slot: f"<{slot}>" for slot in slots - {"examples"}})
        for slot in slots - {"examples"}:
            assert f"<{slot}>" in filled.text
        assert "$" not in filled.text


@given(st.text())
def test_a_claim_reaches_the_prompt_as_it_is(text):
    filled = load_prompts()("vote_constrained")(claim=text, evidence="$claim {claim} %s")
    assert f"Claim: {text}\n" in filled.body
    assert "$claim {claim} %s" in filled.body


def test_the_head_is_the_same_for_every_claim_and_the_body_holds_the_rest():
    template = load_prompts()("ask_about")
    one = template(claim="One.", sentence="S.")
    two = template(claim="Two.", sentence="T.")
    assert one.head == two.head
    assert one.head.endswith("\n")
    assert one.body.startswith("claim: One.")


def test_a_folder_swaps_the_templates_it_holds_and_changes_the_hash(tmp_path):
    (tmp_path / "vote_constrained.txt").write_text("$claim / $evidence = ?\n")
    own = load_prompts(tmp_path)
    assert own("vote_constrained")(claim="c", evidence="e").text == "c / e = ?"
    assert own("decompose").text == load_prompts()("decompose").text
    assert own.hash != load_prompts().hash


def test_a_byte_order_mark_is_no_part_of_a_prompt(tmp_path):
    file = tmp_path / "vote_constrained.txt"
    file.write_text("$claim / $evidence = ?", encoding="utf-8-sig")
    assert load_prompts(tmp_path)("vote_constrained")(claim="c", evidence="e").text == "c / e = ?"


def test_the_hash_does_not_depend_on_where_the_files_are(tmp_path):
    for name, text in load_prompts().texts.items():
        (tmp_path / f"{name}.txt").write_text(text + "\n", encoding="utf-8")
    assert load_prompts(tmp_path).hash == load_prompts().hash


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("vote_constrained.txt", "$claim", "lacks $evidence"),
        ("vote_constrained.txt", "$claim $evidence $speaker", "unknown slot $speaker"),
        ("vote_constrained.txt", "$claim $evidence 5 $ only", "opens no slot"),
        ("vote.txt", "$claim $evidence", "fits no step"),
        ("vote_constraind.txt", "$claim", "fits no step; is vote_constrained meant?"),
        ("mine.txt", "$claim", "fits no step; the names are: answer.txt, "),
    ],
)
def test_a_bad_template_is_named_with_what_is_wrong(tmp_path, name, text, said):
    (tmp_path / name).write_text(text)
    with pytest.raises(PromptError, match=r".*") as caught:
        load_prompts(tmp_path)
    assert said in str(caught.value)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_template_that_is_no_text_is_named(tmp_path):
    (tmp_path / "vote_constrained.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(PromptError, match="cannot be read"):
        load_prompts(tmp_path)


@pytest.mark.parametrize("there", [True, False])
def test_a_folder_without_templates_is_refused(tmp_path, there):
    with pytest.raises(PromptError):
        load_prompts(tmp_path if there else tmp_path / "nowhere")
