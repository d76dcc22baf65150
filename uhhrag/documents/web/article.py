"""The text runs of a page's article."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise, takewhile, zip_longest
from typing import NamedTuple

from uhhrag.documents.web.nodes import is_block
from uhhrag.documents.web.notes import NOTE, is_note
from uhhrag.documents.whose_words import is_label
from uhhrag.documents.xml_trees import Element, local
from uhhrag.text.fragments import has_pairs, is_banner

_PARTS = ("li", "dd", "dt", "td", "th", "tr", "tbody", "thead", "tfoot", "table", "ul", "ol", "dl")
_AMENDS = re.compile(
    r"[^\w]*(?:corrections?|corrected|updated?|updates|clarifications?|clarified|errat(?:um|a)"
    r"|corrigend(?:um|a)|retractions?|editors?.{0,2}s? note|note to readers|amended|amendment"
    r"|(?:key|main) (?:points|facts|findings|takeaways)|at a glance|what (?:we|you need to) know"
    r"|this (?:article|story|post|page|piece|report) (?:was|has been) "
    r"(?:amended|corrected|updated|changed|edited|revised))\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[\"“‘„«‹([¿¡$£€—–-]{0,2}\s?\w.*[.!?…][\"”’')\]]*$", re.DOTALL)
_CLOCK = re.compile(r"\d{1,2}[:.]\d\d(?: ?(?:[ap]\.?m\.?|uhr|[A-Z]{2,4}))?", re.IGNORECASE)
_RELATED = re.compile(
    r"(?i)\W*(?:(?:also )?(?:read|see|watch)(?: also| more| next)?|related|recommended|more"
    r"|(?:don.t|do not) miss|must[ -](?:read|see))"
    r"(?: (?:stories|story|articles?|news|coverage|reading)| (?:on|from|about) [^.:]{0,20})?"
    r"(?:\s?[:|»>]|\s[–—-]\s)"
)
_NOTES = re.compile(rf"(?:^|\s|__)(?:(?:wp-block-)?footnotes|endnotes|{NOTE})(?:$|\s)")
_LEAST_WORDS, _MOST_NAMED, _MOST_LINKED = 5, 8, 0.4
_COMMENTS = re.compile(
    r"(?:^|\s)(?:disqus\w*|(?:(?:post|article|story|users?|readers?|fb|top)[_-])?comments?"
    r"(?![_-](?:open|closed|count|link|status|meta|number|button|icon))"
    r"(?:list|area|thread|[_-][\w-]*)?)(?:$|\s)",
    re.IGNORECASE,
)
"""Id or class of readers' comments."""
_ASIDE = re.compile(
    r"(?:^|[\s_-])(?:newsletters?|subscri\w*|sign-?up|promo\w*|related\w*|recommend\w*|teasers?|ads?"
    r"|(?:more|read)-(?:more|on|from)|advert\w*|sponsor\w*|outbrain|taboola|share|sharing|social"
    r"(?=$|\s|[_-](?:media|links?|icons?|share))|author|bio|byline|nav\w*|menu|tags?|cookies?|consent"
    r"|placeholder|sidebar|widget_\w+|reflist|references|donat\w*|paywall|cta|meta)(?:$|[\s_-])",
    re.IGNORECASE,
)
"""Id or class of a box that stands in an article but is none of it."""
_CAPTION = re.compile(r"(?:^|[\s_-]|thumb|image|photo)caption(?:[_-]?text)?(?:$|\s)", re.IGNORECASE)
"""Class of what says what a picture shows."""
_BOXES = ("div", "section", "article", "figure", "dl")
_WHO = re.compile(
    r"author|speaker|attributed|user-?name|display-?name|creator|from_name|contributor|poster", re.I
)
"""In attributes of names of those who speak."""
_PLAIN = ("content", "text", "body", "post", "message")
"""Classes of a `div` that may be a paragraph; in an `article` it needs none."""


