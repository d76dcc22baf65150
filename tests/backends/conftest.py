"""Fixtures that several files of tests/backends share."""

from __future__ import annotations

import pytest

from tests.support.chat_server import FakeServer, running
from tests.support.llama_prompts import fresh
from tests.support.model_files import model_path


@pytest.fixture
def server():
    with running(FakeServer(says=lambda text: text[-1])) as started:
        yield started


@pytest.fixture(scope="module")
def gguf():
    return model_path("smollm2-135m")


@pytest.fixture(scope="module")
def llm(gguf):
    return fresh(gguf)
