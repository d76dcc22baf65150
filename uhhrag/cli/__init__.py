"""The command line: one module a command, no decisions; `lazy` keeps `--help` quick."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from functools import partial
from importlib import import_module
from typing import Any

import typer

from uhhrag.cli.lazy import load_lazily
from uhhrag.cli.panels import lay_out
from uhhrag.errors import UhhragError
from uhhrag.system.address_space import LIBRARIES, require_address_space
from uhhrag.system.build import build
from uhhrag.system.places import reason
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
        typer.echo(f"uhhrag {__version__} (build {build()})")
        raise typer.Exit


_PRIVATE_UMASK = 0o077
"""Claims may be confidential: only their user reads what commands create."""

_OBJECTS = 50_000
"""New objects between garbage collections; the default, 700, costs a tenth of a start."""

# Libraries send no telemetry, in `models pull` neither.
_SILENT = {"HF_HUB_DISABLE_TELEMETRY": "1", "DO_NOT_TRACK": "1", "ORT_DISABLE_TELEMETRY": "1"}


@app.callback()
def _options(
    context: typer.Context,
    debug: bool = typer.Option(
        False, "--debug", metavar="", help="Show the traceback of an error."
    ),
    version: bool = typer.Option(
        False, "--version", metavar="", callback=_version, is_eager=True, help="Print the version."
    ),
) -> None:
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
    """A user's error becomes one line on standard error and an exit code."""
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
        code = _report(error, 1, f"{error.filename or 'the output'}: {reason(error)}")
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

from uhhrag.cli import archive, claims, models, train  # noqa: E402
from uhhrag.cli.check_files import check_files as _check_files  # noqa: E402

_CHECKING = "Check claims against your own documents"
_TASK = "Work with data sets of claims"
_KEEPING = "Models, and what is on this machine"

_COMMANDS = {
    _CHECKING: "check serve report ingest search mcp",
    _TASK: "index predict evaluate compare table calibrate merge convert",
    _KEEPING: "bundle doctor bench-llm check-files",
}
for panel, names in _COMMANDS.items():
    for name in names.split():
        own = name.replace("-", "_")  # the name of its module and function
        command = getattr(import_module(f"uhhrag.cli.{own}"), own)
        app.command(name, rich_help_panel=panel)(command)
app.add_typer(archive.app, name="archive", rich_help_panel=_CHECKING)
app.add_typer(claims.app, name="claims", rich_help_panel=_CHECKING)
app.add_typer(train.app, name="train", rich_help_panel=_TASK)
app.add_typer(models.app, name="models", rich_help_panel=_KEEPING)
app.command("verify", hidden=True)(_check_files)  # the old name of check-files
for group in (app, claims.app, archive.app, train.app, models.app):
    lay_out(group)
