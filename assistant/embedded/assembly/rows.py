"""Lists in a meaning: the rows of a table with chosen columns, in an order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.embedded.assembly.filters import Filters
from assistant.embedded.assembly.related import RelatedRows
from assistant.embedded.assembly.routing import Router
from assistant.embedded.assembly.timing import Timing
from assistant.embedded.clauses.draft import KEYS, Draft, Group, Misfit
from assistant.embedded.meaning import ColumnRef, Dimension, JoinStep, Meaning, Order
from assistant.embedded.source.dating import likeliest_date
from assistant.embedded.source.one_of import one_of
from assistant.embedded.source.schema import Attribute, Entity, called_above, column_label, repeats
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import name_words, spoken


@dataclass
class Rows:
    """Makes the list of one draft."""

    router: Router
    timing: Timing
    filters: Filters
    related: RelatedRows

    def meaning(self) -> Meaning:
        """The list.

        Raises:
            Misfit: it is not clear what to show, or by what to order.
        """
        draft = self.router.draft
        shown = list(draft.shown)
        for group in draft.groups:  # "the price of each product"
            if isinstance(group, Entity) and group in draft.agents and shown:
                draft.subject = draft.subject or group
            elif isinstance(group, Entity):
                draft.subject = draft.subject or group
                told = any(a.table == group.name and a.role in ("text", "key") for a in shown)
                if not told and not (shown and group.label == group.key and not self._heads(group, shown)):
                    label = [self.router.schema.attribute(group.name, n) for n in group.label]
                    shown = [*(a for a in label if a not in shown), *shown]
            elif group not in shown:
                shown.insert(0, group)
        shown = self._by_name(shown)
        if isinstance(draft.ranked, Entity):
            draft.subject = draft.subject or draft.ranked
        elif isinstance(draft.ranked, Attribute) and draft.ranked not in shown:
            shown.insert(0, draft.ranked)
        self.router.base = self._listing_base(shown)
        entity = self.router.schema.entities[self.router.base]
        asked = bool(shown)
        columns = [column for a in shown for column in self._named_ends(a, shown) or self._asked(a)]
        times, time_column = self.timing.times()
        if draft.all_columns:
            columns = [self._listed(a, context=False) for a in entity.attributes.values()]
        elif not asked:
            whole = one_of(self.router.schema, entity) if entity.label == entity.key else None
            named = whole if whole is not None and whole.label != whole.key else entity
            columns = [self._listed(named.attributes[n], context=False) for n in named.label]
        first = [self._leading(group) for group in draft.within]
        columns = [*first, *(c for c in columns if c.column not in [f.column for f in first])]
        orders: list[Order] = []
        for target, descending in draft.order:
            attribute = target if isinstance(target, Attribute) else None
            if isinstance(target, Entity):
                attribute = self.router.schema.attribute(target.name, target.label[0])
            if attribute is None:
                orders.append(Order(by="column", index=0, descending=descending))
                continue
            index = self._column_index(attribute, columns)
            if index is None:
                columns.append(self._listed(attribute, context=True))
                index = len(columns) - 1
            orders.append(Order(by="column", index=index, descending=descending))
        columns += self._whose(columns) if asked else self._explaining(columns)
        if draft.limit and not orders and _in_time(draft) and (date := likeliest_date(entity)) is not None:
            columns.append(self._listed(date, context=True))  # "the last 5 payments"
            orders.append(Order(by="column", index=len(columns) - 1, descending=not draft.descending))
            draft.assumptions.append(f"the first and the last {entity.many} go by their {date.words}")
        if draft.limit and not orders:
            raise Misfit(f"The first {draft.limit} of {entity.many} by which figure?", weight=5)
        single = len(shown) == 1 and not draft.order and shown[0].role != "key" and not draft.all_columns
        if single and draft.subject is None and _repeats(shown[0]):
            draft.distinct = True
        noun = self.router.schema.nouns.get(draft.subject.name) if draft.subject is not None else None
        if single and noun is not None and noun.name == shown[0].table:
            draft.distinct = True  # "the names of the hut guests": each guest once
        category = (
            single
            and shown[0].role == "text"
            and shown[0].name not in self.router.schema.entities[shown[0].table].label
            and _repeats(shown[0])
        )
        filters, related = self.filters.all(), self.related.all()
        related = (*related, *self.related.otherwise_none(times))
        if draft.weekdays:
            filters = (*filters, self.filters.on_weekdays(self.timing.dated(time_column)))
        meaning = Meaning(
            source=self.router.schema.source,
            base=self.router.base,
            base_label=entity.many,
            columns=tuple(columns),
            distinct=draft.distinct
            or (category and (draft.asks_which or draft.subject is None))
            or self._names_alone(entity, shown),
            filters=filters,
            either=draft.either,
            conditions=self.filters.conditions(),
            related=related,
            compared=self.filters.compared(),
            times=times,
            order=tuple(orders),
            limit=draft.limit,
            offset=draft.offset if draft.limit else 0,
            ties=draft.ties and draft.limit == 1,
            within=len(first) if draft.limit else 0,
            chart=draft.chart,
        )
        if draft.having:
            raise Misfit("It is not clear whose figures these are.", weight=5)
        return meaning

    def _names_alone(self, entity: Entity, shown: Sequence[Attribute]) -> bool:
        """Whether but names are asked for that rows without a key repeat: the cheapest product, in a file of sales."""
        draft = self.router.draft
        told = bool(shown) and all(a.role in ("text", "flag") and repeats(a, entity) for a in shown)
        own = not entity.key and all(a.table == entity.name for a in shown)
        return told and own and not draft.all_columns and (not draft.order or draft.ties)

    def _leading(self, group: Group) -> Dimension:
        """What rows are ranked within, told apart by its key."""
        if isinstance(group, Attribute):
            return self._listed(group, context=False)
        key = tuple(self.router.ref(group.attributes[name]) for name in group.key)
        first, *rest = (group.attributes[name] for name in group.label)
        more = tuple(self.router.ref(attribute) for attribute in rest)
        return self._listed(first, context=False).model_copy(update={"label": group.one, "more": more, "key": key})

    def _whose(self, columns: Sequence[Dimension]) -> list[Dimension]:
        """ "the score of Amsler and Bolt": what tells which is whose, where several rows are chosen by their names."""
        named = Counter((f.attribute.table, f.attribute.name) for f in self.router.draft.filters if f.operator == "=")
        base = self.router.schema.entities[self.router.base]
        label = [base.attributes[name] for name in base.label if named[base.name, name] > 1]
        return [self._listed(a, context=True) for a in label if self._column_index(a, columns) is None]

    def _explaining(self, columns: Sequence[Dimension]) -> list[Dimension]:
        """The columns that show why the rows were chosen: compared numbers and dates."""
        draft = self.router.draft
        wanted = [f.attribute for f in draft.filters if f.attribute.is_number or f.operator not in ("=", "missing")]
        wanted += [p.attribute for p in draft.periods if p.attribute] + [c.attribute for c in draft.compared]
        found: list[Dimension] = []
        for attribute in dict.fromkeys((a.table, a.name) for a in wanted):
            listed = self._listed(self.router.schema.attribute(*attribute), context=True)
            if (
                not listed.column.multiplies
                and self._column_index(self.router.schema.attribute(*attribute), columns) is None
            ):
                found.append(listed)
        return found

    def _by_name(self, shown: list[Attribute]) -> list[Attribute]:
        """The columns; in place of a key that is called like what it refers to, as `winning_pilot`, that one's name."""
        draft, schema = self.router.draft, self.router.schema
        roles = {a: e for a in shown if (e := schema.referred(a)) is not None and _is_role(a) and e.label != e.key}
        several = [e.name for e in roles.values()]
        found: list[Attribute] = []
        for attribute in shown:
            referred = roles.get(attribute)
            if referred is None or several.count(referred.name) > 1 or draft.says_key(attribute):
                found.append(attribute)
                continue
            draft.via.append(attribute)
            draft.mention(attribute.table, referred.name)
            draft.subject = draft.subject or draft.entity_of(attribute)
            label = [referred.attributes[name] for name in referred.label]
            if not any(a.table == referred.name for a in shown):
                found += label
        return found

    def _heads(self, group: Entity, shown: Sequence[Attribute]) -> bool:
        """ "For each ride, show the town of its station": where nothing of the ride is asked for, it says which."""
        said = self.router.draft.pieces[0].span.text.lower() if self.router.draft.pieces else ""
        return said.startswith("for each") and all(a.table != group.name for a in shown)

    def _listing_base(self, shown: Sequence[Attribute]) -> str:
        draft = self.router.draft
        tables = list(dict.fromkeys(a.table for a in shown))
        if draft.subject is not None:
            tables = [draft.subject.name, *(t for t in tables if t != draft.subject.name)]
        if not tables:
            if isinstance(draft.ranked, Entity):
                return draft.ranked.name
            ordered = [t.table for t, _ in draft.order if isinstance(t, Attribute)]
            if ordered:
                return ordered[0]
            spoken_of = [f.attribute.table for f in draft.filters]
            if spoken_of:
                self.router.penalty += 0.15
                return spoken_of[0]
            raise Misfit("It is not clear what should be shown.", weight=2)
        nouns = self.router.schema.nouns
        named = {*draft.mentioned, *(nouns[t].name for t in draft.mentioned if t in nouns)}
        if any(t not in named for t in tables):
            self.router.penalty += 0.09 * (len(tables) - 1)
        for table in tables:
            if all(other == table or self.router.reaches(table, other) for other in tables):
                if draft.subject is not None and table != draft.subject.name:
                    draft.passed.append(draft.subject)
                return table
        return draft.subject.name if draft.subject else tables[0]

    def _named_ends(self, attribute: Attribute, shown: Sequence[Attribute]) -> list[Dimension]:
        """What names each of two things of one kind that a row refers to: the home and the guest team of a match."""
        schema, referred = self.router.schema, self.router.schema.referred(attribute)
        several = sum(1 for a in shown if a.table == attribute.table and schema.referred(a) == referred) > 1
        if referred is None or not several or referred.label == referred.key:
            return []
        if self.router.draft.says_key(attribute) or len(referred.key) != 1 or referred.name == attribute.table:
            return []
        step = JoinStep(
            left=attribute.table,
            left_columns=(attribute.name,),
            right=referred.name,
            right_columns=referred.key,
            optional=True,
        )
        steps = (*self.router.way(attribute.table), step)
        refs = [ColumnRef(table=referred.name, column=name, steps=steps) for name in referred.label]
        label = attribute.words.removesuffix(" id")
        return [
            Dimension(column=ref, label=label if len(refs) == 1 else f"{label} {spoken(ref.column)}") for ref in refs
        ]

    def _asked(self, attribute: Attribute) -> list[Dimension]:
        """The columns that show one: names in place of a key to the row's own table."""
        above = self.router.above(attribute)
        label = called_above(attribute)
        if len(above) == 1:
            return [Dimension(column=above[0], label=label)]
        named = [Dimension(column=ref, label=f"{label} {spoken(ref.column)}") for ref in above]
        return named or [self._listed(attribute, context=False)]

    def _listed(self, attribute: Attribute, *, context: bool) -> Dimension:
        label = (
            column_label(self.router.schema, attribute)
            if attribute.table != self.router.base or not context
            else attribute.words
        )
        return Dimension(column=self.router.ref(attribute), label=label, context=context)

    def _column_index(self, attribute: Attribute, columns: Sequence[Dimension]) -> int | None:
        for i, column in enumerate(columns):
            if (column.column.table, column.column.column) == (attribute.table, attribute.name):
                return i
        return None


def _repeats(attribute: Attribute) -> bool:
    """Whether a text column holds the same few values again and again."""
    profile = attribute.column.profile
    return profile is not None and bool(profile.top) and profile.top[0][1] > 1


def _in_time(draft: Draft) -> bool:
    """Whether "the last 5 payments" are asked for: they go by their day."""
    said = [p.span.text.lower().split() for p in draft.pieces if isinstance(p.option, Cue) and p.option.kind == "top"]
    return any({"first", "last"} & set(words) for words in said)


def _is_role(attribute: Attribute) -> bool:
    """Whether a column's name says what it refers to and no key of it."""
    return attribute.role == "reference" and not KEYS & set(name_words(attribute.name))
