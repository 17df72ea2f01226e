"""What happened in a turn is read from the fold: few other modules look at the kind of an event.

A new kind of event then touches the fold and whoever shows it. The list says why each of the others may look.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from assistant.core import events
from assistant.core.events import Event, Question
from assistant.core.flow import next_speaker
from assistant.core.turns import EventTeller, fold_events, fold_turn

ROOT = Path(__file__).parents[3]
KINDS = frozenset(
    name for name in events.__all__ if isinstance(kind := getattr(events, name), type) and issubclass(kind, Event)
) - {"Event"}
ALLOWED = {
    "assistant/core/turns": "the fold",
    "assistant/core/approval/policy.py": "folds what the policy may approve, which is of sessions and not of turns",
    "assistant/record/store": "writes, reads and withholds single events",
    "assistant/models/usage.py": "adds up what model calls cost, over whole sessions",
    "assistant/delivery/disclosing.py": "prints model calls one by one",
    "assistant/sources/withholding.py": "looks for values in every event, whatever it is",
    "assistant/sources/mask_changes.py": "counts the events that it has just made",
    "assistant/agents/group_member.py": "shortens a message on its way",
    "assistant/agents/planner.py": "takes what its role replied",
    "assistant/agents/verified/playing.py": "takes what the role behind it replied",
    "assistant/agents/coder.py": "adds to what its role proposed the functions that it imports",
    "assistant/agents/drafting.py": "takes what the coder replied",
    "assistant/agents/model/coder.py": "takes what comparing the tries gave",
    "assistant/agents/model/reviewer.py": "takes the code under review out of what its model is sent",
    "assistant/runtime/kernels.py": "says whether a mask or a cell came last",
    "assistant/delivery/terminal.py": "prints the notices of a turn, each in words of its own",
    "ui/views/story.py": "draws the notices of a turn, each in words of its own",
    "ui/views/turn.py": "draws a request, of either kind",
}
OTHERS_OF_THE_SAME_NAME = {
    "assistant/sources/workers/client.py": "Failed, a reply of a worker",
    "assistant/sources/workers/converting.py": "Failed, a reply of a worker",
    "tandem/magic.py": "Answer, of the Python API",
}


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _kinds_looked_at(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="isinstance"), args=[_, kinds]):
                yield from (_name(part) for part in ast.walk(kinds) if isinstance(part, ast.Name | ast.Attribute))
            case ast.MatchClass(cls=kind):
                yield _name(kind)
            case _:
                pass


@cache
def _looking() -> frozenset[str]:
    """The modules that test or match the kind of an event."""
    return frozenset(
        file.relative_to(ROOT).as_posix()
        for package in ("assistant", "ui", "tandem")
        for file in (ROOT / package).rglob("*.py")
        if KINDS & set(_kinds_looked_at(ast.parse(file.read_text())))
    )


def test_only_the_fold_and_a_few_named_modules_look_at_the_kind_of_an_event() -> None:
    known = (*ALLOWED, *OTHERS_OF_THE_SAME_NAME)
    assert sorted(file for file in _looking() if not file.startswith(known)) == []


def test_the_list_names_no_module_that_looks_no_more() -> None:
    looking = _looking()
    known = (*ALLOWED, *OTHERS_OF_THE_SAME_NAME)
    assert [name for name in known if not any(file.startswith(name) for file in looking)] == []


@pytest.mark.parametrize(
    "code", ["isinstance(e, Question | Answer)", "isinstance(e, (int, events.Plan))", "match e:\n case Review():\n  0"]
)
def test_every_way_to_look_is_seen(code: str) -> None:
    assert KINDS & set(_kinds_looked_at(ast.parse(code)))


def test_a_new_kind_of_event_needs_the_fold_and_one_reader() -> None:
    class Applauded(Event):
        """A kind that no module knows."""

        kind: str = "applauded"

    class Reader(EventTeller):
        """The one reader that shows it."""

        def tell_applauded(self, event: Applauded) -> str:
            return f"Applause in turn {event.turn}"

    log = (Question(turn=1, text="How many?"), Applauded(turn=1))
    turn = fold_turn(log)
    assert next_speaker(turn) == "planner"
    assert turn is not None
    assert [text for moment in turn.story if (text := Reader().tell(moment.event))] == ["Applause in turn 1"]


def test_the_same_events_are_folded_once_and_any_others_anew() -> None:
    question = Question(turn=1, text="How many orders?")
    log: list[Event] = [question]
    first = fold_events(log)
    assert fold_events(tuple(log)) is first
    log.append(Question(turn=2, text="And clients?"))
    assert [turn.number for turn in fold_events(log).turns] == [1, 2]
    assert [turn.number for turn in first.turns] == [1], "what was folded before stays as it was"
    assert fold_events([question.model_copy(update={"text": "Who?"})]).turns[0].question == "Who?"
