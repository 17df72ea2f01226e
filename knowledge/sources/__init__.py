"""Readers of documents: one for each kind of file, and one for a source's schema."""
