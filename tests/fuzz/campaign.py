"""Run one reader over many hostile inputs and count what became of them."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import traceback
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.fuzz.guard import only_inside
from tests.fuzz.inputs import hostile
from tests.fuzz.reader import Reader
from uhhrag.errors import UhhragError


@dataclass(slots=True)
class Tally:
    """Inputs that were read, those refused by an error of ours, and of each other fault the
    shortest input that led to it."""

    read: int = 0
    refused: int = 0
    faulty: int = 0
    faults: dict[str, bytes] = field(default_factory=dict)

    @property
    def inputs(self) -> int:
        return self.read + self.refused + self.faulty


def try_out(reader: Reader, inputs: int, number: int) -> Tally:
    """Give the reader so many inputs; the same for the same `number`."""
    tally = Tally()
    # in memory where there is such a place: some readers write, and force it to disk
    memory = Path("/dev/shm")  # noqa: S108
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as scratch:
        # Libraries that a reader needs are imported outside the guard: some try sockets then.
        first = reader.with_checksums(reader.seeds[0])
        _try_one(Path(scratch) / "in", reader, first, Tally(), guarded=False)

        # Not asked of the strategy itself: hypothesis must not see the faults, or it would stop.
        @seed(number)
        @settings(
            max_examples=inputs,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(hostile(reader.seeds))
        def all_inputs(content: bytes) -> None:
            _try_one(Path(scratch) / "in", reader, reader.with_checksums(content), tally)

        all_inputs()
    return tally


def _try_one(
    folder: Path, reader: Reader, content: bytes, tally: Tally, *, guarded: bool = True
) -> None:
    folder.mkdir()
    try:
        reader.prepare(folder)
        (folder / reader.file).parent.mkdir(parents=True, exist_ok=True)
        (folder / reader.file).write_bytes(content)
        with only_inside(folder) if guarded else contextlib.nullcontext():
            reader.read(folder)
        tally.read += 1
    except UhhragError as error:
        tally.refused += 1
        if not str(error) or "\n" in str(error).strip():
            _note(tally, f"its message is not one line: {error!s:.80}", content)
    except Exception as error:  # noqa: BLE001 - any other error is what is looked for
        tally.faulty += 1
        _note(tally, _told(error), content)
    finally:
        shutil.rmtree(folder)


def _note(tally: Tally, fault: str, content: bytes) -> None:
    known = tally.faults.get(fault)
    if known is None or len(content) < len(known):
        tally.faults[fault] = content


def _told(error: Exception) -> str:
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "/uhhrag/" in f.filename]
    where = f"{Path(frames[-1].filename).name}:{frames[-1].lineno} " if frames else ""
    return (
        f"{where}{type(error).__name__}: {error!s:.90}"
        if not frames
        else f"{where}{type(error).__name__}"
    )
