"""What a total is of: the one column that says an amount, or the rows; and what cannot be added up at all."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import Option, ToColumn, ToTable
from assistant.embedded.meaning import Aggregate
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.source.worth import is_money, only_amount, worth_of, worths_of
from assistant.embedded.words.lexicon import is_past, name_stems, name_words, plural, singular

_KIN = 5
"""How many letters words of one root share at their beginning: settled, settlement."""


def total_of(draft: Draft, entity: Entity) -> Wanted:
    """ "total payments": what they come to if one column says it, else how many there are."""
    worth = [a for a in worths_of(entity) if a.adds_up]
    if len(worth) > 1 and any("amount" in p.span.text.lower() for p in draft.pieces):
        # "the total amount of settlements", which have an amount claimed and an amount settled
        worth = [a for a in worth if any(_is_kin(word, entity.stems[-1]) for word in a.stems)]
    if not worth and (amount := in_the_mass(draft, entity)) is not None:
        worth = [amount]
    if len(worth) == 1:
        draft.assumptions.append(f"the total of {entity.many} is their {worth[0].words} added up")
        return Wanted(aggregate="sum", attribute=worth[0])
    return Wanted(aggregate="count", entity=entity)


def told_total(draft: Draft) -> None:
    """ "total invoice amount", where invoices have a total: what they come to, and not what each of them does."""
    places = [i for i, p in enumerate(draft.pieces) if isinstance(p.option, ToColumn) and not p.used]
    columns = {o.attribute.name: o.attribute for i in places if isinstance(o := draft.pieces[i].option, ToColumn)}
    if len(columns) != 1 or draft.wanted or draft.order or draft.having or draft.all_columns:
        return
    attribute = next(iter(columns.values()))
    said = {word for i in places for word in name_words(draft.pieces[i].span.text)}
    sums_up = _TOTAL in said and bool(said & _AMOUNT) and not _AMOUNT & set(attribute.own)
    if attribute.adds_up and _TOTAL in attribute.own and sums_up and not draft.cues("group"):
        draft.use(*places)
        draft.wanted.append(Wanted(aggregate="sum", attribute=attribute))


_TOTAL, _AMOUNT = "total", frozenset(("amount", "value"))


def in_the_mass(draft: Draft, entity: Entity) -> Attribute | None:
    """ "downtime by cause", "the budget of 2026": what is said in the singular is not counted but added up."""
    said = next((p.span.text for p in draft.pieces if isinstance(p.option, ToTable) and p.option.entity == entity), "")
    last = name_words(said)[-1] if said else ""
    mass = last and singular(last) == last and plural(last) != last and not said.endswith("s")
    return only_amount(entity) if mass else None


def worth_or_count(draft: Draft, entity: Entity) -> Wanted:
    """ "expenses by category", "sales per month": what they come to where the noun says money, else how many."""
    said = [p.span.text for p in draft.pieces if isinstance(p.option, ToTable) and p.option.entity == entity]
    money = is_money(entity.stems) or any(is_money(name_stems(text)) for text in said)
    metric = draft.sold
    if money and metric is not None and draft.schema.find_entity(metric.table) == entity:
        found = Wanted(metric=metric)
    else:
        amount = (worth_of(entity) or only_amount(entity)) if money else in_the_mass(draft, entity)
        found = Wanted(aggregate="sum", attribute=amount) if amount is not None else None
    if found is None or draft.choose(f"worth of {entity.name}", 2):
        draft.assumptions.append(f"{plural(entity.one)} are counted")
        draft.penalty += _LESS_LIKELY if found is not None else 0.0
        return Wanted(aggregate="count", entity=entity)
    draft.assumptions.append(f"{entity.many} are taken for what they come to")
    return found


_LESS_LIKELY = 0.05


def _is_kin(word: str, noun: str) -> bool:
    shared = min(_KIN, len(noun))
    return len(word) >= shared and word[:shared] == noun[:shared]


_PERCENT = frozenset(("pct", "percent", "percentage"))


def held_number(entity: Entity) -> Attribute | None:
    """ "how many degrees", where the rows of the table hold how many degrees there are, and do not number them."""
    named = (a for a in entity.attributes.values() if a.is_amount and a.stems == entity.stems and not is_past(a.name))
    return next((a for a in named if not numbers_rows(entity, a)), None)


def numbers_rows(entity: Entity, attribute: Attribute) -> bool:
    """Whether a column that is called like its table holds another number in each row, as `ticket` in `tickets`."""
    profile = attribute.column.profile
    whole = attribute.column.kind == "integer" and attribute.stems == entity.stems
    return whole and profile is not None and profile.distinct == entity.table.rows


def amount_of(entity: Entity) -> Attribute | None:
    """ "the average rating", where ratings are rows: the one column that says an amount, or the only number."""
    found = worths_of(entity) or [a for a in entity.attributes.values() if a.is_number]
    return found[0] if len(found) == 1 else None


def refuse_text(option: Option | None, aggregates: Sequence[Aggregate]) -> None:
    """ "total weight" where the weights were loaded as text, "total commission" where it is a percentage.

    Raises:
        Misfit: the column named cannot be added up or averaged.
    """
    if not isinstance(option, ToColumn) or not {"sum", "average"} & set(aggregates):
        return
    attribute = option.attribute
    if "sum" in aggregates and attribute.is_number and _PERCENT & set(name_words(attribute.name)):
        raise Misfit(
            f"“{attribute.words}” holds percentages, which do not add up. Ask for their average.",
            weight=7,
        )
    if attribute.role == "text" and attribute.column.kind == "text":
        raise Misfit(
            f"“{attribute.words}” holds text, so it cannot be added up or averaged. If it should be numbers, the notes"
            " on how the file was loaded say which values are not numbers.",
            weight=8,
        )
