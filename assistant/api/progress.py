"""How far a reading of data is, for whoever waits for it."""

from assistant.progress import Progress as Progress, watched as watched
