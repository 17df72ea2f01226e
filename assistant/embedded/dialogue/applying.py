"""What a follow-up says, put into what was meant before: it replaces, adds to or narrows it, and loses nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from assistant.embedded.assembly.chosen import chosen_as_condition
from assistant.embedded.clauses.draft import Draft, FilterWanted, Group, Misfit, PeriodWanted, Wanted
from assistant.embedded.clauses.periods import one_period
from assistant.embedded.dates import Period, describe, month_start
from assistant.embedded.dialogue.ordering import alike, figures_of, gives_way, kind, put_order
from assistant.embedded.dialogue.signs import Wish
from assistant.embedded.linking.naming import equality
from assistant.embedded.meaning import Aggregate, Grain, Meaning
from assistant.embedded.source.schema import Attribute, Entity

if TYPE_CHECKING:
    from knowledge.documents import Term

_AGGREGATES: tuple[Aggregate, ...] = ("average", "sum", "minimum", "maximum")


def apply(change: Draft, draft: Draft, previous: Meaning, wish: Wish) -> None:
    """Put what the follow-up says into the draft of the meaning before.

    Raises:
        Misfit: it cannot be put there without losing something.
    """
    draft.mention(*change.mentioned)
    _aggregates(change, draft, wish)
    _things(change, draft, previous, wish)
    _counted_kind(change, draft, wish)
    _figures(change, draft, wish)
    _groups(change, draft, wish)
    _columns(change, draft, wish)
    _conditions(change, draft, wish)
    _periods(change, draft, previous, wish)
    _shifted(draft, wish)
    if change.chart:
        draft.chart = change.chart
    if change.share or wish.share:
        draft.share = True
        draft.portion = None if not (draft.groups or draft.grains or draft.parts) else False
    put_order(change, draft, wish)


def _aggregates(change: Draft, draft: Draft, wish: Wish) -> None:
    """ "as average", "the maximum too": the same number, taken together otherwise."""
    said = [(i, cue.kind) for i, cue in change.cues(*_AGGREGATES)]
    if not said or change.wanted:
        return
    figures = figures_of(draft)
    attribute = next((w.attribute for w in figures if w.attribute is not None and w.until is None), None)
    if attribute is None:
        named = figures[0].metric.name if figures and figures[0].metric else "a count"
        raise Misfit(f"I cannot take {named} as another aggregate; name the number you mean.", weight=7)
    for at, aggregate in said:
        change.use(at)
        change.wanted.append(Wanted(aggregate=aggregate, attribute=attribute))  # pyright: ignore[reportArgumentType]


def _things(change: Draft, draft: Draft, previous: Meaning, wish: Wish) -> None:
    """A table by itself: shown beside what is there, "with their supplier", or in the place of what was counted."""
    thing = change.subject
    if thing is None or change.groups or change.wanted:
        return
    said = change.filters or change.terms or change.related or change.periods or change.bounds or change.compared
    own = {f.attribute.table for f in change.filters} | {r.entity.name for r in change.related}
    own |= {table.name for t, _ in change.terms if (table := draft.schema.find_entity(t.table or ""))}
    shown = [*(w.entity for w in figures_of(draft)), draft.subject, *draft.groups]
    foreign = thing.name not in previous.tables() and (wish.swaps or thing.name not in own)
    if (foreign and (said or change.order or change.limit)) or (change.bounds and thing not in shown):
        raise Misfit(f"“{thing.many}” are not what was shown before.", weight=3)
    if said:
        return  # "only closed tickets": the word says of what
    if thing.bridge:
        raise Misfit(f"I could not tell what to do with “{thing.many}”.", weight=3)
    figures = figures_of(draft)
    if wish.beside or (wish.adds and not figures) or (change.shown and not figures):
        label = [thing.attributes[name] for name in thing.label]
        if not change.shown:
            change.shown = label
        return
    if wish.adds:
        change.wanted.append(Wanted(aggregate="count", entity=thing))
        return
    if change.shown or change.chart or change.order or change.limit:
        return
    counted = [w for w in figures if w.entity is not None]
    if len(figures) == 1 and counted and not draft.having:
        change.wanted.append(Wanted(aggregate="count", entity=thing))
        return
    raise Misfit(f"I could not tell what to do with “{thing.many}”; ask for them in a question of their own.", weight=6)


def _figures(change: Draft, draft: Draft, wish: Wish) -> None:
    if not change.wanted:
        return
    if not figures_of(draft) and draft.subject is not None and not draft.groups:
        _figures_of_rows(change, draft, wish)
        return
    if wish.adds or wish.beside:
        draft.wanted += [w for w in change.wanted if w not in figures_of(draft)]
        return
    for bound, _, _ in draft.having:
        bound.context = bound not in change.wanted
    draft.order = [(change.wanted[0] if isinstance(t, Wanted) else t, down) for t, down in draft.order]
    draft.wanted = list(change.wanted)


def _figures_of_rows(change: Draft, draft: Draft, wish: Wish) -> None:
    """ "with their number of orders" of a list: a figure for each row of it."""
    entity = draft.subject
    assert entity is not None, "asked by its caller"
    own = [w.attribute for w in change.wanted if w.attribute is not None and w.attribute.table == entity.name]
    if wish.adds or wish.beside:
        counted = [w.entity for w in change.wanted if w.entity is not None and w.entity != entity]
        if any(not _has_many(draft, entity, other) for other in counted):
            raise Misfit(f"I could not tell which of them belong to the {entity.many}.", weight=4)
        if draft.limit or draft.order:
            raise Misfit("I cannot add a figure to a ranked list; ask for both in one question.", weight=7)
        draft.groups = [entity, *(a for a in draft.shown if a.name not in entity.label)]
        draft.shown, draft.subject = [], None
    elif not own and not any(w.entity == entity or (w.metric and w.metric.table == entity.name) for w in change.wanted):
        draft.subject, draft.shown, draft.order = None, [], []
    else:
        draft.subject, draft.shown, draft.order = None, [], []
    draft.wanted = list(change.wanted)


def _groups(change: Draft, draft: Draft, wish: Wish) -> None:
    named: list[Group] = [*change.groups]
    if change.ranked is not None:
        named = [change.ranked]
    if not named and not change.grains and not change.parts:
        return
    if wish.adds or wish.further:
        if draft.limit and not change.limit:
            _within_first(draft)
        draft.groups += [g for g in named if g not in draft.groups]
        draft.grains.extend(g for g in change.grains if g not in draft.grains)
        draft.parts.extend(p for p in change.parts if p not in draft.parts)
        draft.ranged += change.ranged
        return
    if not figures_of(draft) and draft.limit:
        raise Misfit("These rows are the first of their kind; group them in a question of its own.", weight=7)
    ranked = draft.limit is not None and any(isinstance(t, Wanted) for t, _ in draft.order)
    draft.groups = named
    draft.grains, draft.parts = change.grains, change.parts
    draft.ranged, draft.within = list(change.ranged), []
    kept = [(t, d) for t, d in draft.order if isinstance(t, Wanted)]
    if (change.grains or change.parts) and ranked:
        draft.wanted = figures_of(draft)
        draft.limit, draft.ties, draft.place, kept = None, False, 1, []
    draft.order = [*kept]


def _within_first(draft: Draft) -> None:
    """The first of their kind stay the ones that are shown, while they are broken down."""
    chosen = chosen_as_condition(draft)
    draft.wanted, draft.order, draft.having, draft.firsts = chosen.wanted, [], [], chosen.firsts
    draft.limit, draft.ties, draft.place = None, False, 1


def _columns(change: Draft, draft: Draft, wish: Wish) -> None:
    """Columns that are shown beside what is there, or in its place: "just the emails"."""
    if not change.shown:
        return
    if figures_of(draft):
        _beside_groups(change, draft, wish)
        return
    label = [draft.subject.attributes[n] for n in draft.subject.label] if draft.subject else []
    if wish.adds or wish.beside:
        before = draft.shown or label
        draft.shown = [*before, *(a for a in change.shown if a not in before)]
    else:
        draft.shown = list(change.shown)


def _beside_groups(change: Draft, draft: Draft, wish: Wish) -> None:
    """Columns beside figures: what is told of a group, as its email; or else a number, which is one more figure."""
    rows = [g for g in draft.groups if isinstance(g, Entity)]
    for attribute in change.shown:
        told = any(attribute.table == g.name or _owned(draft, g, attribute.table) for g in rows)
        if told and not draft.grains:
            draft.groups += [attribute] if attribute not in draft.groups else []
            draft.order = draft.order or [(figures_of(draft)[0], True)]
        elif attribute.is_number:
            aggregate: Aggregate = "sum" if attribute.adds_up else "average"
            draft.assumptions.append(
                f"“{attribute.words}” stands for its {'total' if aggregate == 'sum' else 'average'}"
            )
            change.wanted = [Wanted(aggregate=aggregate, attribute=attribute)]
            _figures(change, draft, wish)
        else:
            raise Misfit(f"I could not place “{attribute.words}” beside these figures.", weight=6)


def _has_many(draft: Draft, entity: Entity, other: Entity) -> bool:
    """Whether rows of another table belong to a row of this one, by a key or over a bridge or one further table."""
    first = [edge.right for edge in draft.schema.edges.get(entity.name, ()) if edge.many]
    second = [edge.right for name in first for edge in draft.schema.edges.get(name, ())]
    bridged = [e for n in first if draft.schema.entities[n].bridge for e in draft.schema.edges.get(n, ())]
    lines = [edge.right for name in first for edge in draft.schema.edges.get(name, ()) if edge.many]
    return other.name in (*first, *lines, *(e.right for e in bridged if e.right in second))


def _owned(draft: Draft, entity: Entity, table: str) -> bool:
    """Whether each row of a table belongs to one of another."""
    return any(edge.right == table and not edge.many for edge in draft.schema.edges.get(entity.name, ()))


def _conditions(change: Draft, draft: Draft, wish: Wish) -> None:
    if wish.includes:
        _include(change, draft)
        return
    for wanted in change.filters:
        draft.filters = _without_replaced(draft, change, wanted, wish)
    for wanted in change.filters:
        if not _taken_out(draft, wanted):
            draft.filters.append(wanted)
    _terms(change, draft, wish)
    draft.related = [r for r in draft.related if not any(_same_rows(r, other) for other in change.related)]
    draft.related += change.related
    draft.compared = [c for c in draft.compared if not any(c.attribute == o.attribute for o in change.compared)]
    draft.compared += change.compared
    if change.having:
        figures = figures_of(draft)
        for wanted, operator, value in change.having:
            twin = next((w for w in figures if alike(w, wanted)), None)
            if twin is None:
                wanted.context = True
            draft.having = [h for h in draft.having if not (h[0] == (twin or wanted) and h[1] == operator)]
            draft.having.append((twin or wanted, operator, value))


def _terms(change: Draft, draft: Draft, wish: Wish) -> None:
    """The company's words for rows: one takes the place of its opposite, and of what says the same column otherwise."""
    columns = [f.attribute for f in change.filters if f.operator == "="]
    columns += [a for term, _ in change.terms if (a := _column_of(draft, term)) is not None]
    if not wish.also:
        draft.terms = [t for t in draft.terms if _column_of(draft, t[0]) not in columns]
        told = [_column_of(draft, term) for term, _ in change.terms]
        draft.filters = [f for f in draft.filters if f.operator != "=" or f.attribute not in told]
    if wish.adds or wish.swaps or wish.instead:
        named = {f.attribute.table for f in change.filters if f.operator == "="}
        swapped = [t for t in draft.terms if t[0].table in named and not t[1]]
        if swapped and draft.choose("instead of what they were called", 2) == 0:
            draft.terms = [t for t in draft.terms if t not in swapped]  # "and closed ones?" after open tickets
    if wish.adds or wish.swaps or wish.instead:
        kinds = {term.table for term, denied in change.terms if not denied}
        draft.terms = [t for t in draft.terms if t[0].table not in kinds]
    draft.terms = [t for t in draft.terms if (t[0], not t[1]) not in change.terms]
    draft.terms += [t for t in change.terms if t not in draft.terms]


