"""Document files become text in a worker: it sees the one file, and has no network and no folder to write to.

Both ends of it: `extract` is the server's, `extracted` the worker's. Parsers of PDF, Office files and HTML take minutes
or gigabytes over files that are made for it; such a file ends its worker, and that is said.
"""

from __future__ import annotations

from pathlib import Path

from assistant.core.data_errors import SourceError
from assistant.sources.workers import frames
from assistant.sources.workers.limits import EXTRACTING_MEMORY_BYTES
from assistant.sources.workers.messages import FIRST, REPLY, Extracted, Extracting, Unread
from assistant.sources.workers.processes import forkserver
from knowledge.files.pieces import FileRefused, FileText

LIMIT_S = 120.0
"""A file that is not read by then is given up."""
_TEXT_MAX = 10_000


def extract(file: Path, *, limit_s: float = LIMIT_S) -> FileText:
    """Read a document file. Blocks.

    Raises:
        FileRefused: It is not read; the text says why and what to do.
    """
    try:
        process = forkserver().fork("document")
    except SourceError as problem:
        raise FileRefused(f"was not read: {problem}", is_lasting=False) from None
    process.sock.settimeout(limit_s)
    request = Extracting(file=str(file.resolve()), scratch=str(process.scratch), memory_bytes=EXTRACTING_MEMORY_BYTES)
    try:
        frames.send(process.sock, request, FIRST)
        reply = frames.receive(process.sock, REPLY)
    except TimeoutError:
        raise FileRefused(
            f"was not read within {limit_s:g} s and was given up; split it, or save it anew as PDF or Markdown"
        ) from None
    except (OSError, frames.ChannelBroken):
        raise _too_large() from None
    finally:
        process.close()
    if isinstance(reply, Unread):
        raise FileRefused(reply.text, is_lasting=reply.is_lasting)
    if not isinstance(reply, Extracted):
        raise FileRefused("was not read as it should be; try again", is_lasting=False)
    return reply.text


def _too_large() -> FileRefused:
    allowed = f"{EXTRACTING_MEMORY_BYTES / 2**30:g} GB"
    return FileRefused(f"needs more memory than reading a document may take ({allowed}); split it")


def extracted(file: Path) -> Extracted | Unread:
    """Read the file, in the worker."""
    from knowledge.files.reading import read_document_file  # in the worker alone

    try:
        return Extracted(text=read_document_file(file))
    except FileRefused as refused:
        return Unread(text=str(refused)[:_TEXT_MAX], is_lasting=refused.is_lasting)
    except MemoryError:
        return Unread(text=str(_too_large()), is_lasting=True)
    except OSError as error:
        return Unread(text=f"cannot be read ({error.strerror})", is_lasting=False)
