"""Clauses about one figure per another ("average number of orders per customer", "ratio of A to B") and shares."""

from __future__ import annotations

from typing import cast

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.figuring.each_of import flows, over_rows, over_values
from assistant.embedded.clauses.figuring.figures import measure_at
from assistant.embedded.clauses.figuring.first_by import highest
from assistant.embedded.clauses.figuring.per_number import after_money, divided
from assistant.embedded.clauses.figuring.rates import of_one_kind
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToColumn, ToMetric, ToTable
from assistant.embedded.meaning import Grain
from assistant.embedded.source.numbered import numbers
from assistant.embedded.sql.measuring import adds_up

_ONE = frozenset(("a", "an", "one", "each", "every", "the average", "single"))


def averages_per(draft: Draft) -> None:
    """ "the average number of orders per customer", "average revenue per order"."""
    for i, _ in draft.cues("average"):
        if draft.pieces[i].span.text.lower().startswith("on "):
            _on_average(draft, i)
            continue
        if _per_period(draft, i):
            continue
        if _of_totals(draft, i):
            continue
        count = draft.after(i, plain_max=1)
        target = draft.after(count, plain_max=2) if count is not None and draft.cue_at(count, "count") else count
        option = draft.open(target)
        link = draft.after(target, plain_max=1) if target is not None else None
        cue = draft.cue_at(link, "group")
        place = draft.after(link, plain_max=1) if link is not None else None
        whole = draft.open(place)
        if not cue or cue.argument != "each" or target is None or place is None:
            continue
        if isinstance(whole, ToTable) and not _touches(draft, place):  # not "per customer country"
            over = over_rows(draft, option, whole.entity, counted=target != count)
        elif isinstance(whole, ToColumn):
            per = draft.pieces[link].span.text.lower() == "per" if link is not None else False
            over = over_values(draft, option, whole.attribute, counted=target != count, per=per)
        else:
            continue
        if over is None or link is None or count is None:
            continue
        draft.use(i, count, target, link, place)
        draft.mention(whole.entity.name if isinstance(whole, ToTable) else whole.attribute.table)
        if not highest(draft, i, over):
            draft.wanted.append(over)


def _of_totals(draft: Draft, at: int) -> bool:
    """ "the average of the total amount per customer": what all have together, divided by how many have any."""
    total = draft.after(at, plain_max=2)
    target = draft.after(total, plain_max=2) if total is not None and draft.cue_at(total, "sum") else None
    option = draft.open(target)
    link = draft.after(target, plain_max=1) if target is not None else None
    cue, place = draft.cue_at(link, "group"), draft.after(link, plain_max=1) if link is not None else None
    whole = draft.open(place)
    if not isinstance(option, ToColumn) or not isinstance(whole, ToTable) or not cue or cue.argument != "each":
        return False
    if not option.attribute.is_number or option.attribute.table == whole.entity.name:
        return False
    assert total is not None, "it leads to the column"
    assert target is not None, "it holds the column"
    assert link is not None, "it leads to the table"
    assert place is not None, "it holds the table"
    if _touches(draft, place):
        return False
    draft.use(at, total, target, link, place)
    draft.mention(whole.entity.name)
    per = Wanted(aggregate="count", entity=whole.entity)
    draft.wanted.append(Wanted(aggregate="sum", attribute=option.attribute, per=per))
    return True


def figures_per(draft: Draft) -> None:
    """ "cost per ticket by channel", "revenue per customer by segment": what one has on average, group by group."""
    for i, cue in draft.cues("group"):
        target, place = draft.before(i, plain_max=0), after_money(draft, i)
        whole, further = draft.open(place), draft.after(place, plain_max=0) if place is not None else None
        grouped = draft.cue_at(further, "group")
        if cue.argument == "each" and target is not None and place is not None and _per_number(draft, i, target, place):
            continue
        if cue.argument != "each" or not grouped or grouped.argument != "by" or target is None or place is None:
            continue
        if draft.pieces[i].span.text.lower() != "per" or not isinstance(whole, ToTable):
            continue
        over = over_rows(draft, draft.open(target), whole.entity, counted=False)
        if over is not None:
            draft.use(i, target, place)
            draft.mention(whole.entity.name)
            draft.wanted.append(over)