def _column_of(draft: Draft, term: Term) -> Attribute | None:
    """The column of a term that only says which value it has."""
    said = equality(term.sql or "")
    return draft.schema.find(term.table or "", said[0]) if said else None


def _include(change: Draft, draft: Draft) -> None:
    """ "include the cancelled ones": no longer left out; where nothing left them out they are there already."""
    for wanted in change.filters:
        own = [f for f in draft.filters if f.attribute == wanted.attribute]
        denied = [f for f in own if kind(f.operator) == "!=" and set(wanted.values) & set(f.values)]
        if denied:
            draft.filters = [f for f in draft.filters if f not in denied]
            left = [replace(f, operator="!=", values=(v,)) for f in denied for v in f.values if v not in wanted.values]
            draft.filters += left
        elif any(kind(f.operator) == "=" for f in own):
            draft.filters.append(wanted)
        else:
            raise Misfit("They are included already; say “only …” to see them alone.", weight=8)
    for term, denied_before in change.terms:
        if (term, not denied_before) not in draft.terms:
            raise Misfit("They are included already; say “only …” to see them alone.", weight=8)
        draft.terms.remove((term, not denied_before))


def _counted_kind(change: Draft, draft: Draft, wish: Wish) -> None:
    """ "and churned customers?" after a metric that counts customers: these are counted in the place of those."""
    figures = figures_of(draft)
    terms = [term for term, denied in change.terms if not denied]
    if len(figures) != 1 or len(terms) != 1 or change.wanted or not (wish.adds or wish.swaps or wish.instead):
        return
    metric, entity = figures[0].metric, draft.schema.find_entity(terms[0].table or "")
    if metric is None or entity is None or draft.schema.find_entity(metric.table) != entity or draft.having:
        return
    if metric.expression.upper().startswith("COUNT("):
        wish_figure = Wanted(aggregate="count", entity=entity)
        draft.order = [(wish_figure if isinstance(t, Wanted) else t, down) for t, down in draft.order]
        draft.wanted = [wish_figure]


