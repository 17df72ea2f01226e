"""Evaluation: suites of questions with gold SQL, asked of the whole pipeline, judged by their results, and scored."""
