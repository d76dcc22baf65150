"""What a sentence with a pronoun at its head leaves open."""

from __future__ import annotations

import pytest

from uhhrag.text.pronouns import doubt


@pytest.mark.parametrize(
    ("sentence", "pronoun"),
    [
        ("It was approved by the Transport Committee by four votes to one.", "It"),
        ("It was built to last.", "It"),
        ("It is illegal to park there.", ""),
        ("They demand more.", "They"),
        ("This was built in 1974.", "This"),
        ("This year was warm.", ""),
        ("It is true that it rained.", ""),
        ("Italy joined.", ""),
    ],
)
def test_a_pronoun_alone_names_nobody(sentence, pronoun):
    told = f"does not say who or what “{pronoun}” is" if pronoun else ""
    assert doubt(sentence) == told
