"""What a click opens on a web page, as tabs and accordions, with its name above it."""

from __future__ import annotations

import re

from uhhrag.documents.xml_trees import Element, local
from uhhrag.text.fragments import is_question

NAMES = {"h1", "h2", "h3", "h4", "h5", "h6", "dt", "summary", "legend"}
_OPENING = (
    "//*[@aria-expanded or @role='tab' or @onclick or @*[name()='epub:type'] = 'noteref'"
    " or @*[name()='data-toggle' or name()='data-bs-toggle'][contains('collapse tab pill', .)]"
    " or (self::label and preceding-sibling::*[1][@type='checkbox' or @type='radio'])"
    " or self::button[contains(@class, 'accordion') or contains(@class, 'collapsible')"
    " or parent::h2 or parent::h3 or parent::h4]]"
    "[not(@aria-haspopup)]"
)
_SILENT = "//span[@aria-hidden='true'][translate(., '0123456789', '') != .]"
_IDS_IN_SCRIPT = re.compile(r"['\"]#?([\w-]+)['\"]")
_OPENS = re.compile(
    r"(?i)\W*(?:(?:show|read|see|view|more|less|menu|close|open|expand|toggle|search|mehr|alles?"
    r"|lire|voir|plus|ver|leer|mostra|leggi|toon|vis|visa|les|läs)\b|weiter)"
)
_TARGETS = ("aria-controls", "data-target", "data-bs-target", "href")
_NO_PANEL = {"dialog", "alertdialog", "menu", "listbox", "tooltip"}


def panels_in(root: Element) -> set[Element]:
    """What a click opens, named by or next to its control; names of tabs are put above it."""
    named = {one.get("id"): one for one in root.iter("*") if "id" in one.attrib}
    panels = root.xpath("//*[@role='tabpanel']")
    for control in root.xpath(_OPENING):
        keys = _TARGETS[:-1] if "onclick" in control.attrib else _TARGETS  # links open pop-ups
        ids = " ".join(control.get(key, "") for key in keys).replace("#", "").split()
        ids += _IDS_IN_SCRIPT.findall(control.get("onclick", ""))
        held = [named[one] for one in ids if one in named]
        panels += [*held, *control.xpath("following::*[1]")]
        for panel in held or control.xpath("self::button/following-sibling::*[1]"):
            _name_panel(panel, control)
    for silent in root.xpath(_SILENT):  # what screen readers say in its place
        panels += silent.xpath("preceding-sibling::span[1] | following-sibling::span[1]")
    return {one for one in panels if (one.get("role") or local(one)) not in _NO_PANEL}


def _name_panel(panel: Element, control: Element) -> None:
    """Put the name of a tab, which is a link or button and thus no text, above what it opens."""
    name = " ".join(control.text_content().split())
    around = [control, *control.iterancestors(), *panel.iter("h1")]
    shown = is_question(name) and local(control) == "button"
    read = panel in around or any(local(one) in NAMES for one in around) or shown
    told = read or _OPENS.match(name) or panel.text_content().lstrip().startswith(name)
    other = "onclick" in control.attrib and "tab" not in control.get("class", "")
    if not (told or other) and 2 < len(name) < 60 and local(panel) in ("div", "section"):
        heading = panel.makeelement("h6")
        heading.text, heading.tail, panel.text = name, panel.text, None
        panel.insert(0, heading)
