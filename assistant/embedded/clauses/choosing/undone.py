"""What was not done: "clients who have not shipped anything this year", where parcels have a day of shipping."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft, Misfit, RelatedWanted
from assistant.embedded.clauses.naming.counting import ancestor_of
from assistant.embedded.linking.links import ToColumn, ToTable, ToValue

_SURE = 0.9
"""From how sure a link on a word is the column's own name, and no verb for it."""


def undone(draft: Draft) -> None:
    """The verb names a date of rows that belong to what is asked for: there is no such row."""
    for i, _ in draft.cues("without"):
        verb = draft.after(i, plain_max=1)
        option = draft.open(verb)
        if verb is None or not draft.pieces[verb].span.text.lower().endswith("ed"):
            continue
        if isinstance(option, ToValue) and _anything(draft, verb):
            raise Misfit("The word says what was not done rather than a state.")
        subject = next((p.option.entity for p in draft.pieces[:i] if isinstance(p.option, ToTable)), None)
        if not isinstance(option, ToColumn) or option.attribute.role != "date" or option.strength > _SURE:
            continue
        rows = draft.entity_of(option.attribute)
        if subject is not None and rows != subject and ancestor_of(draft, {rows.name}, subject):
            draft.use(i, verb)
            draft.mention(rows.name)
            draft.related.append(RelatedWanted(rows, "=", 0, verb, dated=option.attribute))


def _anything(draft: Draft, at: int) -> bool:
    """ "have not delivered anything": what was done, where a date tells when."""
    behind = draft.pieces[at + 1].span.text.lower() if at + 1 < len(draft.pieces) else ""
    dates = [o for o in draft.pieces[at].span.options if isinstance(o, ToColumn) and o.attribute.role == "date"]
    return bool(dates) and behind == "anything"
