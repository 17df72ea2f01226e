"""Lessons from repaired failures, which a person keeps or drops."""

from assistant.lessons.lesson import KeptLesson as KeptLesson, Lesson as Lesson
from assistant.session.knowledge.lessons import SessionLessons as SessionLessons
from assistant.session.knowledge.workspace_lessons import WorkspaceLessons as WorkspaceLessons
