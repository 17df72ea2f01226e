"""Progress of reading data."""

from assistant.progress import Progress as Progress, watched as watched
