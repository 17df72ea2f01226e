"""All cases of the corpus, and the sample of them that a short run reads."""

from __future__ import annotations

from functools import cache

from corpus import databases, documents, encoded, languages, layouts, plain_texts, texts, workbooks
from corpus.values import Case


@cache
def all_cases() -> tuple[Case, ...]:
    """Every case, in the same order each time."""
    families = (texts, languages, layouts, plain_texts, encoded, workbooks, documents, databases)
    return tuple(case for family in families for case in family.cases())


@cache
def sample_cases() -> tuple[Case, ...]:
    """The first case of every third shape of a family, and so of every family some."""
    first: dict[tuple[str, str], Case] = {}
    for case in all_cases():
        first.setdefault((case.family, case.shape), case)
    return tuple(first.values())[::3]
