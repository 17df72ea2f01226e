"""Ways from a base table to another along keys, cheapest first.

A step to a parent ("many orders have one customer") never repeats rows; a step to children may, costs more and is
marked, so that whoever builds SQL can refuse to add up repeated rows. A way down from a shared parent ("orders of the
region of the customer's store") pairs unrelated rows and is not offered.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from assistant.embedded.meaning import JoinStep
from assistant.embedded.source.schema import Edge, Entity, Schema

_UP, _DOWN, _INFERRED, _UNUSUAL, _MENTIONED = 1.0, 1.3, 0.2, 0.16, 1.4
_STRANGERS = 0.5
_LENGTH_MAX = 6
_WAYS_MAX = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """Steps from the base to a table, and what they cost."""

    steps: tuple[JoinStep, ...]
    cost: float

    @property
    def multiplies(self) -> bool:
        """Whether a row of the base may meet several rows at the end."""
        return any(step.many for step in self.steps)


@dataclass
class Joins:
    """Finds ways in one schema; remembers those it found."""

    schema: Schema
    _found: dict[tuple[str, str], tuple[Way, ...]] = field(default_factory=dict, repr=False)
    _distances: dict[str, dict[str, int]] = field(default_factory=dict, repr=False)

    def ways(self, base: str, target: str, mentioned: Iterable[str] = ()) -> tuple[Way, ...]:
        """Every sensible way of about the least length, cheapest first; a way through mentioned tables is cheaper."""
        if base == target:
            return (Way(steps=(), cost=0.0),)
        if (base, target) not in self._found:
            self._found[base, target] = self._search(base, target)
        named = set(mentioned) - {base, target}
        if not named:
            return self._found[base, target]
        cheaper = [
            Way(steps=w.steps, cost=w.cost - _MENTIONED * sum(1 for s in w.steps[:-1] if s.right in named))
            for w in self._found[base, target]
        ]
        return tuple(sorted(cheaper, key=lambda way: way.cost))

    def best(self, base: str, target: str, mentioned: Iterable[str] = ()) -> tuple[Way, ...]:
        """The cheapest ways; several where nothing prefers one (a customer's region, a store's region)."""
        ways = self.ways(base, target, mentioned)
        return tuple(way for way in ways if way.cost < ways[0].cost + 0.15)

    def _pairs_strangers(self, taken: tuple[Edge, ...], edge: Edge) -> bool:
        """Up to a parent and down again: every child of it would meet every other. A bridge only adds what it links.

        A row that has its parent for itself, as a manager is an employee, is no stranger to what belongs to that.
        """
        if not taken or not edge.many or taken[-1].many or self.schema.entities[edge.right].bridge:
            return False
        return not set(taken[-1].left_columns) >= set(_told_apart(self.schema.entities[taken[-1].left]))

    def over(self, base: str, target: str, mentioned: Iterable[str]) -> tuple[Way, ...]:
        """Ways over a parent that the question names, to other children of it: "students in a dorm with a lounge".

        They say which rows exist and are good for conditions alone: what they lead to says nothing of a row itself.
        """
        found: list[Way] = []
        for pivot in dict.fromkeys(mentioned):
            if pivot in (base, target):
                continue
            for first in self.best(base, pivot)[:1]:
                for second in self.best(pivot, target)[:1]:
                    if (
                        first.steps
                        and second.steps
                        and not {s.right for s in first.steps} & {s.right for s in second.steps}
                    ):
                        found.append(
                            Way(steps=(*first.steps, *second.steps), cost=first.cost + second.cost + _STRANGERS)
                        )
        return tuple(sorted(found, key=lambda way: way.cost)[:1])

    def _distance_to(self, target: str) -> dict[str, int]:
        if target not in self._distances:
            distance = {target: 0}
            queue = deque([target])
            while queue:
                table = queue.popleft()
                for edge in self.schema.edges[table]:
                    if edge.right not in distance:
                        distance[edge.right] = distance[table] + 1
                        queue.append(edge.right)
            self._distances[target] = distance
        return self._distances[target]

    def _search(self, base: str, target: str) -> tuple[Way, ...]:
        distance = self._distance_to(target)
        if base not in distance or distance[base] > _LENGTH_MAX:
            return ()
        allowed = min(distance[base] + 2, _LENGTH_MAX + 1)
        ways: list[Way] = []

        def walk(table: str, taken: tuple[Edge, ...], seen: frozenset[str]) -> None:
            if len(ways) >= _WAYS_MAX:
                return
            if table == target:
                ways.append(Way(steps=tuple(_step(edge) for edge in taken), cost=_cost(taken)))
                return
            for edge in self.schema.edges[table]:
                if edge.right in seen or edge.right not in distance:
                    continue
                if len(taken) + 1 + distance[edge.right] > allowed or self._pairs_strangers(taken, edge):
                    continue
                walk(edge.right, (*taken, edge), seen | {edge.right})

        walk(base, (), frozenset({base}))
        return tuple(sorted(ways, key=lambda way: way.cost))


def _told_apart(entity: Entity) -> tuple[str, ...]:
    """The key of a table's rows; where none is declared, all columns, or the first if no two rows share its value."""
    first = next(iter(entity.attributes.values()))
    profile = first.column.profile
    alone = profile is not None and not profile.sampled and profile.distinct == entity.table.rows
    return entity.key or ((first.name,) if alone else tuple(entity.attributes))


def _cost(edges: tuple[Edge, ...]) -> float:
    return sum(_step_cost(edge) for edge in edges)


def _step_cost(edge: Edge) -> float:
    """A key that is called like the key it refers to is the usual one: `language_id` before `original_language_id`."""
    child, parent = (edge.right_columns, edge.left_columns) if edge.many else (edge.left_columns, edge.right_columns)
    usual = 0.0 if [c.lower() for c in child] == [c.lower() for c in parent] else _UNUSUAL
    return (_DOWN if edge.many else _UP) + (_INFERRED if edge.inferred else 0.0) + usual


def _step(edge: Edge) -> JoinStep:
    return JoinStep(
        left=edge.left,
        left_columns=edge.left_columns,
        right=edge.right,
        right_columns=edge.right_columns,
        many=edge.many,
        optional=edge.optional,
        inferred=edge.inferred,
    )
