"""The lessons that hold for some data: those that were kept, and which of them are stale or in play."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path

from assistant.core.catalog import Catalog
from assistant.functions.matching import ListFunctions
from assistant.lessons.folder import read_lessons
from assistant.lessons.lesson import KeptLesson, Lesson, hash_schema
from knowledge.sources.problems import Problem

_LESSONS_MAX = 5
"""So many lessons are told at once, those kept last first."""
_CHARS_MAX = 700


class LessonLibrary:
    """The lessons of some knowledge folders, read anew each time they are asked for. Calls block.

    Args:
        folders: Gives the knowledge folders.
        list_functions: Gives the functions that cells may import.
    """

    def __init__(self, folders: Callable[[], Iterable[Path]], list_functions: ListFunctions) -> None:
        self._folders = folders
        self._list_functions = list_functions

    def list_lessons(self, catalogs: Sequence[Catalog]) -> tuple[KeptLesson, ...]:
        """All lessons that were kept, with whether each still holds for this data."""
        lessons, _ = read_lessons(self._folders())
        return tuple(KeptLesson(lesson=e, is_stale=e.schema != self.hash_scope(e, catalogs)) for e in lessons)

    def list_problems(self) -> tuple[Problem, ...]:
        """What is wrong with their files."""
        return read_lessons(self._folders())[1]

    def find(
        self, catalogs: Sequence[Catalog], *, tables: Collection[str], functions: Collection[str] = ()
    ) -> tuple[Lesson, ...]:
        """The lessons about these tables or functions that still hold, the last ones first."""
        names = {name.casefold() for name in tables}
        lessons = [entry.lesson for entry in self.list_lessons(catalogs) if not entry.is_stale]
        in_play = [e for e in lessons if names & {t.casefold() for t in e.tables} or {*functions} & {*e.functions}]
        return tuple(sorted(in_play, key=lambda lesson: (lesson.date, lesson.id), reverse=True)[:_LESSONS_MAX])

    def hash_scope(self, lesson: Lesson, catalogs: Sequence[Catalog]) -> str:
        """The hash of what a lesson is about, as it is now."""
        functions = self._list_functions() if lesson.functions else ()
        sources = [(f.name, f.source.sha256) for f in functions if f.name in lesson.functions]
        return hash_schema(catalogs, lesson.tables, sources)


def describe_lessons(lessons: Sequence[Lesson], *, tells_signs: bool) -> str:
    """Lessons as a model reads them, each with its id.

    Args:
        lessons: The lessons.
        tells_signs: Whether errors are told, which quote values of the data.
    """
    return "\n".join(_describe_lesson(lesson, tells_signs=tells_signs) for lesson in lessons)


def _describe_lesson(lesson: Lesson, *, tells_signs: bool) -> str:
    scope = ", ".join((*lesson.tables, *lesson.functions))
    parts = [f"[{lesson.id}] {scope}: {lesson.truth}", f"Failed: {lesson.expectation}"]
    parts += [f"Worked: {lesson.works}"] if lesson.works else []
    parts += [f"Error: {lesson.sign}"] if lesson.sign and tells_signs else []
    return " | ".join(" ".join(part.split()) for part in parts)[:_CHARS_MAX]
