"""Errors a user can cause, each one line: what was found, where, what to do.

UsageError       a senseless option
InputError       a bad claims file, store, prediction or gold file
IndexFault       an index missing, damaged or of other models
ModelError       a model missing, damaged or unable to run here
PromptError      a template missing or without a slot
RunError         a run folder damaged or of another run
ClaimsFailed     claims without a verdict
DocumentsFailed  documents that could not be read"""

from __future__ import annotations

from pathlib import Path


def first_line(error: BaseException) -> str:
    """Of a library's error, or its type's name."""
    return (str(error).strip() or type(error).__name__).splitlines()[0].strip()


def reason_of(error: BaseException) -> str:
    """One line; of an error that is no `UhhragError` also its type."""
    said = " ".join(str(error).split())
    if isinstance(error, UhhragError):
        return said
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


class UhhragError(Exception):
    """The command line prints it and exits with `exit_code`."""

    exit_code = 1


class UsageError(UhhragError):
    exit_code = 2


class InputError(UhhragError):
    exit_code = 3


class IndexFault(UhhragError):
    exit_code = 4


class ModelError(UhhragError):
    exit_code = 5


class PromptError(UhhragError):
    exit_code = 6


class RunError(UhhragError):
    exit_code = 7


class ClaimsFailed(UhhragError):
    exit_code = 8


class DocumentsFailed(UhhragError):
    exit_code = 9


def unusable_memory(file: Path, error: Exception) -> RunError:
    return RunError(f"{file} cannot be used ({error}); make room or delete it, or give --no-cache")
