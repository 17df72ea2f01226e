"""The knowledge of a session's data: read, defined and edited."""
