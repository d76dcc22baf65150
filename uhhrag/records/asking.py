from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prompt:
    step: str
    """the template's name"""
    head: str
    """shared by all prompts of a step"""
    body: str

    @property
    def text(self) -> str:
        return self.head + self.body


@dataclass(frozen=True, slots=True)
class Generate:
    """Ask for text."""

    max_tokens: int
    stop: tuple[str, ...] = ()
    """the text ends before any of these; "?" is kept"""
    repetition_penalty: float = 1.0
    temperature: float = 0.0
    """0 is greedy"""
    top_k: int = 0
    """0 for all"""
    seed: int = 0
    """samples depend on it, the prompt and its earlier repetitions in the call"""


@dataclass(frozen=True, slots=True)
class PickOne:
    """Ask which option comes next."""

    options: tuple[str, ...]


LETTERS = ("A", "B", "C")
"""For a text that supports, refutes, says nothing; see prompts/entails_constrained.txt."""


@dataclass(frozen=True, slots=True)
class Represent:
    """Ask for the hidden state before the reply."""


Ask = Generate | PickOne | Represent


@dataclass(frozen=True, slots=True)
class Reply:
    text: str
    """of `PickOne` the likeliest option, or see `protocols.LLM`"""
    logprobs: tuple[float, ...] = ()
    """natural logarithms, by option, not normalised over them"""
    prompt_tokens: int = 0
    reply_tokens: int = 0
    cut: bool = False
    """a prompt too long lost its middle"""
    state: tuple[float, ...] = ()
    """the last layer's output after its norm"""
