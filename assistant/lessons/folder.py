"""The lessons of a knowledge folder: one YAML file each, which a person reads, edits and keeps in version control."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, fields
from pathlib import Path

from assistant.errors import AssistantError
from assistant.lessons.lesson import Lesson
from knowledge.errors import DocumentMalformed
from knowledge.sources.entries import format_scalar, load_plain
from knowledge.sources.file_writer import format_fields, write_file
from knowledge.sources.folder import LESSONS
from knowledge.sources.problems import Problem

_FILE_BYTES_MAX = 20_000
_LISTS = ("tables", "functions")


def read_lessons(folders: Iterable[Path]) -> tuple[tuple[Lesson, ...], tuple[Problem, ...]]:
    """The lessons of knowledge folders, and what in their files cannot be read."""
    lessons: dict[str, Lesson] = {}
    problems: list[Problem] = []
    for folder in folders:
        for file in sorted((folder / LESSONS).glob("*.yaml")):
            try:
                lesson = _read_lesson(file)
                lessons.setdefault(lesson.id, lesson)
            except (OSError, ValueError, RecursionError, DocumentMalformed) as error:
                message = str(error) if type(error) is ValueError else "The file cannot be read."
                problems.append(Problem(origin=f"{LESSONS}/{file.name}", message=message))
    return tuple(lessons.values()), tuple(problems)


def _read_lesson(file: Path) -> Lesson:
    if file.is_symlink() or not file.is_file() or file.stat().st_size > _FILE_BYTES_MAX:
        raise ValueError("It is not a plain file of sensible size. Put the file itself there.")
    entries: object = load_plain(file.read_text(encoding="utf-8"), has_aliases=False)
    if not isinstance(entries, dict) or not entries.get("expectation") or not entries.get("truth"):
        raise ValueError("A lesson needs 'expectation' and 'truth'.")
    values: dict[str, object] = {}
    for attribute in fields(Lesson):
        value: object = entries.get(attribute.name)
        if attribute.name in _LISTS:
            values[attribute.name] = tuple(map(format_scalar, value)) if isinstance(value, list) else ()
        else:
            values[attribute.name] = format_scalar(value) if value is not None else ""
    return Lesson(**{**values, "id": file.stem})  # pyright: ignore[reportArgumentType]  texts and tuples of texts


def keep_lesson(folder: Path, lesson: Lesson) -> Path:
    """Write a lesson's file.

    Raises:
        AssistantError: it cannot be written.
    """
    place = folder / LESSONS / f"{lesson.id}.yaml"
    values = {name: [*value] if isinstance(value, tuple) else value for name, value in asdict(lesson).items()}
    try:
        if place.parent.is_symlink():
            raise AssistantError(f"The folder {LESSONS!r} is a link to elsewhere. Put the folder itself there.")
        write_file(place, format_fields({name: value for name, value in values.items() if name != "id"}), instead=True)
    except OSError as error:
        raise AssistantError(f"The lesson cannot be kept ({error.strerror}).") from error
    return place


def remove_lesson(folder: Path, lesson_id: str) -> bool:
    """Remove a lesson's file; whether there was one."""
    if not lesson_id.replace("-", "").isalnum():
        return False
    place = folder / LESSONS / f"{lesson_id}.yaml"
    is_there = place.is_file()
    place.unlink(missing_ok=True)
    return is_there
