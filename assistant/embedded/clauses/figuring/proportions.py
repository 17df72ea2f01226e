"""Two kinds of the same rows against each other: "completed to cancelled orders", "how many more men than women".

Each kind is a value, a flag or a term; how many rows are of the one is divided by how many are of the other, or the
others are taken from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.naming.counting import ancestor_of
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToColumn, ToTable, ToTerm, ToValue
from assistant.embedded.source.dating import day_of
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.sql.tables import literal, qualified
from assistant.embedded.words.cue_patterns import CueKind

if TYPE_CHECKING:
    from knowledge.documents import Metric

_PASSED: tuple[CueKind, ...] = ("with", "count", "not", "without")
"""Words that may stand beside a kind without being one."""
LINKS = frozenset(("to", "and", "vs", "versus", "over"))


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of rows: the condition in SQL on the table that it stands in, and the places that say it."""

    entity: Entity
    sql: str
    words: str
    places: tuple[int, ...]


def of_kinds(draft: Draft) -> None:
    """Divide the number of rows of the first kind by that of the second, or say how many more they are."""
    more = [i for i, _ in draft.cues("count") if draft.word(i + 1) == "more"]
    for i in (*(i for i, _ in draft.cues("ratio")), *more):
        for at in range(i + 2, len(draft.pieces) - 1):
            if draft.word(at) not in (("than",) if i in more else LINKS):
                continue
            first, second = _side(draft, range(at - 1, i, -1)), _side(draft, range(at + 1, len(draft.pieces)))
            if first is None or second is None or first[0].sql == second[0].sql:
                continue
            nouns = {place: entity for side in (first, second) for place, entity in side[1].items()}
            named = {entity.name: entity for entity in nouns.values()}
            rows = next(iter(named.values())) if named else first[0].entity
            kinds = (first[0], second[0])
            if len(named) > 1 or not all(k.entity == rows or ancestor_of(draft, {rows.name}, k.entity) for k in kinds):
                continue
            draft.use(i, at, *first[0].places, *second[0].places, *nouns, *([i + 1] if i in more else []))
            draft.mention(rows.name)
            draft.wanted.append(Wanted(metric=_metric(draft, rows, *kinds, divided=i not in more)))
            return


def _side(draft: Draft, places: range) -> tuple[Kind, dict[int, Entity]] | None:
    """What stands on one side of the ratio: the kind of rows, and their name with its place, if it is said."""
    kind: Kind | None = None
    nouns: dict[int, Entity] = {}
    columns: list[int] = []
    for at in places:
        option = draft.open(at)
        if isinstance(option, ToTable) and not nouns:
            nouns[at] = option.entity
        elif kind is None and (found := kind_at(draft, at)) is not None:
            kind = found
            denied = draft.cue_at(at - 1, "not", "without") if at else None
            if denied is not None and at - 1 not in found.places:
                kind = Kind(found.entity, f"NOT ({found.sql})", f"not {found.words}", (at - 1, *found.places))
        elif _names_kind(draft, at):
            columns.append(at)  # "with the status open"
        elif option is not None and not (draft.cue_at(at, *_PASSED) or (kind is not None and at in kind.places)):
            break
    if kind is None:
        return None
    return Kind(kind.entity, kind.sql, kind.words, (*kind.places, *columns)), nouns


def _names_kind(draft: Draft, at: int) -> bool:
    """Whether a column's name only leads to a value of it."""
    option, behind = draft.open(at), draft.open(draft.after(at, plain_max=1))
    return isinstance(option, ToColumn) and isinstance(behind, ToValue) and behind.attribute == option.attribute


def kind_at(draft: Draft, at: int) -> Kind | None:
    option = draft.open(at)
    if draft.cue_at(at, "not") is not None:
        kind = kind_at(draft, at + 1)
        return kind and Kind(kind.entity, f"NOT ({kind.sql})", f"not {kind.words}", (at, *kind.places))
    words = draft.pieces[at].span.text.lower()
    if isinstance(option, ToTerm) and option.term.table and option.term.sql:
        entity = draft.schema.find_entity(option.term.table)
        return Kind(entity, option.term.sql, words, (at,)) if entity is not None else None
    if isinstance(option, ToValue):
        return _of(draft, option.attribute, option.value, words, at)
    if isinstance(option, ToColumn) and option.attribute.role == "flag":
        return _of(draft, option.attribute, option.attribute.true_value, words, at)
    return None


def _of(draft: Draft, attribute: Attribute, value: object, words: str, at: int) -> Kind:
    name = qualified(attribute, draft.schema.dialect)
    numeric = attribute.column.kind in ("integer", "number", "decimal", "float")
    said = str(value) if numeric and not isinstance(value, bool) else literal(value)
    return Kind(draft.entity_of(attribute), f"{name} = {said}", words, (at,))


def _metric(draft: Draft, rows: Entity, first: Kind, second: Kind, *, divided: bool) -> Metric:
    from knowledge.documents import Metric

    one, other = (f"SUM(CASE WHEN {kind.sql} THEN 1 ELSE 0 END)" for kind in (first, second))
    joins = dict.fromkeys(kind.entity.name for kind in (first, second) if kind.entity != rows)
    words = [kind.words.removesuffix(f" {rows.many}").removesuffix(f" {rows.one}") for kind in (first, second)]
    link = "divided by" if divided else "less"
    return Metric(
        name=f"{'ratio' if divided else 'number'} of {words[0]} {'to' if divided else 'less'} {words[1]} {rows.many}",
        definition=f"the number of {words[0]} {rows.many} {link} that of {words[1]} {rows.many}",
        expression=f"1.0 * {one} / NULLIF({other}, 0)" if divided else f"{one} - {other}",
        table=rows.name,
        date_column=day_of(rows),
        joins=tuple(joins),
    )
