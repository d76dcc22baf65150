"""Markup by pandoc, without code blocks, comments and included files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from uhhrag.documents.blocks import document_of
from uhhrag.documents.document import Document
from uhhrag.documents.pandoc.blocks import blocks_of_pandoc, inline_text
from uhhrag.documents.pandoc.program import read_by_pandoc
from uhhrag.documents.pandoc.tex import shown_commands
from uhhrag.documents.segmentation import clean, decoded
from uhhrag.documents.web.nodes import blocks_of
from uhhrag.system.terminal import first_of
from uhhrag.text.dates import iso_date

_MARKDOWN = (
    "markdown-smart-yaml_metadata_block-raw_tex-citations-auto_identifiers"
    "-blank_before_header-blank_before_blockquote+lists_without_preceding_blankline+mark"
)
_FRONT = re.compile(
    r"\A(?:---|(\+\+\+))[ \t]*\n((?:[ \t]*(?:[#\[][^\n]*)?\n)*[\w-]+[ \t]*[:=].*?)\n"
    r"(?(1)\+\+\+|(?:---|\.\.\.))[ \t]*(?:\n|\Z)",
    re.DOTALL,
)
"""Front matter: YAML, or TOML after plus signs."""
_BLANK = re.compile(r"^[ \t]+$", re.MULTILINE)
_PROSE = re.compile(
    r"(?:\A|(?<=\n\n))([ \t>]*)(?!(?:[-*+]|\d+[.)])[ \t]|[ \t>])\S.*"
    r"(?:\n\1(?![ \t>]*(?:[-*+]|1[.)])[ \t])[ \t]*\S.*)*"
)
"""A paragraph's lines up to a list: "1." begins one, "15." does not."""
_NO_ITEM = "\u200b"
"""Set before what pandoc must not take for an item; invisible, removed by `clean`."""
_BULLET = f"{{0}}- {_NO_ITEM}"
_APART = {"org": _BULLET, "rst": "\n{0}..\n\n{0}"}
"""Makes an item a list of its own."""
_STRUCK = re.compile(r"\[STRIKEOUT:[^\[\]]*\][ \t]*")
"""As pandoc writes it in reStructuredText, which has no other way."""
_NUMBER = re.compile(r"^([ \t>]*)(\d{1,9})([.)][ \t])", re.MULTILINE)
_ABBREVIATION = re.compile(r"^([ \t>]*)(?=[A-Za-z]{1,5}\.[ \t])", re.MULTILINE)
"""Such as "c. 1850", which pandoc takes for an item."""
_BEFORE_TABLE = re.compile(
    r"(?<=\S)([ \t]*\n)"
    r"(?=[^|\n]*\|.*\n[ \t>]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*(?::?-+:?[ \t]*)?$)",
    re.MULTILINE,
)
_NAMED = r"[ \t>]*[*_]{0,3}[A-Z]\w*(?: \w+)?(?: \(\d+\))?(?:[*_]{1,3}:|:[*_]{0,3})[ \t]+\S"
_NAMED_ABOVE = re.compile(rf"^({_NAMED}.*)\n(?={_NAMED})", re.MULTILINE)
"""Lines such as "For: Ava Berg" one under another, which end as written."""
_SIGN = re.compile(
    r"(`[^`\n]*`|<[^<>\s]+>|\\.|\$\$[^$]+\$\$|\$[\^_](?:\w|\\\w+|\{[^$\n]{1,20}\})\$"
    r"|(?<!\w)\$(?=\w[\w.,]*\$|[^$\n]*[\\^_{=])(?:[^$\n]|\n(?![ \t]*\n))+\$(?!\w)"
    r"|(?<=[\w)])([\^~])[-+−]?\w{1,5}\2(?!\w)|(?<=[A-Za-z)])~\d{1,3}~|~~+|\[\^|\^\[)|([$^~])"
)
_TEMPLATE = re.compile(r"\{\{([^{}|:\n]+)[|:]([^{}]*)\}\}")
_CATEGORY = re.compile(r"\[\[category:[^\[\]]*\]\]", re.IGNORECASE)
_FIRST = {
    *("em", "strong", "nowrap", "nobr", "small", "big", "val", "formatnum", "nobold", "smaller"),
    "nts",
}
_CAPTION = re.compile(
    r"\[\[(?:File|Image):[^|\[\]\n]+((?:\|(?:[^|\[\]]|\[\[[^\[\]]*\]\])*)+)\]\]", re.IGNORECASE
)
"""A picture, its options and, as the last, its caption."""
_OPTION = re.compile(
    r"(?:thumb(?:nail)?|frame(?:d|less)?|border|left|right|center|none|upright|\d*x?\d+px"
    r"|[a-z]+=.*)",
    re.IGNORECASE,
)
_SIGNS = re.compile(r"\{\{\s?(?:increase|decrease|steady|dagger)2?\s?(?:\|[^{}]*)?\}\}", re.I)
_LAST, _CONVERTED = {"lang"}, {"convert", "cvt"}
"""Templates of MediaWiki that show their only value, their last, or their first with its unit."""
_FILE = re.compile(r"^(?:File|Image):[^|\n\[\]]+\|", re.MULTILINE)
"""Before a picture's caption in a gallery."""
_AMOUNT = re.compile(r"[-−]?[\d.,/]+")
_JOINTS = {"-", "–", "to", "and", "or", "by", "x", "×", "+/-", "±"}
_UNSEEN = re.compile(
    r"(?i)(?:cite|citation|sfn|ref|efn|use |short description|see also|defaultsort|authority|clear)"
)
_SPANS = "\ufdd5"
"""No text has this character; how many rows and columns a cell of MediaWiki spans follows."""
_PLAIN = r"[^|!\n\[\]{}<>]"
_CELL = re.compile(
    rf"(?:^[ \t]*[|!](?![|}}+-])|\|\||!!)({_PLAIN}{{0,200}}span{_PLAIN}{{0,200}})\|(?!\|)",
    re.MULTILINE,
)
_SPAN = re.compile(r"(row|col)span[ \t]*=[ \t]*[\"']?(\d{1,3})")
_TOLD = re.compile(rf"{_SPANS}(\d+),(\d+);")
_IN_HTML = re.compile(rf"(<t[dh]\b[^>]*)>((?:\s*<p>)?\s*){_TOLD.pattern}")
_MOST_NAMED, _DEEPEST = 5, 5
_INCLUDED = re.compile(r"^(?:\.\. (?:include|literalinclude)::|#\+include:)", re.I | re.M)
_ALERT = re.compile(
    r"^([ \t]*)>[ \t]*\[!(?!quote|cite)\w+\][-+]?(.*\n(?:[ \t]*>.*(?:\n|\Z))*)",
    re.MULTILINE | re.IGNORECASE,
)
"""The author's own note, set like a quotation."""
_HIDDEN = re.compile(
    r"(?<!\d )(?<![\w%])%%[^%\n]{1,999}%%(?![\w%])|^%%\n[^%`]{1,9999}\n%%$", re.MULTILINE
)
_WIKI = re.compile(r"(?<!!)\[\[(?:[^\[\]|\n]{1,200}\|)?([^\W\d][^\[\]|\n]{0,200})\]\](?!\()")
"""What Obsidian does not show, and its links."""
_BOX = re.compile(
    r"^( *)(?:!!!|\?{3}\+?)(?: +[\w-]++)++(?: +\"(.*?):?\")? *\n(?: *\n)?\1 {4}(?=\S)", re.MULTILINE
)
"""MkDocs' likewise, with its title."""
_QUOTED = re.compile(r"^[ \t]*>[ \t]?", re.MULTILINE)
_QUOTE_ENDS = re.compile(r"^([ \t]*>[ \t]*\n)(?=[ \t]*[^\s>])", re.MULTILINE)
"""A mark alone, below which what is not marked is the author's."""
_TIMES = re.compile(r"(?<=\d)\*(?=\d)")
_FIELD = re.compile(r"^([A-Za-z_]+)(?::|[ \t]*=)[ \t]*+(?![|>][-+\d]*[ \t]*$)(.+)$", re.MULTILINE)
_LISTED = re.compile(r"^([A-Za-z_]+:)[ \t]*((?:\n[ \t]*-[ \t][^\n]+)+)", re.MULTILINE)
"""A field of front matter whose values stand one under another."""
_NAME_PART = re.compile(r"</(?:firstname|givenname|honorific|othername)>")
_DELETED = re.compile(
    r"<([\w:]{1,40})\b[^<>]{0,500}\brevisionflag=[\"']deleted[\"'][^<>/]{0,500}>.*?</\1\s{0,9}>",
    re.DOTALL,
)
_STATED = {"title", "author", "authors", "date", "abstract"}


