"""Every method behind the one door states who may call it."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator

import pytest

from assistant import api
from assistant.api.session import Session
from assistant.api.workspace import Workspace

CALLERS = {"Anyone", "The owner", "An administrator", "The program", "Whoever has the link"}


def offered() -> dict[str, type]:
    """The classes that the modules of the door offer and of which something can be asked, by name."""
    modules = [importlib.import_module(f"assistant.api.{module.name}") for module in pkgutil.iter_modules(api.__path__)]
    classes = {value for module in modules for value in vars(module).values() if inspect.isclass(value)}
    return {one.__name__: one for one in classes if any(map(inspect.iscoroutinefunction, vars(one).values()))}


def public(one: type) -> Iterator[tuple[str, Callable[..., object]]]:
    """The public methods and properties of a class, inherited ones too."""
    for name, member in inspect.getmembers(one):
        function = member.fget if isinstance(member, property) else getattr(member, "func", member)
        if not name.startswith("_") and inspect.isfunction(function):
            yield name, function


def door() -> Iterator[type]:
    """`Workspace`, `Session`, and the parts that they give, and those that these give."""
    classes, ahead, known = offered(), [Workspace, Session], set[type]()
    while ahead:
        one = ahead.pop()
        if one in known:
            continue
        known.add(one)
        yield one
        hints = [*inspect.get_annotations(one.__init__).values()]
        hints += [inspect.get_annotations(function).get("return", "") for _, function in public(one)]
        ahead += [classes[name] for hint in hints for name in re.findall(r"\w+", str(hint)) if name in classes]


def test_the_door_leads_to_all_its_parts() -> None:
    named = {one.__name__ for one in door()}
    assert named >= {"Workspace", "Session", "History", "Boards", "Connections", "Choices", "SettingChanges"}
    assert named >= {
        "WorkspaceKnowledge",
        "ConfiguredModels",
        "Editing",
        "Sharing",
        "SourceAdder",
        "Answers",
        "ModelUse",
    }
    assert named == set(offered())


@pytest.mark.parametrize("one", sorted(door(), key=lambda one: one.__name__), ids=lambda one: one.__name__)
def test_every_method_states_its_callers(one: type) -> None:
    for name, function in public(one):
        stated = re.findall(r"^ +Callers: (.+)\.$", function.__doc__ or "", flags=re.M)
        assert len(stated) == 1, f"{one.__name__}.{name} states {stated or 'nobody'}"
        assert stated[0] in CALLERS, f"{one.__name__}.{name}"
