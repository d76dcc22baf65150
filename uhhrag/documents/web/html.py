"""A page's article by trafilatura, without readers' comments; nothing is fetched. Dates are
metadata's: a year in the text may be a copyright line's."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from datetime import date
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

from uhhrag.documents.blocks import Block, document_of
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.pandoc.blocks import blocks_of_pandoc
from uhhrag.documents.plain.printed_mail import printed_mail
from uhhrag.documents.plain.turns import with_speakers
from uhhrag.documents.segmentation import clean, decoded, split_sentences
from uhhrag.documents.web.article import PageRun, shown_runs
from uhhrag.documents.web.chats import chat_pages
from uhhrag.documents.web.marks import marked_runs, marks_in, unmarked
from uhhrag.documents.web.nodes import is_block, nodes_of
from uhhrag.documents.web.styles import with_styles
from uhhrag.documents.web.tree import html_tree
from uhhrag.documents.xml_trees import Element, count, local
from uhhrag.text.dates import iso_date, written
from uhhrag.text.encodings import Decoded, decode
from uhhrag.text.fragments import is_question

_DECLARED = re.compile(
    rb"(?:<meta[^>]{0,200}?charset|\A\s*<\?xml[^>]{0,200}?encoding)\s*=\s*[\"']?\s*([\w.-]{2,40})",
    re.IGNORECASE,
)
# What browsers ("saved from url=(0027)…") and SingleFile ("url: …") put into a page they save.
_SAVED = re.compile(
    r"<!--[^>]{0,80}?\burl(?:=\(\d+\)|:\s*)(https?://[^\s>]{1,2000})", re.IGNORECASE
)
_PUBLISHED = re.compile(r'"datePublished"\s*:\s*"(\d{4}-\d\d-\d\d)')
_FROM_DATA = "from the data of the page, which shows less"
_FORUM = re.compile(
    r"(?:\"@type\"\s*:\s*\"|itemtype=\"https?://schema.org/)(?:QAPage|DiscussionForumPosting)\""
    r"|<body id=\"phpbb\""
)
"""In pages of many authors, of whom the extractor names the first."""
_BY = re.compile(r"^by\s+", re.IGNORECASE)
_TAG = re.compile(r"<[a-z/!][^<>]{0,300}>", re.IGNORECASE)
_MOST_SHEETS = 100
_MOST_RUNS = 20_000
"""Above, all but the page's frame is read."""
_NO_TEXT = "has no text (a page that is filled in by scripts? save it as shown)"

_HOLDERS = ("div", "td", "blockquote", "section", "article", "main", "dd", "center")
_SENTENCES = re.compile(r"\s*(?:\S+\s+){4,}\S*[.!?…][\"”’)\]]*\s*\Z")

_LEAST_ALIKE = 3
_MIN_PARAGRAPH_CHARS, _MOST_SPANNED = 100, 1_000
"""Characters of a `div` that is a paragraph; places of a table that one cell fills, at most."""
_PROGRAM = re.compile(
    r"\b(?:pandoc|Microsoft Word|(?:Libre|Open)Office|Asciidoctor|TeX4ht)\b", re.IGNORECASE
)


def read_html(path: Path) -> Iterator[Document | str]:
    saved = path.with_name(f"{path.stem}_files")  # what browsers save beside a page
    every = filter(Path.is_file, (*saved.glob("*.css"), *saved.glob("*.htm*")))
    sheets = sorted(every)[:_MOST_SHEETS]
    styles = {f"{saved.name}/{one.name}": decode(one.read_bytes()).text for one in sheets}
    yield from page_documents(path.read_bytes(), "", styles, "")


def page_documents(
    raw: bytes, charset: str, styles: Mapping[str, str], address: str
) -> Iterator[Document | str]:
    """Style sheets and frames are by address; adds a clause on the encoding."""
    content = page_text(raw, charset)
    yield from [*chat_pages(content.text)] or [
        document_of_page(with_styles(content.text, styles, address))
    ]
    yield from filter(None, [content.fault])


def page_text(raw: bytes, charset: str = "") -> Decoded:
    """Decoded by the server's `charset`, else as declared."""
    declared = _DECLARED.search(raw[:4096])
    return decoded(raw, charset or (declared[1].decode() if declared else ""))


