"""A LoRA adapter of no use but to be loaded: small random matrices on one layer of a model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from gguf import GGUFReader, GGUFWriter

NAME = "blk.0.ffn_down.weight"


def write_adapter(file: Path, model: Path, *, rank: int = 4, wider: int = 0) -> Path:
    """An adapter for the first layer's last matrix of a GGUF model; `wider` adds columns that the
    model does not have."""
    reader = GGUFReader(model)
    architecture = reader.get_field("general.architecture").contents()
    # GGUF names the fastest axis first: inputs, outputs
    inputs, outputs = next(map(int, t.shape) for t in reader.tensors if t.name == NAME)
    chance = np.random.default_rng(0)
    writer = GGUFWriter(file, architecture)
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", float(rank))
    for end, shape in (("a", (rank, inputs + wider)), ("b", (outputs, rank))):
        values = chance.normal(0, 0.3, shape).astype(np.float32)
        writer.add_tensor(f"{NAME}.lora_{end}", values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return file