def _same_rows(one: object, other: object) -> bool:
    from assistant.embedded.clauses.draft import RelatedWanted

    if not isinstance(one, RelatedWanted) or not isinstance(other, RelatedWanted):
        return False
    return one.entity == other.entity and (one.count > 0) == (other.count > 0)


def _without_replaced(draft: Draft, change: Draft, wanted: FilterWanted, wish: Wish) -> list[FilterWanted]:
    """The conditions before, without those in whose place the new one stands."""
    own = [f for f in draft.filters if f.attribute == wanted.attribute]
    if wanted.operator == "!=":
        return list(draft.filters)  # what is left out adds to what was left out before
    if wanted.operator == "=" and _is_added(draft, wanted, wish):
        return [f for f in draft.filters if f not in own or f.operator in ("=", "in")]
    if wanted.operator == "=":
        return [f for f in draft.filters if f not in own or kind(f.operator) not in ("=", "!=")]
    return [f for f in draft.filters if f not in own or not gives_way(f, wanted)]


def _is_added(draft: Draft, wanted: FilterWanted, wish: Wish) -> bool:
    """ "the west too": beside the values before; "and the west?" where each of them is shown by itself."""
    if wish.also:
        return True
    entity = draft.entity_of(wanted.attribute)
    shown = wanted.attribute in draft.groups or (entity in draft.groups and wanted.attribute.name in entity.label)
    return wish.adds and shown


