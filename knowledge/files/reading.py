"""Reads one document file by its extension. For a confined process only: the libraries trust their input.

The libraries raise arbitrary exceptions on a malformed file; they become messages here.
"""

from __future__ import annotations

from pathlib import Path

from knowledge.files.pdf import read_pdf
from knowledge.files.pieces import FileRefused, FileText
from knowledge.files.slides import read_slides
from knowledge.files.web import read_web
from knowledge.files.word import read_word
from knowledge.sources.folder import DOCUMENT_FILES, DOCUMENT_FILES_REFUSED

FILE_BYTES_MAX = 50 << 20
_INSTALL = "pip install 'tandem-analyst[documents]'"


def read_document_file(path: Path) -> FileText:
    """Read a file of one of the kinds `DOCUMENT_FILES`.

    Raises:
        FileRefused: It is damaged, protected, too large, or holds what is not read, or the library for it is not
            installed; the text says which.
        MemoryError: There is not enough for it.
    """
    suffix = path.suffix.lower()
    if suffix in DOCUMENT_FILES_REFUSED:
        raise FileRefused(DOCUMENT_FILES_REFUSED[suffix])
    if path.stat().st_size > FILE_BYTES_MAX:
        raise FileRefused(f"is larger than {FILE_BYTES_MAX >> 20} MB; split it")
    try:
        document = _read(path, suffix)
    except (FileRefused, MemoryError):
        raise
    except ModuleNotFoundError as error:
        raise FileRefused(f"is not read: {DOCUMENT_FILES[suffix]} needs `{_INSTALL}`", is_lasting=False) from error
    except RecursionError:
        raise FileRefused("is nested too deeply to be read; save it anew, or as PDF") from None
    except Exception as error:  # parsers of damaged files raise anything
        raise FileRefused(f"is damaged ({type(error).__name__}); save it anew in the program it comes from") from error
    if not document.pieces:
        raise FileRefused("holds no text")
    return document


def _read(path: Path, suffix: str) -> FileText:
    if suffix == ".pdf":
        return read_pdf(path)
    if suffix == ".docx":
        return read_word(path)
    if suffix == ".pptx":
        return read_slides(path)
    return read_web(path)
