"""Tells texts that are clearly not English, by py3langid (`scripts/bench languages`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache, lru_cache
from typing import Any

from uhhrag.text.claim_spotting import statements
from uhhrag.text.fragments import is_question

_MIN_ENGLISH = 0.01
"""Probability below which a text is not English."""
_NAMED = 0.5
"""Probability from which a language is named."""
_READ = 3000
_GLANCE = 1 / 8
"""Share of listed words that needs no model."""
_LISTED = 5
_WORD = re.compile(r"[^\W\d_]+")
# Written in small letters, these are words of no other language of Latin letters.
_ENGLISH = frozenset(
    """
the and that with has have are were from than been which this their they would who because about his
according against associated being between cannot cells could decrease decreased decreases died
disease does during effects every genes government increase increased increases into killed leads
levels our people reduced reduces said says she should states such them there these those through
united used vaccine vaccines when where without women won years you your
""".split()  # noqa: SIM905 - a list of quoted words is harder to read
)
# Nigerian Pidgin is told from English by the names of Nigerian places alone.
_LEFT_OUT = {"pcm", "zxx"}
_NAMES = dict(
    pair.split(":")
    for pair in """
af:Afrikaans ar:Arabic bg:Bulgarian bn:Bengali bs:Bosnian ca:Catalan cs:Czech cy:Welsh da:Danish
de:German el:Greek es:Spanish et:Estonian eu:Basque fa:Persian fi:Finnish fr:French ga:Irish
gl:Galician gu:Gujarati he:Hebrew hi:Hindi hr:Croatian hu:Hungarian hy:Armenian id:Indonesian
is:Icelandic it:Italian ja:Japanese ka:Georgian ko:Korean la:Latin lt:Lithuanian lv:Latvian
mk:Macedonian ms:Malay nl:Dutch nn:Norwegian no:Norwegian pl:Polish pt:Portuguese ro:Romanian
ru:Russian sk:Slovak sl:Slovenian sq:Albanian sr:Serbian sv:Swedish sw:Swahili ta:Tamil te:Telugu
th:Thai tl:Tagalog tr:Turkish uk:Ukrainian ur:Urdu vi:Vietnamese zh:Chinese
""".split()  # noqa: SIM905 - as above
)
NOT_ENGLISH = "not English"
_MAX_CLAIM_CHARS = 500
"""Characters; a verifier may cut longer claims."""
OTHER_LANGUAGES = frozenset((*_NAMES.values(), NOT_ENGLISH))
"""All results of `other_language` but ""."""


@lru_cache(maxsize=20_000)
def other_language(text: str) -> str:
    """`""` for English and texts too short to tell.

    >>> other_language("Die Brücke ist gesperrt."), other_language("The bridge is shut.")
    ('German', '')
    """
    if _needs_no_model(text):
        return ""
    ranked = _loading().result().rank(text[:_READ])
    if dict(ranked)["en"] >= _MIN_ENGLISH:
        return ""
    code, probability = ranked[0]
    return _NAMES.get(code, NOT_ENGLISH) if probability >= _NAMED else NOT_ENGLISH


def _needs_no_model(text: str) -> bool:
    """Loading it takes half a second."""
    words = _WORD.findall(text[:_READ])
    known = sum(word in _ENGLISH for word in (*map(str.lower, words[:1]), *words[1:]))
    return known >= _GLANCE * len(words) or (len(words) < 3 and text.isascii())


def load_for(texts: Iterable[str]) -> None:
    """In a thread, if a text needs the model."""
    if not all(map(_needs_no_model, texts)):
        _loading()


@cache
def _loading() -> Future[Any]:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    def load() -> Any:
        identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
        identifier.set_languages([code for code in identifier.labels if code not in _LEFT_OUT])
        return identifier

    with_one = ThreadPoolExecutor(1, "uhhrag-language")
    loading = with_one.submit(load)
    with_one.shutdown(wait=False)
    return loading


def claim_note(claim: str) -> str:
    """
    >>> claim_note("The bridge is shut. " * 50)[:38]
    'This claim has 1,000 characters. A vot'
    >>> claim_note("The bridge is shut. The ferry was sold.")
    'These are 2 sentences; check one statement at a time.'
    >>> claim_note("Did the tunnel become more expensive?")
    'This is a question; write as a statement what is claimed.'
    >>> claim_note("hello")
    'This is one word; write as a statement what is claimed.'
    """
    notes = []
    if language := other_language(claim):
        notes.append(
            f"This claim looks {language}. uhhrag was made and measured for English; "
            "do not rely on its verdict."
        )
    if len(claim) > _MAX_CLAIM_CHARS:
        notes.append(
            f"This claim has {len(claim):,} characters. A vote may read only the beginning; check "
            "one statement at a time."
        )
    if (several := statements(claim)) > 1:
        notes.append(f"These are {several} sentences; check one statement at a time.")
    if is_question(claim):
        notes.append("This is a question; write as a statement what is claimed.")
    elif " " not in claim.strip() and not language:
        notes.append("This is one word; write as a statement what is claimed.")
    return " ".join(notes)


def documents_note(languages: Mapping[str, str]) -> str:
    """
    >>> documents_note({"a.txt": "German", "b.txt": "German", "c.txt": "French"})[:58]
    'Not in English: a.txt, b.txt (German), c.txt (French). uhh'
    """
    if not languages:
        return ""
    shown = list(languages.items())[:_LISTED]
    parts = [
        f"{', '.join(name for name, one in shown if one == language)} ({language})"
        for language in dict.fromkeys(language for _, language in shown)
    ]
    if len(languages) > _LISTED:
        parts.append(f"and {len(languages) - _LISTED:,} more")
    return (
        f"Not in English: {', '.join(parts)}. uhhrag was made and measured for English; "
        "it finds and judges little of other languages."
    )