def read_marked(path: Path, form: str) -> Iterator[Document | str]:
    content = decoded(path.read_bytes())
    yield from marked_text(content.text, form)
    yield from filter(None, [content.fault])


def marked_text(text: str, form: str) -> Iterator[Document | str]:
    text = text.replace("\r\n", "\n")
    front = _FRONT.match(text) if form == _MARKDOWN else None
    fields = _FIELD.findall(_LISTED.sub(_on_one_line, front[2])) if front else []
    about = {name.lower(): value.strip(" '\"") for name, value in fields}
    unread = list(dict.fromkeys(_INCLUDED.findall(text)))
    if form in _APART:
        text = _numbered(_STRUCK.sub("", text), _APART[form])
    elif form == "latex":
        text, unread = shown_commands(text)
    elif form == "mediawiki":
        text, unread = _shown_templates(_FILE.sub("", text))
        text = _CAPTION.sub(_caption, text)
        text = _CELL.sub(_with_spans, text)
    elif form == "docbook":
        text = _NAME_PART.sub(r"\g<0> ", _DELETED.sub("", text))
    else:
        text, unread = _for_pandoc(text[front.end() :] if front else text), []
    yield _marked(text, form, about)
    named = first_of(unread, _MOST_NAMED)
    yield from filter(None, [f"has text in {named} that is not read" if named else ""])


