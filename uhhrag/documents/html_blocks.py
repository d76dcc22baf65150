"""HTML → its blocks, all of them, in order: of a mail's body or a book's chapter, by pandoc.

For web pages there is `html`, which looks for the main text.
"""

from __future__ import annotations

from uhhrag.documents.blocks import Block
from uhhrag.documents.html_tree import html_tree
from uhhrag.documents.pandoc import read_by_pandoc
from uhhrag.documents.pandoc_blocks import blocks_of_pandoc
from uhhrag.documents.xml_trees import written

_FORM = "html-auto_identifiers-tex_math_dollars"


def blocks_of(text: str, *, code: bool = True) -> list[Block]:
    """The blocks of an HTML text, none where it has nothing to see; with its `code`, or not. Raises
    Unreadable where it is nested too deeply, or takes too much time or memory."""
    root = html_tree(text)
    if root is None:
        return []
    return blocks_of_pandoc(read_by_pandoc(written(root), _FORM)["blocks"], code=code, layout=True)
