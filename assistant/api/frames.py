"""Column names of a frame that becomes a table."""

from assistant.sources.arrow import unique_names as unique_names
