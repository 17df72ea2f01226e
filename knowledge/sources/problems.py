"""Problems of a knowledge folder, as values: an invalid file does not hide the valid ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from knowledge.documents import Document

D_co = TypeVar("D_co", bound=Document, covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One fault in one file, and what to do about it.

    Attributes:
        origin: The file, relative to the knowledge folder.
        line: 1-based line, where it is known.
        entry: What the faulty entry is called, or its place in the list.
        message: What is wrong and what to do.
    """

    origin: str
    message: str
    line: int | None = None
    entry: str | None = None

    def __str__(self) -> str:
        place = self.origin if self.line is None else f"{self.origin}, line {self.line}"
        return f"{place}: {self.entry}: {self.message}" if self.entry else f"{place}: {self.message}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReading(Generic[D_co]):
    """What one file gave: its documents, and what in it could not be read."""

    documents: tuple[D_co, ...] = ()
    problems: tuple[Problem, ...] = ()
