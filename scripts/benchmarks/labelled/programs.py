"""The programs that make pages, as far as they are installed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from scripts.benchmarks.labelled.drawn import DRAWN, TALL, WIDE, Drawn, width
from scripts.benchmarks.labelled.flowing import FLOWING, STYLE
from scripts.benchmarks.labelled.label import Made, Said

Maker = Callable[[Path], None]
Labelled = tuple[str, str, Maker, tuple[Said, ...]]
"""A program, a kind of page, what makes the PDF at a path, and what it says."""
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_SETTERS = {
    "typst": (
        '#set page(margin: 22mm{more})\n#set text(lang: "en", size: 10pt)\n'
        "#set par(justify: true)\n",
        ("plain", "columns", "cells", "lists", "letter", "minutes"),
    ),
    "groff": (".nr PS 11p\n{more}\n", ("plain", "columns", "cells", "letter", "minutes", "lists")),
}
_IN_COLUMNS = {"typst": ", columns: 2", "groff": ".2C"}


def labelled() -> Iterator[Labelled]:
    """Every page of every program that is here."""
    for name, make in FLOWING.items():
        page = make()
        for program, printed in _printers():
            if (program, name) != ("libreoffice", "headed"):  # it does not repeat them
                yield program, name, _maker(printed, page), page.said
        for program, (_, kinds) in _SETTERS.items():
            if name in kinds and (shutil.which(program) or find_spec(program)):
                yield program, name, _maker(_typeset(program, name), page), page.said
    for name, draw in DRAWN.items():
        drawn = draw()
        for program, pen in _pens():
            yield program, name, _maker(pen, drawn), drawn.said
        for program, command in _rewriters():
            yield program, name, _maker(_rewritten(command), drawn), drawn.said
    for name in ("plain", "columns") if shutil.which("tesseract") else ():
        page = FLOWING[name]()
        for program, printed in list(_printers())[:1]:
            yield "tesseract", f"{program}-{name}", _maker(_scanned(printed), page), page.said


def _maker(write: Callable[[Any, Path], None], page: Any) -> Maker:
    return lambda path: write(page, path)


def _printers() -> Iterator[tuple[str, Callable[[Made, Path], None]]]:
    if program := next(filter(None, map(shutil.which, _BROWSERS)), None):
        yield "chromium", partial(_browser, program)
    if find_spec("weasyprint"):
        yield "weasyprint", _weasyprint
    if program := shutil.which("soffice"):
        yield "libreoffice", partial(_office, program)


def _html(page: Made) -> str:
    head = f"<meta charset=utf-8><style>{STYLE}{page.style}</style>"
    return f"<!DOCTYPE html><html lang=en><head>{head}</head><body>{page.source}</body></html>"


def _browser(program: str, page: Made, path: Path) -> None:
    source = path.with_suffix(".html")
    source.write_text(_html(page), encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
    _run(program, *options, f"--print-to-pdf={path}", source.as_uri())


def _weasyprint(page: Made, path: Path) -> None:
    import_module("weasyprint").HTML(string=_html(page)).write_pdf(path)


def _office(program: str, page: Made, path: Path) -> None:
    source = path.with_suffix(".html")
    source.write_text(_html(page), encoding="utf-8")
    form = "pdf:writer_pdf_Export"
    home = f"-env:UserInstallation={(path.parent / 'office').as_uri()}"
    options = ["--headless", "--infilter=HTML (StarWriter)", "--convert-to", form]
    _run(program, home, *options, "--outdir", str(path.parent), str(source))


def _typeset(program: str, kind: str) -> Callable[[Made, Path], None]:
    def write(page: Made, path: Path) -> None:
        import pypandoc

        form = "ms" if program == "groff" else "typst"
        text = pypandoc.convert_text(page.source, form, format="html")
        more = _IN_COLUMNS[program] if kind == "columns" else ""
        source = path.with_suffix(f".{form}")
        source.write_text(_SETTERS[program][0].replace("{more}", more) + text, encoding="utf-8")
        if program == "groff":
            command = ("groff", "-k", "-t", "-ms", "-Tpdf", str(source))
            path.write_bytes(subprocess.run(command, capture_output=True, check=True).stdout)
        else:
            import_module("typst").compile(str(source), output=str(path))

    return write


def _pens() -> Iterator[tuple[str, Callable[[Drawn, Path], None]]]:
    yield "fpdf2", _fpdf
    if find_spec("reportlab"):
        yield "reportlab", _reportlab


def _fpdf(drawn: Drawn, path: Path) -> None:
    from fpdf import FPDF

    pdf = FPDF("landscape" if drawn.wide else "portrait", unit="pt", format=(WIDE, TALL))
    for page in drawn.pages:
        pdf.add_page()
        for one in page:
            if one.shape:
                pdf.rect(one.x, one.y, width(one.text) + 2, one.size, style="F")
                continue
            pdf.set_font("helvetica", style="B" if one.bold else "", size=one.size)
            with pdf.rotation(one.angle, one.x, one.y):
                pdf.text(one.x, one.y, one.text)
    pdf.output(str(path))


def _reportlab(drawn: Drawn, path: Path) -> None:
    wide, tall = (TALL, WIDE) if drawn.wide else (WIDE, TALL)
    pdf = import_module("reportlab.pdfgen.canvas").Canvas(str(path), pagesize=(wide, tall))
    for page in drawn.pages:
        for one in page:
            if one.shape:
                place = one.x, tall - one.y - one.size
                pdf.rect(*place, width(one.text) + 2, one.size, stroke=0, fill=1)
                continue
            pdf.saveState()
            pdf.setFont("Helvetica-Bold" if one.bold else "Helvetica", one.size)
            pdf.translate(one.x, tall - one.y)
            pdf.rotate(one.angle)
            pdf.drawString(0, 0, one.text)
            pdf.restoreState()
        pdf.showPage()
    pdf.save()


def _rewriters() -> Iterator[tuple[str, tuple[str, ...]]]:
    if shutil.which("gs"):
        yield "ghostscript", ("gs", "-q", "-sDEVICE=pdfwrite", "-o", "{out}", "{given}")
    if shutil.which("pdftocairo"):
        yield "cairo", ("pdftocairo", "-pdf", "{given}", "{out}")


def _rewritten(command: tuple[str, ...]) -> Callable[[Drawn, Path], None]:
    def write(drawn: Drawn, path: Path) -> None:
        given = path.with_suffix(".given")
        _fpdf(drawn, given)
        _run(*(part.format(out=path, given=given) for part in command))

    return write


def _scanned(printed: Callable[[Made, Path], None]) -> Callable[[Made, Path], None]:
    """A picture of a page, with the text that Tesseract finds in it laid under it."""

    def write(page: Made, path: Path) -> None:
        import pypdfium2

        given = path.with_suffix(".given.pdf")
        printed(page, given)
        picture = path.with_suffix(".png")
        with pypdfium2.PdfDocument(given) as pdf:
            pdf[0].render(scale=200 / 72, grayscale=True).to_pil().save(picture, dpi=(200, 200))
        _run("tesseract", str(picture), str(path.with_suffix("")), "pdf")

    return write


def _run(*command: str) -> None:
    subprocess.run(command, capture_output=True, check=True)