def document_of_page(text: str) -> Document:
    root = html_tree(text)
    if root is None:
        raise Unreadable(_NO_TEXT)
    body, bare = root.find("body"), deepcopy(root)
    runs = marked_runs(body)
    few = len(runs) <= _MOST_RUNS
    about = _about(bare) if few else {}  # by marks no day is found
    main, loose = _main(root) if few else set[int](), set[int]()
    if main and _is_export(root):
        main |= {at for at, run in enumerate(runs) if run.may_belong}
    elif main and (loose := _loose_runs(runs, main)):
        loose &= _main(_with_paragraphs(root))
    loose |= _alike_runs(runs, main)
    if main:
        shown = shown_runs(runs, main, loose)
    else:
        shown = {at for at, run in enumerate(runs) if run.is_main}
    blocks = list(_kept(blocks_of_pandoc(nodes_of(body, page=True), code=True, layout=True), shown))
    saved = _SAVED.search(text[:8192])
    about["url"] = url = about.get("url") or _web_address(saved[1] if saved else "")
    size = sum(len(text) for block in blocks for text in (block.text, *block.cells))
    scripts = "".join(one.text or "" for one in root.iter("script"))
    stated = _stated_article(scripts)
    more = sum(map(len, stated)) > 2 * size
    if not (size or more):
        raise Unreadable(_NO_TEXT)
    about["author"] = "" if _FORUM.search(text) else about.get("author", "")
    days = {*_PUBLISHED.findall(scripts)}  # of several, none is the page's
    about["date"] = (len(days) == 1 and iso_date(*days)) or about.get("date", "")
    about["date"] = _told_day(about["date"], root, text)
    about["site"] = about.get("site") or urlsplit(url).hostname or ""
    note = _FROM_DATA if more else ""
    blocks = [*map(Block, stated)] if more else with_speakers(printed_mail(blocks))
    found = document_of(blocks, note=note, **about)
    reviewed = _texts("claimReviewed", scripts)
    claims = {_bare(one) for text in reviewed for one, _ in split_sentences([(text, 0)])}
    claimed = ((at, "") for at, line in enumerate(found.lines) if _bare(line) in claims)
    return replace(found, quoted=tuple(sorted((dict(claimed) | dict(found.quoted)).items())))


def _told_day(day: str, root: Element, text: str) -> str:
    """Or "" if an English page has it only in figures, perhaps of another month; that month's day
    if the page tells so."""
    year, month, number = (*day.split("-"), "", "")[:3]
    english = root.get("lang", "en")[:2] == "en"
    if not number or month == number or number > "12" or not english:
        return day
    either = "|".join(
        f"0?{int(a)}/0?{int(b)}/(?:{year[:2]})?{year[2:]}"
        for a, b in ((month, number), (number, month))
    )
    if not re.search(rf"(?<!\d)(?:{either})(?!\d)", text) or _is_in_words(day, text):
        return day
    other = f"{year}-{number}-{month}"
    return other if _is_in_words(other, text) else ""


def _is_in_words(day: str, text: str) -> bool:
    """Or in ISO 8601."""
    year, month, number = day.split("-")
    name = written(day).split()[1][:3]
    after = rf"{name}[a-z]{{0,6}}\W{{1,2}}0?{int(number)}\b"
    before = rf"\b0?{int(number)}(?:st|nd|rd|th)?\W(?:of )?{name}"
    return bool(re.search(rf"{year}\W?{month}\W?{number}|{before}|{after}", text, re.IGNORECASE))


def _bare(text: str) -> str:
    return clean(text).strip("\"'“”‘’.").casefold()


def _about(root: Element) -> dict[str, str]:
    from trafilatura import extract_metadata

    dates = {"original_date": True, "extensive_search": False, "max_date": date.today().isoformat()}
    known = extract_metadata(root, date_config=dates)
    return {
        "title": clean(known.title or ""),
        "author": _BY.sub("", clean(known.author or "")),
        "site": clean(known.sitename or ""),
        "date": iso_date(known.date or ""),
        "url": _web_address(known.url),
    }


def _main(root: Element) -> set[int]:
    """Positions of runs that the extractor keeps."""
    from trafilatura import bare_extraction

    copy = deepcopy(root)
    for cell in copy.iter("td", "th"):  # each of which it fills in, cell by cell
        if count(cell, "rowspan") * count(cell, "colspan") > _MOST_SPANNED:
            for name in ("rowspan", "colspan"):
                cell.attrib.pop(name, None)
    found = bare_extraction(copy, with_metadata=False, include_comments=False)
    return marks_in("".join(found.body.itertext())) if found else set()


def _kept(blocks: Iterable[Block], shown: set[int]) -> Iterator[Block]:
    """A block without marks continues the run before."""
    keep = False
    for block in blocks:
        marks = marks_in(block.text, *block.cells)
        keep = bool(shown & marks) if marks else keep
        if keep:
            cells = tuple(map(unmarked, block.cells))
            yield replace(block, text=unmarked(block.text), cells=cells)


