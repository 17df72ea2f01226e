"""The ways from a reading's base table to everything it speaks of, taken once and kept for the whole meaning.

Where ways are equally good the first is taken and the fork is remembered, so that the others can be tried too. What
the ways cost makes a reading less sure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToColumn, ToTable, ToValue
from assistant.embedded.meaning import ColumnRef, JoinStep
from assistant.embedded.source.joins import Joins, Way
from assistant.embedded.source.schema import Attribute, Entity, Schema
from assistant.embedded.words.lexicon import name_stems, stem

_JOIN_PENALTY = 0.035
_MANY_PENALTY = 0.012
"""What it costs beyond that to look for a row among many: "albums of Iron Maiden" are an artist's before a track's."""
_UNNAMED_PENALTY = 0.05
_UPWARDS = 0.4
"""What a step to the one row something belongs to costs, as a part of what a step to many rows costs."""
_TRUSTED_PENALTY = 0.01
_CHOICES_MAX = 4


@dataclass
class Router:
    """Finds the ways of one draft. `choice` says which of equally good ways to take, per target table."""

    joins: Joins
    draft: Draft
    choice: dict[str, int] = field(default_factory=dict)
    base: str = ""
    forks: dict[str, list[Way]] = field(default_factory=dict)
    penalty: float = 0.0
    taken: dict[str, Way] = field(default_factory=dict)
    related: set[str] = field(default_factory=set)

    @property
    def schema(self) -> Schema:
        """The source's schema."""
        return self.joins.schema

    @property
    def named(self) -> list[str]:
        """The tables that the question names, or whose own numbers it tells: "over 9 hours on a closed project"."""
        told = (f.attribute for f in self.draft.filters if f.operator not in _HELD and f.attribute.is_number)
        return list(dict.fromkeys((*self.draft.mentioned, *(a.table for a in told))))

    def all_wanted(self) -> list[Wanted]:
        """Every figure the draft asks for or orders by."""
        return [*self.draft.wanted, *(t for t, _ in self.draft.order if isinstance(t, Wanted))]

    def reaches(self, base: str, target: str) -> bool:
        """Whether each row of the base has one row of the target at most."""
        ways = self.joins.best(base, target, self.draft.mentioned)
        return bool(ways) and not ways[0].multiplies

    def way(self, target: str) -> tuple[JoinStep, ...]:
        """The steps to a table.

        Raises:
            Misfit: no key leads there.
        """
        if target == self.base:
            return ()
        if target not in self.taken:
            ways = list(
                self._along_asked(target)
                or self._direct(target, many=False)
                or self.joins.best(self.base, target, self.named)
                or self.joins.over(self.base, target, self.draft.mentioned)
            )
            if not ways:
                one, other = self.schema.entities[self.base].many, self.schema.entities[target].many
                raise Misfit(f"I found no key that leads from {one} to {other}.", weight=5)
            ways = self._as_before(self._prefer_taken(self._prefer_named(ways)), target)
            if len(ways) > 1:
                self.forks[target] = ways[:_CHOICES_MAX]
            chosen = ways[min(self.choice.get(target, 0), len(ways) - 1)]
            self.taken[target] = chosen
            metric = any(w.metric and w.metric.origin for w in self.all_wanted())
            named = {*self.draft.mentioned, target}
            for step in chosen.steps:
                weight = 1.0 if step.many else _UPWARDS
                known = step.right in named or self.schema.entities[step.right].bridge
                cost = _JOIN_PENALTY + (0.0 if known else _UNNAMED_PENALTY)
                self.penalty += _TRUSTED_PENALTY if metric else weight * cost + _MANY_PENALTY * step.many
            if any(step.inferred for step in chosen.steps):
                self.penalty += 0.03
        return self.taken[target].steps

    def _prefer_taken(self, ways: list[Way]) -> list[Way]:
        """Among equal ways, those that share the steps already taken."""
        taken = {(s.right, s.left_columns) for way in self.taken.values() for s in way.steps}
        if not taken:
            return ways
        shared = [sum(1 for s in way.steps if (s.right, s.left_columns) in taken) for way in ways]
        most = max(shared)
        return [way for way, count in zip(ways, shared, strict=True) if count == most]

    def _as_before(self, ways: list[Way], target: str) -> list[Way]:
        """The way that the question before took, where it is one of them."""
        before = self.draft.ways.get((self.base, target))
        return [way for way in ways if way.steps == before] or ways

    def labelled_reference(self, attribute: Attribute) -> Entity | None:
        """The table whose label people should see in place of a key that refers to it, unless the key was asked for.

        The way there is then along this key.
        """
        referred = self.schema.referred(attribute)
        if referred is None or referred.label == referred.key or self.draft.says_key(attribute):
            return None
        if referred.name in self.taken or any(a.table == referred.name for a in self.draft.shown):
            return None
        if attribute not in self.draft.via:
            self.draft.via.append(attribute)
        return referred

    def above(self, attribute: Attribute) -> tuple[ColumnRef, ...]:
        """What names the row that a row refers to in its own table, unless the key was asked for: an employee's
        manager."""
        named = () if self.draft.says_key(attribute) else self.schema.above(attribute)
        return tuple(self.of_superior(attribute, a) for a in named)

    def of_superior(self, key: Attribute, column: Attribute) -> ColumnRef:
        """A column of the row that a row refers to in its own table by a key: the salary of an employee's manager."""
        named = next(named for referring, named in self.schema.superiors if referring == key)
        table, own = key.table, (key.name,)
        step = JoinStep(left=table, left_columns=own, right=table, right_columns=(named.name,), optional=True)
        return ColumnRef(table=table, column=column.name, steps=(*self.way(table), step))

    def _prefer_named(self, ways: list[Way]) -> list[Way]:
        """Among equal ways, those along a key that the question names, or whose name has most of its words."""
        named = self._along(ways)
        if named or len(ways) == 1:
            return named or ways
        said = {stem(word) for piece in self.draft.pieces for word in piece.span.text.lower().split()}
        told = [sum(_said(word, said) for word in {w for s in way.steps for w in _key_stems(s)}) for way in ways]
        return [way for way, count in zip(ways, told, strict=True) if count == max(told)]

    def _along(self, ways: Sequence[Way]) -> list[Way]:
        """The ways along a key that the question names or asks for: "the heirs who are women"."""
        asked = [a for a in self.draft.shown if a.role == "reference"]
        keys = {(a.table, (a.name,)) for a in (*self.draft.via, *asked)}
        if not keys:
            return []
        return [
            way
            for way in ways
            if any(((s.right, s.right_columns) if s.many else (s.left, s.left_columns)) in keys for s in way.steps)
        ]

    def _along_asked(self, target: str) -> list[Way]:
        """The ways along such a key, though another key is the usual one and leads there in as many steps."""
        best = self.joins.best(self.base, target, self.draft.mentioned)
        every = self.joins.ways(self.base, target, self.draft.mentioned) if best else ()
        return [way for way in self._along(every) if len(way.steps) <= len(best[0].steps)]

    def _direct(self, target: str, *, many: bool) -> list[Way]:
        """The ways in one step, before those over a table that the question names for another reason.

        "The offices of the clerks from the sales department" are the clerks' own; "the country of the customer" of an
        order is the customer's. Rows that are `many` may also be those of what is named.
        """
        ways = self.joins.ways(self.base, target)
        best = takewhile(lambda w: w.cost < ways[0].cost + _ALIKE, ways)
        direct = [w for w in best if len(w.steps) == 1]
        if not direct or not {*self.draft.mentioned} - {self.base, target}:
            return []
        around = self.joins.best(self.base, target, self.draft.mentioned)
        if len(around[0].steps) == 1:
            return direct if self._is_said_before(target, around[1:]) else []
        if self._is_said_of(target, around[0]):
            return []
        return [way for way in direct if way.multiplies <= many]

    def _is_said_before(self, target: str, around: Sequence[Way]) -> bool:
        """ "Not assigned to a project": what is named only behind the rows says more of them, and no way to them."""
        tables = [_table_of(piece.option) for piece in self.draft.pieces]
        between = {step.right for way in around for step in way.steps[:-1]}
        named = next((table for table in tables if table == target or table in between), target)
        return bool(between) and named == target and target in tables

    def _is_said_of(self, target: str, way: Way) -> bool:
        """Whether the words say that a table belongs to one on the way: "the country of the customer".

        "Rides that stop at Kiel" lead over the stops as well, though in "lent to members" the loans come first.
        """
        between = {step.right for step in way.steps[:-1]}
        last, ahead = "", ""
        for piece in self.draft.pieces:
            table = _table_of(piece.option)
            if table and last and table != last and {table, last} & between and target in (table, last):
                return True
            if table == target and ahead in between:
                return True
            if table or piece.span.text.lower() not in _BELONGING:
                last = table
            if table or piece.span.text.lower() not in _LEADING:
                ahead = table
        return False

    def ref(self, attribute: Attribute) -> ColumnRef:
        """The column with the way to it."""
        return ColumnRef(table=attribute.table, column=attribute.name, steps=self.way(attribute.table))

    def related_way(self, entity_name: str, many: str) -> Way:
        """The way to related rows, which may be many.

        Raises:
            Misfit: no key leads there.
        """
        found = self._direct(entity_name, many=True) or self.joins.best(self.base, entity_name, self.draft.mentioned)
        ways = self._as_before(self._prefer_named(list(found)), entity_name)
        if not ways:
            raise Misfit(f"I found no key that leads to {many}.", weight=5)
        if not ways[0].steps:
            raise Misfit(f"I could not place “{many}” in the question.", weight=4)
        way = ways[0]
        if len(ways) > 1:
            self.forks.setdefault(entity_name, ways[:_CHOICES_MAX])
            way = ways[min(self.choice.get(entity_name, 0), len(ways) - 1)]
        if entity_name not in self.related:  # two that must both be there lie on one way
            self.penalty += _JOIN_PENALTY * len(way.steps)
            self.related.add(entity_name)
        return way


_HELD = ("=", "in")
_ROOT, _SHORT = 4, 3
_ALIKE = 0.15
_BELONGING = frozenset(("of", "the", "their", "its", "in", "for", "from", "s"))
_LEADING = _BELONGING | {"at", "on", "to", "a", "an", "any", "each", "neither"}


def _table_of(option: object) -> str:
    """The table of what words name, or nothing."""
    match option:
        case ToTable():
            return option.entity.name
        case ToColumn() | ToValue():
            return option.attribute.table
        case _:
            return ""


def _key_stems(step: JoinStep) -> tuple[str, ...]:
    """The words of the key that a step goes along."""
    columns = step.right_columns if step.many else step.left_columns
    return tuple(word for column in columns for word in name_stems(column))


def _said(word: str, said: set[str]) -> int:
    """How well a question has a word: `destroy` itself, `end` in "ending", `dst` for "destination"."""
    if word in said:
        return 2
    if any(other.startswith(word) or other[:_ROOT] == word[:_ROOT] for other in said if len(word) >= _SHORT):
        return 1
    short = len(word) == _SHORT and not set(word) & set("aeiou")
    return int(short and any(re.match(".*".join(word), other) and len(other) > len(word) for other in said))