class PageRun(NamedTuple):
    block: Element
    text: str
    linked: int
    """Characters of links."""
    titled: frozenset[Element]
    """What holds an `h1`."""

    @property
    def around(self) -> list[Element]:
        return [self.block, *self.block.iterancestors()]

    @property
    def names(self) -> list[str]:
        return [*map(local, self.around)]

    @property
    def container(self) -> Element:
        """Around its paragraph, list or table."""
        if any(map(is_block, self.block)) and local(self.block) not in _PARTS:
            return self.block
        pairs = zip_longest(self.around[1:], self.names[2:])
        return next(one for one, above in pairs if local(one) not in _PARTS and above != "dl")

    @property
    def is_aside(self) -> bool:
        return not {"nav", "footer", "form", "aside"}.isdisjoint(self.names)

    @property
    def is_comment(self) -> bool:
        """Whether a section without the title calls itself comments."""
        return not all(one in self.titled for one in self.around if _COMMENTS.search(_named(one)))

    @property
    def is_main(self) -> bool:
        return not (self.is_aside or self.is_comment)

    @property
    def is_linked(self) -> bool:
        within = any(local(one) == "a" and one.get("href") for one in self.around)
        return within or self.linked > _MOST_LINKED * len(self.text)

    @property
    def is_sentence(self) -> bool:
        ended = _SENTENCE.match(self.text) and len(self.text.split()) >= _LEAST_WORDS
        return bool(ended) and not self.is_linked

    @property
    def is_point(self) -> bool:
        return local(self.block) == "li" and len(self.text.split()) > 3 and not self.is_linked

    @property
    def is_heading(self) -> bool:
        return bool(re.fullmatch("h[2-6]", local(self.block)))

    @property
    def is_plain(self) -> bool:
        """Whether it may be a paragraph, term with meaning or others' words."""
        known = self.block.get("class")
        plain = known in _PLAIN if known else self.names[1:2] == ["article"]
        stands = not {"blockquote", "dl"}.isdisjoint(self.names)
        return (plain and self.names[0] == "div" and self.is_sentence) or stands

    @property
    def may_belong(self) -> bool:
        return self.is_main and not (self.is_linked or is_banner(self.text))


def shown_runs(runs: Sequence[PageRun], main: set[int], loose: set[int]) -> set[int]:
    """Positions: `main`, `loose`, headings, what is between or above, amendments, boxes."""
    main = {at for at in main if not runs[at].is_comment} or main
    inside: dict[Element, list[int]] = {}
    for at in sorted(main):
        inside.setdefault(runs[at].container, []).append(at)
    titles = {at for at in main if local(runs[at].block) == "h1"}
    below = (at for at in main - titles if at > min(titles, default=-1))
    leads, main = _leads(runs, min(below, default=0)), main | loose
    above = {at - 1 for at in main if at}
    firsts = {held[0] for held in inside.values()}  # behind headings that link to their posts
    above = {at for at in above if runs[at].is_heading and runs[at].is_main}
    linked = above & {one - 1 for one in firsts if runs[one - 1].container in runs[one].around}
    main = main | linked | _speakers(runs, main) | {at for at in above if runs[at].may_belong}

    @cache
    def is_apart(box: Element) -> bool:  # as a newsletter's
        named = local(box) in _BOXES and bool(_ASIDE.search(_named(box)))
        return named or is_banner(box.text_content())

    def is_near(at: int) -> bool:
        run, box = runs[at], runs[at].container
        last = at - 2 if runs[at - 1].is_linked and at > 1 else at - 1
        above = runs[last]
        told = {"table", "blockquote"} & {*run.names} or is_label(run.text.partition(":")[0])
        held = [one for one in run.around if one in inside]
        outer = run.around[box is not run.block :]  # not a line's own element
        boxes = [*takewhile(lambda one: one not in inside, outer)]
        linked = box in boxes and _holds(boxes[-1], "a")
        near = held if told else held[: not (linked or any(map(is_apart, boxes)))]
        amid = min(main) < at < max(main)
        among = bool(held) or amid
        parts = (run.block, run.block.getparent(), *run.block)
        shows = any(_CAPTION.search(one.get("class", "")) for one in parts) or "table" in run.names
        shows = shows or (run.is_sentence and "figure" in run.names)
        within = any(inside[one][0] < at < inside[one][-1] for one in near)
        within = within or (amid and run.is_sentence and near[:1] == [box])
        after = last in shown and bool(near) and near[0] in above.around
        listed = "li" in run.names[:2] and (above.text.endswith(":") or "li" in above.names[:2])
        follows = after and (listed or run.is_plain or run.is_point)
        return at in leads or within or follows or (among and shows) or _tells_when(at, runs, main)

    shown = {at for at in main if not (runs[at].is_linked and _RELATED.match(runs[at].text))}
    amended: Element | None = None  # what the last label, as "Correction", stands in
    for at, run in enumerate(runs):
        amends = bool(_AMENDS.match(run.text)) and not run.is_linked
        goes_on = amended is run.container and (run.is_sentence or run.is_point)
        amended = run.container if amends or goes_on else None
        belongs = _belongs(run) or amended is not None
        if (belongs and not run.is_comment) or (run.may_belong and is_near(at)):
            shown.add(at)
            named = runs[at - 1].is_heading and not runs[at - 1].is_linked
            shown |= {at - 1} if named and runs[at - 1].container is run.container else set()
        elif _tells_when(at, runs, main):  # a link to its entry
            shown.add(at)
        heads = run.is_heading and run.may_belong and min(main) < at < max(main)
        if (at in shown or heads) and is_label(run.text):
            amended, told = run.container, runs[at + 1 : at + 2]
            shown.add(at)
            shown |= {at + 1 for one in told if one.may_belong and amended in one.around}
    return shown


