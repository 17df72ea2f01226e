"""The rights of whoever is at the machine, for tests that name files and servers of their own."""

from __future__ import annotations

from assistant.trust.rights import Rights

PERSON = Rights(requester="person", private=(), variables=("*",))


def person() -> Rights:
    """The same, where it is asked for anew each time."""
    return PERSON
