"""Labels of readings to choose from: what each would show, in words that tell it from the others."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.embedded.meaning import Meaning
from assistant.embedded.wording.phrases import restated
from assistant.embedded.words.lexicon import spoken


def labelled(meanings: Sequence[Meaning]) -> tuple[tuple[str, Meaning], ...]:
    """Readings under labels that tell them apart; readings that cannot be told apart by words are not offered twice."""
    titles = [restated(m) for m in meanings]
    dated = [f"{title}, by {_dates(m)}" for m, title in zip(meanings, titles, strict=True)]
    options: dict[str, Meaning] = {}
    for meaning, title, with_date in zip(meanings, titles, dated, strict=True):
        if titles.count(title) == 1:
            label = title
        elif meaning.times and dated.count(with_date) == 1:
            label = with_date
        else:
            label = f"{title} (by way of {_ways(meaning)})"
        options.setdefault(label, meaning)
    return tuple(options.items())


def _dates(meaning: Meaning) -> str:
    """The date columns that the periods go by, in words."""
    return ", ".join(dict.fromkeys(spoken(t.column.column) for t in meaning.times))


def _ways(meaning: Meaning) -> str:
    """The tables and keys a meaning goes through, in words."""
    passed: list[str] = []
    for reference in meaning.references():
        passed += [spoken(step.left_columns[0] if not step.many else step.right) for step in reference.steps]
    for related in meaning.related:
        passed += [spoken(step.right) for step in related.steps]
    return ", ".join(dict.fromkeys(passed)) or meaning.base_label
