"""Events of planning: the plan and its steps, clarifications, and whether the plan still applies."""

from __future__ import annotations

from typing import Literal

from assistant.core.events.base import Citation, Event, Language, Trust, Value
from assistant.core.events.proposals import Finding


class Step(Value):
    """One step of a plan. `instruction` is what the coder is to do, in words."""

    title: str
    language: Language
    instruction: str = ""
    hard: bool = False


class Cell(Value):
    """The code of a step as it was known when the plan was made, its result, and what the review found in it."""

    step: int
    language: Language
    code: str
    title: str = ""
    operations: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    result: str = ""


class Fact(Value):
    """What the person stated in a question, in their words; of a meaning, `word` is the word that has it."""

    text: str
    word: str = ""


class Plan(Event):
    """How the question is to be answered. `meaning` is the embedded analyst's reading, as JSON; empty from models.

    `begins` is the step to begin with, from 1: a plan that grew goes on behind the steps that have run, and `changed`
    says why. `judged` means that the planner looks at each step's result before the next step begins. `cells` is the
    code of its first steps, where it is known already: then a person can approve it together with the plan. `sentence`
    words the answer, with names of columns in braces for the values of the one row that the plan expects. `facts` are
    what the person stated in the question.
    """

    kind: Literal["plan"] = "plan"
    id: str
    restated: str
    steps: tuple[Step, ...]
    begins: int = 1
    judged: bool = False
    changed: str = ""
    tables: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()
    trust: Trust = "new"
    meaning: str = ""
    cells: tuple[Cell, ...] = ()
    sentence: str = ""
    facts: tuple[Fact, ...] = ()


class Clarification(Event):
    """A question back to the person, with up to six answers to choose from."""

    kind: Literal["clarification"] = "clarification"
    id: str
    asker: Literal["planner", "coder"] = "planner"
    text: str
    options: tuple[str, ...] = ()


class ClarificationAnswered(Event):
    """What the person answered to a clarification."""

    kind: Literal["clarification_answered"] = "clarification_answered"
    clarification: str
    text: str


class Judgement(Event):
    """Whether the plan holds now that a step's result is seen: it goes on, or stops for the answer.

    A plan that is to change is a new `Plan`. `reason` is empty where the program itself saw nothing to judge.
    """

    kind: Literal["judgement"] = "judgement"
    execution: str
    verdict: Literal["go_on", "stop"]
    reason: str = ""
