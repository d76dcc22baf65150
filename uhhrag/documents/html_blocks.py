"""HTML → its blocks, all of them, in order: of a mail's body or a book's chapter.

For web pages there is `html`, which looks for the main text.
"""

from __future__ import annotations

from uhhrag.documents.blocks import Block
from uhhrag.documents.html_nodes import nodes_of
from uhhrag.documents.html_tree import html_tree
from uhhrag.documents.pandoc_blocks import blocks_of_pandoc


def blocks_of(text: str, *, code: bool = True) -> list[Block]:
    """The blocks of an HTML text, none where it has nothing to see; with its `code`, or not. Raises
    Unreadable where it is nested too deeply."""
    root = html_tree(text)
    body = None if root is None else root.find("body")
    return [] if body is None else blocks_of_pandoc(nodes_of(body), code=code, layout=True)
