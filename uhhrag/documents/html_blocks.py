"""HTML → all its blocks in order, for mails and chapters; `html` finds main texts."""

from __future__ import annotations

from uhhrag.documents.blocks import Block
from uhhrag.documents.html_nodes import nodes_of
from uhhrag.documents.html_tree import html_tree
from uhhrag.documents.pandoc_blocks import blocks_of_pandoc


def blocks_of(text: str, *, code: bool = True) -> list[Block]:
    """The visible blocks of an HTML text. Raises Unreadable if nested too deeply."""
    root = html_tree(text)
    body = None if root is None else root.find("body")
    return [] if body is None else blocks_of_pandoc(nodes_of(body), code=code, layout=True)
