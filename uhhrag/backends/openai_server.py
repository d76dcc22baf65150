"""A model behind OpenAI's protocol (llama-server, vLLM, Ollama). Choices come from
log-probabilities if these list all options, else from the reply."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from uhhrag.backends.http import Address, Refused, exchange, read_address
from uhhrag.backends.llamacpp.sequences import before_stop, seeds
from uhhrag.errors import ModelError, UsageError
from uhhrag.records import Ask, Generate, PickOne, Prompt, Reply, Represent
from uhhrag.system.text_files import encodable

NAME = "openai"
TIMEOUT = 600.0
"""Seconds; slow machines read for minutes."""
_MAX_PROMPT_CHARS, _TAIL = 9216, 192
"""Characters of a prompt; its tail is never cut."""
_LOGPROBS: dict[str, Any] = {"logprobs": True, "top_logprobs": 20}
"""Asks for the most that servers give."""
_WRITTEN = 8
"""Tokens of a written option."""
_QUIET: Mapping[str, Any] = {"chat_template_kwargs": {"enable_thinking": False}}
_PROBE = Prompt("probe", "", "Answer with one letter, A or B.")


@dataclass(frozen=True, slots=True)
class Server:
    address: Address
    model: str
    identity: str
    """The model's name and a hash of its facts."""
    gives_logprobs: bool
    extras: Mapping[str, Any]
    timeout: float

    def __call__(self, prompts: Sequence[Prompt], ask: Ask, /) -> list[Reply]:
        if isinstance(ask, Represent):
            raise ModelError(
                f"{self.address} gives no hidden states of its model, which --voter both needs for "
                "--rule learned; take --voter verifier, or a model file"
            )
        if isinstance(ask, PickOne):
            return [self._chosen(prompt, ask.options) for prompt in prompts]
        own_seeds = seeds(ask.seed, (prompt.text for prompt in prompts))
        return [self._written(p, ask, seed) for p, seed in zip(prompts, own_seeds, strict=True)]

    def _written(self, prompt: Prompt, wanted: Generate, seed: int) -> Reply:
        text, cut = shortened(prompt)
        completion = self._complete(text, as_parameters(wanted, seed))
        return _reply(before_stop(_text(completion), wanted.stop).strip(), completion, cut)

    def _chosen(self, prompt: Prompt, options: tuple[str, ...]) -> Reply:
        text, cut = shortened(prompt)
        if self.gives_logprobs:
            completion = self._complete(text, {**as_parameters(Generate(1)), **_LOGPROBS})
            logprobs = of_options(first_token(completion), options)
            if logprobs:
                likeliest = options[max(range(len(options)), key=logprobs.__getitem__)]
                return _reply(likeliest, completion, cut, logprobs)
        completion = self._complete(text, as_parameters(Generate(_WRITTEN)))
        written = _text(completion).strip()
        return _reply(read_option(written, options) or written, completion, cut)

    def _complete(self, text: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        message = {"role": "user", "content": text}
        body = {"model": self.model, "messages": [message], **parameters, **self.extras}
        completion = exchange(self.address, "/chat/completions", body, timeout=self.timeout)
        _text(completion, where=str(self.address))
        return completion


def connect(
    url: str, option: str = "--llm", *, allow_remote: bool = False, timeout: float = TIMEOUT
) -> Server:
    """Raises UsageError for an unusable address, ModelError without the protocol."""
    address = read_address(url, option, allow_remote=allow_remote)
    model, facts = _model(address, option, timeout)
    # Public facts that tell models of one name apart: llama-server's sizes, vLLM's root
    name = model.replace("\\", "/").rpartition("/")[2]  # llama.cpp's servers name a file's path
    known = {"name": name, **{key: facts.get(key) for key in ("meta", "root", "owned_by")}}
    digest = hashlib.sha256(orjson.dumps(known, option=orjson.OPT_SORT_KEYS)).hexdigest()
    identity = f"{re.sub(r'[^!-{}~]', '_', name)[:80]}@{digest[:8]}"
    refused: Refused | None = None
    for extras in (_QUIET, {}):
        for gives_logprobs in (True, False):
            server = Server(address, model, identity, gives_logprobs, extras, timeout)
            try:
                # Any token will do, as long as some are listed
                asked = as_parameters(Generate(1)) | (_LOGPROBS if gives_logprobs else {})
                completion = server._complete(_PROBE.text, asked)
            except Refused as error:
                refused = refused or error
                continue
            if not gives_logprobs or first_token(completion):
                return server
    raise refused or ModelError(f"{address} answers no question")


def _model(address: Address, option: str, timeout: float) -> tuple[str, Mapping[str, Any]]:
    listed = exchange(address, "/models", timeout=timeout).get("data")
    entries = [e for e in listed if isinstance(e, dict)] if isinstance(listed, list) else []
    models = {str(entry["id"]): entry for entry in entries if entry.get("id")}
    if address.model:
        return address.model, models.get(address.model, {})
    if len(models) == 1:
        return next(iter(models.items()))
    names = ", ".join(list(models)[:5]) or "none"
    raise UsageError(
        f"{address} has {len(models)} models ({names}); say which: {option} {address}#NAME"
    )


def as_parameters(wanted: Generate, seed: int = 0) -> dict[str, Any]:
    """A stop of "?" is not sent: servers drop it, and a question would look cut."""
    parameters: dict[str, Any] = {
        "max_tokens": wanted.max_tokens,
        "temperature": max(wanted.temperature, 0.0),
        "stream": False,
    }
    if stops := [stop for stop in wanted.stop if stop != "?"]:
        parameters["stop"] = stops
    if wanted.temperature > 0:
        # 31 bits: some servers store no more
        parameters |= {"seed": seed & 0x7FFFFFFF, "top_p": 1.0}
        parameters |= {"top_k": wanted.top_k} if wanted.top_k else {}
    if wanted.repetition_penalty != 1.0:
        penalty = wanted.repetition_penalty
        parameters |= {"repeat_penalty": penalty, "repetition_penalty": penalty}
    return parameters


def shortened(prompt: Prompt) -> tuple[str, bool]:
    """Without lone surrogates; whether cut."""
    text, limit = prompt.text, max(_MAX_PROMPT_CHARS, len(prompt.head) + 2 * _TAIL)
    cut = len(text) > limit
    if cut:
        text = text[: limit - _TAIL] + text[-_TAIL:]
    return encodable(text), cut


def _text(completion: Mapping[str, Any], where: str = "") -> str:
    try:
        message = completion["choices"][0]["message"]
        return str(message.get("content") or "")
    except (KeyError, IndexError, TypeError, AttributeError):
        keys = ", ".join(map(str, completion)) or "nothing"
        raise ModelError(
            f"{where} sent JSON that is not a chat completion; it has: {keys}"
        ) from None


def first_token(completion: Mapping[str, Any]) -> dict[str, float]:
    """Log-probabilities by text, or empty."""
    try:
        first = completion["choices"][0]["logprobs"]["content"][0]
        listed = [first, *(first.get("top_logprobs") or [])]
        return {str(entry["token"]): min(float(entry["logprob"]), 0.0) for entry in listed}
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        return {}


def of_options(listed: Mapping[str, float], options: Sequence[str]) -> tuple[float, ...]:
    """From the likeliest token that begins it alone; empty if one is missing.

    >>> of_options({"B": -0.1}, ("A", "B"))
    ()
    """
    best: dict[str, float] = {}
    for token, logprob in listed.items():
        begins = [o for o in options if token.strip() and o.startswith(token.strip())]
        if len(begins) == 1:
            best[begins[0]] = max(best.get(begins[0], logprob), logprob)
    return tuple(best[o] for o in options) if len(best) == len(options) else ()


def read_option(written: str, options: Sequence[str]) -> str:
    """The option that opens a reply, or ""."""
    names = "|".join(map(re.escape, sorted(options, key=len, reverse=True)))
    match = re.match(rf"\W*(?:answer\b\W*)?({names})(?=\W*$|\W*\n|\s*[*.,:;)\]])", written, re.I)
    return next((o for o in options if match and o.lower() == match[1].lower()), "")


def _reply(
    text: str, completion: Mapping[str, Any], cut: bool, logprobs: tuple[float, ...] = ()
) -> Reply:
    usage = completion.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    both = (counts.get(f"{kind}_tokens") for kind in ("prompt", "completion"))
    read, written = (count if isinstance(count, int) else 0 for count in both)
    return Reply(text, logprobs, read, 0 if logprobs else written, cut)
