"""The rows that the answer before was about, for questions that speak of them: "which of them are from Berlin?".

The word that stands for them is replaced by what they are called (`referring`); the question is then read as any other,
and its rows must be those of the answer before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.embedded.dialogue.referring import asks_for_rows, asks_how_many, asks_who, doing_word, in_full
from assistant.embedded.linking.persons import may_do
from assistant.embedded.meaning import Among, ColumnRef, Condition, Dimension, JoinStep, Meaning
from assistant.embedded.source.joins import Joins
from assistant.embedded.source.schema import Entity, Schema
from assistant.embedded.wording.phrases import among_words, restated


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """What the answer before was about: rows of a table, and the question that lists their key.

    `tables` are what rows of each table of the source are called.
    """

    entity: Entity
    keys: Meaning
    said: str
    tables: frozenset[str] = frozenset()

    def asked(self, question: str) -> str:
        """The question with the name of the rows in the place of the word that stands for them."""
        label = self.entity.label if self.entity.label != self.entity.key else ()
        names = [self.entity.attributes[name].words for name in label]
        return in_full(question, one=self.entity.one, many=self.entity.many, names=names, tables=self.tables)

    def restrict(self, question: str, meaning: Meaning, previous: Meaning, joins: Joins) -> Meaning | None:
        """The meaning, of these rows alone; None where it does not speak of them, or only names them again."""
        if meaning.beside or meaning.portion or meaning.verified_sql is not None:
            return None
        if not asks_for_rows(question) and meaning.base == self.entity.name and _only_named(meaning, self.entity):
            return None
        if meaning.base == previous.base == self.entity.name and _plain(previous) and not meaning.either:
            return _merged(meaning, previous)
        ways = joins.best(meaning.base, self.entity.name, meaning.tables())
        if not ways or len(self.entity.key) != 1:
            return None
        way, plain = ways[0], _plain(previous) and previous.base == self.entity.name and not meaning.either
        if plain and not way.multiplies and not previous.related:
            return _merged(meaning, _seen_from(previous, way.steps))
        column = ColumnRef(table=self.entity.name, column=self.entity.key[0], steps=way.steps)
        return meaning.model_copy(
            update={"among": (*meaning.among, Among(column=column, rows=self.keys, label=self.said))}
        )


def rows_before(question: str, previous: Meaning, schema: Schema) -> list[Rows]:
    """The rows that an answer was about, the likeliest first; none where they could not be told apart.

    "How many of them" asks of the rows that were counted, "which of them" and "who" of the groups that were shown.
    """
    if previous.verified_sql is not None or previous.divided:
        return []
    if previous.columns:
        found = [_listed(previous, schema)]
    else:
        found = [_counted(previous, schema), _grouped(previous, schema)][:: 1 if asks_how_many(question) else -1]
    tables = frozenset(e.many for e in schema.entities.values())
    made: list[Rows] = []
    for entity, keys in (one for one in found if one is not None):
        if asks_who(question) and not may_do(doing_word(question), entity, schema):
            continue
        groups = previous.columns or keys.dimensions
        bare = previous.model_copy(update={"beside": ()}) if groups else keys
        words = restated(bare if groups else keys.model_copy(update={"columns": _hidden(keys.columns)}))
        said = f"{entity.one} is {_said(words, previous)}"
        made.append(Rows(entity=entity, keys=keys, said=said, tables=tables))
    return made


def _said(words: str, previous: Meaning) -> str:
    """The rows of an answer as a condition."""
    lowered = f"{words[:1].lower()}{words[1:]}"
    if previous.limit == 1 and not previous.offset:
        return f"the {lowered}"
    grouped = previous.dimensions and previous.limit is None
    return f"among those of “{lowered}”" if grouped else among_words(words)


_Found = tuple[Entity, Meaning]


def _listed(previous: Meaning, schema: Schema) -> _Found | None:
    entity = schema.entities[previous.base]
    if previous.distinct or previous.within or len(entity.key) != 1:
        return None
    shown = Dimension(column=ColumnRef(table=entity.name, column=entity.key[0]), label=entity.one)
    return entity, previous.model_copy(update={"columns": (*_hidden(previous.columns), shown), "chart": None})


def _hidden(shown: Sequence[Dimension]) -> tuple[Dimension, ...]:
    """What is not shown but still tells which of those that are alike come first."""
    return tuple(one.model_copy(update={"context": True, "key": ()}) for one in shown)


def _bared(previous: Meaning) -> Meaning:
    """The meaning without what is only shown."""
    figures = tuple(m.model_copy(update={"context": True}) for m in previous.measures if not m.share)
    return previous.model_copy(
        update={"measures": figures, "beside": (), "chart": None, "portion": False, "title": "", "within": 0}
    )


def _grouped(previous: Meaning, schema: Schema) -> _Found | None:
    """The groups of a figure, where they are rows."""
    named = [d for d in previous.dimensions if _names(d, schema.entities[d.column.table])]
    tables = {d.column.table for d in previous.dimensions}
    timed = any(d.grain or d.part for d in previous.dimensions)
    chosen = previous.limit is not None or bool(previous.having)
    if len(named) != 1 or previous.within or previous.portion or (chosen and (timed or len(tables) > 1)):
        return None
    entity = schema.entities[named[0].column.table]
    if len(entity.key) != 1:
        return None
    key = ColumnRef(table=entity.name, column=entity.key[0], steps=named[0].column.steps)
    orders = tuple(o for o in previous.order if o.by == "measure") if previous.limit else ()
    dimension = Dimension(column=key, label=entity.one)
    before = _hidden(previous.dimensions) if previous.limit and not previous.keeps_ties else ()
    return entity, _bared(previous).model_copy(update={"dimensions": (*before, dimension), "order": orders})


def _counted(previous: Meaning, schema: Schema) -> _Found | None:
    """The rows that were counted."""
    first, entity = previous.measures[0], schema.entities[previous.base]
    counted = first.aggregate == "count" and first.column is None and not first.metric
    if previous.limit or previous.having or previous.portion or not counted or len(entity.key) != 1:
        return None
    shown = Dimension(column=ColumnRef(table=entity.name, column=entity.key[0]), label=entity.one)
    bare = {"measures": (), "dimensions": (), "columns": (shown,), "order": ()}
    return entity, _bared(previous).model_copy(update=bare)


def _names(dimension: Dimension, entity: Entity) -> bool:
    """Whether a group is a row of a table: told apart by its key, or called by its name."""
    if dimension.grain or dimension.part or dimension.edges:
        return False
    names = (dimension.column.column, *(ref.column for ref in dimension.more))
    return names == entity.label or any(ref.column in entity.key for ref in (dimension.column, *dimension.key))


def _plain(previous: Meaning) -> bool:
    """Whether nothing but conditions chooses the rows, so that they can be said of the new question as well."""
    return not (previous.limit or previous.having or previous.either or previous.portion or previous.within)


def _only_named(meaning: Meaning, entity: Entity) -> bool:
    """Whether rows are listed by their names and nothing is said of them: "what did they buy?" asks for more."""
    conditions = meaning.filters or meaning.related or meaning.conditions or meaning.compared or meaning.among
    plain = not (conditions or meaning.times or meaning.limit or meaning.order or meaning.dimensions)
    counts = [m.aggregate == "count" and m.column is None and not m.metric for m in meaning.measures]
    own = all(not c.column.steps and c.column.column in entity.label for c in meaning.columns)
    return plain and all(counts) and own


def _seen_from(previous: Meaning, steps: tuple[JoinStep, ...]) -> Meaning:
    """The conditions on rows, as they are seen from rows that each belong to one of them."""

    def ref(column: ColumnRef) -> ColumnRef:
        return column.model_copy(update={"steps": (*steps, *column.steps)})

    filters = (
        f.model_copy(update={"column": ref(f.column), "other": ref(f.other) if f.other else None})
        for f in previous.filters
    )
    return previous.model_copy(
        update={
            "filters": tuple(filters),
            "conditions": tuple(c.model_copy(update={"steps": (*steps, *c.steps)}) for c in previous.conditions),
            "compared": tuple(c.model_copy(update={"column": ref(c.column)}) for c in previous.compared),
            "among": tuple(one.model_copy(update={"column": ref(one.column)}) for one in previous.among),
            "times": tuple(t.model_copy(update={"column": ref(t.column)}) for t in previous.times),
            "dimensions": (),
        }
    )


def _conditions(meaning: Meaning, previous: Meaning) -> tuple[Condition, ...]:
    """The conditions of both; a standing rule holds where neither speaks of what it rules."""
    both = (*previous.conditions, *meaning.conditions)
    if meaning.base == previous.base:
        kept = [c for c in both if not c.rule or (c in previous.conditions and c in meaning.conditions)]
        return tuple(dict.fromkeys(kept))
    return tuple(dict.fromkeys(both))


def _merged(meaning: Meaning, previous: Meaning) -> Meaning:
    """The conditions of both, which speak of rows of the same table."""
    grouped = bool(previous.dimensions) and bool(meaning.measures) and not meaning.dimensions and not meaning.limit
    return meaning.model_copy(
        update={
            "filters": tuple(dict.fromkeys((*previous.filters, *meaning.filters))),
            "conditions": _conditions(meaning, previous),
            "related": tuple(dict.fromkeys((*previous.related, *meaning.related))),
            "compared": tuple(dict.fromkeys((*previous.compared, *meaning.compared))),
            "among": (*previous.among, *meaning.among),
            "times": tuple(dict.fromkeys((*previous.times, *meaning.times))),
            "dimensions": previous.dimensions if grouped else meaning.dimensions,
        }
    )
