"""The base of all events: frozen values, closed against undeclared fields, and shared types."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

Language = Literal["sql", "python"]
Role = Literal["planner", "coder", "reviewer"]
Trust = Literal["verified", "adapted", "new"]


class Value(BaseModel):
    """Base of all values in the log: frozen, and closed against fields nobody declared."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Citation(Value):
    """Where a piece of meaning came from: a document of the knowledge base."""

    id: str
    title: str
    origin: str
    excerpt: str = ""


class Event(Value):
    """Base of all events. `turn` counts from 1; 0 is the session itself."""

    turn: int = 0
