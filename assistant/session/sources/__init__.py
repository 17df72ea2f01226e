"""The sources of one session: added, opened, and read as files by its cells."""
