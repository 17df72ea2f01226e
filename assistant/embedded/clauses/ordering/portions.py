"""Parts of a whole: what the first few make up of it, and groups that make up more than a part.

"share of revenue that comes from the top 5 customers", "regions with more than a fifth of revenue".
"""

from __future__ import annotations

from dataclasses import replace

from assistant.embedded.clauses.draft import Draft, Group
from assistant.embedded.clauses.figuring.rates import BEHIND
from assistant.embedded.clauses.ordering.within import names_rows
from assistant.embedded.clauses.wanted import FirstWanted, Wanted
from assistant.embedded.linking.options import ToColumn, ToMetric, ToTable
from assistant.embedded.sql.measuring import adds_up
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import is_past


def of_the_first(draft: Draft) -> None:
    """The part of a figure that belongs to those with the most of it."""
    shares, tops = draft.cues("share"), draft.cues("top")
    if not shares or len(tops) != 1 or draft.cues("group", "grain", "part"):
        return
    at, cue = tops[0]
    figures = [(i, p.option) for i, p in enumerate(draft.pieces) if isinstance(p.option, ToMetric) and not p.used]
    place = draft.after(at, plain_max=1)
    option = draft.open(place)
    if cue.number is None or place is None or not names_rows(draft, place):
        return
    if not isinstance(option, ToTable | ToColumn) or any(o.metric != figures[0][1].metric for _, o in figures):
        return
    group: Group = option.entity if isinstance(option, ToTable) else option.attribute
    wanted = Wanted(metric=figures[0][1].metric) if figures else _added_up(draft, shares[0][0], at)
    if wanted is None:
        return
    draft.use(at, place, *(i for i, _ in shares), *(i for i, _ in figures))
    inner = Draft(schema=draft.schema, pieces=[], choice=draft.choice, ranked=group, limit=cue.number)
    inner.order.append((replace(wanted, context=True), cue.argument == "desc"))
    inner.mention(group.name if isinstance(option, ToTable) else option.attribute.table)
    draft.firsts.append(FirstWanted(inner))
    draft.wanted.append(wanted)
    draft.share = True


def _added_up(draft: Draft, share: int, top: int) -> Wanted | None:
    """The figure between the two, which the first few have a part of: "of the total freight", "of all orders"."""
    for i in range(share + 1, top):
        option = draft.open(i)
        if isinstance(option, ToTable):
            draft.use(i)
            return Wanted(aggregate="count", entity=option.entity)
        if isinstance(option, ToColumn) and option.attribute.adds_up:
            draft.use(i, *(at for at, _ in draft.cues("sum") if share < at < i))
            return Wanted(aggregate="sum", attribute=option.attribute)
    return None


def of_the_whole(draft: Draft) -> None:
    """ "what percentage of the orders from Spain were cancelled": what stands before the verb says of which whole."""
    if any(condition.piece == BEHIND for condition in draft.filters):
        for condition in draft.filters:
            condition.whole = condition.piece != BEHIND
        return
    share = next(
        (i for i, p in enumerate(draft.pieces) if isinstance(p.option, Cue) and p.option.kind == "share"), None
    )
    said = [p.span.text.lower() for p in draft.pieces]
    verbs = (
        i for i in range((share or 0) + 1, len(said)) if said[i].split()[0] in _VERBS and said[i - 1] not in _RELATIVE
    )
    verb = next(verbs, None)
    if share is None:
        return
    if verb is None:
        deed = _deed_at_the_end(draft)
        for condition in draft.filters if deed is not None else ():
            condition.whole = condition.piece != deed
        return
    behind = [f.piece for f in draft.filters if f.piece > verb] + [r.at for r in draft.related if r.at > verb]
    if behind:
        for condition in draft.filters:
            condition.whole = share < condition.piece < verb


def _deed_at_the_end(draft: Draft) -> int | None:
    """ "what percentage of the guests from Spain returned": the last condition is what they did; before it."""
    last = max((f.piece for f in draft.filters), default=-1)
    if last < 0 or len(draft.filters) < _SEVERAL or draft.related:
        return None
    text = draft.pieces[last].span.text.lower()
    return last if is_past(text) and not any(p.option is not None for p in draft.pieces[last + 1 :]) else None


_SEVERAL = 2
_VERBS = frozenset(("are", "is", "was", "were", "have", "has", "had", "did", "do", "does", "had an", "had a"))
_RELATIVE = frozenset(("that", "who", "which", "whose", "what", "where", "when"))


def over_a_part(draft: Draft) -> None:
    """ "which regions make more than a fifth of revenue", "customers with over 10 percent of the orders"."""
    for i, cue in draft.cues("part_of"):
        figure, place = draft.after(i, plain_max=1), draft.before(i, plain_max=3)
        while place is not None and draft.cue_at(place, "with", "which"):
            place = draft.before(place, plain_max=3)
        whole, group = draft.open(figure), draft.open(place)
        if figure is None or place is None or not names_rows(draft, place):
            continue
        if isinstance(whole, ToMetric) and adds_up(whole.metric.expression):
            wanted = Wanted(metric=whole.metric)
        elif isinstance(whole, ToTable):
            wanted = Wanted(aggregate="count", entity=whole.entity)
        else:
            continue
        draft.use(i, figure, place)
        draft.wanted.append(wanted)
        draft.having.append((wanted, ">" if cue.argument == ">" else "<", None))
        draft.part_of_all = part_said(cue)
        if isinstance(group, ToTable):
            draft.groups.append(group.entity)
        elif isinstance(group, ToColumn):
            draft.groups.append(group.attribute)


def part_said(cue: Cue) -> float:
    """The part that "more than a fifth of" speaks of."""
    return _FRACTIONS.get(cue.hints[0]) or int(cue.hints[0]) / 100


_FRACTIONS = {"half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4, "fifth": 1 / 5, "tenth": 1 / 10}
