"""A notebook as bytes and as a file. What stands in it is `builder`'s."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from assistant.errors import ExportError


def to_bytes(notebook: NotebookNode) -> bytes:
    """The content of an `.ipynb` file."""
    return (nbformat.writes(notebook, version=nbformat.NO_CONVERT) + "\n").encode("utf-8", "replace")


def write(notebook: NotebookNode, path: Path) -> None:
    """Write a notebook; an older file there is replaced at once.

    Raises:
        ExportError: The file cannot be written.
    """
    draft = path.with_name(f".{path.name}.part")
    try:
        draft.write_bytes(to_bytes(notebook))
        os.replace(draft, path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ExportError(f"The notebook cannot be written to {str(path)!r}: {reason}. Name another place.") from error
