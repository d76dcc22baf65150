"""What boxes, choices and fields of forms in an OpenDocument text say."""

from __future__ import annotations

from uhhrag.documents.xml_trees import Element, attribute, local, named, take_out, whole_number

_BOXES, _LABELS = ("checkbox", "radio"), ("fixed-text",)


def write_forms(text: Element) -> None:
    """Put what they show in the place of fields and controls."""
    for field in named(text, "fieldmark"):
        kind = attribute(field, "type")
        given = [(attribute(one, "name"), attribute(one, "value")) for one in named(field, "param")]
        chosen = dict(given)
        if kind.endswith("FORMCHECKBOX"):
            _show(field, "☒" if chosen.get("Checkbox_Checked") == "true" else "☐")
        elif kind.endswith("FORMDROPDOWN") and "Dropdown_Selected" in chosen:
            number = whole_number(chosen["Dropdown_Selected"])
            entries = [value for name, value in given if name == "Dropdown_ListEntry"]
            _show(field, "".join(entries[number : number + 1]))
    controls = {attribute(one, "id"): one for forms in named(text, "forms") for one in forms.iter()}
    for mark in named(text, "control"):
        control = controls.get(attribute(mark, "control"))
        if control is not None and next(mark.iterancestors("{*}p", "{*}h"), None) is not None:
            _show(mark, _shown(control))


def _show(mark: Element, text: str) -> None:
    mark.tail = text + (mark.tail or "")
    take_out(mark)


def _shown(control: Element) -> str:
    kind, label = local(control), attribute(control, "label")
    if kind in _BOXES:
        state = attribute(control, "current-state", attribute(control, "state"))
        ticked = state == "checked" or attribute(control, "current-selected") == "true"
        return f"{'☒' if ticked else '☐'} {label}"
    if kind in _LABELS:
        return label
    options = (one for one in named(control, "option") if attribute(one, "current-selected"))
    chosen = [attribute(one, "label") for one in options]
    value = attribute(control, "current-value", attribute(control, "value"))
    return ", ".join(chosen) or ("" if kind in ("button", "hidden") else value)
