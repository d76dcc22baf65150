"""TeX as plain text, as in reports: "10^6", "3 × 4", "1/2"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from uhhrag.documents.document import Unreadable
from uhhrag.documents.pandoc.program import Slow, nodes_in, read_by_pandoc

_SIGNS = """
times × cdot · pm ± mp ∓ div ÷ approx ≈ sim ∼ leq ≤ le ≤ leqslant ≤ geq ≥ ge ≥ geqslant ≥ neq ≠ ne ≠
lt < gt > ll ≪ gg ≫ propto ∝ infty ∞ rightarrow → to → Rightarrow ⇒ degree ° circ ° percent % euro €
pounds £ alpha α beta β gamma γ delta δ epsilon ε varepsilon ε eta η kappa κ lambda λ mu μ pi π
rho ρ sigma σ tau τ phi φ chi χ omega ω theta θ Delta Δ Sigma Σ Omega Ω sum ∑ in ∈ ldots … dots …
dagger † ddagger ‡ ast * prime ′ int ∫ prod ∏
""".split()  # noqa: SIM905 - names, each before its sign
_WORDS = dict(zip(_SIGNS[::2], _SIGNS[1::2], strict=True))
_WORDS |= {"quad": " ", "qquad": " ", "left": "", "right": "", "limits": ""}
_ARGUMENT = r"\s*(?:\{((?:[^{}]|\{[^{}]*\})*)\}|(\w))"
_FRACTION = re.compile(r"(?P<whole>\d\s*)?\\(?:[dtc]?frac|nicefrac|sfrac)" + 2 * _ARGUMENT)
_ROOT = re.compile(r"\\sqrt\s*\{([^{}]*)\}")
_TEXT = re.compile(
    r"\\(?:text(?:rm|it|bf|sf|tt|sc)?|math[a-z]+|operatorname\*?|boldsymbol|[mh]box)\s*\{([^{}]*)\}"
)
_RAISED, _LOWERED = re.compile(r"\^\s*\{([^{}]*)\}"), re.compile(r"_\s*\{([^{}]*)\}")
_SHOWN = {
    **dict.fromkeys(("fbox", "boxed", "makebox", "framebox", "ce", "uwave", "uuline"), "[1]{#1}"),
    **dict.fromkeys(("raisebox", "scalebox", "textls"), "[2]{#2}"),
    **dict.fromkeys(("added", "highlight"), "[2][]{#2}"),
    **dict.fromkeys(("footnotetext", "tablefootnote"), r"[2][]{\footnote{#2}}"),
    "footnotemark": "[1][]{}",
    "tnote": "[1]{}",
    **dict.fromkeys(("resizebox", "fcolorbox"), "[3]{#3}"),
    "rotatebox": "[3][]{#3}",
    "replaced": "[3][]{#2}",
    "EUR": "[1]{#1 €}",
    "texteuro": "{€}",
    "textcent": "{¢}",
    "textpm": "{±}",
    "texttimes": "{×}",
    "textminus": "{−}",
    "textperthousand": "{‰}",
    "textnumero": "{№}",
    "og": "{« }",
    "fg": "{ »}",
}
"""Commands unknown to pandoc, as LaTeX defines them."""
_KNOWN = "".join(rf"\providecommand{{\{name}}}{shown}" for name, shown in _SHOWN.items())
_MEASURES = re.compile(
    r"(\\(?:makebox|framebox|resizebox|raisebox\s*\{[^{}]*\}))\*?"
    r"(?:\s*\[[^\[\]]*\]|\s*\([^()]*\))*(?=\s*\{)"
    r"|(\\begin\{(?:adjustbox|multicols\*?|column|thebibliography)\})(?:\[[^\]]*\])?\s*\{[^{}]*\}"
    r"|\\(?:cline|cmidrule)(?:\[[^\]]*\])?(?:\([^()]*\))?\s*\{[\d\s-]+\}"
)
_TODAY = re.compile(r"(?<!command)(?<!command\{)(?<!\\def)\\today\b(?:\{\})?")
_GROUP = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"
_COLUMNS = re.compile(
    r"(\\begin\{(?:(?:long|super)?tabular|longtable|tabular[xy*]|tabulary)\}"
    rf"(?:\s*\[[^\]]*\])?(?:\s*{_GROUP}(?=\s*\{{))?|\\multicolumn\s*\{{\d+\}})\s*({_GROUP})"
)
_TIMES = re.compile(rf"\*\s*\{{(\d\d?)\}}\s*({_GROUP})")
_UNSEEN = re.compile(
    r"(?:no)?indent|centering|ragged(?:right|left|bottom)|flushbottom|[vh](?:space|fil|fill|skip)"
    r"|(?:small|med|big|paragraph)skip|kern|set\w+|addto\w+|step\w+|refstep\w+|newline|par|strut"
    r"|(?:no)?(?:page|line)break|(?:new|clear|cleardouble|this)page|(?:this)?pagestyle|\w*numbering"
    r"|label|(?:page|eq|auto|name|[cC])?ref|\w*[cC]ite\w*|\w*bibliography\w*|addbibresource|\w*index"
    r"|maketitle|tableofcontents|listof\w+|appendix|(?:front|main|back)matter|usepackage|\w+setup"
    r"|documentclass|includegraphics|graphicspath|[hv]?phantom|footnotemark|columnsep"
    r"|(?:row|cell|column|page|define)?colors?|[hc]line|(?:top|mid|bottom)?rule|arraystretch"
    r"|tiny|small|normalsize|large|Large|LARGE|huge|Huge|(?:script|footnote)size|sffamily|ttfamily"
    r"|rmfamily|\w+series|(?:it|sc|sl|up)shape|normalfont|fontsize|selectfont|boldmath|deleted|todo"
    r"|mark(?:both|right)|addcontentsline|balance|(?:re)?new\w+|(?:Re)?New\w+|provide\w+|def|let"
    r"|Declare\w+|theoremstyle|makeat\w+|makeglossaries|sloppy|fussy|allow\w+|FloatBarrier|pause"
    r"|(?:one|one\w+|double|single)spacing|selectlanguage|ignorespaces|unskip|null|leavevmode"
    r"|protect|relax|(?:begin|end|b|e)group|begin|end|title|author|date|q?quad|baselineskip|par\w+"
    r"|penalty|x?space|hyphenation|pdfbookmark|hypertarget"
    r"|addlinespace|end(?:first|last)?(?:head|foot)|mbox|bibitem"
)
"""Commands that show nothing."""
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_BEFORE_NUMBER = re.compile(r"\\((?!\w*(?:penalty|tolerance|count|badness))[A-Za-z]+)\s+[\d.,]+")
"""A command that took the number for its own."""
_AROUND = re.compile(
    r"\A\\begin\{(?:tikz|pgf|axis).*|\A\\begin\{[^}]*\}|\\end\{[^}]*\}\s*\Z", re.DOTALL
)
_ITEM = re.compile(
    r"\\(?P<end>begin|end)\s*\{(?P<list>\w+)\*?\}|(?P<item>\\item)\s*\[(?P<label>(?:[^\[\]{}\n]|\{[^{}\n]*\})*)\]"
)
_BULLET = re.compile(r"\\text\w+|\\[a-z]*bullet|\\(?:ast|star|dagger|diamond|circ|square|to)\b")
_WHITE = re.compile(
    r"\\textcolor\s*\{white\}\s*\{(?:[^{}]|\{[^{}]{0,500}\}){0,2000}\}"
    r"|\{\s*\\color\s*\{white\}(?:[^{}]|\{[^{}]{0,500}\}){0,2000}\}"
)
_DARK = re.compile(
    r"(?:page|row|cell|column|f)color|colorbox|beamer|background|tikz|includegraphics"
)
"""Where white letters may be seen."""
_DEEPEST = 5


def plain_formula(tex: str) -> str:
    """
    >>> plain_formula(r"10^{- 6}"), plain_formula(r"3\\frac12 \\times CO_2")
    ('10^-6', '3 1/2 ×CO2')
    """
    text = re.sub(r"\\(?:begin|end)\{[^{}]*\}|(?<!\\)&|\\\\|\^\s*(?=\{?\\circ)", " ", tex)
    text = re.sub(r"(\\[A-Za-z]+)(?=[_}])", r"\1 ", _TEXT.sub(r"\1", text))
    for _ in range(4):  # fractions within fractions
        text = _LOWERED.sub(r"\1", _RAISED.sub(r"^\1", text))
        text = _FRACTION.sub(_fraction, _ROOT.sub(r"√(\1)", text))
    text = re.sub(r"\\([A-Za-z]+)\s?", lambda word: _WORDS.get(word[1], word[1] + " "), text)
    text = re.sub(r"\\[,;:! ]", " ", text)
    text = re.sub(r"\\([%$&#_{}])", r"\1", text)
    text = re.sub(r"(?<=[A-Za-z)])_(?=\w)|(?<!\\)[{}~]", "", text)
    text = re.sub(r"(^|\^)([-−+]) (?=\d)", r"\1\2", " ".join(text.split()))
    return re.sub(r"\^(?=[°′])", "", text)


def bracketed(part: str) -> str:
    return part if re.fullmatch(r"[\w.,^]*", part) else f"({part})"


def _fraction(match: re.Match[str]) -> str:
    parts = [part.strip() for part in match.groups()[1:] if part is not None]
    above, below = map(bracketed, parts)
    return f"{match['whole'].strip()} {above}/{below}" if match["whole"] else f"{above}/{below}"


def shown_commands(text: str) -> tuple[str, list[str]]:
    """LaTeX for pandoc, and commands that pandoc does not show."""
    shown = text if _DARK.search(text) else _WHITE.sub("", text)
    before, begin, body = shown.rpartition(r"\begin{document}")
    text = _MEASURES.sub(r"\1\2", f"{before}{_KNOWN}\n{begin}{body}")
    if len(_TODAY.findall(text)) == text.count(r"\today"):  # else it has its own
        text = _TODAY.sub("", text)
    text = _with_labels(text)
    text = _COLUMNS.sub(lambda table: f"{table[1]}{{{_columns(table[2])}}}", text)
    raws = list(_raws(text))
    before_numbers = {found[1] for raw in raws if (found := _BEFORE_NUMBER.fullmatch(raw))}
    if before_numbers:
        text = re.sub(rf"(\\(?:{'|'.join(before_numbers)}))\s+(?=\d)", r"\1{} ", text)
    names = dict.fromkeys(found[1] for raw in raws if (found := _COMMAND.match(raw)))
    return text, [rf"\{name}" for name in names if not _UNSEEN.fullmatch(name)]


def _with_labels(text: str) -> str:
    """LaTeX whose telling labels begin their items."""
    lists: list[str] = []

    def shown(part: re.Match[str]) -> str:
        if part["end"] == "begin":
            lists.append(part["list"])
        elif part["end"] and lists:
            lists.pop()
        elif part["item"] and lists and lists[-1] != "description":
            says = any(map(str.isalnum, _BULLET.sub("", part["label"])))
            return rf"\item {part['label']} " if says else r"\item "
        return part[0]

    return _ITEM.sub(shown, text)


def _columns(given: str) -> str:
    """
    >>> _columns("{l S[table-format=2.1] *{2}{r} p{3cm} @{}}")
    'lllll'
    """
    every = _TIMES.sub(lambda found: found[2][1:-1] * int(found[1]), given[1:-1])
    bare = re.sub(rf"[@!<>]\s*{_GROUP}|\[[^\]]*\]", "", every)
    alone = re.sub(r"(?<=[A-Za-z])(?:\s*\{[^{}]*\})+", "", bare)
    return "l" * len(re.findall("[A-Za-z]", alone))


def _raws(text: str, depth: int = 0) -> Iterator[str]:
    try:
        nodes = nodes_in(read_by_pandoc(text.encode(), "latex+raw_tex")["blocks"])
    except Slow:
        raise
    except Unreadable:  # what is said of the text itself
        return
    raws = [node["c"][1] for node in nodes if node.get("t") in ("RawInline", "RawBlock")]
    yield from raws
    within = [_AROUND.sub(" ", raw) for raw in raws if raw.startswith(r"\begin")]
    within = [raw for raw in within if raw.strip()]
    if within and depth < _DEEPEST:
        yield from _raws("\n\n".join(within), depth + 1)
