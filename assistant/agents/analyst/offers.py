"""What is offered beside an answer: its figure by the other side of a doubt about the data.

The answer itself adds up every row. The other figure is looked up as the readings of a question are; where the source
does not give it, the offer stands without a figure. A doubt that does not change the answer is not mentioned.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assistant.analyst.meaning import Meaning
from assistant.analyst.presenting.answers import AnswerRows, said, word_answer
from assistant.analyst.presenting.columns import shown_columns
from assistant.analyst.repeated_values import whole_of
from assistant.analyst.wording import named

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


def _has_same_rows(first: AnswerRows, second: AnswerRows) -> bool:
    """Whether two results have the same rows, in any order."""
    return sorted(map(repr, first.rows)) == sorted(map(repr, second.rows))


def _describe_figure(meaning: Meaning, result: AnswerRows, schema: Schema) -> str:
    """The figure of a result that is one figure, as it is said; empty for all others."""
    if len(result.columns) != 1 or result.total != 1:
        return ""
    return said(result.rows[0][0], shown_columns(meaning, result.columns, result.rows, schema)[0])
