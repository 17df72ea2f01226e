"""Runs of a session: one turn at a time, from the person's input to its result."""
