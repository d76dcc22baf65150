"""Time our fastest kernel beside what libraries offer for the same model, on data/.

The others are all SentenceTransformer.encode, so texts are cut, padded and sorted alike; what
differs is who computes the encoder and in which numbers. They take turns in one process, and CPU
seconds of all threads count (`--wall`: seconds by the clock, for a machine with nothing else to
do). Then, for each: the largest difference of a number and the smallest cosine to the library's
float32 vectors, and how many of each query's ten best sentences by those it has among its own ten
best (the sentences of the query's claim; claims and the annotators' questions). What is not
installed, or does not run here, is skipped by name. The oneDNN of every side is held to the
instructions of our kernel (see kernels).

usage: scripts/bench libraries [--sentences N] [--rounds N] [--quick] [--wall]
"""

import sys
import time
import warnings
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from scripts.benchmarks.pools import Pools, Rows, agreement, contenders, read_pools
from scripts.benchmarks.sides import ROOT, commit, in_turn, machine, ratio, show
from uhhrag import models
from uhhrag.backends import kernels, sentence_transformer
from uhhrag.protocols import Embedder

OURS, LIBRARY = "ours", "library, fp32"
ALL = (12, 7)
QUICK = (1, 1)
"""claims, rounds"""


def library(folder: Path) -> Any:
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(folder), device="cpu", local_files_only=True).eval()


def encode_with(model: Any) -> Embedder:
    encode: Embedder = partial(model.encode, normalize_embeddings=True, show_progress_bar=False)
    return encode


def in_autocast(embed: Embedder) -> Embedder:
    import torch

    def cast(texts: Any, /) -> Rows:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return np.asarray(embed(texts), dtype=np.float32)

    return cast


def with_bf16_weights(folder: Path) -> Embedder:
    import torch

    embed = encode_with(library(folder).to(torch.bfloat16))
    return lambda texts: np.asarray(embed(texts), dtype=np.float32)


def compiled(folder: Path) -> Any:
    """torch.compile of the encoder, one program for all shapes; it is made at the first call."""
    model = library(folder)
    model[0].auto_model.compile(dynamic=True)
    return model


def by_openvino(folder: Path, precision: str, *, int8: bool = False) -> Embedder:
    """The encoder computed by OpenVINO. With `int8` the matrices are stored in 8 bits, a scale a
    row, and what meets them is brought to 8 bits as it comes."""
    sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]  # it reports to its maker
    import openvino
    import torch
    from transformers.modeling_outputs import BaseModelOutput

    model = library(folder)
    example = model.tokenizer(["Rain.", "Sun and rain."], padding=True, return_tensors="pt")
    names = list(example)
    graph = openvino.convert_model(model[0].auto_model, example_input=dict(example))
    hints = {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": precision}
    if int8:
        in_int8(graph)
        hints["DYNAMIC_QUANTIZATION_GROUP_SIZE"] = "32"
    request = openvino.Core().compile_model(graph, "CPU", hints).create_infer_request()
    known = {name for port in graph.inputs for name in port.get_names()}

    def forward(**inputs: Any) -> Any:
        given = {name: inputs[name].numpy() for name in names if name in known}
        result = request.infer(given, share_inputs=True)
        return BaseModelOutput(last_hidden_state=torch.from_numpy(np.array(result[0])))

    model[0].auto_model.forward = forward
    return encode_with(model)


def in_int8(graph: Any) -> None:
    """Replace each constant matrix of a product by its 8 bits and the scale of each of its rows."""
    from openvino import opset13 as op

    for node in graph.get_ordered_ops():
        if node.get_type_name() != "MatMul" or not node.get_attributes()["transpose_b"]:
            continue
        constant = node.input_value(1).get_node()
        if constant.get_type_name() != "Constant":
            continue
        matrix = constant.get_data().astype(np.float32)
        scale = np.abs(matrix).max(axis=1, keepdims=True) / 127
        small = op.convert(op.constant(np.round(matrix / scale).astype(np.int8)), "f32")
        node.input(1).replace_source_output(op.multiply(small, op.constant(scale)).output(0))


SIDES: Mapping[str, Callable[[Path], Embedder]] = {
    OURS: lambda folder: sentence_transformer.load(folder, numbers=kernels.fastest()),
    LIBRARY: lambda folder: encode_with(library(folder)),
    "autocast": lambda folder: in_autocast(encode_with(library(folder))),
    "bf16 weights": with_bf16_weights,
    "compile, fp32": lambda folder: encode_with(compiled(folder)),
    "compile and autocast": lambda folder: in_autocast(encode_with(compiled(folder))),
    "OpenVINO fp32": lambda folder: by_openvino(folder, "f32"),
    "OpenVINO bf16": lambda folder: by_openvino(folder, "bf16"),
    "OpenVINO int8": lambda folder: by_openvino(folder, "f32", int8=True),
}


def prepared(folder: Path, texts: list[str]) -> dict[str, Embedder]:
    """The sides that run here, each after a first call, in which some are compiled."""
    sides = {}
    for name, load in SIDES.items():
        begun = time.perf_counter()
        try:
            side = load(folder)
            side(texts)
        except (ImportError, OSError, RuntimeError, TypeError, ValueError) as error:
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            print(f"{name:<28} skipped: {reason}")
            continue
        print(f"{name:<28} ready after {time.perf_counter() - begun:.1f} s")
        sides[name] = side
    return sides


def precision(pools: Pools, sides: Mapping[str, Embedder]) -> None:
    """Print how far each side's vectors are from the library's in float32."""
    texts, queries = pools.texts, pools.all_queries
    exact = sides[LIBRARY](texts)
    near = contenders(pools, exact, sides[LIBRARY](queries), 30)
    print(f"{'':<28} largest difference, smallest cosine, same ten best of {len(near)} queries")
    for name, embed in sides.items():
        vectors = np.asarray(embed(texts), dtype=np.float32)
        same, _ = agreement(near, texts, queries, embed)
        cosine = float((vectors * exact).sum(axis=1).min())
        print(f"{name:<28} {np.abs(vectors - exact).max():.5f}, {cosine:.5f}, {same:.4f}")


def installed(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"no {name}"


def main() -> None:
    options = ArgumentParser(description=__doc__)
    options.add_argument("--embedder", default="minilm", help="a model's name or folder")
    options.add_argument("--sentences", type=int, help="how many; all where it is not given")
    options.add_argument("--rounds", type=int, help=f"{ALL[1]} where it is not given")
    options.add_argument("--quick", action="store_true", help="one claim's sentences, one round")
    options.add_argument("--wall", action="store_true", help="seconds by the clock")
    given = options.parse_args()
    warnings.filterwarnings("ignore")
    claims, rounds = QUICK if given.quick else ALL
    rounds = given.rounds or rounds
    pools = read_pools(ROOT / "data", claims, "claims.json")
    texts = list(pools.texts[: given.sentences])
    packages = ", ".join(map(installed, ("torch", "sentence-transformers", "openvino")))
    print(f"{machine()}; {packages}; commit {commit()}; {len(texts)} sentences, {rounds} rounds")
    print(f"{OURS:<28} is in {kernels.fastest()}")
    sides = prepared(models.path(given.embedder), texts)
    clock = time.perf_counter if given.wall else time.process_time
    timed = {name: partial(embed, texts) for name, embed in sides.items()}
    times = in_turn(timed, rounds, clock)
    show(times, OURS)
    best = min(set(times) - {OURS}, key=lambda name: ratio(times, name, OURS))
    print(f"nearest   {best} takes {ratio(times, best, OURS):.2f} times as long as ours")
    precision(pools, sides)


if __name__ == "__main__":
    main()
