"""Persistence: the store of events, memory over it, the history of sessions, boards."""
