"""Model files from HF_ENDPOINT or the public hub."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from uhhrag.errors import ModelError
from uhhrag.models.catalogue import Hub, Model, ModelFile

_PATIENCE = 5.0
"""Seconds for the first answer."""
_ANSWERS = {"RepositoryNotFound", "RevisionNotFound", "EntryNotFound", "GatedRepo"}
"""Errors of a hub that was reached."""
_OF_THE_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM, errno.EROFS}


class Unreachable(ModelError):
    """No hub answered."""


def fetch(model: Model, files: Sequence[ModelFile], staging: Path) -> None:
    """Writes whole but unchecked files; continues an earlier call. Raises Unreachable, or
    ModelError if the hub refuses a file."""
    if model.hub is None:
        raise ModelError(f"model '{model.name}' is not on the hub")
    code = {file.path for file in model.code_files}
    try:
        hub = replace(model.hub, revision=_greet(model.hub, files[0]))
        for file in files:
            _download(model.code if model.code and file.path in code else hub, file, staging)
    # The hub's library lets through whatever its HTTP library of the day raises.
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _OF_THE_DISK:
            raise
        kind = ModelError if _is_an_answer(error) else Unreachable
        raise kind(f"{model.hub.repo} cannot be had from the hub: {_reason(error)}") from error


def _is_an_answer(error: Exception) -> bool:
    """Whether the hub itself refused, not a proxy."""
    response = getattr(error, "response", None)
    return response is not None and response.headers.get("X-Error-Code") in _ANSWERS


def _greet(hub: Hub, file: ModelFile) -> str | None:
    """The commit for all files. Quick: a machine without a hub would wait through retries."""
    from huggingface_hub import get_hf_file_metadata, hf_hub_url

    url = hf_hub_url(hub.repo, file.path, revision=hub.revision, endpoint=_endpoint())
    found = get_hf_file_metadata(url, timeout=_PATIENCE)
    return hub.revision or found.commit_hash


def _download(hub: Hub, file: ModelFile, staging: Path) -> None:
    from huggingface_hub import hf_hub_download

    hf_hub_download(
        hub.repo, file.path, revision=hub.revision, local_dir=staging, endpoint=_endpoint()
    )


def _endpoint() -> str | None:
    return os.environ.get("HF_ENDPOINT")


def _reason(error: Exception) -> str:
    """
    >>> _reason(OSError("404 Client Error.\\n\\nEntry Not Found for url: x."))
    '404 Client Error. Entry Not Found for url: x.'
    >>> _reason(TimeoutError())
    'TimeoutError'
    """
    return " ".join(str(error).split())[:300] or type(error).__name__
