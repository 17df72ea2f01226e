"""What goes wrong, in a sentence for the person. All that is asked at the door raises `AssistantError` alone."""

from assistant.core.data_errors import SourceError as SourceError
from assistant.errors import (
    AssistantError as AssistantError,
    ConfigError as ConfigError,
    DataError as DataError,
    InterpretationError as InterpretationError,
    SessionError as SessionError,
)
