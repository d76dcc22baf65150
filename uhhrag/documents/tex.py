"""A formula in TeX as plain text, as simple as in reports: "10^6", "3 × 4", "1/2"."""

from __future__ import annotations

import re

_WORDS = {
    "times": "×",
    "cdot": "·",
    "pm": "±",
    "mp": "∓",
    "div": "÷",
    "approx": "≈",
    "sim": "∼",
    "leq": "≤",
    "le": "≤",
    "geq": "≥",
    "ge": "≥",
    "neq": "≠",
    "ne": "≠",
    "infty": "∞",
    "rightarrow": "→",
    "to": "→",
    "degree": "°",
    "circ": "°",
    "percent": "%",
    "euro": "€",
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "mu": "μ",
    "pi": "π",
    "sigma": "σ",
    "lambda": "λ",
    "theta": "θ",
    "Delta": "Δ",
    "Omega": "Ω",
    "sum": "∑",
    "ldots": "…",
    "quad": " ",
    "qquad": " ",
    "pounds": "£",
    "in": "∈",
    "dots": "…",
    "left": "",
    "right": "",
}
_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_ROOT = re.compile(r"\\sqrt\s*\{([^{}]*)\}")
_TEXT = re.compile(
    r"\\(?:text|mathrm|mathit|mathbf|operatorname|textit|textbf|mbox)\s*\{([^{}]*)\}"
)
_RAISED, _LOWERED = re.compile(r"\^\s*\{([^{}]*)\}"), re.compile(r"_\s*\{([^{}]*)\}")


def plain_formula(tex: str) -> str:
    """
    >>> plain_formula(r"10^{6}"), plain_formula(r"\\frac{1}{2} \\times CO_2")
    ('10^6', '1/2 ×CO2')
    """
    text = _TEXT.sub(r"\1", tex)
    for _ in range(4):  # fractions within fractions
        text = _FRACTION.sub(_fraction, _ROOT.sub(r"√(\1)", text))
    text = _LOWERED.sub(r"\1", _RAISED.sub(r"^\1", text))
    text = re.sub(r"\\([A-Za-z]+)\s?", lambda word: _WORDS.get(word[1], word[1] + " "), text)
    text = re.sub(r"\\[,;:! ]", " ", text)
    text = re.sub(r"\\([%$&#_{}])", r"\1", text)
    text = re.sub(r"(?<=[A-Za-z)])_(?=\w)|(?<!\\)[{}~]", "", text)
    text = re.sub(r"^([-−+]) (?=\d)", r"\1", " ".join(text.split()))
    return text.replace("^°", "°")


def _fraction(match: re.Match[str]) -> str:
    above, below = (
        part if re.fullmatch(r"[\w.,^]*", part.strip()) else f"({part})" for part in match.groups()
    )
    return f"{above.strip()}/{below.strip()}"
