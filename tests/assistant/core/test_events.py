"""Events: each kind is registered, and the package gives all names that its modules declare."""

from __future__ import annotations

import importlib
import pkgutil
from typing import get_args

from assistant.core import events


def declared() -> list[tuple[str, object]]:
    """What the modules of the package declare, by name."""
    found: list[tuple[str, object]] = []
    for module in pkgutil.iter_modules(events.__path__, "assistant.core.events."):
        for name, value in vars(importlib.import_module(module.name)).items():
            if getattr(value, "__module__", None) == module.name:
                found.append((name, value))
    return found


def test_every_event_that_is_declared_can_be_kept_under_a_kind_of_its_own() -> None:
    classes = [value for _, value in declared() if isinstance(value, type)]
    of_events = {value for value in classes if issubclass(value, events.Event)} - {events.Event}
    union = get_args(get_args(events.AnyEvent)[0])
    assert of_events == set(union)
    assert len({kind.model_fields["kind"].default for kind in union}) == len(union)


def test_what_is_said_in_the_group_chat_is_kept_in_the_log() -> None:
    assert set(events.MESSAGES) <= set(get_args(get_args(events.AnyEvent)[0]))


def test_the_package_gives_every_class_of_its_modules() -> None:
    names = [name for name, value in declared() if isinstance(value, type)]
    assert len(names) > 40
    assert set(names) <= set(events.__all__)
