"""How the columns of a frame are named once they are a table."""

from assistant.sources.arrow import unique_names as unique_names
