"""Every error a user can cause. The message is one line: what was found, where, what to do.

UhhragError
├── UsageError      an option's value makes no sense                         exit code 2
├── InputError      a claims file, store, prediction or gold file is bad     exit code 3
├── IndexFault      an index is missing, damaged or built with other models  exit code 4
├── ModelError      a model is missing, damaged or cannot run here           exit code 5
├── PromptError     a template is missing or lacks a slot                    exit code 6
├── RunError        a run folder is damaged or holds another run             exit code 7
├── ClaimsFailed    the run ended, but some claims have no verdict           exit code 8
└── DocumentsFailed the others are read, but some documents could not be     exit code 9
"""

from __future__ import annotations

from pathlib import Path


def first_line(error: BaseException) -> str:
    """The first line of a library's error, or its name."""
    return (str(error).strip() or type(error).__name__).splitlines()[0].strip()


class UhhragError(Exception):
    """Base of all; the command line prints one line and exits with `exit_code`."""

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