def _per_number(draft: Draft, at: int, target: int, place: int) -> bool:
    """ "freight per kilogram", "revenue per square metre by store": a figure by a number."""
    before = draft.before(target, plain_max=1)
    start = before if before is not None and draft.cue_at(before, "average", "sum", "count") else target
    first = draft.before(start, plain_max=1)
    ranked = first is not None and draft.cue_at(first, "group", "top", "minimum", "maximum", "best", "most")
    if draft.word(at) != "per" or ranked:
        return False  # "top 3 stores by revenue per square metre" is read where it is ranked
    over = divided(draft, start, target, place)
    if over is None:
        return False
    draft.use(start, target, at, place)
    draft.wanted.append(over)
    return True


def _per_period(draft: Draft, at: int) -> bool:
    """ "average number of orders per day", "average monthly revenue": a total divided by the number of periods."""
    grain = draft.after(at, plain_max=0)
    if draft.cue_at(grain, "grain"):
        first = draft.after(grain, plain_max=1) if grain is not None else None
    else:
        first, grain = draft.after(at, plain_max=1), None
    count = draft.cue_at(first, "count") is not None
    target = draft.after(first, plain_max=1) if count and first is not None else first
    option = draft.open(target)
    if grain is None and target is not None:
        grain = draft.after(target, plain_max=2)
    cue = draft.cue_at(grain, "grain")
    counted = isinstance(option, ToTable) and (count or first == target)
    counted = counted or (count and isinstance(option, ToColumn) and numbers(option.attribute))
    total = (isinstance(option, ToMetric) and adds_up(option.metric.expression)) or flows(option)
    said = draft.pieces[grain].span.text.lower() if grain is not None else ""
    if cue is None or grain is None or target is None or first is None or not (counted or total):
        return False
    if said.startswith("by ") or not cue.argument or (isinstance(option, ToTable) and not count and grain > target):
        return False
    draft.use(at, first, target, grain)
    per = Wanted(aggregate="distinct", grain=cast(Grain, cue.argument))
    if isinstance(option, ToTable):
        draft.mention(option.entity.name)
        over = Wanted(aggregate="count", entity=option.entity, per=per)
    elif isinstance(option, ToMetric):
        over = Wanted(metric=option.metric, per=per)
    else:
        assert isinstance(option, ToColumn), "rows, metrics and columns alone have a total"
        over = Wanted(aggregate="distinct" if count else "sum", attribute=option.attribute, per=per)
        if not count:
            draft.assumptions.append(f"“{option.attribute.words}” is added up for each {cue.argument}")
    if not highest(draft, at, over):
        draft.wanted.append(over)
    return True


def _touches(draft: Draft, at: int) -> bool:
    following = draft.after(at, plain_max=0)
    beside = draft.open(following)
    return draft.touches(at, following) and isinstance(beside, ToColumn)


def _on_average(draft: Draft, at: int) -> None:
    """ "how many orders does a customer place on average"."""
    counts = draft.cues("count")
    if not counts:
        _each_on_average(draft, at)
        return
    count = counts[0][0]
    target = draft.after(count)
    option = draft.open(target)
    if target is None or not isinstance(option, ToTable):
        return
    for place in range(target + 1, len(draft.pieces)):
        whole = draft.open(place)
        said = draft.pieces[place - 1].span.text.lower()
        each = draft.cue_at(place - 1, "group")
        if isinstance(whole, ToTable) and whole.entity != option.entity and (said in _ONE or each):
            over = over_rows(draft, option, whole.entity, counted=True)
            if over is not None:
                draft.use(count, target, place, at, *([place - 1] if each else []))
                draft.wanted.append(over)
            return


