"""Arrow files and streams, Feather among them, as batches that DuckDB reads one after the other."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assistant.data.errors import SourceError

_MAGIC = b"ARROW1"


@contextmanager
def batches_of(file: Path) -> Generator[Any]:
    """The batches of an Arrow file, a `pyarrow.RecordBatchReader`; its pages are mapped, not copied.

    Raises:
        SourceError: It is no Arrow file, or is damaged.
    """
    import pyarrow as pa

    try:
        with pa.memory_map(str(file)) as mapped:
            if mapped.read(len(_MAGIC)) == _MAGIC:
                mapped.seek(0)
                whole = pa.ipc.open_file(mapped)
                batches = (whole.get_batch(number) for number in range(whole.num_record_batches))
                yield pa.RecordBatchReader.from_batches(whole.schema, batches)
            else:
                mapped.seek(0)
                yield pa.ipc.open_stream(mapped)
    except (pa.ArrowInvalid, OSError):
        raise SourceError(
            f"{file.name!r} cannot be read as Arrow: it is no Arrow file or stream, or only a part of one. Check that "
            "the file is whole. Feather's first version has to be written anew."
        ) from None
