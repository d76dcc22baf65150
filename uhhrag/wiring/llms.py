from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from uhhrag import models
from uhhrag.backends import reply_cache
from uhhrag.backends.lazy import Lazy
from uhhrag.config.settings import Settings
from uhhrag.errors import ModelError, UsageError
from uhhrag.models.speed import TimedModel
from uhhrag.protocols import LLM
from uhhrag.system.address_space import MODELS, require_address_space
from uhhrag.system.checksums import short
from uhhrag.system.extras import require_extra
from uhhrag.version import __version__
from uhhrag.wiring.machine import Loaded, Machine

if TYPE_CHECKING:
    from uhhrag.backends.llamacpp.model import LlamaCpp


def open_llms(
    settings: Settings, machine: Machine, memory: Path | None
) -> tuple[tuple[LLM, ...], str]:
    """One per server; none if no step asks. Raises UsageError unless all have the same model."""
    if not settings.needs_llm:
        return (), ""
    if machine.own_llm:
        return (machine.own_llm.model,), machine.own_llm.fingerprint
    names = (settings.llm, *machine.servers)
    local = [name for name in names if not is_address(name)]
    if local and machine.servers:
        raise UsageError(f"--llm {local[0]}: only addresses of servers can be given several times")
    loaded = [load_llm(name, machine, memory, settings.lora) for name in names]
    first = loaded[0][1]
    for name, (_, other) in zip(names, loaded, strict=True):
        if other != first:
            raise UsageError(
                f"--llm {name} has {other} but {settings.llm} has {first}; claims are "
                "spread over servers of one model only"
            )
    return tuple(llm for llm, _ in loaded), first


def reach(settings: Settings, machine: Machine) -> Machine:
    """Open the models once to tell faults early; keeps servers in the machine."""
    models, fingerprint = open_llms(settings, machine, None)
    named = zip((settings.llm, *machine.servers), models, strict=False)
    servers = {name: Loaded(llm, fingerprint) for name, llm in named if is_address(name)}
    if (verifier := settings.verifier) and is_address(verifier) and verifier not in servers:
        servers[verifier] = ask_server(verifier, machine, "--verifier")
    return replace(machine, reached=servers)


def load_llm(
    name_or_path: str, machine: Machine, memory: Path | None, lora: Path | None = None
) -> tuple[LLM, str]:
    """With its fingerprint: SHA-256 of a file plus its adapter's. `memory` keeps replies."""
    if is_address(name_or_path):
        return _connect(name_or_path, machine, memory, lora)
    gguf, fingerprint = _verified(name_or_path)
    if lora:
        if not lora.is_file():
            raise UsageError(f"--lora {lora} is not a file; give a LoRA adapter in GGUF")
        fingerprint += f"+{models.fingerprint(lora)}"

    def load() -> LLM:
        llm: LLM = _load(gguf, machine, lora)
        if memory:
            from uhhrag.backends.llamacpp import model as llamacpp

            on_gpu = f" gpu {machine.gpu_layers}" if machine.gpu_layers else ""
            made_by = f"{fingerprint} {llamacpp.VERSION} uhhrag {__version__}{on_gpu}"
            llm = reply_cache.with_reply_cache(llm, made_by, memory)
        return llm

    return Lazy(load), fingerprint


def load_local(name_or_path: str, machine: Machine) -> TimedModel:
    """Keeps no replies. Raises UsageError for a server."""
    if is_address(name_or_path):
        raise UsageError(
            f"--llm {name_or_path} is a server; only models of this program are measured"
        )
    return _load(_verified(name_or_path)[0], machine, follow_load=False)


def _load(
    gguf: Path, machine: Machine, lora: Path | None = None, *, follow_load: bool = True
) -> LlamaCpp:
    require_address_space(MODELS + gguf.stat().st_size, gguf.name)  # before the import
    from uhhrag.backends.llamacpp import model as llamacpp

    return llamacpp.load(
        gguf,
        threads=machine.cores,
        gpu_layers=machine.gpu_layers,
        lora=lora,
        keep_heads=True,
        follow_load=follow_load and machine.threads is None,
    )


def _connect(url: str, machine: Machine, memory: Path | None, lora: Path | None) -> tuple[LLM, str]:
    if lora:
        raise UsageError(f"--lora {lora} cannot be given to a server; start the server with it")
    server = ask_server(url, machine)
    llm, model = server.model, server.fingerprint
    if memory:
        llm = reply_cache.with_reply_cache(llm, f"{model} uhhrag {__version__}", memory)
    return llm, model


def ask_server(url: str, machine: Machine, option: str = "--llm") -> Loaded[LLM]:
    """Raises UsageError or ModelError."""
    if known := machine.reached.get(url):
        return known
    from uhhrag.backends import openai_server  # its HTTP library opens a socket when it is loaded

    server = openai_server.connect(url, option, allow_remote=machine.allow_remote)
    letters = "" if server.gives_logprobs else "-text"
    return Loaded(server, f"{openai_server.NAME}{letters}:{server.identity}")


def _verified(name_or_path: str) -> tuple[Path, str]:
    """With its SHA-256."""
    require_extra("llm", ("llama_cpp",), "language models")
    gguf = models.path(name_or_path)
    if gguf.suffix != ".gguf":
        raise ModelError(f"{name_or_path} is not a language model; --llm takes one or a .gguf file")
    return gguf, models.verify(name_or_path)[gguf.name]


def is_address(name: str) -> bool:
    return "://" in name


def memory_fault(file: Path) -> str:
    """Of the kept replies, or ""."""
    return reply_cache.fault_in(file)


def llm_fingerprint(name: str, fingerprint: str) -> str:
    """
    >>> llm_fingerprint("dir/tiny.gguf", "01234567" * 8)
    'tiny@01234567'
    >>> llm_fingerprint("http://[::1]", "openai:t@0a1b")
    'openai:t@0a1b'
    """
    if is_address(name):
        return fingerprint
    told = "+".join(map(short, fingerprint.split("+")))
    return f"{Path(name).name.removesuffix('.gguf')}@{told}"


def choices(model: str) -> str:
    """How a server's choices are read; "" if local."""
    if model.startswith("openai-text:"):
        return "read from text: the server gives no log-probabilities"
    if model.startswith("openai:"):
        return "log-probabilities; read from text where an option is not among those listed"
    return ""
