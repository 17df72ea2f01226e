"""What a query does, step by step, in plain words: how the answer was computed."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.analyst.algebra import NO_FILTER, Grouped, Groups, Listing, Query, Rows
from assistant.analyst.meaning import Meaning
from assistant.analyst.wording import condition, figure_words, named, term, things


def operations(meaning: Meaning) -> tuple[str, ...]:
    """The steps of a query."""
    if meaning.verbatim is not None:
        return ("Run the query that a person has marked right for this question.",)
    return tuple(_steps(meaning.query))


def _steps(query: Query) -> Iterator[str]:
    match query:
        case Listing():
            yield from _rows(query)
            yield f"Show {', '.join(term(t, query.of) for t in query.outputs[: query.shown])}."
            yield from _cut(query)
        case Grouped():
            yield from _rows(query)
            if query.keys:
                yield f"Group by {', '.join(term(key, query.of) for key in query.keys)}."
            for figure in query.figures:
                yield f"Compute the {figure_words(figure, query)}."
            yield from _cut(query)


def _rows(query: Query) -> Iterator[str]:
    match query.of:
        case Groups(query=inner):
            yield from _steps(inner)
        case Rows(table=table, where=where, once=repeated_table):
            filter_text = condition(where, query.of) if where != NO_FILTER else ""
            yield f"Read the {things(table)}{f' where {filter_text}' if filter_text else ''}."
            if repeated_table is not None:
                yield f"Take each {named(repeated_table.name)} once: its rows repeat the same value."


def _cut(query: Query) -> Iterator[str]:
    if query.limit is not None:
        extreme = "greatest" if query.order and query.order[0].descending else "least"
        if query.limit.skip:
            yield f"Pass over the first {query.limit.skip}, the {extreme} first, and keep the next {query.limit.n}."
            return
        yield (
            f"Keep the first {query.limit.n}, the {extreme} first."
            if query.order
            else f"Keep the first {query.limit.n}."
        )
