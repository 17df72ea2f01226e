"""Clauses about what was sold: "the best selling products", "how many bikes were sold", "quantity sold"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft, Group
from assistant.embedded.clauses.ordering.untold import TOP_DEFAULT
from assistant.embedded.clauses.ordering.within import names_rows
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToColumn, ToMetric, ToNumber, ToTable
from assistant.embedded.source.schema import Attribute
from assistant.embedded.words.lexicon import stem


def selling(draft: Draft) -> None:
    """ "the best selling products": by how many were sold, where lines have a quantity; else by how many lines."""
    for i, cue in draft.cues("selling"):
        following = draft.after(i, plain_max=1) if _leads(draft, i) else None
        place = following if following is not None else _sold_before(draft, i)
        option = draft.open(place)
        if place is None or not isinstance(option, ToTable | ToColumn) or not names_rows(draft, place):
            continue
        head: Group = option.entity if isinstance(option, ToTable) else option.attribute
        table = option.entity.name if isinstance(option, ToTable) else option.attribute.table
        sold = _sold(draft, table, own=isinstance(option, ToColumn))
        if sold is None:
            continue
        draft.use(i, place)
        for n in (i - 1, place - 1):  # "the 2 best selling products", "which 3 products sold the most"
            number = draft.open(n)
            if isinstance(number, ToNumber) and number.number == int(number.number) and draft.limit is None:
                draft.use(n)
                draft.limit = int(number.number)
        several = _leads(draft, i) and draft.pieces[place].span.text.lower().endswith("s")
        if several and draft.limit is None and not draft.asks_which and not draft.within:
            draft.limit = TOP_DEFAULT
            draft.assumptions.append(f"the first {TOP_DEFAULT} are shown")
        draft.ranked = head
        draft.assumptions.append(f"what sells best goes by {sold.words} added up")
        draft.order.append((Wanted(aggregate="sum", attribute=sold, context=True), cue.argument == "desc"))
        draft.keep_extreme()


def _leads(draft: Draft, at: int) -> bool:
    """Whether what sells follows: "best selling products", but "which product sells best"."""
    return draft.pieces[at].span.text.lower().endswith(("selling", "sold"))


def _sold_before(draft: Draft, at: int) -> int | None:
    place = draft.before(at, plain_max=3)
    while place is not None and draft.cue_at(place, "with", "which"):
        place = draft.before(place, plain_max=3)
    return place


def sold(draft: Draft) -> None:
    """ "how many bikes were sold": pieces, where lines have a quantity, not kinds of bikes.

    Beside a figure that says itself what was sold ("quantity sold", "revenue"), the word says no more.
    """
    for i, _ in draft.cues("sold"):
        if any(_says_itself(p.option) for p in draft.pieces):
            draft.use(i)
            continue
        figures = [*draft.wanted, *(target for target, _ in draft.order if isinstance(target, Wanted))]
        counted = next((w for w in figures if w.entity is not None and w.aggregate == "count"), None)
        quantity = _sold(draft, counted.entity.name) if counted is not None and counted.entity else None
        if counted is not None and quantity is not None:
            counted.entity, counted.attribute, counted.aggregate = None, quantity, "sum"
            draft.assumptions.append(f"what was sold goes by {quantity.words} added up")
            draft.use(i)
        elif counted is not None and counted.entity and any(_SOLD in a.own for a in counted.entity.dates):
            draft.use(i)  # tickets that have a day on which they were sold


_SOLD = stem("sold")


def _says_itself(option: object) -> bool:
    return isinstance(option, ToMetric) or (isinstance(option, ToColumn) and option.attribute.is_number)


def _sold(draft: Draft, table: str, *, own: bool = False) -> Attribute | None:
    """The quantity of what was sold of a table's rows, at most three keys away, or of its `own`."""
    near = [table, table] if own else [table]
    for _ in range(_AWAY):
        for name in list(near):
            near += [e.right for e in draft.schema.edges.get(name, ()) if e.many and e.right not in near]
        for name in near[1:]:
            for attribute in draft.schema.entities[name].attributes.values():
                if attribute.is_number and {"quantity", "quantiti", "qty"} & set(attribute.own):
                    return attribute
    return None


_AWAY = 3
"""How many keys may lie between what is sold and the lines that say how much: artist, album, track, line."""