def _taken_out(draft: Draft, wanted: FilterWanted) -> bool:
    """ "without the north" after "only the north and the south": one value less."""
    if wanted.operator != "!=":
        return False
    own = [f for f in draft.filters if f.attribute == wanted.attribute and f.operator in ("=", "in")]
    values = [v for f in own for v in f.values]
    if not set(wanted.values) & set(values):
        return False
    kept = [v for v in values if v not in wanted.values]
    if not kept:
        raise Misfit(f"Without {wanted.values[0]} nothing would be left.", weight=7)
    draft.filters = [f for f in draft.filters if f not in own]
    draft.filters += [replace(own[0], operator="=", values=(value,)) for value in kept]
    return True


def _periods(change: Draft, draft: Draft, previous: Meaning, wish: Wish) -> None:
    if not change.periods:
        return
    dated = [r for r in draft.related if r.period is not None]
    if not draft.periods and len(dated) == 1 and len(change.periods) == 1:
        dated[0].period = change.periods[0].period  # "who ordered in 2025", "and in 2024?"
        return
    for wanted in change.periods:
        wanted.period = _in_year_before(wanted, change, previous)
    named = [p for p in change.periods if p.attribute is not None]
    others = [p for p in draft.periods if named and p.attribute not in [n.attribute for n in named]]
    if others:
        draft.periods = [*others, *change.periods]  # "only products launched in 2025", of the revenue of 2026
        return
    if (within := _joined(draft.periods, change.periods)) is not None:
        draft.periods = [within]
    elif wish.also and draft.periods:
        draft.periods = [*draft.periods, *change.periods]
        if not one_period(draft):
            raise Misfit("I can only show periods together that follow on one another; ask for each of them.", weight=7)
    else:
        draft.periods = change.periods
    before = next(iter(previous.times), None)
    for period in draft.periods:
        if period.attribute is None and before is not None:
            period.attribute = draft.schema.attribute(before.column.table, before.column.column)


