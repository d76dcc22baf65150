"""Labels of items in LaTeX's lists, which pandoc leaves out, and letters that nobody sees."""

from __future__ import annotations

import re

_PART = re.compile(
    r"\\(?P<end>begin|end)\s*\{(?P<list>\w+)\*?\}|(?P<item>\\item)\s*\[(?P<label>(?:[^\[\]{}\n]|\{[^{}\n]*\})*)\]"
)
_NAMED = ("description",)
"""Lists whose labels pandoc knows."""
_SIGN = re.compile(r"\\text\w+|\\[a-z]*bullet|\\(?:ast|star|dagger|diamond|circ|square|to)\b")
_WHITE = re.compile(
    r"\\textcolor\s*\{white\}\s*\{(?:[^{}]|\{[^{}]{0,500}\}){0,2000}\}"
    r"|\{\s*\\color\s*\{white\}(?:[^{}]|\{[^{}]{0,500}\}){0,2000}\}"
)
_DARK = re.compile(
    r"(?:page|row|cell|column|f)color|colorbox|beamer|background|tikz|includegraphics"
)
"""Where white letters may be seen."""


def with_labels(text: str) -> str:
    """A LaTeX text whose labels that say something begin their items."""
    lists: list[str] = []

    def shown(part: re.Match[str]) -> str:
        if part["end"] == "begin":
            lists.append(part["list"])
        elif part["end"] and lists:
            lists.pop()
        elif part["item"] and lists and lists[-1] not in _NAMED:
            says = any(map(str.isalnum, _SIGN.sub("", part["label"])))
            return rf"\item {part['label']} " if says else r"\item "
        return part[0]

    return _PART.sub(shown, text)


def without_white(text: str) -> str:
    return text if _DARK.search(text) else _WHITE.sub("", text)