def _on_one_line(field: re.Match[str]) -> str:
    values = (re.sub(r"^[ \t]*-[ \t]+(?:name:)?", "", one) for one in field[2].split("\n")[1:])
    return " ".join((field[1], ", ".join(value.strip(" '\"") for value in values)))


def _for_pandoc(text: str) -> str:
    """Markdown that pandoc reads as CommonMark shows it."""
    text = _WIKI.sub(r"\1", _HIDDEN.sub("", text))
    text = _ALERT.sub(lambda note: f"\n{_QUOTED.sub(note[1], note[2])}\n", text)
    text = _BOX.sub(lambda box: f"\n{box[1]}{f'{box[2]}:' * bool(box[2])}\n\n{box[1]}-   ", text)
    text = _ABBREVIATION.sub(rf"\1{_NO_ITEM}", _numbered(text))
    text = _BEFORE_TABLE.sub(r"\1\n", _TIMES.sub(r"\*", text))
    text = _QUOTE_ENDS.sub(r"\1\n", _NAMED_ABOVE.sub(r"\1\\\n", text))
    return _SIGN.sub(lambda found: found[1] or rf"\{found[3]}", text)


def _numbered(text: str, apart: str = _BULLET) -> str:
    """Items that pandoc numbers as written, parted by `apart`, none within a paragraph.

    >>> [line.replace(_NO_ITEM, "_") for line in map(_numbered, ("In May\\n15. It", "1. a\\n3. b"))]
    ['In May\\n_15. It', '1. a\\n- _3. b']
    """
    seen = {0}

    def item(match: re.Match[str]) -> str:
        number = int(match[2])
        if number - 1 in seen:
            seen.add(number)
            return match[0]
        mark = apart if number < 100 else f"{{0}}{_NO_ITEM}"
        return mark.format(match[1]) + match[2] + match[3]

    text = _PROSE.sub(
        lambda lines: _NUMBER.sub(rf"\1{_NO_ITEM}\2\3", lines[0]), _BLANK.sub("", text)
    )
    return _NUMBER.sub(item, text)


def _shown_templates(text: str) -> tuple[str, list[str]]:
    """With what templates show, and names of those not read."""
    text = _SIGNS.sub("", _CATEGORY.sub("", text))
    for _ in range(_DEEPEST):
        text = _TEMPLATE.sub(_template, text)
    names = (found[1].strip() for found in re.finditer(r"\{\{([^{}|:\n<]+)", text))
    return text, [f"{{{{{one}}}}}" for one in dict.fromkeys(names) if not _UNSEEN.match(one)]


