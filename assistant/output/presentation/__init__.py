"""Presentation of an answer: number formats and units, charts, files, lineage. Pure; runs no code."""
