"""Agreement: whether what the question names is what the reading shows, groups by and filters on.

Part of the evidence on a reading: each number is 0 where the two agree and grows with what only one of them has.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from assistant.embedded.linking.neighbours import place_of
from assistant.embedded.linking.options import ToColumn, ToMetric, ToTable, ToTerm, ToValue

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assistant.embedded.linking.links import Span
    from assistant.embedded.meaning import ColumnRef, Meaning
    from assistant.embedded.reading.reader import Candidate

Place = tuple[str, str]

NAMES: tuple[str, ...] = (
    "score", "weakest", "head_elsewhere", "shown_unnamed", "named_unused", "tables_unnamed", "tables_shown",
    "conditions_unnamed", "shown_filtered", "values_unused", "lists", "nested", "first_places",
)  # fmt: skip
"""What each number of `agreement` is."""

_SURE = 0.85
_NAMED = (ToColumn, ToTable, ToMetric)


def agreement(candidate: Candidate) -> dict[str, float]:
    """How far a reading agrees with what its question names, by the names in `NAMES`."""
    meaning, spans = candidate.meaning, candidate.spans
    named = {place_of(o) for span in spans for o in span.options if isinstance(o, ToColumn)}
    tables = {name for span in spans for o in span.options for name in _tables(o)}
    shows = set(_places(shown(meaning)))
    filtered = [f.column for f in meaning.filters]
    used = {ref.table for ref in shown(meaning)}
    held = meaning.model_dump_json()
    return {
        "score": candidate.score,
        "weakest": 1.0 - candidate.weakest,
        "head_elsewhere": _head_elsewhere(spans, meaning, shows),
        "shown_unnamed": min(len(shows - named), 3),
        "named_unused": min(sum(_unused(span, held) for span in spans), 3),
        "tables_unnamed": min(len(set(meaning.tables()) - tables), 3),
        "tables_shown": min(len(used), 3),
        "conditions_unnamed": min(len(set(_places(filtered)) - named), 3),
        "shown_filtered": min(len(shows & set(_places(filtered))), 2),
        "values_unused": min(sum(_value_unused(span, held) for span in spans), 2),
        "lists": bool(meaning.columns),
        "nested": min(len(meaning.related) + len(meaning.compared) + len(meaning.among), 3),
        "first_places": meaning.limit is not None and not meaning.ties,
    }


def shown(meaning: Meaning) -> list[ColumnRef]:
    """The columns of the answer's own table."""
    found = [ref for d in (*meaning.columns, *meaning.dimensions) if not d.context for ref in (d.column, *d.more)]
    return [*found, *(m.column for m in meaning.measures if m.column and not m.context)]


def _places(refs: Iterable[ColumnRef]) -> list[Place]:
    return [(ref.table, ref.column) for ref in refs]


def _tables(option: object) -> tuple[str, ...]:
    match option:
        case ToTable():
            return (option.entity.name,)
        case ToColumn() | ToValue():
            return (option.attribute.table,)
        case ToMetric():
            return (option.metric.table, *option.metric.joins)
        case ToTerm() if option.term.table:
            return (option.term.table,)
        case _:
            return ()


def _head_elsewhere(spans: Iterable[Span], meaning: Meaning, shown: set[Place]) -> bool:
    """Whether what the question names first is neither shown nor counted."""
    head = next((span for span in spans if any(isinstance(o, _NAMED) for o in span.options)), None)
    if head is None:
        return True
    tables = {meaning.base, *(table for table, _ in shown)}
    for option in head.options:
        match option:
            case ToColumn() if place_of(option) in shown:
                return False
            case ToTable() if option.entity.name in tables:
                return False
            case ToMetric() if any(m.metric == option.metric.name for m in meaning.measures):
                return False
            case _:
                continue
    return True


def _unused(span: Span, held: str) -> bool:
    """Whether words surely name a column, and the reading uses none that they name."""
    columns = [o for o in span.options if isinstance(o, ToColumn) and o.strength >= _SURE]
    if not columns or any(isinstance(o, ToTable | ToMetric | ToValue) for o in span.options):
        return False
    return not any(f'"{o.attribute.name}"' in held for o in columns)


def _value_unused(span: Span, held: str) -> bool:
    """Whether words can only be values, and the reading uses none of them."""
    values = [o for o in span.options if isinstance(o, ToValue)]
    if not values or len(values) < len(span.options):
        return False
    return not any(json.dumps(o.value, ensure_ascii=False) in held for o in values)
