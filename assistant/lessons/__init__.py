"""Lessons: what a repaired failure showed about a source, as a person keeps it, finds it again and drops it."""
