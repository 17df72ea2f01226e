"""Errors with a message for the person. Everything in this interface raises `AssistantError` alone."""

from assistant.core.data_errors import SourceError as SourceError
from assistant.errors import (
    AssistantError as AssistantError,
    ConfigError as ConfigError,
    DataError as DataError,
    InterpretationError as InterpretationError,
    SessionError as SessionError,
)
