"""What can go wrong in the conversation, as exceptions a caller can act on.

    AssistantError
    ├── ConfigError          a setting is wrong
    ├── StoreError           the event log cannot be read or written
    ├── SessionError         a session is unknown, busy, or not waiting for what was given
    ├── ModelError           a model cannot be reached, or its replies stay malformed
    │   ├── ModelUnavailable its endpoint fails it: another model may do
    │   │   └── ContextOverflow  the request is too long for it
    │   └── BudgetReached    what models may use in a turn or session is used up
    ├── InterpretationError  an edit of an interpretation names what is not there, or does not fit
    ├── NotAllowed           an input names a place that is not its requester's (`assistant.trust`)
    └── DataError            a source cannot be opened or read (drawn further in `assistant.core.data_errors`)

Expected outcomes are not here: a cell that fails is an `Execution`, a rejection a `Decision`, a question that is
not understood an `Answer` with status "declined".
"""

from __future__ import annotations


class AssistantError(Exception):
    """Base of all errors of the conversation; its text is fit to be shown to the person."""


class ConfigError(AssistantError):
    """A setting is missing or wrong."""


class StoreError(AssistantError):
    """The event log cannot be read or written."""


class SessionError(AssistantError):
    """A session is unknown, busy, or not waiting for what was given."""


class InterpretationError(AssistantError):
    """An edit of an interpretation is unknown, ambiguous or does not fit. `choices` are the nearest that there are."""

    def __init__(self, text: str, choices: tuple[str, ...] = ()) -> None:
        super().__init__(text)
        self.choices = choices


class ModelError(AssistantError):
    """A model cannot be reached, or keeps answering in a form that cannot be used."""


class ModelUnavailable(ModelError):
    """A model's endpoint cannot be reached, is silent, over its rate, or turns every request down."""


class ContextOverflow(ModelUnavailable):
    """A request is longer than the model takes: `tokens_max`, as its endpoint says; 0 where it does not say it."""

    def __init__(self, text: str, *, tokens_max: int = 0) -> None:
        super().__init__(text)
        self.tokens_max = tokens_max


class BudgetReached(ModelError):
    """What models may use in a turn or a session is used up; the text names the limit."""


class DataError(AssistantError):
    """A source cannot be opened or read."""


def in_words(error: Exception) -> str:
    """What ended a turn, in words for the person: an error of ours says it by itself, any other is a fault of ours.

    AutoGen wraps the real one in the text of a RuntimeError.
    """
    if isinstance(error, AssistantError):
        return str(error)
    first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    return f"Something went wrong inside Tandem ({first[:300]})."


def way_on(error: Exception) -> str:
    """What the person can do next about what ended a turn; empty where its own text says so, as a model's does."""
    if isinstance(error, ConfigError):
        return "Then start Tandem again, and go on from here."
    if isinstance(error, ModelError):
        return ""
    return "Ask again, or ask differently."
