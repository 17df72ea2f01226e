"""What a follow-up says, put into what was meant before: it replaces, adds to or narrows it, and loses nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from assistant.embedded.assembly.chosen import chosen_as_condition
from assistant.embedded.clauses.draft import Draft, FilterWanted, Group, Misfit, PeriodWanted, Wanted
from assistant.embedded.clauses.periods import one_period
from assistant.embedded.dates import Period, describe
from assistant.embedded.dialogue.ordering import alike, figures_of, put_order
from assistant.embedded.dialogue.signs import Wish
from assistant.embedded.meaning import Aggregate, Meaning
from assistant.embedded.source.schema import Entity

_AGGREGATES: tuple[Aggregate, ...] = ("average", "sum", "minimum", "maximum")


def apply(change: Draft, draft: Draft, previous: Meaning, wish: Wish) -> None:
    """Put what the follow-up says into the draft of the meaning before.

    Raises:
        Misfit: it cannot be put there without losing something.
    """
    draft.mention(*change.mentioned)
    _aggregates(change, draft, wish)
    _things(change, draft, wish)
    _figures(change, draft, wish)
    _groups(change, draft, wish)
    _columns(change, draft, wish)
    _conditions(change, draft, wish)
    _periods(change, draft, previous, wish)
    if change.chart:
        draft.chart = change.chart
    if change.share or wish.share:
        draft.share = True
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
    for at, kind in said:
        change.use(at)
        change.wanted.append(Wanted(aggregate=kind, attribute=attribute))  # pyright: ignore[reportArgumentType]


def _things(change: Draft, draft: Draft, wish: Wish) -> None:
    """A table by itself: shown beside what is there, "with their supplier", or in the place of what was counted."""
    thing = change.subject
    if thing is None or change.groups or change.wanted:
        return
    said = change.filters or change.terms or change.related or change.periods or change.bounds or change.compared
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
        named = [g.name for g in draft.groups if isinstance(g, Entity)]
        if not named or draft.grains:
            raise Misfit(f"I could not place “{change.shown[0].words}” beside these figures.", weight=6)
        draft.groups += [a for a in change.shown if a not in draft.groups]
        draft.order = draft.order or [(figures_of(draft)[0], True)]
        return
    label = [draft.subject.attributes[n] for n in draft.subject.label] if draft.subject else []
    if wish.adds or wish.beside:
        before = draft.shown or label
        draft.shown = [*before, *(a for a in change.shown if a not in before)]
    else:
        draft.shown = list(change.shown)


def _conditions(change: Draft, draft: Draft, wish: Wish) -> None:
    for wanted in change.filters:
        draft.filters = _without_replaced(draft, change, wanted, wish)
    for wanted in change.filters:
        if not _taken_out(draft, wanted):
            draft.filters.append(wanted)
    draft.terms = [t for t in draft.terms if (t[0], not t[1]) not in change.terms]
    draft.terms += [t for t in change.terms if t not in draft.terms]
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
        return [f for f in draft.filters if f not in own or _kind(f.operator) not in ("=", "!=")]
    return [f for f in draft.filters if f not in own or _kind(f.operator) != _kind(wanted.operator)]


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


def _kind(operator: str) -> str:
    """Operators that replace one another: an equality an equality, a bound a bound of the same side."""
    return {"in": "=", ">=": ">", "<=": "<", "not in": "!="}.get(operator, operator)


def _periods(change: Draft, draft: Draft, previous: Meaning, wish: Wish) -> None:
    if not change.periods:
        return
    dated = [r for r in draft.related if r.period is not None]
    if not draft.periods and len(dated) == 1 and len(change.periods) == 1:
        dated[0].period = change.periods[0].period  # "who ordered in 2025", "and in 2024?"
        return
    for wanted in change.periods:
        wanted.period = _in_year_before(wanted, change, previous)
    if wish.also and draft.periods:
        draft.periods = [*draft.periods, *change.periods]
        if not one_period(draft):
            raise Misfit("I can only show periods together that follow on one another; ask for each of them.", weight=7)
    else:
        draft.periods = change.periods
    before = next(iter(previous.times), None)
    for period in draft.periods:
        if period.attribute is None and before is not None:
            period.attribute = draft.schema.attribute(before.column.table, before.column.column)


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
