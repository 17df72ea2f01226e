"""Clauses that ask for a column by an adjective: "how old is Ada?", "how expensive is the oldest table?"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft, Wanted
from assistant.embedded.clauses.naming.adjectives import hinted_beyond, tables_in_question
from assistant.embedded.linking.links import ToTable, ToValue


def qualities(draft: Draft) -> None:
    """ "how old", "how tall": what is asked for is the age, the height of the rows in question."""
    for i, cue in draft.cues("quality"):
        valued = [p.option.attribute.table for p in draft.pieces if isinstance(p.option, ToValue)]
        attribute = hinted_beyond(draft, cue.hints, [*tables_in_question(draft), *valued])
        if attribute is None:
            continue
        draft.use(i)
        average = _average(draft, i) if attribute.is_number else None
        if average is not None:
            draft.use(average)
            draft.wanted.append(Wanted(aggregate="average", attribute=attribute))
        elif attribute not in draft.shown:
            draft.shown.append(attribute)


def _average(draft: Draft, at: int) -> int | None:
    """ "how old are they on average", "how old is the average customer": the figure of all, rather than of each."""
    for i, _ in draft.cues("average"):
        averaged = i > at and isinstance(draft.open(draft.after(i, plain_max=0)), ToTable | ToValue)
        if averaged or draft.pieces[i].span.text.lower() == "on average":
            return i
    return None
