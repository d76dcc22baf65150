"""The command line: one module a command, no decisions; `lazy` keeps `--help` quick."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from functools import partial
from typing import Annotated, Any

import typer

from uhhrag.cli.lazy import load_lazily
from uhhrag.cli.panels import lay_out
from uhhrag.errors import UhhragError
from uhhrag.system.address_space import LIBRARIES, require_address_space
from uhhrag.system.terminal import printable
from uhhrag.version import __version__

app = typer.Typer(
    name="uhhrag",
    help="Fact-checking of real-world claims, offline, with every vote shown.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"uhhrag {__version__}")
        raise typer.Exit


_PRIVATE_UMASK = 0o077
"""Claims may be confidential: only their user reads what commands create."""

_OBJECTS = 50_000
"""New objects between garbage collections; the default, 700, costs a tenth of a start."""

# The hub's library, used by `models pull` alone, sends no telemetry.
_SILENT = {"HF_HUB_DISABLE_TELEMETRY": "1", "DO_NOT_TRACK": "1"}


@app.callback()
def _options(
    context: typer.Context,
    debug: Annotated[
        bool, typer.Option("--debug", metavar="", help="Show the traceback of an error.")
    ] = False,
    version: Annotated[
        bool,
        typer.Option(
            "--version", metavar="", callback=_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Fact-checking of real-world claims, offline, with every vote shown."""
    os.environ.update(_SILENT)
    if context.invoked_subcommand != "models":  # weights are public, and may be shared
        context.call_on_close(partial(os.umask, os.umask(_PRIVATE_UMASK)))
    if context.invoked_subcommand not in ("models", "doctor"):
        require_address_space(LIBRARIES, "its libraries")


_UTF8 = "set PYTHONIOENCODING=utf-8"
_NO_MEMORY = "not enough memory; free some, or take smaller models (--llm, --embedder)"

# ClickException of whichever click typer runs on: newer typers bring their own.
_Misused: Any = typer.BadParameter.__mro__[2]


def main() -> None:
    """A user's error is one line on standard error with its exit code."""
    gc.set_threshold(_OBJECTS)
    atexit.register(gc.freeze)  # at the end Python looks through all of them once more
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
    except UhhragError as error:
        code = _report(error, error.exit_code)
    except _Misused as error:
        code = _report(error, error.exit_code, _misuse(error))
    except (KeyboardInterrupt, typer.Abort):
        code = 130
    except BrokenPipeError:
        sys.stderr.close()
        code = 141
    except SystemExit as ended:  # typer's, which takes whoever has gone for a failure
        code = 141 if isinstance(ended.__context__, BrokenPipeError) else ended.code
    except UnicodeEncodeError as error:
        code = _report(error, 1, f"the output cannot be written in {error.encoding}; {_UTF8}")
    except OSError as error:  # what a command writes to files it has looked at itself
        code = _report(error, 1, f"{error.filename or 'the output'}: {error.strerror or error}")
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except MemoryError as error:
        code = _report(error, 5, _NO_MEMORY)
    except ImportError as error:
        code = _report(error, 5, f"{error}: no memory for it, or damaged; run: scripts/setup")
    if code == 130:  # typer may turn an interrupt into this code by itself
        print("uhhrag: stopped; run the same command again to go on", file=sys.stderr)  # noqa: T201
    sys.exit(code or 0)


def _misuse(error: Any) -> str:
    message, context = str(error.format_message()).rstrip("."), error.ctx
    message = message.replace("Value error, ", "", 1)
    words: list[str] = []
    while context and context.parent:
        context, words = context.parent, [context.info_name, *words]
    return f"{message}; see: {' '.join(['uhhrag', *words])} --help" if message else ""


def _report(error: Exception, code: int, message: str | None = None) -> int:
    if "--debug" in sys.argv:
        raise error
    if text := printable(message or str(error)):
        print(f"uhhrag: {text}", file=sys.stderr)  # noqa: T201
    return code


load_lazily()  # before the commands, which import those modules

from uhhrag.cli import claims, corpus, models, train  # noqa: E402
from uhhrag.cli.bench_llm import bench_llm as _bench_llm  # noqa: E402
from uhhrag.cli.bundle import bundle as _bundle  # noqa: E402
from uhhrag.cli.calibrate import calibrate as _calibrate  # noqa: E402
from uhhrag.cli.check import check as _check  # noqa: E402
from uhhrag.cli.check_files import check_files as _check_files  # noqa: E402
from uhhrag.cli.compare import compare as _compare  # noqa: E402
from uhhrag.cli.convert import convert as _convert  # noqa: E402
from uhhrag.cli.doctor import doctor as _doctor  # noqa: E402
from uhhrag.cli.evaluate import evaluate as _evaluate  # noqa: E402
from uhhrag.cli.index import index as _index  # noqa: E402
from uhhrag.cli.ingest import ingest as _ingest  # noqa: E402
from uhhrag.cli.mcp import mcp as _mcp  # noqa: E402
from uhhrag.cli.merge import merge as _merge  # noqa: E402
from uhhrag.cli.panels import once  # noqa: E402
from uhhrag.cli.predict import predict as _predict  # noqa: E402
from uhhrag.cli.report import report as _report_page  # noqa: E402
from uhhrag.cli.search import search as _search  # noqa: E402
from uhhrag.cli.serve import serve as _serve  # noqa: E402
from uhhrag.cli.table import table as _table  # noqa: E402

_CHECKING = "Check claims against your own documents"
_TASK = "Work with data sets of claims"
_KEEPING = "Models, and what is on this machine"

app.command("check", rich_help_panel=_CHECKING)(_check)
app.command("serve", rich_help_panel=_CHECKING)(_serve)
app.command("report", rich_help_panel=_CHECKING)(_report_page)
app.command("ingest", rich_help_panel=_CHECKING)(_ingest)
app.command("search", rich_help_panel=_CHECKING)(_search)
app.command("mcp", rich_help_panel=_CHECKING)(_mcp)
app.add_typer(corpus.app, name="archive", rich_help_panel=_CHECKING)
app.add_typer(corpus.app, name="corpus", hidden=True)  # the old name of archive
app.add_typer(claims.app, name="claims", rich_help_panel=_CHECKING)
app.command("index", rich_help_panel=_TASK)(_index)
app.command("predict", rich_help_panel=_TASK)(_predict)
app.command("evaluate", rich_help_panel=_TASK)(_evaluate)
app.command("compare", rich_help_panel=_TASK)(_compare)
app.command("table", rich_help_panel=_TASK)(_table)
app.command("calibrate", rich_help_panel=_TASK)(_calibrate)
app.add_typer(train.app, name="train", rich_help_panel=_TASK)
app.command("merge", rich_help_panel=_TASK)(_merge)
app.command("convert", rich_help_panel=_TASK)(_convert)
app.add_typer(models.app, name="models", rich_help_panel=_KEEPING)
app.command("bundle", rich_help_panel=_KEEPING)(_bundle)
app.command("doctor", rich_help_panel=_KEEPING)(_doctor)
app.command("bench-llm", rich_help_panel=_KEEPING)(_bench_llm)
app.command("check-files", rich_help_panel=_KEEPING)(_check_files)
app.command("verify", hidden=True)(_check_files)  # the old name of check-files
for group in (app, claims.app, corpus.app, train.app, models.app):
    lay_out(group)
    once(group)
