"""Reads the document files of a knowledge folder one after another in the background.

A search does not see a file until it is read. A file that cannot be read is reported as a problem and does not stop the
next one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from knowledge.background_embedding import EmbeddingProgress
from knowledge.documents import Note
from knowledge.files.document_cache import DocumentCache, State, state_of
from knowledge.files.pieces import FileRefused, FileText
from knowledge.sources.entries import topic_of
from knowledge.sources.folder import LEADS_OUT, is_document_file, knowledge_files, leads_out
from knowledge.sources.problems import FileReading, Problem

ReadFile = Callable[[Path], FileText]
"""Reads one document file in a confined process. Blocks.

Raises:
    FileRefused: It is not read; the text says why.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    path: Path
    origin: str
    state: State


class BackgroundReader:
    """What is read of document files by now.

    Args:
        read: Reads one.
        kept: Where their texts are kept between runs.
        told: Called from the reading thread when more is read: with False now and then, with True at the end.
    """

    def __init__(self, read_file: ReadFile, *, extracts: Path, on_change: Callable[[bool], None]) -> None:
        self._read_file = read_file
        self._kept = DocumentCache(extracts)
        self._told = on_change
        self._lock = threading.Lock()
        self._readings: dict[str, tuple[State, FileReading[Note]]] = {}
        self._waiting: list[_File] = []
        self._done = 0
        self._thread: threading.Thread | None = None
        self._is_stopped = False

    @property
    def progress(self) -> EmbeddingProgress:
        """How many files are read, of how many that had to be."""
        with self._lock:
            return EmbeddingProgress(done=self._done, total=self._done + len(self._waiting))

    def take(self, folder: Path) -> FileReading[Note]:
        """What is read of the folder's files as they are now; the others are read in the background."""
        files, problems = _files(folder)
        for file in files:
            if self._known(file) is None and (extract := self._kept.known(file.state)) is not None:
                self._put(file, extract)
        readings_of_files = [(file, self._known(file)) for file in files]
        with self._lock:
            states_in_progress = {file.origin: file.state for file in self._waiting}
            new = [
                file
                for file, reading in readings_of_files
                if reading is None and states_in_progress.get(file.origin) != file.state
            ]
            states = {file.origin: file.state for file in files}
            self._waiting = [file for file in self._waiting if states.get(file.origin) == file.state] + new
            if self._waiting and self._thread is None and not self._is_stopped:
                self._done = 0
                self._thread = threading.Thread(target=self._run, name="document-files", daemon=True)
                self._thread.start()
        readings = [reading for _, reading in readings_of_files if reading is not None]
        return FileReading(
            documents=tuple(note for reading in readings for note in reading.documents),
            problems=(*problems, *(problem for reading in readings for problem in reading.problems)),
        )

    def settle(self, timeout_s: float | None = None) -> bool:
        """Wait until all is read; False where the time was too short."""
        thread = self._thread
        if thread is not None:
            thread.join(timeout_s)
        return self._thread is None

    def stop(self) -> None:
        """Read no further file. The one at hand is left to its end; nobody is told of it."""
        with self._lock:
            self._is_stopped = True
            self._waiting.clear()

    def _run(self) -> None:
        while True:
            self._read_waiting()
            if not self._is_stopped:
                self._told(True)
            with self._lock:
                if self._is_stopped or not self._waiting:
                    self._thread = None
                    return

    def _read_waiting(self) -> None:
        tell_at = 1
        while True:
            with self._lock:
                if not self._waiting:
                    return
                file = self._waiting[0]
            self._put(file, self._said(file))
            with self._lock:
                self._done += 1
                self._waiting = [waiting for waiting in self._waiting if waiting is not file]
                is_due = self._done >= tell_at and bool(self._waiting)
            if is_due:  # each telling costs as much as there is by then
                tell_at = 2 * self._done
                self._told(False)

    def _said(self, file: _File) -> FileText | FileRefused:
        try:
            if (earlier := self._kept.same(file.path, file.state)) is not None:
                return earlier
            extract = self._tried(file.path)
            if not isinstance(extract, FileRefused) or extract.is_lasting:
                self._kept.keep(file.path, file.state, extract)
        except OSError as error:
            return FileRefused(f"cannot be read ({error.strerror}); check the file and its permissions")
        return extract

    def _tried(self, path: Path) -> FileText | FileRefused:
        try:
            return self._read_file(path)
        except FileRefused as refused:
            return refused

    def _known(self, file: _File) -> FileReading[Note] | None:
        state_and_reading = self._readings.get(file.origin)
        return state_and_reading[1] if state_and_reading is not None and state_and_reading[0] == file.state else None

    def _put(self, file: _File, extract: FileText | FileRefused) -> None:
        self._readings[file.origin] = (file.state, reading_of(extract, origin=file.origin))


def reading_of(extract: FileText | FileRefused, *, origin: str) -> FileReading[Note]:
    """What a file said as notes, each with its place; or the problem with it."""
    if isinstance(extract, FileRefused):
        return FileReading(problems=(Problem(origin=origin, message=str(extract)),))
    title = extract.title or PurePosixPath(origin).stem
    notes: list[Note] = []
    parts: dict[str, int] = {}
    for piece in extract.pieces:
        heading = _heading(title, piece.heading)
        parts[heading] = parts.get(heading, 0) + 1
        notes.append(
            Note(
                heading=heading,
                body=piece.text,
                part=parts[heading],
                place=piece.place or "beginning",
                topic=topic_of(origin),
                origin=origin,
                updated=extract.updated,
            )
        )
    return FileReading(
        documents=tuple(notes), problems=tuple(Problem(origin=origin, message=remark) for remark in extract.remarks)
    )


def _heading(title: str, heading: str) -> str:
    if heading == title or heading.startswith(f"{title}: "):
        return heading
    return f"{title}: {heading}" if heading else title


def _files(folder: Path) -> tuple[list[_File], list[Problem]]:
    """The document files of a folder, and what is wrong with those that are none of its own."""
    files: list[_File] = []
    problems: list[Problem] = []
    for path in filter(is_document_file, knowledge_files(folder)):
        origin = path.relative_to(folder).as_posix()
        try:
            if leads_out(folder, path):
                problems.append(Problem(origin=origin, message=LEADS_OUT))
            else:
                files.append(_File(path=path, origin=origin, state=state_of(path)))
        except OSError as error:
            text = f"cannot be read ({error.strerror}); check the file and its permissions"
            problems.append(Problem(origin=origin, message=text))
    return files, problems
