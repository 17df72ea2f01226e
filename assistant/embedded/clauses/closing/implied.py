"""Clauses about figures that are not asked for outright: a bare number beside a group, "in total", "and the count"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.ordering.commonest import kind_before
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToColumn, ToTable, ToValue
from assistant.embedded.meaning import Aggregate
from assistant.embedded.source.schema import Attribute, Entity, repeats
from assistant.embedded.words.lexicon import singular


def repeated(draft: Draft) -> None:
    """Words that say again what is asked: "how many are there in total", "how much did each customer spend"."""
    if any(w.metric for w in draft.wanted):
        draft.use(*(i for i, _ in draft.cues("how_much")))
    counted = any(w.aggregate in ("count", "distinct") for w in draft.wanted)
    summed = any(w.aggregate == "sum" for w in draft.wanted)
    shows_why = [t for t, _ in draft.order if isinstance(t, Wanted) and t.aggregate == "count" and t.context]
    for i, cue in draft.cues("sum", "count", "group"):
        before = draft.word(i - 1)
        last = draft.after(i, plain_max=1) is None
        total = cue.kind == "sum" and (counted or summed or last) and before == "in"
        count = cue.kind == "count" and last and before in ("and", "the") and (counted or bool(draft.groups))
        each = cue.argument == "each" and last and counted and bool(draft.groups)
        if cue.kind == "count" and before in _ITS and not counted:
            count = counted = _counts_by_column(draft, i) or (last and _counts_kinds(draft, i))
        if total or count or each:
            draft.use(i)
        elif cue.kind == "count" and last and shows_why and (draft.ranked is not None or before == "and"):
            draft.use(i)
            shows_why[0].context = False  # "which store has the most orders? Show its name and the number"


def told_as_well(draft: Draft) -> None:
    """ "the shops with the highest average price, and what is that price?": what rows are ranked by is shown."""
    ranked = [t for t, _ in draft.order if isinstance(t, Wanted) and t.context]
    if draft.ranked is None or not ranked:
        return
    for i, piece in enumerate(draft.pieces):
        option, figure = piece.option, ranked[0].attribute
        whose = not piece.used and draft.word(i - 1) in ("its", "their") and isinstance(option, ToTable)
        if whose and figure is not None and isinstance(option, ToTable) and option.entity.name == figure.table:
            draft.use(i)  # "with the highest average salary of its clerks"
    if draft.pieces[-1].span.text.lower() in _IT and draft.pieces[-2].span.text.lower() in ("is", "are", "was", "were"):
        ranked[0].context = False  # "and what is it?"
    for i, piece in enumerate(draft.pieces):
        option, before = piece.option, {p.span.text.lower() for p in draft.pieces[max(i - 4, 0) : i]}
        if piece.used or not before & {"what"} or not before & _REFERRING:
            continue
        figure = ranked[0]
        named = isinstance(option, ToColumn) and option.attribute == figure.attribute
        counted = isinstance(option, ToTable) and option.entity in (figure.entity, _rows_of(draft, figure))
        if named or counted:
            draft.use(i)
            figure.context = False


_IT = frozenset(("it", "they", "that", "those"))
_REFERRING = frozenset(("that", "those", "this", "these", "the", "its", "their"))


def _rows_of(draft: Draft, figure: Wanted) -> Entity | None:
    return draft.entity_of(figure.attribute) if figure.attribute is not None else None


def of_all(draft: Draft) -> None:
    """ "the highest and lowest price for each product", where every row is a product: over all of them."""
    _of_one_row(draft)
    tables = {w.attribute.table for w in draft.wanted if w.attribute and w.aggregate in _OF_MANY and not w.until}
    if len(tables) != 1 or len(draft.groups) != 1 or draft.order or not all(w.attribute for w in draft.wanted):
        return
    group = draft.groups[0]
    beside = any(isinstance(p.option, ToColumn) and not p.used for p in draft.pieces)
    if isinstance(group, Entity) and group.name in tables and not (beside or draft.grains or draft.parts):
        draft.groups.clear()


_OF_MANY = ("average", "minimum", "maximum")


def _of_one_row(draft: Draft) -> None:
    """ "the average number of seats per booking for each hall", where a booking is one row: it groups nothing."""
    tables = {w.attribute.table if w.attribute and w.aggregate == "average" else "" for w in draft.wanted}
    for i, piece in enumerate(draft.pieces[:-1]):
        option = draft.pieces[i + 1].option
        if piece.span.text.lower() != "per" or not isinstance(option, ToTable) or {option.entity.name} != tables:
            continue
        if option.entity in draft.groups and (len(draft.groups) > 1 or draft.grains or draft.parts):
            draft.groups.remove(option.entity)


_ITS = ("its", "their", "the", "and", "corresponding")


def _counts_by_column(draft: Draft, at: int) -> bool:
    """ "for each grade, its name and its count": the rows that hold the column are counted."""
    by = [group for group in draft.groups if isinstance(group, Attribute)]
    if len(draft.groups) != 1 or not by or draft.wanted or isinstance(draft.open(draft.after(at)), ToTable):
        return False
    draft.wanted.append(Wanted(aggregate="count", entity=draft.entity_of(by[0])))
    return True


def _counts_kinds(draft: Draft, at: int) -> bool:
    """ "the categories of the shows and the count": the rows of each kind are counted, if nothing else is asked for."""
    kind = kind_before(draft, at)
    option = draft.open(kind)
    asked = [piece for piece in draft.pieces if isinstance(piece.option, ToColumn) and not piece.used]
    if kind is None or not isinstance(option, ToColumn) or len(asked) != 1 or draft.groups or draft.wanted:
        return False
    draft.use(kind)
    draft.groups.append(option.attribute)
    draft.wanted.append(Wanted(aggregate="count", entity=draft.entity_of(option.attribute)))
    return True


def counted(draft: Draft) -> None:
    """ "How many were created by Andy?": what the conditions speak of is counted where nothing else can be."""
    if draft.wanted or draft.shown or draft.groups or draft.ranked or not draft.filters:
        return
    for i, _ in draft.cues("count")[:1]:
        draft.use(i)
        entity = draft.subject or draft.entity_of(draft.filters[0].attribute)
        draft.wanted.append(Wanted(aggregate="count", entity=entity))
        draft.subject = None
        draft.penalty += _UNNAMED


def counted_by(draft: Draft) -> None:
    """ "no shows by country", "cancelled by channel": rows of which only the value is said are counted."""
    if draft.wanted or draft.shown or draft.ranked or draft.subject or not draft.groups or draft.order:
        return
    value = draft.pieces[0].option
    if not isinstance(value, ToValue) or draft.word(1) not in ("by", "per"):
        return
    entity = draft.entity_of(value.attribute)
    draft.wanted.append(Wanted(aggregate="count", entity=entity))
    draft.assumptions.append(f"{entity.many} are counted")


_UNNAMED = 0.1
"""What it costs to count rows whose name was not understood."""


def implied(draft: Draft) -> None:
    """A number column next to groups or other figures is a figure too: "freight by country", "quantity per month"."""
    if not (draft.groups or draft.grains or draft.wanted or draft.share):
        _total_of_lines(draft)
        return
    if draft.wanted and not draft.groups and not draft.grains:
        return
    for i, piece in enumerate(draft.pieces):
        if piece.used or not isinstance(piece.option, ToColumn) or not piece.option.attribute.is_number:
            continue
        attribute = piece.option.attribute
        if any(w.attribute == attribute for w in draft.wanted) or attribute in draft.groups:
            draft.use(i)
            continue
        if _one_per_group(draft, attribute):
            continue
        draft.use(i)
        if _belongs_to_value(draft, i, attribute):
            continue
        if _is_beside_group(draft, attribute):
            entity = draft.entity_of(attribute)
            label = [entity.attributes[name] for name in entity.label]
            named = any(a.table == attribute.table for a in draft.shown) or entity not in draft.groups
            draft.shown += [attribute] if named else [*label, attribute]
            continue
        if attribute.adds_up or draft.share:  # a part is one of a whole
            draft.assumptions.append(f"“{attribute.words}” is added up")
            draft.wanted.append(Wanted(aggregate="sum", attribute=attribute))
        else:
            chosen = draft.choose(f"aggregate of {attribute.name}", len(_LIKELY))
            aggregate = _LIKELY[chosen]
            draft.penalty += _LESS_LIKELY * chosen
            draft.assumptions.append(f"“{attribute.words}” stands for its {aggregate}")
            draft.wanted.append(Wanted(aggregate=aggregate, attribute=attribute))


def _total_of_lines(draft: Draft) -> None:
    """ "billable hours last month", in a file of lines that nothing tells apart: all of them, not one by one.

    In the singular, as in "the quota of the red crew", the number of one row is meant.
    """
    left = [n for n, p in enumerate(draft.pieces) if isinstance(p.option, ToColumn | ToTable) and not p.used]
    asked = bool(draft.order or draft.shown or draft.limit or draft.subject or draft.asks_which or draft.asks_who)
    number = draft.open(left[0]) if len(left) == 1 else None
    if asked or draft.compared or draft.all_columns or draft.distinct or not isinstance(number, ToColumn):
        return
    attribute, words = number.attribute, draft.word(left[0])
    entity = draft.entity_of(attribute)
    if singular(words) == words:
        return
    listed = {piece.span.text.lower() for piece in draft.pieces[: left[0]]} & _LISTING
    if not attribute.adds_up or entity.key or (entity.table.rows or 0) < _MANY or listed or entity.bridge:
        return
    draft.use(left[0])
    draft.assumptions.append(f"“{attribute.words}” is added up")
    draft.wanted.append(Wanted(aggregate="sum", attribute=attribute))


_LISTING = frozenset(("list", "show", "each", "every", "all", "different", "distinct"))
_MANY = 20
"""From how many rows on nobody wants to see the numbers of each."""
_LESS_LIKELY = 0.01
_LIKELY: tuple[Aggregate, ...] = ("average", "sum", "maximum")
"""What a bare number per group may mean where nothing says that it adds up."""


def _belongs_to_value(draft: Draft, at: int, attribute: Attribute) -> bool:
    """ "rooms with double beds", where a column says which kind of bed: the word only says what the value is."""
    before = draft.pieces[at - 1].option if at and draft.touches(at - 1, at) else None
    return isinstance(before, ToValue) and bool(set(before.attribute.stems) & set(attribute.own))


def _is_beside_group(draft: Draft, attribute: Attribute) -> bool:
    """ "each station's longitude and the average duration of its trips": a group has one such number."""
    if attribute.table not in draft.grouped_rows() or draft.grains:
        return False
    return bool(draft.wanted) and all(_stands_elsewhere(w, attribute.table) for w in draft.wanted)


def _stands_elsewhere(wanted: Wanted, table: str) -> bool:
    return table not in (
        wanted.entity.name if wanted.entity else None,
        wanted.attribute.table if wanted.attribute else None,
        wanted.metric.table if wanted.metric else None,
    )


def _one_per_group(draft: Draft, attribute: Attribute) -> bool:
    """ "the price of each product": one row per product, so nothing is aggregated."""
    entities = [g if isinstance(g, Entity) else draft.schema.referred(g) for g in draft.groups]
    own = [entity for entity in entities if entity is not None and _has_one(draft, entity, attribute.table)]
    label = [
        g
        for g in draft.groups
        if isinstance(g, Attribute) and g.table == attribute.table and (g.name,) == draft.entity_of(g).label
        if draft.entity_of(g).key or not repeats(g, draft.entity_of(g))
    ]
    return bool(own or label) and not draft.wanted and not draft.grains


def _has_one(draft: Draft, entity: Entity, table: str) -> bool:
    """Whether each row of a table has one row of the other: itself, or what it belongs to."""
    return entity.name == table or any(e.right == table and not e.many for e in draft.schema.edges.get(entity.name, ()))
