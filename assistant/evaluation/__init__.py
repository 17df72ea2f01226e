"""Suites of questions with gold SQL: asked of the real pipeline, judged by their results, scored."""
