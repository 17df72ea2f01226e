"""Statements about the data (`statements/*.md`) that a person wants to apply in later sessions.

Each is a note in a file of its own, which belongs to Tandem only as long as nobody edited it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from hashlib import sha256
from pathlib import Path

from knowledge.documents import slug
from knowledge.errors import DocumentMalformed, KnowledgeError
from knowledge.sources.file_writer import format_fields, write_file
from knowledge.sources.folder import read_text
from knowledge.sources.markdown import split_sections

_NAME_CHARS = 50


def keep_statement(folder: Path, text: str, *, author: str, updated: date) -> Path:
    """Keep a statement; nothing happens where it is kept already. Gives its file.

    Raises:
        KnowledgeError: The folder cannot be written.
    """
    name = f"{slug(text)[:_NAME_CHARS].strip('-')}-{sha256(text.encode()).hexdigest()[:8]}.md"
    header = format_fields({"author": author, "updated": updated})
    with suppress(FileExistsError):
        try:
            write_file(folder / name, f"---\n{header}---\n\n{text}\n")
        except FileExistsError:
            raise
        except OSError as error:
            raise KnowledgeError(
                f"This could not be kept in {str(folder)!r}: {error.strerror}. Make the folder writable."
            ) from error
    return folder / name


def read_statements(folder: Path) -> Iterator[tuple[Path, str]]:
    """The statements of a folder, each with its file; those that cannot be read are left out."""
    for file in sorted(folder.glob("*.md")) if folder.is_dir() else ():
        with suppress(DocumentMalformed):
            _, sections = split_sections(read_text(folder, file), origin=file.name)
            if text := " ".join(" ".join(section.body for section in sections).split()):
                yield file, text


def remove_statement(file: Path) -> None:
    """Remove a statement that nobody edited; nothing happens where it is gone.

    Raises:
        KnowledgeError: Somebody edited it, or it cannot be removed.
    """
    text = next((text for path, text in read_statements(file.parent) if path == file), None)
    if text is not None and not file.stem.endswith(sha256(text.encode()).hexdigest()[:8]):
        raise KnowledgeError(f"{file.name!r} was edited by hand in {str(file.parent)!r}; change it there.")
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        raise KnowledgeError(f"{str(file)!r} could not be removed: {error.strerror}.") from error
