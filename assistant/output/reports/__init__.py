"""Answers as a document of their own: one HTML file that needs nothing beside it."""
