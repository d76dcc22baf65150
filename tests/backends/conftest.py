"""Fixtures that several files of tests/backends share."""

from __future__ import annotations

import pytest

from tests.support.chat_server import FakeServer, running
from tests.support.llama_prompts import fresh
from uhhrag import models
from uhhrag.errors import ModelError


@pytest.fixture
def server():
    with running(FakeServer(says=lambda text: text[-1])) as started:
        yield started


@pytest.fixture(scope="module")
def gguf():
    try:
        return models.path("smollm2-135m")
    except ModelError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def llm(gguf):
    return fresh(gguf)