def _stated_article(scripts: str) -> list[str]:
    """From the page's metadata, [] unless just one."""
    bodies = _texts("articleBody", scripts)
    text = bodies.pop() if len(bodies) == 1 else ""
    return list(filter(None, map(clean, _TAG.sub("\n", text).splitlines())))


def _texts(name: str, scripts: str) -> set[str]:
    """What the page's data hold under a name; empty if one is unreadable."""
    with suppress(ValueError):
        found = re.findall(rf'"{name}"\s*:\s*("(?:[^"\\]|\\.)*")', scripts, re.DOTALL)
        return {unescape(json.loads(text, strict=False)) for text in found}
    return set()


def _web_address(url: str | None) -> str:
    try:
        parts = urlsplit(clean(url or ""))
        return parts.geturl() if parts.scheme in ("http", "https") and parts.hostname else ""
    except ValueError:
        return ""


def _loose_runs(runs: Sequence[PageRun], main: set[int]) -> set[int]:
    """Sentences in no paragraph, between those of `main` or in similar boxes: others are teasers
    and notices."""
    held = ((at, run) for at, run in enumerate(runs) if local(run.block) in _HOLDERS)
    loose = {at for at, run in held if run.is_sentence and run.may_belong} - main
    within = {at for at in loose if min(main) < at < max(main)}
    kinds = {_kind(runs[at]) for at in within | main}
    return {at for at in loose if at in within or _kind(runs[at]) in kinds}


def _alike_runs(runs: Sequence[PageRun], main: set[int]) -> set[int]:
    """Sentences below the first of `main`, in boxes of the classes most of those have; of posts
    like one there; of questions with answers."""
    kinds = Counter(_kind(runs[at]) for at in main if runs[at].is_sentence)
    usual = {kind for kind, count in kinds.items() if any(name for _, name in kind[1:])
             and 2 * count > kinds.total() > _LEAST_ALIKE}  # fmt: skip
    titled = {one for run in runs if re.fullmatch("h[1-3]", run.names[0]) for one in run.around}
    posts = {_post(runs[at], titled) for at in main} - {()}
    held = [at for at, run in enumerate(runs) if run.is_sentence and run.may_belong]
    below = {at for at in held if at > min(main, default=0) and _kind(runs[at]) in usual}
    pairs = {at: (_kind(runs[at - 1]), _kind(runs[at])) for at in held
             if at and runs[at - 1].may_belong and is_question(runs[at - 1].text)}  # fmt: skip
    again = Counter(pairs.values())
    found = below.union(*({at - 1, at} for at, pair in pairs.items() if again[pair] > 1))
    return found.union(at for at in held if _post(runs[at], titled) in posts) - main


def _post(run: PageRun, titled: Container[Element]) -> tuple[str, ...]:
    """Elements and classes up to the article around; () without one, or if titled."""
    around = run.around[: run.names.index("article") + 1] if "article" in run.names else []
    known = (one.get("data-testid") or one.get("class", "") for one in around)
    return (*map(local, around), *known) if around and around[-1] not in titled else ()


def _kind(run: PageRun) -> tuple[tuple[str, str], ...]:
    return tuple((local(one), one.get("class", "")) for one in run.around[:3])


def _is_export(root: Element) -> bool:
    """Whether a program made it of a document, without menus."""
    said = (one for one in root.iter("meta") if one.get("name", "").lower() == "generator")
    return any(_PROGRAM.search(one.get("content", "")) for one in said)


def _with_paragraphs(root: Element) -> Element:
    """A copy in which sentences beside blocks, and long ones alone in a `div`, are paragraphs."""
    copied = deepcopy(root)
    for holder in list(copied.iter(*_HOLDERS)):
        if any(map(is_block, holder)):
            _part(holder)
        elif holder.tag == "div" and len(text := holder.text_content()) >= _MIN_PARAGRAPH_CHARS:
            holder.tag = "p" if _SENTENCES.match(text) else "div"
    return copied


def _part(holder: Element) -> None:
    above, text, pieces = None, holder.text or "", list[Element]()
    for child in [*holder, None]:
        if child is not None and not is_block(child):
            pieces.append(child)
            continue
        words = (part for one in pieces for part in (*one.itertext(), one.tail or ""))
        if _SENTENCES.match("".join((text, *words))):
            paragraph = holder.makeelement("p")
            paragraph.text = text
            if above is None:
                holder.text = None
                holder.insert(0, paragraph)
            else:
                above.tail = None
                above.addnext(paragraph)
            paragraph.extend(pieces)
        above, text, pieces = child, "" if child is None else child.tail or "", []
