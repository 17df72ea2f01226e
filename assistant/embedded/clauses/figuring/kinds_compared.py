"""One figure of two kinds of the same rows against each other: "the difference between the average rating of Greek and
French restaurants", "ratio of the total fee of choirs to that of bands", "child visitors to adult visitors"."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.figuring.differences import AGGREGATES
from assistant.embedded.clauses.figuring.proportions import LINKS, Kind, kind_at
from assistant.embedded.clauses.figuring.totals import amount_of
from assistant.embedded.clauses.naming.counting import ancestor_of
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToColumn, ToTable, ToValue
from assistant.embedded.source.dating import day_of
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.sql.tables import qualified

if TYPE_CHECKING:
    from knowledge.documents import Metric

_OUTRIGHT = {"how_much": "sum"}
_KINDS = 2
_REPEATED = frozenset(("that", "those", "with", "of", "for", "in", "from"))


@dataclass(slots=True)
class _Said:
    """What stands behind the word that compares: two kinds, the number they have, and how it is put together."""

    kinds: list[Kind] = field(default_factory=list)
    numbers: list[Attribute] = field(default_factory=list)
    aggregates: list[str] = field(default_factory=list)
    tables: list[Entity] = field(default_factory=list)
    linked: bool = False
    places: list[int] = field(default_factory=list)


def kinds_compared(draft: Draft) -> None:
    """Divide the figure of the first kind by that of the second, or take the one from the other."""
    for i, cue in draft.cues("ratio", "difference"):
        if cue.argument == "percent":
            continue
        said = _said(draft, i)
        if len(said.kinds) != _KINDS or not said.linked or len(set(said.aggregates)) > 1:
            continue
        numbers = {(a.table, a.name): a for a in said.numbers}
        one, other = said.kinds
        if len(numbers) != 1 or one.sql == other.sql or one.entity != other.entity:
            continue
        number = next(iter(numbers.values()))
        if one.entity.name != number.table and not ancestor_of(draft, {number.table}, one.entity):
            continue
        usual = "sum" if number.adds_up else "average"
        draft.use(i, *said.places)
        draft.mention(number.table)
        draft.wanted.append(
            Wanted(metric=_metric(draft, number, (one, other), said.aggregates[:1] or [usual], cue.kind == "ratio"))
        )
        return


def _said(draft: Draft, at: int) -> _Said:
    """Everything behind the word as far as it belongs to the comparison."""
    said = _Said()
    for place in range(at + 1, len(draft.pieces)):
        option, word = draft.open(place), draft.pieces[place].span.text.lower()
        figure = draft.cue_at(place, "average", "sum", "minimum", "maximum", "how_much")
        kind = kind_at(draft, place) if len(said.kinds) < _KINDS else None
        if kind is not None:
            said.kinds.append(kind)
        elif word in LINKS and len(said.kinds) == 1:
            said.linked = True
        elif figure is not None:
            said.aggregates.append(_OUTRIGHT.get(figure.kind, figure.kind))
        elif isinstance(option, ToColumn) and option.attribute.is_number:
            said.numbers.append(option.attribute)
        elif isinstance(option, ToTable):
            said.tables.append(option.entity)
        elif _names_value_before(draft, place):
            pass  # "of the north club and the south club"
        elif option is not None and word not in _REPEATED:
            break
        elif option is None:
            continue
        said.places.append(place)
        touching = isinstance(draft.open(place + 1), ToColumn | ToTable)
        if len(said.kinds) == _KINDS and not touching:
            break
    if said.aggregates and not said.numbers:  # "the total amount of cancelled orders"
        said.numbers += [amount for table in said.tables[:1] if (amount := amount_of(table)) is not None]
    return said


def _names_value_before(draft: Draft, at: int) -> bool:
    option, before = draft.open(at), draft.pieces[at - 1].option
    return isinstance(option, ToColumn) and isinstance(before, ToValue) and before.attribute == option.attribute


def _metric(draft: Draft, number: Attribute, kinds: tuple[Kind, Kind], aggregate: list[str], divided: bool) -> Metric:
    from knowledge.documents import Metric

    column = qualified(number, draft.schema.dialect)
    one, other = (f"{AGGREGATES[aggregate[0]]}(CASE WHEN {kind.sql} THEN {column} END)" for kind in kinds)
    words = [f"{aggregate[0].replace('sum', 'total')} {number.words} of {kind.words}" for kind in kinds]
    return Metric(
        name=f"ratio of {words[0]} to {kinds[1].words}" if divided else f"{words[0]} less that of {kinds[1].words}",
        definition=f"{words[0]} {'divided by' if divided else 'less'} {words[1]}",
        expression=f"1.0 * {one} / NULLIF({other}, 0)" if divided else f"{one} - {other}",
        table=number.table,
        date_column=day_of(draft.schema.entities[number.table]),
        joins=tuple(dict.fromkeys(kind.entity.name for kind in kinds if kind.entity.name != number.table)),
    )
