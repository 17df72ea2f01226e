"""What is said beside an answer: its figure by the other side of a doubt, equal places, blanks in a share.

The answer itself adds up every row. The other figure is looked up as the readings of a question are; where the source
does not give it, the offer stands without a figure. A doubt that does not change the answer is not mentioned.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assistant.analyst.algebra import (
    Column,
    Combined,
    Condition,
    Count,
    Grouped,
    Missing,
    Not,
    Rows,
    both,
    here,
    is_share,
    mapped,
)
from assistant.analyst.meaning import Meaning
from assistant.analyst.presenting.answers import AnswerRows, said, word_answer
from assistant.analyst.presenting.columns import shown_columns
from assistant.analyst.repeated_values import whole_of
from assistant.analyst.wording import named, things
from assistant.plain_english import join_first, joined

if TYPE_CHECKING:
    from assistant.agents.analyst.rivals import Rival
    from assistant.analyst.analyst import Analyst
    from assistant.analyst.schema import Schema
    from assistant.cells.tables import TableView
    from assistant.core.doubts import Doubt


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """The answer's sentence with the offer in it, the offer as a note, and the question that asks for it.

    `doubts` are those that are said in it.
    """

    text: str
    notes: tuple[str, ...] = ()
    follow_ups: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()


_RIVALS_MAX = 2
_NAMED_MAX = 3


async def add_rival_offers(
    offer: Offer,
    rivals: Iterable[Rival],
    result: AnswerRows,
    schema: Schema,
    look: Callable[[Meaning], Awaitable[TableView | None]],
) -> Offer:
    """An offer with what the answer is by the other side of doubts, of those that change it.

    Args:
        offer: The answer's sentence, with what is offered so far.
        rivals: The other readings, the heaviest doubt first.
        result: The answer's rows.
        schema: Its source's tables.
        look: Gives the rows of another meaning.
    """
    texts: list[str] = []
    for rival in [*rivals][:_RIVALS_MAX]:
        view = await look(rival.meaning)
        rival_rows = AnswerRows.of(view.columns, view.rows, view.total) if view is not None else None
        if rival_rows is not None and _has_same_rows(rival_rows, result):
            continue
        said_too = f"{rival.doubt.sentence} Ask “{rival.ask}” for the other figure."
        if rival_rows is not None and (figure := _describe_figure(rival.meaning, rival_rows, schema)):
            texts.append(f"{figure} {rival.condition}")
            said_too = f"{rival.doubt.chosen} {texts[-1]}: ask “{rival.ask}”."
        offer = replace(
            offer,
            notes=(*offer.notes, said_too),
            follow_ups=(*offer.follow_ups, rival.ask),
            doubts=(*offer.doubts, rival.doubt),
        )
    return replace(offer, text="; ".join((offer.text.removesuffix("."), *texts)) + ".") if texts else offer


async def add_distinct_offer(
    text: str,
    meaning: Meaning,
    result: AnswerRows,
    analyst: Analyst,
    look: Callable[[Meaning], Awaitable[TableView | None]],
) -> Offer:
    """An answer with what it is where each value counts once; as it is where that is the same.

    Args:
        text: The answer's sentence.
        meaning: What it answers.
        result: Its rows.
        analyst: The analyst.
        look: Gives the rows of another meaning.
    """
    schema = analyst.schema_of(meaning)
    whole_query = whole_of(meaning.query, schema) if not meaning.study and not meaning.verbatim else None
    if whole_query is None:
        return Offer(text=text)
    name = named(schema.said(whole_query).name)
    every_row = f"Values repeat on the rows of each {name}; here every row counts."
    once = await asyncio.to_thread(analyst.once, meaning)
    if once is None:
        return Offer(text=text, notes=(every_row,))
    ask = f"count each {name} once"
    view = await look(once.meaning)
    if view is None or not view.rows:
        return Offer(text=text, notes=(f"{every_row} Ask “{ask}” for the other figure.",), follow_ups=(ask,))
    once_rows = AnswerRows.of(view.columns, view.rows, view.total)
    if _has_same_rows(once_rows, result):
        return Offer(text=text)
    if figure := _describe_figure(once.meaning, once_rows, schema):
        offer = f"{figure} if each {name} counts once"
        return Offer(
            text=f"{text.removesuffix('.')}; {offer}.", notes=(f"{every_row} {offer}: ask “{ask}”.",), follow_ups=(ask,)
        )
    offer = word_answer(once.meaning, once_rows, schema, title=f"If each {name} counts once")
    return Offer(text=f"{text} {offer}", notes=(f"{every_row} {offer} Ask “{ask}”.",), follow_ups=(ask,))


async def add_ties(
    offer: Offer,
    meaning: Meaning,
    result: AnswerRows,
    schema: Schema,
    look: Callable[[Meaning], Awaitable[TableView | None]],
) -> Offer:
    """An offer that names what equals the last place of a ranking and was cut off."""
    query = meaning.query
    if query.limit is None or query.limit.ties or not query.order:
        return offer
    tied = replace(meaning, query=replace(query, limit=replace(query.limit, ties=True)))
    view = await look(tied) if not query.limit.skip and result.rows else None
    if view is None:
        return offer
    every = AnswerRows.of(view.columns, view.rows, view.total)
    columns = shown_columns(meaning, result.columns, result.rows, schema)
    places = [i for i, column in enumerate(columns) if column.kind not in ("figure", "value")]
    visible = [list(row) for row in result.rows]
    cut = [row for row in every.rows if row not in visible]
    names = [" ".join(said(row[i], columns[i]) for i in places) for row in cut]
    if not places or not names:
        return offer
    place = "first place" if query.limit.n == 1 else "last place"
    remark = f"{join_first(names, _NAMED_MAX)} {'shares' if every.total == query.limit.n + 1 else 'share'} the {place}."
    return replace(offer, text=f"{offer.text} {remark}", notes=(*offer.notes, f"Tied: {remark}"))


async def add_blanks(
    offer: Offer,
    meaning: Meaning,
    result: AnswerRows,
    schema: Schema,
    look: Callable[[Meaning], Awaitable[TableView | None]],
) -> Offer:
    """An offer that says how many rows of a share's base are blank where its condition looks, and the share without."""
    query = meaning.query
    shares = [f for f in query.figures if is_share(f)] if isinstance(query, Grouped) and not query.limit else []
    if not shares or not isinstance(query, Grouped) or not isinstance(query.of, Rows):
        return offer
    tested = {part for share in shares for part in here(share) if isinstance(part, Column)}
    open_columns = sorted((c for c in tested if schema.may_miss(query.of.table, c)), key=lambda column: column.name)
    has_values = both(*(Not(Missing(column)) for column in open_columns))
    figures = (Count(), Count(has_values))
    view = await look(replace(meaning, query=Grouped(query.of, (), figures))) if open_columns else None
    if view is None or view.rows[0][0] == view.rows[0][1]:
        return offer
    every, filled = (int(str(cell)) for cell in view.rows[0])
    names = joined([named(schema.said(column).name) for column in open_columns])
    remark = f"{every - filled:,} of {every:,} {things(schema.said(query.of).table)} have no {names}"
    without = mapped(query, lambda part: _without_blanks(part, has_values))
    rival = replace(meaning, query=without)
    figure_view = await look(rival)
    if figure_view is None:
        return replace(offer, notes=(*offer.notes, f"{remark}; they count in the whole."))
    rival_rows = AnswerRows.of(figure_view.columns, figure_view.rows, figure_view.total)
    if _has_same_rows(rival_rows, result):
        return offer
    if figure := _describe_figure(rival, rival_rows, schema):
        text = f"{offer.text.removesuffix('.')}, of all {every:,}. {remark}; of the other {filled:,} it is {figure}."
    else:
        text = f"{offer.text} {word_answer(rival, rival_rows, schema, title=f'{remark}. Without these')}"
    return replace(offer, text=text, notes=(*offer.notes, f"{remark}; they count in the whole."))


def _without_blanks(part: object, has_values: Condition) -> object:
    """A share as one of the rows where its condition can be told."""
    match part:
        case Combined(right=Count() as base) if is_share(part):
            return replace(part, right=replace(base, where=has_values))
        case _:
            return part


def _has_same_rows(first: AnswerRows, second: AnswerRows) -> bool:
    """Whether two results have the same rows, in any order."""
    return sorted(map(repr, first.rows)) == sorted(map(repr, second.rows))


def _describe_figure(meaning: Meaning, result: AnswerRows, schema: Schema) -> str:
    """The figure of a result that is one figure, as it is said; empty for all others."""
    if len(result.columns) != 1 or result.total != 1:
        return ""
    return said(result.rows[0][0], shown_columns(meaning, result.columns, result.rows, schema)[0])
