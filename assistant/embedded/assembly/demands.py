"""Conditions on several rows at once: what none of them may have, and two things that some of them must both have.

"customers who did not buy X", "cities that never had over 100 visits", "customers who bought X and Y".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from assistant.embedded.assembly.in_lists import holds_both, settle_lists
from assistant.embedded.assembly.routing import Router
from assistant.embedded.clauses.choosing.pairs import aside
from assistant.embedded.clauses.draft import Misfit
from assistant.embedded.clauses.wanted import FilterWanted, PairWanted, RelatedWanted
from assistant.embedded.linking.options import ToColumn, ToTable
from assistant.embedded.meaning import OPPOSITE
from assistant.embedded.source.schema import Attribute
from assistant.embedded.words.cues import Cue

_ABOVE, _BELOW = (">", ">="), ("<", "<=")
_EITHER = 0.08
"""What it costs to take "those who bought X and Y" for those who bought either."""


_RELATIVE = frozenset(("that", "who", "which", "with", "having", "have", "has", "had"))


@dataclass
class Demands:
    """Turns filters of one draft that no single row can answer into conditions on related rows."""

    router: Router

    def settle(self) -> None:
        """Take from the draft's filters what is said of several rows."""
        for pair in self.router.draft.pairs:
            self._settle_pair(pair)
        settle_lists(self.router.draft)
        filters = self.router.draft.filters
        for together in self._opposed():
            self._demand_both(together)
        missing = [f for f in filters if f.operator == "missing" and self._must_not_meet(f)]
        self._claim_by_absences()
        for wanted in [f for f in filters if f.every and self._many(f.attribute)]:
            self._demand_of_all(wanted)
        for wanted in list(filters):
            if wanted in missing or self._must_not_meet(wanted):
                filters.remove(wanted)
        self._refuse_two_of_one_key()
        for together in self._same_column():
            self._demand_both(together)

    def _settle_pair(self, pair: PairWanted) -> None:
        """ "courses held in spring 2024 but not in autumn 2025": of rows that are many, one each; else alternatives."""
        draft, attribute = self.router.draft, pair.first[0].attribute
        if holds_both(draft, pair):
            return
        many = self._many(attribute)
        shared = None if many else self._told_by_rows(attribute, named=pair.sure)
        if pair.link == "or" or (not many and shared is None):
            if pair.link == "not" or pair.sure:
                raise Misfit("Rows that have both of two values at once are more than I can read.", weight=5)
            draft.filters += [*pair.first, *pair.second]
            aside(draft, pair.first, pair.second)
            return
        entity = draft.entity_of(attribute)
        operator, count = ("=", 0) if pair.link == "not" else (">=", 1)
        draft.related.append(
            RelatedWanted(entity, ">=", 1, pair.first[0].piece, pair.first, several=many, shared=shared)
        )
        draft.related.append(RelatedWanted(entity, operator, count, pair.second[0].piece, pair.second, shared=shared))
        draft.distinct = draft.distinct or shared is not None

    def _claim_by_absences(self) -> None:
        """ "without orders from stores in Bonn": what is said of the way to what there is none of belongs to it."""
        draft = self.router.draft
        for absent in [r for r in draft.related if r.count == 0 and r.shared is None]:
            parents = [e for e in self.router.schema.edges.get(absent.entity.name, ()) if not e.many]
            tables = {absent.entity.name, *(e.right for e in parents)}
            tables |= self._above(absent.entity.name, bridged=True) - self._above(self.router.base)
            ways = self.router.joins.best(self.router.base, absent.entity.name, draft.mentioned)
            tables |= {step.right for way in ways[:1] for step in way.steps}
            for wanted in [f for f in draft.filters if f.piece > absent.at and f.attribute.table in tables]:
                if wanted.attribute.table != self.router.base and not wanted.denied:
                    absent.filters.append(wanted)
                    draft.filters.remove(wanted)

    def _above(self, table: str, *, bridged: bool = False) -> set[str]:
        """A table and those that each of its rows belongs to, over any number of keys; where `bridged`, also those that
        these are tied to: a rental's film and the categories of that.
        """
        schema, found, further = self.router.schema, {table}, [table]
        while further:
            edges = schema.edges.get(further.pop(), ())
            new = {edge.right for edge in edges if not edge.many} - found
            new |= {e.right for e in edges if bridged and e.many and schema.entities[e.right].bridge} - found
            found |= new
            further += new
        return found

    def _must_not_meet(self, wanted: FilterWanted) -> bool:
        """ "customers not buying X": no related row has the value, rather than some row has another."""
        draft = self.router.draft
        if wanted.some or (wanted.operator not in ("!=", "not in", "missing") and not wanted.denied):
            return False
        many = self._many(wanted.attribute)
        shared = None if many or wanted.operator == "missing" else self._told_by_rows(wanted.attribute, named=False)
        if not many and shared is None:
            return False
        positive = replace(wanted, operator=OPPOSITE[wanted.operator], denied=False)
        filters = [] if positive.operator == "present" and wanted.attribute.always_known else [positive]
        entity = self.router.schema.entities[wanted.attribute.table]
        draft.related.append(RelatedWanted(entity, "=", 0, wanted.piece, filters, shared=shared))
        return True

    def _demand_of_all(self, wanted: FilterWanted) -> None:
        """ "customers with only paid bills": there are bills, and none of them is otherwise."""
        draft, entity = self.router.draft, self.router.schema.entities[wanted.attribute.table]
        otherwise = replace(wanted, operator=OPPOSITE[wanted.operator], every=False)
        draft.filters.remove(wanted)
        draft.related = [r for r in draft.related if r.entity != entity or r.filters or r.count != 1]
        draft.related.append(RelatedWanted(entity, ">=", 1, wanted.piece, [replace(wanted, every=False)]))
        draft.related.append(RelatedWanted(entity, "=", 0, wanted.piece, [otherwise]))

    def _many(self, attribute: Attribute) -> bool:
        return any(step.many for step in self.router.way(attribute.table))

    def _told_by_rows(self, attribute: Attribute, *, named: bool) -> Attribute | None:
        """ "which cities never had over 100 visits": a city is known by its rows, of which each may be another.

        Where the rows themselves are `named`, they are meant, unless no row can be.
        """
        draft = self.router.draft
        shown = draft.shown[0] if len(draft.shown) == 1 else None
        if shown is None or shown.table != self.router.base or shown == attribute or draft.wanted:
            return None
        named = named or self._asked_before(shown)
        if draft.subject is not None and not (named and draft.subject.name in (attribute.table, shown.table)):
            return None
        return shown if shown.role not in ("key", "other") else None

    def _asked_before(self, shown: Attribute) -> bool:
        """ "studios that have made films with X": what is asked for comes first, and its rows only say which."""
        pieces, subject = self.router.draft.pieces, self.router.draft.subject
        column = next((i for i, p in enumerate(pieces) if isinstance(p.option, ToColumn)), len(pieces))
        table = next((i for i, p in enumerate(pieces) if isinstance(p.option, ToTable)), -1)
        option = pieces[column].option if column < table else None
        if not isinstance(option, ToColumn) or option.attribute != shown or subject is None:
            return False
        return any(p.span.text.lower().split()[0] in _RELATIVE for p in pieces[column + 1 : table])

    def _same_column(self) -> list[list[FilterWanted]]:
        """The filters on one column, where no row can fulfil all of them."""
        by_column: dict[tuple[str, str], list[FilterWanted]] = {}
        for wanted in self.router.draft.filters:
            if wanted.side is not None or wanted.other is not None or wanted.piece < 0:
                continue
            if wanted.operator in ("=", *_ABOVE, *_BELOW):
                by_column.setdefault((wanted.attribute.table, wanted.attribute.name), []).append(wanted)
        found = [sorted(held, key=lambda f: f.piece) for held in by_column.values() if len(held) > 1]
        return [held for held in found if not self.router.draft.either and (_distinct(held) or _contradict(held))]

    def _opposed(self) -> list[list[FilterWanted]]:
        """ "a branch with a pool and one without": what is so and what is not are two rows."""
        found: list[list[FilterWanted]] = []
        flags = [f for f in self.router.draft.filters if f.attribute.role == "flag" and f.side is None and f.piece >= 0]
        for one, other in pairwise(sorted(flags, key=lambda f: f.piece)):
            same = one.attribute == other.attribute and one.values == other.values
            if same and {one.operator, other.operator} == {"=", "!="} and not self.router.draft.either:
                found.append([one, other])
        return found

    def _refuse_two_of_one_key(self) -> None:
        """A row cannot refer to what has another value than its own key: both values are of one column."""
        equal = [f for f in self.router.draft.filters if f.operator == "="]
        for one in equal:
            edges = self.router.schema.edges.get(one.attribute.table, ())
            keys = {(e.right, e.right_columns) for e in edges if e.left_columns == (one.attribute.name,)}
            for other in equal:
                if (other.attribute.table, (other.attribute.name,)) in keys and one.values != other.values:
                    raise Misfit(f"I could not tell whose “{other.attribute.words}” that is.", weight=1)

    def _demand_both(self, together: list[FilterWanted]) -> None:
        """ "who bought X and Y": a row for each must be there; none can be both at once."""
        draft, attribute = self.router.draft, together[0].attribute
        sure = draft.both or _contradict(together)
        if not sure and (not self._joined(together) or self._of_each(together)):
            return
        many = self._many(attribute)
        shared = None if many else self._told_by_rows(attribute, named=sure)
        if not many and shared is None:
            if sure:
                raise Misfit("Rows that have both of two values at once are more than I can read.", weight=5)
            return
        listed = any(
            a.table == attribute.table for a in (*draft.shown, *(g for g in draft.groups)) if isinstance(a, Attribute)
        )
        if not sure and listed and shared is None:
            return
        if not sure and draft.choose(f"both of {attribute.name}", 2):
            self.router.penalty += _EITHER
            return
        for wanted in together:
            entity = draft.entity_of(attribute)
            draft.related.append(RelatedWanted(entity, ">=", 1, wanted.piece, [wanted], several=many, shared=shared))
            draft.filters.remove(wanted)
        draft.distinct = draft.distinct or shared is not None

    def _of_each(self, together: list[FilterWanted]) -> bool:
        """ "the score of Amsler and Bolt", "where are Amsler and Bolt?": each by its own name has one of its own."""
        draft, attribute = self.router.draft, together[0].attribute
        first = min(wanted.piece for wanted in together)
        named = attribute.name in draft.entity_of(attribute).label
        return named and attribute.table == self.router.base and draft.word(first - 1) in _OF_EACH

    def _joined(self, together: list[FilterWanted]) -> bool:
        """Whether an "and", and no "or", stands between each two of them."""
        pieces = self.router.draft.pieces
        for one, other in pairwise(together):
            kinds = {p.option.kind for p in pieces[one.piece : other.piece] if isinstance(p.option, Cue)}
            if "and" not in kinds or "or" in kinds:
                return False
        return True


_OF_EACH = frozenset(("of", "for", "is", "are", "was", "were", "do", "does", "did"))
"""Behind these stand those of whom something is asked, one by one."""


def _distinct(held: list[FilterWanted]) -> bool:
    """Whether each demands a value of its own."""
    return all(f.operator == "=" for f in held) and len({f.values for f in held}) == len(held)


def _contradict(held: list[FilterWanted]) -> bool:
    """ "over 10 and under 5", "with and without": no row is both."""
    if {f.operator for f in held} == {"=", "!="}:
        return True
    low = [f.values[0] for f in held if f.operator in _ABOVE]
    high = [f.values[0] for f in held if f.operator in _BELOW]
    numbers = all(isinstance(v, int | float) for v in (*low, *high))
    return bool(low and high) and numbers and max(map(float, low)) >= min(map(float, high))
