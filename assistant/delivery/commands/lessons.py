"""Lessons from repaired failures: listed, kept and dropped."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.delivery.options import settings
from assistant.delivery.visible_text import make_visible

if TYPE_CHECKING:
    from assistant.api.lessons import Lesson

lessons = typer.Typer(help="Lessons from repaired failures, kept only by you.", no_args_is_help=True)

LessonGiven = Annotated[str, typer.Argument(metavar="LESSON", help="The lesson's id, as `list` prints it.")]
SessionGiven = Annotated[str, typer.Argument(metavar="SESSION", help="The session's id.")]
SessionOption = Annotated[str | None, typer.Argument(metavar="[SESSION]", help="A session that offers lessons.")]


@lessons.command("list")
def list_(session: SessionOption = None) -> int:
    """List the lessons that are kept, and those that a session offers."""
    return asyncio.run(_list(session))


@lessons.command()
def keep(session: SessionGiven, lesson: LessonGiven) -> int:
    """Keep a lesson that a session offers, in the knowledge folder."""
    return asyncio.run(_keep(session, lesson))


@lessons.command()
def drop(lesson: LessonGiven, session: SessionOption = None) -> int:
    """Drop a lesson: one that is kept, or one that a session offers."""
    return asyncio.run(_drop(lesson, session))


async def _list(session_id: str | None) -> int:
    from assistant.api.opening import open_workspace

    async with open_workspace(settings()) as workspace:
        entries = await workspace.knowledge.lessons.read()
        problems = await workspace.knowledge.lessons.list_problems()
        offers = await (await workspace.open(session_id)).lessons.list_offers() if session_id else ()
    for entry in entries:
        print(_format(entry.lesson, "stale: what it is about has changed" if entry.is_stale else "kept"))
    for lesson in offers:
        print(_format(lesson, f"offered: tandem lessons keep {session_id} {lesson.id}"))
    for problem in problems:
        print(problem, file=sys.stderr)
    if not entries and not offers:
        print("No lesson is kept for this data.")
    return 0


async def _keep(session_id: str, lesson_id: str) -> int:
    from assistant.api.opening import open_workspace

    async with open_workspace(settings()) as workspace:
        file = await (await workspace.open(session_id)).lessons.decide(lesson_id, "keep")
    print(f"Kept in {file}.")
    return 0


async def _drop(lesson_id: str, session_id: str | None) -> int:
    from assistant.api.opening import open_workspace

    async with open_workspace(settings()) as workspace:
        if session_id is None:
            await workspace.knowledge.lessons.remove(lesson_id)
        else:
            await (await workspace.open(session_id)).lessons.decide(lesson_id, "drop")
    print(f"Dropped {lesson_id}.")
    return 0


def _format(lesson: Lesson, state: str) -> str:
    lines = [
        f"{lesson.id}  ({state})",
        f"  about     {', '.join((*lesson.tables, *lesson.functions))}",
        f"  expected  {_join(lesson.expectation)}",
        f"  true      {_join(lesson.truth)}",
        f"  worked    {_join(lesson.works)}",
        f"  shows as  {_join(lesson.sign)}",
    ]
    return make_visible("\n".join(lines), keep="\n")


def _join(text: str) -> str:
    return " ".join(text.split())
