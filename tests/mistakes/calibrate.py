"""`uhhrag calibrate`."""

from __future__ import annotations

from tests.mistakes.mistake import Mistake

MISTAKES = (
    Mistake("nowhere to write to", "uhhrag calibrate onesided.json", 2, "--out"),
    Mistake("no training claims there", "uhhrag calibrate nowhere.json --out c.json", 3, "give"),
    Mistake("training claims cut short", "uhhrag calibrate cut.json --out c.json", 3, "copy it"),
    Mistake("claims without evidence", "uhhrag calibrate gold.json --out c.json", 3, "each is an"),
    Mistake(
        "only one label", "uhhrag calibrate onesided.json --out c.json", 3, "some of each label"
    ),
    Mistake("too few claims", "uhhrag calibrate onesided.json --out c.json --size 1", 2, "--help"),
    Mistake(
        "a rule without votes",
        "uhhrag calibrate onesided.json --out c.json --rule dice",
        2,
        "it is one of",
    ),
    Mistake(
        "a file that is not a calibration",
        "uhhrag calibrate onesided.json --out notes.json",
        3,
        "make one with",
    ),
)
