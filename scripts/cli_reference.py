"""Write docs/cli.md: every command with its arguments and options, as the commands state them.

usage: python -m scripts.cli_reference

A test (tests/project/test_cli_reference.py) holds the page to the commands.
"""

from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

import typer

from uhhrag.cli import app
from uhhrag.config.option import bounds

PAGE = Path(__file__).resolve().parents[1] / "docs" / "cli.md"
INTRODUCTION = """# Commands and options

`python -m scripts.cli_reference` makes this page from the commands; a test keeps it up to date.
The option `--help` of a command shows the same in a terminal. Explanations with examples are in
[step-by-step.md](step-by-step.md), exit codes and error messages in [mistakes.md](mistakes.md).

`uhhrag --version` prints the version. `uhhrag --debug COMMAND …` shows the traceback of an error.
`uhhrag --install-completion` lets your shell complete commands and options with the Tab key; it
works from the next terminal on, in bash, zsh, fish and PowerShell.
`uhhrag verify` and `--verdict` are the old names of `uhhrag check-files` and `--rule`; they still
work.
"""
DECIDING = """## Options that choose how claims are decided

These are options of {commands}. Their own options are listed under each command.
"""
DECIDING_COMMANDS = ("check", "predict", "serve", "mcp")
VALUES = {"Path": "PATH", "int": "N", "float": "NUMBER"}
TABLE = ("| option | default | what it does |", "|---|---|---|")


def page() -> str:
    """The whole text of docs/cli.md."""
    commands = dict(_commands(typer.main.get_command(app), ()))
    shared = _shared(commands)
    names = [f"[`{name}`](#uhhrag-{name})" for name in DECIDING_COMMANDS]
    parts = [INTRODUCTION, _contents(commands)]
    parts += [_section(name, command, shared) for name, command in commands.items()]
    options = [
        option for option in _options(commands[DECIDING_COMMANDS[0]]) if _key(option) in shared
    ]
    parts.append(DECIDING.format(commands=f"{', '.join(names[:-1])} and {names[-1]}"))
    parts.append(_table(options))
    return "\n".join(parts)


def _commands(command: Any, above: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """Commands by their full names without `uhhrag`, in the order of the help."""
    for name, child in command.commands.items():
        if child.hidden:  # an old name
            continue
        if hasattr(child, "commands"):
            yield from _commands(child, (*above, name))
        else:
            yield " ".join((*above, name)), child


def _options(command: Any) -> list[Any]:
    options = (param for param in command.params if param.param_type_name == "option")
    return [option for option in options if "--help" not in option.opts and not option.hidden]


def _key(option: Any) -> tuple[Any, ...]:
    return (*option.opts, option.help, str(option.default))


def _shared(commands: dict[str, Any]) -> set[tuple[Any, ...]]:
    """The options that all commands which decide claims have in common."""
    keys = [{_key(option) for option in _options(commands[name])} for name in DECIDING_COMMANDS]
    return set.intersection(*keys)


def _contents(commands: dict[str, Any]) -> str:
    rows = [
        f"| [`uhhrag {name}`](#{_anchor(name)}) | {_first(c.help)} |"
        for name, c in commands.items()
    ]
    return "\n".join(("| command | |", "|---|---|", *rows, ""))


def _anchor(name: str) -> str:
    return f"uhhrag {name}".replace(" ", "-")


def _first(text: str) -> str:
    """The first paragraph of a help text, on one line."""
    return " ".join(text.strip().split("\n\n")[0].split())


def _section(name: str, command: Any, shared: set[tuple[Any, ...]]) -> str:
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    options = _options(command)
    deciding = name in DECIDING_COMMANDS
    own = [option for option in options if not (deciding and _key(option) in shared)]
    paragraphs = [" ".join(part.split()) for part in command.help.strip().split("\n\n")]
    usage = " ".join(
        ["uhhrag", name, *map(_placeholder, arguments), "[OPTIONS]" if options else ""]
    )
    lines = [f"## uhhrag {name}", "", "\n\n".join(paragraphs), "", f"    {usage.rstrip()}", ""]
    if arguments:
        rows = [f"| `{_word(one)}` | {one.help or ''} |" for one in arguments]
        lines += ["| argument | |", "|---|---|", *rows, ""]
    if own:
        lines.append(_table(own))
    if deciding:
        link = "[options that choose how claims are decided]"
        lines += [f"Also the {link}(#options-that-choose-how-claims-are-decided).", ""]
    return "\n".join(lines)


def _word(argument: Any) -> str:
    word = argument.metavar or argument.name
    return str(word).upper().strip("[]{}.")


def _placeholder(argument: Any) -> str:
    word = _word(argument) + ("…" if argument.nargs == -1 else "")
    return word if argument.required else f"[{word}]"


def _table(options: Sequence[Any]) -> str:
    return "\n".join((*TABLE, *map(_row, options), ""))


def _row(option: Any) -> str:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    value = _value(option)
    if value:
        names = ", ".join(f"`{name} {value}`" for name in option.opts)
    allowed = bounds(option.min, option.max)
    about = f"{option.help or ''} {allowed}." if allowed else option.help or ""
    about = about.removesuffix(" 0 or more.").removesuffix(" 1 or more.")
    about += " Required." if option.required else ""
    return f"| {names} | {_default(option)} | {about} |".replace("  ", " ")


def _value(option: Any) -> str:
    """What stands for the option's value; "" for a switch."""
    if option.is_flag:
        return ""
    if option.metavar:
        return str(option.metavar)
    kind = option.type_descriptor.annotation
    if isinstance(kind, type) and issubclass(kind, Enum):
        return " or ".join(str(choice.value) for choice in kind)
    return VALUES.get(option.bare_type().removeprefix("list[").removesuffix("]"), "TEXT")


def _default(option: Any) -> str:
    """The default as a user would type it; "" where there is none or the help states it."""
    if isinstance(option.show_default, str):
        return option.show_default
    default = option.default
    if default in (None, False, "") or option.required or option.show_default is False:
        return ""
    if default is True:
        return f"`{option.opts[0]}`"
    if isinstance(default, list | tuple):
        return ", ".join(f"`{one}`" for one in default)
    return f"`{getattr(default, 'value', default)}`"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
