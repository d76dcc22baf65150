"""Chats exported by Telegram or Discord as a web page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from uhhrag.documents.blocks import Block
from uhhrag.documents.document import Document
from uhhrag.documents.pandoc.blocks import blocks_of_pandoc
from uhhrag.documents.plain.chats import Message, by_day, minute_of_day
from uhhrag.documents.segmentation import clean
from uhhrag.documents.web.nodes import nodes_of
from uhhrag.documents.web.tree import html_tree
from uhhrag.documents.xml_trees import Element, take_out
from uhhrag.text.document_dates import date_in_line

_PAGE = re.compile(r"<div class=\"(?:history|chatlog)\">")
_MESSAGES = "//div[has('message') and has('default') or has('chatlog__message-container')]"
_MOMENT = (
    ".//*[@title and (has('date') or has('chatlog__timestamp') or has('chatlog__short-timestamp'))]"
)
_FORWARDED = ".//*[has('forwarded') or has('chatlog__embed') or has('chatlog__forwarded')]"
_NAME = ".//*[has('from_name') or has('chatlog__author')]"
_NO_TEXT = (
    ".//*[has('userpic') or has('reply_to') or has('reactions') or has('chatlog__message-aside')"
    " or has('chatlog__reply') or has('chatlog__reactions') or has('chatlog__edited-timestamp')]"
)
_HAS = re.compile(r"has\(('[\w-]+')\)")
_CLOCK = re.compile(r"(?<![\d:])(\d{1,2}):(\d{2})(?::\d{2})?(?:\s?([ap])m)?\b", re.IGNORECASE)


def chat_pages(text: str) -> Iterator[Document]:
    """Its days; none of another page."""
    root = html_tree(text) if _PAGE.search(text) else None
    if root is not None:
        yield from by_day([*_messages(root)])


def _messages(root: Element) -> Iterator[Message]:
    name = ""
    for message in _found(root, _MESSAGES):
        moment = next(iter(_found(message, _MOMENT)), None)
        stated = "" if moment is None else moment.get("title")
        clock = _CLOCK.search(stated)
        day = date_in_line(_CLOCK.split(stated)[0].strip(" ,"))
        if not (clock and day):
            continue
        take_out(moment, *_found(message, _NO_TEXT))
        shared = _found(message, _FORWARDED)
        names = [one for one in _found(message, _NAME) if not {*one.iterancestors()} & {*shared}]
        name = next((f"{clean(one.text_content())}: " for one in names), name)
        minute = minute_of_day(*clock.groups())
        blocks = [block for one in shared for block in _shared(one)]
        take_out(*names, *shared)
        said = (replace(one, text=name + one.text.lstrip()) for one in _blocks(message))
        for block in (*said, *blocks):
            yield Message(day, minute, name, block)


def _shared(part: Element) -> Iterator[Block]:
    """Others' words, under their name."""
    names = _found(part, _NAME)
    whose = clean(" ".join(one.text_content() for one in names[:1]))
    take_out(*names)
    for block in _blocks(part):
        yield replace(block, quoted=whose)


def _blocks(part: Element) -> list[Block]:
    return blocks_of_pandoc(nodes_of(part), layout=True)


def _found(element: Element, path: str) -> list[Element]:
    """`has` looks for a class."""
    test = r"contains(concat(' ', normalize-space(@class), ' '), concat(' ', \1, ' '))"
    return list(element.xpath(_HAS.sub(test, path)))
