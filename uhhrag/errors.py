"""Errors a user can cause, each one line: what was found, where, what to do."""

from __future__ import annotations

from pathlib import Path


def first_line(error: BaseException) -> str:
    """Of a library's error, or its type's name."""
    return (str(error).strip() or type(error).__name__).splitlines()[0].strip()


def reason_of(error: BaseException) -> str:
    """One line; unless a `UhhragError`, with its type."""
    said = " ".join(str(error).split())
    if isinstance(error, UhhragError):
        return said
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


class UhhragError(Exception):
    """The command line prints it and exits with `exit_code`."""

    exit_code = 1


class UsageError(UhhragError):
    exit_code = 2
    """A senseless option."""


class InputError(UhhragError):
    exit_code = 3
    """A bad claims file, store, prediction or gold file."""


class IndexFault(UhhragError):
    exit_code = 4
    """An index missing, damaged or of other models."""


class ModelError(UhhragError):
    exit_code = 5
    """A model missing, damaged or unable to run here."""


class PromptError(UhhragError):
    exit_code = 6
    """A template missing or without a slot."""


class RunError(UhhragError):
    exit_code = 7
    """A run folder damaged or of another run."""


class ClaimsFailed(UhhragError):
    exit_code = 8
    """Claims without a verdict."""


class DocumentsFailed(UhhragError):
    exit_code = 9
    """Documents that could not be read."""


def unusable_memory(file: Path, error: Exception) -> RunError:
    return RunError(f"{file} cannot be used ({error}); make room or delete it, or give --no-cache")