def _template(match: re.Match[str]) -> str:
    name = match[1].strip().lower()
    given = [part.strip() for part in match[2].split("|")]
    plain = [part for part in given if "=" not in part]
    if name in _CONVERTED and len(plain) > 1 and _AMOUNT.fullmatch(plain[0]):
        return match[0] if plain[1] in _JOINTS else f"{plain[0]} {plain[1]}"
    if name in _LAST and len(plain) > 1:
        return plain[-1]
    if name == "abbr" and len(plain) == 2:
        return plain[0]
    return plain[0] if name in _FIRST and len(plain) == len(given) == 1 else match[0]


def _caption(picture: re.Match[str]) -> str:
    """
    >>> _CAPTION.sub(_caption, "[[File:a.jpg|thumb|The [[quay|old quay]] in 1911]]").split()
    ['The', '[[quay|old', 'quay]]', 'in', '1911']
    """
    *_, last = re.split(r"\|(?![^\[\]]*\]\])", picture[1])
    return "" if _OPTION.fullmatch(last.strip()) else f"\n\n{last.strip()}\n\n"


def _with_spans(cell: re.Match[str]) -> str:
    spans = {name: max(1, int(number)) for name, number in _SPAN.findall(cell[1])}
    return f"{cell[0]} {_SPANS}{spans.get('row', 1)},{spans.get('col', 1)};"


def _marked(text: str, form: str, front: Mapping[str, str]) -> Document:
    read = read_by_pandoc(text.encode(), form)
    if "html" in read:
        html = _IN_HTML.sub(r'\1 rowspan="\3" colspan="\4">\2', read["html"])
        blocks = blocks_of(_TOLD.sub("", html), code=False)
    else:
        blocks = blocks_of_pandoc([*_front(read["meta"]), *read["blocks"]])
    about = {name: _stated(value) for name, value in read["meta"].items()} | dict(front)
    named = (one.text for at, one in enumerate(blocks) if one.level == 1 or (one.level and not at))
    url = clean(about.get("url", ""))
    return document_of(
        blocks,
        title=clean(about.get("title", "")) or next(filter(None, named), ""),
        author=clean(re.sub(r"[][\"]", "", about.get("author") or about.get("authors", ""))),
        date=iso_date(about.get("date", "").strip("<[")),
        url=url if url.startswith(("http://", "https://")) else "",
    )


read_markdown = partial(read_marked, form=_MARKDOWN)
read_rst = partial(read_marked, form="rst")
read_org = partial(read_marked, form="org")
read_latex = partial(read_marked, form="latex")
read_docbook = partial(read_marked, form="docbook")
read_mediawiki = partial(read_marked, form="mediawiki")


def _front(meta: Mapping[str, Any]) -> list[Any]:
    """Notes of the title, fields other than a Document's, the abstract."""
    title = meta.get("title", {"t": ""})
    notes = title["c"] if title["t"] == "MetaInlines" else []
    notes = [block for one in notes if one["t"] == "Note" for block in one["c"]]
    others = [(name, value) for name, value in meta.items() if name not in _STATED]
    fields = (_field(name, value["c"]) for name, value in others if value["t"] == "MetaInlines")
    value = meta.get("abstract", {"t": ""})
    return [*notes, *fields, *(value["c"] if value["t"] == "MetaBlocks" else [])]


def _field(name: str, value: Sequence[Any]) -> dict[str, Any]:
    label = "" if name == "subtitle" else f"{name.capitalize()}: "
    return {"t": "Para", "c": [{"t": "Str", "c": label}, *value]}


def _stated(value: Mapping[str, Any]) -> str:
    kind, content = value["t"], value["c"]
    if kind == "MetaList":
        return ", ".join(filter(None, map(_stated, content)))
    if kind == "MetaBlocks":
        return clean(" ".join(block.text for block in blocks_of_pandoc(content)))
    return clean(inline_text(content) if kind == "MetaInlines" else str(content or ""))