def _each_on_average(draft: Draft, at: int) -> None:
    """ "orders per customer on average": how many one of them has."""
    for i, cue in draft.cues("group"):
        target, place = draft.before(i, plain_max=0), draft.after(i, plain_max=1)
        part, whole = draft.open(target), draft.open(place)
        if cue.argument != "each" or target is None or place is None or _touches(draft, place):
            continue
        if isinstance(part, ToTable) and isinstance(whole, ToTable):
            over = over_rows(draft, part, whole.entity, counted=True)
            if over is not None:
                draft.use(at, target, i, place)
                draft.mention(whole.entity.name)
                draft.wanted.append(over)
                return


def ratios(draft: Draft) -> None:
    """ "the ratio of orders to customers", "ratio between revenue and marketing spend"."""
    for i, cue in draft.cues("ratio"):
        if cue.argument == "percent":
            _as_percent(draft, i)
            continue
        if _of_all(draft, i):
            continue
        first = draft.after(i, plain_max=1)
        over = _figure(draft, first)
        if over is None or first is None:
            continue
        link = next((n for n in range(first + 1, len(draft.pieces)) if not draft.pieces[n].used), None)
        if link is None:
            continue
        joining = draft.cue_at(link, "and") is not None
        second = draft.after(link, plain_max=1) if joining or draft.pieces[link].option is None else link
        under = _figure(draft, second)
        if under is None:
            continue
        draft.use(i, *([link] if joining else []))
        over.per = under
        draft.wanted.append(over)


def _is_figure(draft: Draft, at: int | None) -> bool:
    """Whether a metric or a number that adds up stands there: "freight share of revenue"."""
    option = draft.open(at)
    return isinstance(option, ToMetric) or (isinstance(option, ToColumn) and option.attribute.adds_up)


def _as_percent(draft: Draft, at: int) -> None:
    """ "marketing spend as a percentage of revenue": a ratio in percent."""
    over = _figure(draft, draft.before(at, plain_max=1))
    under = _figure(draft, draft.after(at, plain_max=1))
    if over is not None and under is not None:
        draft.use(at)
        over.per, over.unit = under, "%"
        draft.wanted.append(over)


def _of_all(draft: Draft, at: int) -> bool:
    """ "the ratio of cancelled orders to all orders": a share of the same rows."""
    tables = [(n, p.option.entity) for n, p in enumerate(draft.pieces) if n > at and isinstance(p.option, ToTable)]
    if len(tables) < 2 or tables[0][1] != tables[1][1] or tables[0][0] == at + 1:
        return False
    draft.use(at, tables[0][0], tables[1][0])
    draft.share = True
    draft.wanted.append(Wanted(aggregate="count", entity=tables[0][1]))
    return True


def _figure(draft: Draft, at: int | None) -> Wanted | None:
    """One side of a ratio: a figure outright, rows that are counted, or a column that is added up."""
    if at is None:
        return None
    option = draft.open(at)
    if isinstance(option, ToTable):
        draft.use(at)
        return Wanted(aggregate="count", entity=option.entity)
    found = measure_at(draft, at)
    if len(found) != 1:
        return None
    if found[0].attribute is not None and found[0].aggregate is None:
        found[0].aggregate = "sum"
    return found[0]


def share(draft: Draft) -> None:
    """ "share of revenue by region", "percentage of orders that were cancelled"."""
    for i, cue in draft.cues("share"):
        if _is_figure(draft, draft.before(i, plain_max=1)) and _is_figure(draft, draft.after(i, plain_max=1)):
            _as_percent(draft, i)
            continue
        draft.use(i)
        draft.share = True
        draft.parts_alone = not cue.argument and not draft.wanted
        if of_one_kind(draft, i):
            continue
        target = draft.after(i)
        option = draft.open(target)
        if isinstance(option, ToTable) and target is not None:
            draft.use(target)
            draft.wanted.append(Wanted(aggregate="count", entity=option.entity))
