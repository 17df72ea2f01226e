"""Events of look-ups and model calls by the roles, with tokens, cost and time."""

from __future__ import annotations

from typing import Literal

from assistant.core.events.base import Event, Role


class Looked(Event):
    """A role looked something up before it went on. No code of a model's runs for it.

    `asked` are the arguments in words, `found` says in a line what came of it, without values of the data.
    """

    kind: Literal["looked"] = "looked"
    role: Role
    look: str
    asked: str
    found: str
    seconds: float = 0.0


class Usage(Event):
    """One model call, also one that gave no reply: its tokens are 0 then.

    `cost` is in US dollars, None where the price is unknown; `seconds` are until the reply was whole.

    `note` tells the person which model was to be asked first, and why another was. `sent` names what was sent
    (`assistant.record.store.sent_calls`); empty where it is not kept.
    """

    kind: Literal["usage"] = "usage"
    role: Role
    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    seconds: float = 0.0
    note: str = ""
    sent: str = ""
