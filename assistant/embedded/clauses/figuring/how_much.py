"""What "how much" asks for where no figure is named: what a verb measures, or what the rows spoken of come to."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.figuring.totals import amount_of
from assistant.embedded.clauses.naming.adjectives import tables_and_values
from assistant.embedded.clauses.naming.measuring import measured_by
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToColumn, ToTable, ToValue
from assistant.embedded.meaning import Aggregate
from assistant.embedded.source.dating import has_days
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.lexicon import is_past, stem
from assistant.embedded.words.vocabulary import word_set

_USUALLY = frozenset(("do", "does", "is", "are"))
_DOES = _USUALLY | {"did", "was", "were"}


def how_much(draft: Draft) -> None:
    """ "how much do clerks earn", "what do nurses make by ward", "how much was raised for each cause"."""
    if any(w.attribute is not None for w in draft.wanted):
        draft.use(*(i for i, _ in draft.cues("how_much")))  # "how much do they earn on average"
    if draft.wanted or draft.order or draft.having:
        return
    asked = next((i for i, _ in draft.cues("how_much")), None)
    said = [piece.span.text.lower() for piece in draft.pieces[:_LEADS]]
    verb = _verb(draft, asked or 0) if asked is not None or (said[:1] == ["what"] and said[1] in _DOES) else None
    if verb is not None:
        measured = measured_by(draft, verb)
        assert measured is not None, "found by it"
        _want(draft, [asked, verb], measured, "average" if _USUALLY & set(said) else "sum")
    elif asked is not None and (named := _number(draft, asked)) is not None:
        place, attribute = named
        _want(draft, [asked, place], attribute, "sum")
    elif asked is not None and (done := _done(draft, asked)) is not None:
        _want(draft, [asked, done[0], *(i for i, _ in draft.cues("sum"))], done[1], "sum")
    elif asked is not None and (amount := _amount(draft)) is not None:
        draft.mention(amount.table)
        draft.assumptions.append(f"“how much” goes by {amount.words}")
        _want(draft, [asked, *_spending(draft, amount)], amount, "sum")


_LEADS = 3


def _want(draft: Draft, places: list[int | None], attribute: Attribute, aggregate: Aggregate) -> None:
    averages = on_average(draft)
    draft.use(*(place for place in places if place is not None), *averages)
    draft.wanted.append(Wanted(aggregate="average" if averages else aggregate, attribute=attribute))


def on_average(draft: Draft) -> list[int]:
    """The places that say that a figure is an average, wherever they stand."""
    return [i for i, _ in draft.cues("average") if draft.word(i) == "on average"]


def _spending(draft: Draft, amount: Attribute) -> list[int | None]:
    """The places of the words that only say that money was spent, or that speak of the rows it was spent in."""
    found: list[int | None] = []
    for i, piece in enumerate(draft.pieces):
        own = isinstance(piece.option, ToTable) and piece.option.entity.name == amount.table
        if own or (piece.option is None and piece.span.text.lower() in _SPENDING):
            found.append(i)
    return found


_SPENDING = word_set(
    """spend spent pay paid earn earned raise raised collect collected give gave given donate donated bring brought
    charge charged bill billed invoice invoiced make made take taken come came total owe owed produce produced"""
)


def _verb(draft: Draft, start: int) -> int | None:
    """The place of a verb that says what is measured: "what do nurses cost", but not "the cost of each nurse"."""
    places = (i for i in range(start + 1, len(draft.pieces)) if not draft.pieces[i].used and not _is_noun(draft, i))
    return next((i for i in places if measured_by(draft, i) is not None), None)


def _is_noun(draft: Draft, at: int) -> bool:
    return draft.word(at - 1) in _ARTICLES or draft.word(at + 1).startswith("of")


_ARTICLES = frozenset(("the", "a", "an", "their", "its"))


def _number(draft: Draft, start: int) -> tuple[int, Attribute] | None:
    """A number that the question names behind "how much", whatever stands between."""
    for i in range(start + 1, len(draft.pieces)):
        option = draft.open(i)
        if isinstance(option, ToColumn) and option.attribute.is_number and not option.attribute.is_code:
            return i, option.attribute
    return None


def _done(draft: Draft, start: int) -> tuple[int, Attribute] | None:
    """ "how much was claimed", where each claim has an amount claimed: the sum that is called so in the rows named."""
    named = [draft.schema.entities[name] for name in tables_and_values(draft)]
    for i in range(start + 1, len(draft.pieces)):
        word = draft.word(i)
        if not is_past(word) or isinstance(draft.pieces[i].option, ToValue):
            continue
        for entity in named:
            sums = [a for a in entity.attributes.values() if a.is_number and a.adds_up and stem(word) in a.stems]
            if len(sums) == 1:
                return i, sums[0]
    return None


def _amount(draft: Draft) -> Attribute | None:
    """What the rows spoken of come to: those that happen at some time first, then those that belong to them."""
    named = tables_and_values(draft)
    named += [g.table if isinstance(g, Attribute) else g.name for g in draft.groups]
    near = [edge.right for table in named for edge in draft.schema.edges.get(table, ()) if edge.many]
    tables = [draft.schema.entities[name] for name in dict.fromkeys((*named, *near))]
    said = {p.option.entity.name for p in draft.pieces if isinstance(p.option, ToTable)}
    events = sorted((e for e in tables if has_days(e)), key=lambda e: not _belongs(draft, e, tables))
    ordered = [*(e for e in events if e.name in said), *(e for e in events if e.name not in said), *tables]
    return next((amount for e in ordered if (amount := amount_of(e)) is not None), None)


def _belongs(draft: Draft, entity: Entity, others: list[Entity]) -> bool:
    """Whether its rows belong to those of another: gifts to a campaign."""
    return any(not edge.many and edge.right in {e.name for e in others} for edge in draft.schema.edges[entity.name])
