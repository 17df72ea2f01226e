"""Clauses that ask for a column by an adjective: "how old is Ada?", "how expensive is the oldest table?"."""

from __future__ import annotations

from assistant.embedded.clauses.adjectives import hinted, tables_in_question
from assistant.embedded.clauses.draft import Draft
from assistant.embedded.linking.links import ToValue


def qualities(draft: Draft) -> None:
    """ "how old", "how tall": what is asked for is the age, the height of the rows in question."""
    for i, cue in draft.cues("quality"):
        valued = [p.option.attribute.table for p in draft.pieces if isinstance(p.option, ToValue)]
        attribute = hinted(draft, cue.hints, [*tables_in_question(draft), *valued])
        if attribute is None:
            continue
        draft.use(i)
        if attribute not in draft.shown:
            draft.shown.append(attribute)
