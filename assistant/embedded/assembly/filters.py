"""Conditions on columns: filters, the glossary's terms, and comparisons with a figure of the whole table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from assistant.embedded.assembly.demands import Demands
from assistant.embedded.assembly.in_lists import operator_of
from assistant.embedded.assembly.routing import Router
from assistant.embedded.clauses.choosing.comparable import whole
from assistant.embedded.clauses.draft import Misfit
from assistant.embedded.clauses.wanted import FilterWanted
from assistant.embedded.linking.states import is_state, meant_by
from assistant.embedded.meaning import (
    PERCENT,
    AgainstAll,
    Condition,
    Filter,
    Literal_,
    Measure,
    Operator,
)
from assistant.embedded.source.schema import Attribute, called_above, column_label
from assistant.embedded.wording.phrases import filter_words


@dataclass
class Filters:
    """Makes the conditions on columns of one draft."""

    router: Router

    def all(self) -> tuple[Filter, ...]:
        """Every condition on a column; values of one column are alternatives.

        Raises:
            Misfit: two of them contradict each other.
        """
        Demands(self.router).settle()
        found = self.merged(self.router.draft.filters)
        equal = {(f.column, v, f.side) for f in found if f.operator in ("=", "in") for v in f.values}
        if any(f.operator == "!=" and (f.column, v, f.side) in equal for f in found for v in f.values):
            raise Misfit("No row can have a value and not have it.", weight=3)
        return tuple(found)

    def merged(self, wanted: Sequence[FilterWanted]) -> list[Filter]:
        """The conditions, with several values of one column taken together."""
        found: list[Filter] = []
        for condition in wanted:
            found = self._merge(found, condition)
        return found

    def _merge(self, filters: list[Filter], wanted: FilterWanted) -> list[Filter]:
        """Two values of one column are alternatives: nothing can be both."""
        made = self.one(wanted)
        for i, present in enumerate(filters):
            if present.column != made.column or present.other or made.other or present.side != made.side:
                continue
            if present.operator in ("=", "in") and made.operator in ("=", "in"):
                both = present.model_copy(update={"operator": "in", "values": (*present.values, *made.values)})
                return [*filters[:i], both, *filters[i + 1 :]] if made.values[0] not in present.values else filters
            if present.operator in ("!=", "not in") and made.operator in ("!=", "not in"):
                both = present.model_copy(update={"operator": "not in", "values": (*present.values, *made.values)})
                return [*filters[:i], both, *filters[i + 1 :]]
        return [*filters, made]

    def only(self, measure: Measure, wanted: Sequence[FilterWanted]) -> Measure:
        """The figure made of the rows that fulfil conditions of its own."""
        if not wanted:
            return measure
        filters = tuple(self.merged(wanted))
        if measure.expression or any(f.column.multiplies for f in filters):
            raise Misfit(f"I cannot compute {measure.label} under a condition of its own.", weight=4)
        if any(f.operator not in ("=", "!=", "in", "not in") for f in filters):
            label = f"{measure.label} where {' and '.join(filter_words(f) for f in filters)}"
            return measure.model_copy(update={"only": filters, "label": label})
        words = " and ".join(_in_words(item) for item in filters)
        counts = measure.aggregate in ("count", "distinct")
        if measure.per is not None and measure.unit == PERCENT:
            label = f"share of {words} {measure.per.label}"
            return measure.model_copy(update={"only": filters, "label": label})
        label = f"{words} {measure.label}" if counts else f"{measure.label} ({words})"
        return measure.model_copy(update={"only": filters, "label": label})

    def one(self, wanted: FilterWanted) -> Filter:
        """One condition on a column."""
        attribute = wanted.attribute
        if wanted.other is not None:
            return self._beside(wanted, wanted.other)
        if wanted.operator in ("missing", "present") and (none := _none_of(attribute)) is not None:
            operator: Operator = "=" if wanted.operator == "missing" else "!="
            return self.one(replace(wanted, operator=operator, values=(none,)))
        if wanted.operator == "missing" and attribute.always_known:
            self.router.penalty += _NEVER_MISSING
        if not wanted.known:
            self.router.draft.assumptions.append(
                f"“{wanted.values[0]}” is not among the values I know of {attribute.words}"
            )
        operator, values = self._spelled(replace(wanted, operator=operator_of(wanted, self.router.schema)))
        return Filter(
            column=self.router.ref(attribute),
            operator=operator,
            values=tuple(_number(value) for value in values) if attribute.as_text else values,
            label=self._filter_label(attribute),
            fold_case=not wanted.known,
            flag=attribute.role == "flag",
            side=wanted.side,
            whole=wanted.whole,
        )

    def on_weekdays(self, date: Attribute) -> Filter:
        """The days of the week that count, by a date."""
        if date.role != "date":
            raise Misfit(f"“{date.words}” does not know the weekday.", weight=5)
        days = self.router.draft.weekdays
        return Filter(column=self.router.ref(date), operator="in", values=days, label="weekday", part="weekday")

    def _spelled(self, wanted: FilterWanted) -> tuple[Operator, tuple[Literal_, ...]]:
        """The values in all their spellings: who asks for the North means "north" and "NORTH " as well."""
        attribute, known = wanted.attribute, self.router.schema.spellings
        several = {"=": "in", "in": "in", "!=": "not in", "not in": "not in"}.get(wanted.operator)
        every = [known.get((attribute.table, attribute.name, str(v)), (v,)) for v in wanted.values]
        if several is None or all(len(spelled) == 1 for spelled in every):
            return wanted.operator, wanted.values
        for spelled in (s for s in every if len(s) > 1):
            others = " and ".join(f"“{value}”" for value in spelled[1:])
            self.router.draft.assumptions.append(f"“{spelled[0]}” is also written {others}; they are taken together")
        return cast(Operator, several), tuple(dict.fromkeys(value for spelled in every for value in spelled))

    def _beside(self, wanted: FilterWanted, other: Attribute) -> Filter:
        """Two columns of one row, compared, or a row's column with that of the row above it."""
        second = self.router.of_superior(wanted.above, other) if wanted.above else self.router.ref(other)
        refs = (self.router.ref(wanted.attribute), second)
        if refs[1].multiplies or (refs[0].multiplies and wanted.days is None):
            raise Misfit(f"I cannot compare {wanted.attribute.words} with {other.words} from here.", weight=4)
        return Filter(
            column=refs[0],
            operator=wanted.operator,
            other=refs[1],
            label=self._filter_label(wanted.attribute),
            other_label=f"{called_above(wanted.above)} {other.words}" if wanted.above else self._filter_label(other),
            side=wanted.side,
            days=wanted.days,
        )

    def _filter_label(self, attribute: Attribute) -> str:
        """A table's own name column is called like the table: "category is Furniture"."""
        entity = self.router.schema.entities[attribute.table]
        named = entity.label == (attribute.name,) and attribute.table != self.router.base
        return entity.one if named else column_label(self.router.schema, attribute)

    def conditions(self) -> tuple[Condition, ...]:
        """The conditions of the glossary terms."""
        found: list[Condition] = []
        for term, negated in self.router.draft.terms:
            entity = self.router.schema.find_entity(term.table or "")
            if entity is None or term.sql is None:  # terms are checked when they are linked
                continue
            if is_state(term):
                self.router.draft.assumptions.append(meant_by(term))
            else:
                self.router.draft.cited.append(term.id)
            found.append(
                Condition(
                    table=entity.name,
                    sql=term.sql,
                    steps=self.router.way(entity.name),
                    label=term.name.rpartition(" ")[0] if is_state(term) and entity.nameless else term.name,
                    document=term.id,
                    negated=negated,
                )
            )
        return tuple(found)

    def compared(self) -> tuple[AgainstAll, ...]:
        """Columns compared with a figure of their own over the whole table."""
        found: list[AgainstAll] = []
        for wanted in self.router.draft.compared:
            if wanted.of is not None:
                continue  # read with the tables of its own
            words, ref = wanted.attribute.words, self.router.ref(wanted.attribute)
            if ref.multiplies and wanted.aggregate == "average":
                raise Misfit(f"I cannot compare {words} with its average from here.", weight=4)
            found.append(
                AgainstAll(
                    column=ref,
                    operator=wanted.operator,
                    label=words,
                    aggregate=wanted.aggregate,
                    shared=wanted.shared.name if wanted.shared else None,
                    shared_label=self._shared_label(wanted.shared) if wanted.shared else "",
                    factor=wanted.factor,
                )
            )
        return tuple(found)

    def _shared_label(self, shared: Attribute) -> str:
        """What rows have in common, in words: a key stands for what it refers to."""
        referred = self.router.schema.referred(shared)
        return referred.one if referred is not None else column_label(self.router.schema, shared)


_NEVER_MISSING = 0.1
"""What it costs that all rows have what is said to be missing: there are none, if it was meant at all."""


def _number(value: Literal_) -> Literal_:
    """The value of a number that its source holds as text, as a number: it is compared as one."""
    try:
        return whole(float(value)) if isinstance(value, str) else value
    except ValueError:
        return value


def _in_words(item: Filter) -> str:
    """A condition as it stands before the noun it is of: "cancelled", "not cancelled", "active"."""
    said = item.label.removeprefix("is ").removeprefix("has ") if item.flag else " or ".join(map(str, item.values))
    return f"not {said}" if item.operator in ("!=", "not in") else said


_NONE = frozenset(("no", "none", "n/a", "nil", "not available"))


def _none_of(attribute: Attribute) -> str | None:
    """The text by which a column says that there is none of what it is about: "No", beside the kinds there are."""
    profile = attribute.column.profile
    if profile is None or attribute.role != "text":
        return None
    known = (*(profile.values or ()), *(value for value, _ in profile.top or ()))
    return next((str(value) for value in known if str(value).lower() in _NONE), None)