def _speakers(runs: Sequence[PageRun], main: set[int]) -> set[int]:
    """Names right above words of `main`, or alone in their box, if several speak; else they are the
    author's."""
    every = runs[0].block.getroottree().find("body").iterdescendants() if runs else ()
    told = {one for one in every if any(map(_WHO.search, one.attrib.values()))}
    holders = {above for one in told for above in one.iterancestors()}
    names = {
        at
        for at, run in enumerate(runs)
        if len(run.text.split()) <= _MOST_NAMED
        and (run.block in holders or not told.isdisjoint(run.around[:4]))
        and run.is_main
    }
    above = [[*takewhile(names.__contains__, range(at - 1, at - 4, -1))] for at in main - names]
    above += _of_posts(runs, main - names, sorted(names))
    said = {tuple(runs[n].text for n in held) for held in above if held}
    return {n for held in above for n in held} if len(said) > 1 else set()


def _of_posts(runs: Sequence[PageRun], main: set[int], names: Sequence[int]) -> list[list[int]]:
    """The first name in each of several boxes of one class, above their first words."""
    inside: dict[Element, int] = {}
    for name in names:
        for box in runs[name].around:
            inside.setdefault(box, name)
    posts: dict[tuple[str, str], set[int]] = {}
    for before, at in pairwise((-1, *sorted(main))):
        box = next((one for one in runs[at].around if inside.get(one, at) < at), None)
        if box is not None and before < inside[box]:
            posts.setdefault((local(box), box.get("class", "")), set()).add(inside[box])
    return [[name] for held in posts.values() if len(held) > 1 for name in sorted(held)]


def _leads(runs: Sequence[PageRun], first: int) -> set[int]:
    """Sentences and points between title and text; all runs if one is a label ("Claim:")."""
    around = (one for one in runs[first].around[1:] if one in runs[first].titled)
    part = next((one for one in around if local(one) != "body"), None)
    within = [at for at in range(first) if part is not None and part in runs[at].around]
    titles = [at for at in within if local(runs[at].block) == "h1"]
    lead = {at for at in within if titles and at >= titles[-1]}
    labelled = any(is_label(runs[at].text) for at in lead)
    return {at for at in lead if labelled or runs[at].is_sentence or runs[at].is_point}


def _tells_when(at: int, runs: Sequence[PageRun], main: set[int]) -> bool:
    """Whether it is a live ticker entry's time."""
    beside = (runs[n].container is runs[at].container for n in {at - 1, at + 1} & main)
    return bool(_CLOCK.fullmatch(runs[at].text)) and any(beside)


def _belongs(run: PageRun) -> bool:
    names = run.names
    held = (one for one in run.around[1:3] if local(one) == "figcaption")  # no teaser's
    below = any(run.may_belong and not _holds(one, "h2", "h3", "h4", "h5") for one in held)
    if below or names[0] in ("figcaption", "caption"):
        return True
    known = (one.get("class", "") for one in run.around)
    marked = any(local(one) == "a" and is_note(one) for one in run.block[:1])
    if marked or "details" in names or any(map(_NOTES.search, known)):
        return run.may_belong
    tells = run.is_sentence or (has_pairs(run.text) and not run.is_linked)
    if not tells or _is_of_box(names):
        asides = (one for one in run.around if local(one) == "aside" and _ASIDE.search(_named(one)))
        told = ((one.text_content(), _named(one)) for one in asides)
        return tells and not any(is_banner(text) or " widget_" in name for text, name in told)
    heads = (one for one in run.around if local(one) in ("header", "hgroup"))
    return not run.is_aside and not run.titled.isdisjoint(heads)


def _is_of_box(names: Sequence[str]) -> bool:
    boxes = [at for at, name in enumerate(names) if name in ("aside", "footer")]
    articles = [at for at, name in enumerate(names) if name in ("article", "main")]
    inside = bool(boxes and articles) and boxes[-1] < articles[-1]
    return inside and {"nav", "form"}.isdisjoint(names)


def _named(element: Element) -> str:
    return " ".join(element.get(key, "") for key in ("id", "class", "aria-label", "data-testid"))


def _holds(element: Element, *names: str) -> bool:
    return next(element.iter(*names), None) is not None
