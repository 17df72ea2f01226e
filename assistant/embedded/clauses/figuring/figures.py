"""Clauses about figures: what is added up or averaged, the chart it is drawn as, and what cannot be worked out here."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.figuring.how_many import counted, number_held
from assistant.embedded.clauses.figuring.per_number import divided_at
from assistant.embedded.clauses.figuring.runs import KINDS, aggregate_of, run_at
from assistant.embedded.clauses.figuring.totals import amount_of, refuse_text, total_of
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToColumn, ToMetric, ToTable, ToValue
from assistant.embedded.linking.units import can_be_in, is_time
from assistant.embedded.meaning import Aggregate, ChartKind
from assistant.embedded.source.schema import UNITS, Attribute, Entity, known_of
from assistant.embedded.words.cue_patterns import REASONS
from assistant.embedded.words.lexicon import stem


def unsupported(draft: Draft) -> None:
    """Questions the analyst knows it cannot answer."""
    for i, cue in draft.cues("unsupported"):
        if cue.argument == "why" and i == len(draft.pieces) - 1 and i > 1 and draft.cue_at(i - 1, "and"):
            draft.use(i - 1, i)  # "which were returned most, and why?"
            draft.assumptions.append("which they are is shown; why, the data does not say by itself")
            continue
        raise Misfit(REASONS[cue.argument], weight=9)


def charts(draft: Draft) -> None:
    """ "as a bar chart"."""
    for i, cue in draft.cues("chart"):
        draft.use(i)
        if cue.argument:
            draft.chart = cast(ChartKind, cue.argument)


def noise(draft: Draft) -> None:
    """ "case-insensitive", "side by side": what is done anyway."""
    for i, _ in draft.cues("noise"):
        draft.pieces[i].used = draft.pieces[i].aside = True
    for i, _ in draft.cues("as_zero"):
        draft.pieces[i].used = draft.pieces[i].aside = True
        draft.as_zero = True


def measure_at(draft: Draft, at: int | None) -> list[Wanted]:
    """Read a figure that begins at a piece ("average price", "number of orders", "net revenue") and use its pieces."""
    if at is None:
        return []
    if (over := divided_at(draft, at)) is not None:
        return [over]
    option = draft.open(at)
    if isinstance(option, ToMetric):
        draft.use(at)
        return [Wanted(metric=option.metric)]
    if isinstance(option, ToColumn) and option.attribute.is_number:
        draft.use(at)
        return [Wanted(attribute=option.attribute)]
    if draft.cue_at(at, "count"):
        return counted(draft, at)
    if draft.cue_at(at, "average", "sum", "minimum", "maximum", "how_much"):
        return _aggregated(draft, at)
    return []


def _number_before(draft: Draft, at: int) -> int | None:
    """ "what is the mileage of the drivers on average": what is averaged was named before."""
    options = [(i, draft.open(i)) for i in range(at)]
    return next((i for i, o in reversed(options) if isinstance(o, ToColumn) and o.attribute.is_number), None)


def _aggregated(draft: Draft, at: int) -> list[Wanted]:
    """ "average and maximum price of": several aggregates may share a column, several columns an aggregate."""
    aggregates, used, target, linked = run_at(draft, at)
    if not linked and aggregates[1:] == ["sum"]:
        aggregates = aggregates[:1]  # "the average total number of passengers": of the column that holds totals
    if target is not None and draft.asks_anew(at, target):
        target = None  # "how many litres were sold in total? Show the name"
    if target is None and draft.pieces[at].span.text.lower() == "on average":
        target = _number_before(draft, at)
    if aggregates == ["sum"] and (total := _called_total(draft, at, target)) is not None:
        draft.use(*used)
        return [Wanted(aggregate="sum", attribute=total)]
    if target is None:
        return []
    if draft.cue_at(at, "how_much") and draft.pieces[target - 1].span.text.lower() in _ONE:
        return []  # "how much does a bottle cost": nobody asks how many bottles
    numbered = number_held(draft, target)
    if numbered and aggregates != ["sum"]:
        used += [target, *numbered[:-1]]  # "the average number of votes", "of people injured"
        target = numbered[-1]
    if draft.cue_at(target, "count") and target not in used:
        if aggregates == ["sum"]:
            draft.use(*used)
            return counted(draft, target)
        return []
    option = draft.open(target)
    if isinstance(option, ToTable):  # "average track length"
        following = draft.after(target, plain_max=0)
        beyond = draft.open(following)
        if following is not None and isinstance(beyond, ToColumn) and beyond.attribute.table == option.entity.name:
            used.append(target)
            target, option = following, beyond
    if isinstance(option, ToMetric):
        if aggregates in (["sum"], ["average"]) and (
            aggregates == ["sum"] or option.metric.name.lower().startswith("av")
        ):
            draft.use(*used, target)
            return [Wanted(metric=option.metric)]
        return []
    chosen = target
    while aggregates == ["sum"] and chosen is not None and _chooses(draft, chosen, valued=chosen != target):
        chosen = draft.after(chosen, plain_max=0)  # "the total of all cancelled orders", "of lost and returned ones"
    if chosen is not None and chosen != target and isinstance(rows := draft.open(chosen), ToTable):
        target, option = chosen, rows
    if isinstance(option, ToTable) and aggregates == ["sum"] and _of_each_row(draft, at, option.entity):
        return []
    if isinstance(option, ToTable) and aggregates == ["sum"]:
        total = total_of(draft, option.entity)
        if total.aggregate == "count" and draft.cue_at(at, "how_much"):
            return []  # "how much do drivers earn": nobody asks how many they are
        draft.use(*used, target)
        return [total]
    if isinstance(option, ToTable) and (amount := amount_of(option.entity)) is not None:
        draft.use(*used, target)
        draft.assumptions.append(f"the figure of {option.entity.many} is their {amount.words}")
        return [Wanted(aggregate=a, attribute=amount) for a in aggregates]
    refuse_text(option, aggregates)
    found: list[Wanted] = []
    while isinstance(option, ToColumn) and (option.attribute.is_number or _has_extremes(option.attribute, aggregates)):
        found += [Wanted(aggregate=a, attribute=option.attribute) for a in aggregates]
        used.append(target)
        link = draft.after(target, plain_max=1)
        following = draft.after(link, plain_max=1) if link is not None and draft.cue_at(link, "and") else None
        option = draft.open(following)
        if not (isinstance(option, ToColumn) and option.attribute.is_number) or following is None or link is None:
            break
        used.append(link)
        target = following
    if found:
        draft.use(*used)
    return found


def _called_total(draft: Draft, at: int, target: int | None) -> Attribute | None:
    """ "total for Kestrel", "share of the total": of what, the column says that is called so, "Total ($)"."""
    option = draft.open(target)
    behind = (draft.word(at + 1) or " ").split(" ")[0]
    if isinstance(option, ToTable | ToMetric) or (isinstance(option, ToColumn) and behind not in _FOR):
        return None
    if not draft.pieces[at].span.text.lower().endswith("total") or (target is not None and behind not in _FOR):
        return None
    named = set(draft.mentioned) | ({*draft.schema.entities} if draft.schema.is_one_table else set())
    found = [a for a in draft.schema.attributes if a.table in named and a.is_number]
    totals = [a for a in found if _TOTAL in a.stems and set(a.stems) <= {_TOTAL, *UNITS, *draft.entity_of(a).stems}]
    return totals[0] if len(totals) == 1 else None


_FOR = frozenset(("for", "by", "per", "in", "from", "of", "does", "did", "do"))
_TOTAL = stem("total")
_ONE = frozenset(("a", "an", "one", "each", "every"))


def _chooses(draft: Draft, at: int, *, valued: bool) -> bool:
    """Whether a word only says which rows are meant: a value, or what joins it to the next one."""
    return isinstance(draft.open(at), ToValue) or (valued and draft.cue_at(at, "and", "or") is not None)


def _of_each_row(draft: Draft, at: int, entity: Entity) -> bool:
    """ "the order id, customer and total of all orders": with a key beside it, each row has its own."""
    listed = [p.option.attribute for p in draft.pieces[:at] if isinstance(p.option, ToColumn) and not p.used]
    enumerated = at > 0 and draft.pieces[at - 1].span.text.lower() == "and"
    return enumerated and any(a.table == entity.name and (a.name,) == entity.key for a in listed)


def _has_extremes(attribute: Attribute, aggregates: list[Aggregate]) -> bool:
    held = attribute.is_time or attribute.column.kind in ("integer", "number") or _is_code(attribute)
    return held and set(aggregates) <= {"minimum", "maximum"}


def _is_code(attribute: Attribute) -> bool:
    """Whether a text column holds but digits, so that one of its values is the highest: codes, numbers of rooms."""
    known = [str(value) for value in known_of(attribute.column)]
    return bool(known) and all(value.isdigit() for value in known)


def extremes(draft: Draft) -> None:
    """ "the highest, lowest and average cost", "minimum and maximum number of beds": several figures of one column."""
    for i, _ in draft.cues(*KINDS):
        if not draft.pieces[i].used and run_at(draft, i).linked:
            draft.wanted += [w for w in _aggregated(draft, i) if w not in draft.wanted]


def listed_extremes(draft: Draft) -> None:
    """ "the number of students, their average grade and their highest credit": one more figure of a list."""
    for i, cue in draft.cues("best"):
        target = draft.after(i, plain_max=0)
        option, aggregate = draft.open(target), aggregate_of(draft, i, cue)
        if target is None or aggregate is None or not isinstance(option, ToColumn) or not option.attribute.is_number:
            continue
        behind = draft.pieces[target + 1] if target + 1 < len(draft.pieces) else None
        chooses = behind is not None and (isinstance(behind.option, ToTable) or behind.span.text.lower() == "first")
        if not chooses and _goes_on_list(draft, i):
            draft.use(i, target)
            draft.extra.append(Wanted(aggregate=aggregate, attribute=option.attribute))


def _goes_on_list(draft: Draft, at: int) -> bool:
    """Whether a figure stands right before the comma or the "and" that leads to a place."""
    while at and draft.pieces[at - 1].span.text.lower() in _THEIRS and not draft.pieces[at].span.parted:
        at -= 1
    parted = draft.pieces[at].span.parted
    link = draft.before(at, plain_max=0)
    if link is not None and draft.cue_at(link, "and"):
        end = draft.before(link, plain_max=0)
    else:
        end = link if parted else None
    start = draft.before(end, plain_max=1) if end is not None else None
    if not isinstance(draft.open(end), ToColumn | ToTable) or start is None:
        return False
    return draft.cue_at(start, "count", "average", "sum", "minimum", "maximum") is not None


_THEIRS = frozenset(("the", "their", "its", "his", "her"))


def units(draft: Draft) -> None:
    """ "the average length in minutes", "how long does it take in hours": the unit in which figures are shown."""
    for i, cue in draft.cues("unit"):
        figures = [*draft.wanted, *(target for target, _ in draft.order if isinstance(target, Wanted))]
        for wanted in figures:
            if wanted.attribute is None or wanted.aggregate in ("count", "distinct"):
                continue
            if can_be_in(wanted.attribute, cue.argument) or (wanted.until is not None and is_time(cue.argument)):
                wanted.unit = cue.argument
                draft.use(i)


def _counted_too(draft: Draft) -> None:
    """ "the number and the average price of products": the rows are counted that the other figure is of."""
    for i, cue in draft.cues("count"):
        tables = [p.option.entity for p in draft.pieces[i:] if not p.used and isinstance(p.option, ToTable)]
        columns = [p.option.attribute for p in draft.pieces[i:] if isinstance(p.option, ToColumn)]
        if cue.argument == "too" and columns:
            draft.use(i)
            entity = tables[0] if tables else draft.entity_of(columns[0])
            draft.wanted.insert(0, Wanted(aggregate="count", entity=entity))


def _averaged(draft: Draft) -> None:
    """ "how much do clerks earn on average", "how many hours do they work on average": the average, and no total."""
    sums = [w for w in draft.wanted if w.aggregate == "sum" and w.attribute is not None and not w.per]
    for i, _ in draft.cues("average"):
        if draft.pieces[i].span.text.lower() == "on average" and len(sums) == len(draft.wanted) == 1:
            draft.use(i)
            draft.wanted = [replace(sums[0], aggregate="average")]
    for wanted in sums:
        if any(draft.pieces[i].span.text.lower() == "on average" for i in _averages(draft, wanted)):
            draft.wanted = [w for w in draft.wanted if w is not wanted]


def _averages(draft: Draft, summed: Wanted) -> list[int]:
    """The places where the average of what is added up is asked for as well."""
    also = any(w.aggregate == "average" and w.attribute == summed.attribute for w in draft.wanted)
    asked = draft.pieces[0].span.text.lower().startswith("how ")
    return [i for i, p in enumerate(draft.pieces) if also and asked and p.span.text.lower() == "on average"]


def _is_listed_number(draft: Draft, at: int) -> bool:
    """ "the name, city and number of beds of all huts", where each hut has such a number: one column of a list."""
    places = number_held(draft, at)
    option = draft.open(places[0]) if len(places) == 1 else None
    if not isinstance(option, ToColumn) or not option.attribute.is_amount or draft.groups or draft.wanted:
        return False
    if "total" in draft.pieces[at].span.text.lower() or draft.cues("group", "grain", "average", "sum", "best", "most"):
        return False
    table = option.attribute.table
    rows = [p.option.entity.name for p in draft.pieces[places[0] + 1 :] if isinstance(p.option, ToTable)]
    meant = [p for p in draft.pieces[:at] if p.option is not None]
    listed = [p.option.attribute.table for p in meant if isinstance(p.option, ToColumn) and not p.used]
    joined = all(isinstance(p.option, ToColumn) or p.span.text.lower() == "and" for p in meant)
    return joined and rows[:1] == [table] and bool(listed) and set(listed) == {table}


def measures(draft: Draft) -> None:
    """Every figure that is asked for outright."""
    _counted_too(draft)
    for i, _ in draft.cues("count"):
        if _is_listed_number(draft, i):
            draft.pieces[i].used = draft.pieces[i].aside = True
    for i, _ in draft.cues("sum"):
        if i and draft.pieces[i - 1].span.text.lower() == "in" and (draft.wanted or draft.having or draft.related):
            draft.use(i)  # "more than 40 in total"
    for i in range(len(draft.pieces)):
        option = draft.open(i)
        if isinstance(option, ToMetric) or draft.cue_at(i, "count", "average", "sum", "minimum", "maximum", "how_much"):
            found = measure_at(draft, i)
            if i in draft.kinds and found:
                found = [replace(w, only=only) for only in draft.kinds.pop(i) for w in found]
            draft.wanted += [w for w in found if w not in draft.wanted]
    _averaged(draft)
    draft.wanted += draft.extra
    draft.extra = []
    if draft.kinds:
        raise Misfit("I could not tell which figures the conditions belong to.", weight=3)