def _joined(before: Sequence[PeriodWanted], said: Sequence[PeriodWanted]) -> PeriodWanted | None:
    """ "until June" after "since March": both bounds hold."""
    if len(before) != 1 or len(said) != 1:
        return None
    one, other = before[0].period, said[0].period
    if (one.start is None) == (one.end is None) or (other.start is None) == (other.end is None):
        return None
    start, end = one.start or other.start, one.end or other.end
    if start is None or end is None or start >= end:
        return None
    return replace(before[0], period=Period(start=start, end=end, label=describe(start, end)))


def _shifted(draft: Draft, wish: Wish) -> None:
    """ "the month before": the same span, a step earlier or later."""
    if wish.shift is None:
        return
    grain, step = wish.shift
    if len(draft.periods) != 1:
        raise Misfit(f"The {grain} before what? Name the period, as in “in March 2025”.", weight=8)
    period = draft.periods[0].period
    if period.start is None or period.end is None:
        raise Misfit(f"The {grain} before what? Name the period, as in “in March 2025”.", weight=8)
    start, end = (_stepped(day, grain, step) for day in (period.start, period.end))
    draft.periods = [replace(draft.periods[0], period=Period(start=start, end=end, label=describe(start, end)))]


def _stepped(day: date, grain: Grain, step: int) -> date:
    if grain in ("day", "week"):
        return day + timedelta(days=step * (7 if grain == "week" else 1))
    months = {"month": 1, "quarter": 3, "year": 12}[grain] * step
    first = month_start(day, months)
    last = (month_start(first, 1) - first).days
    return first.replace(day=min(day.day, last))


def _in_year_before(wanted: PeriodWanted, change: Draft, previous: Meaning) -> Period:
    """ "what about Q2?" after a quarter of 2024 is that of 2024, for nobody named another year."""
    period, time = wanted.period, next(iter(previous.times), None)
    said = [p.span.text.lower() for p in change.pieces]
    if time is None or not (time.start and time.end and period.start and period.end):
        return period
    if any(any(c.isdigit() for c in w[-4:]) and len(w.split()[-1]) >= _YEAR for w in said):
        return period
    if any(set(words.split()) & _RELATIVE for words in said):
        return period
    last = date.fromordinal(time.end.toordinal() - 1)
    shift = time.start.year - period.start.year
    if last.year != time.start.year or not shift:
        return period
    start, end = _moved(period.start, shift), _moved(period.end, shift)
    return Period(start=start, end=end, label=describe(start, end))


_YEAR = 4
_RELATIVE = frozenset(
    ("last", "this", "next", "current", "previous", "past", "ago", "today", "yesterday", "ytd", "now", "since", "until")
)


def _moved(day: date, years: int) -> date:
    return day.replace(year=day.year + years, day=min(day.day, 28) if day.month == 2 else day.day)
