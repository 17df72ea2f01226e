"""Rows by a noun that only a column is called by: "hires per year", "terminations in May", "smokers with a dog".

A date's noun means the rows that have that day, by which time goes; a yes-or-no column's those for which it is so.
"""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import FilterWanted, kind_said
from assistant.embedded.linking.options import EXACT, ToColumn, ToMetric, ToPeriod, ToTable
from assistant.embedded.words.lexicon import name_words, singular
from assistant.embedded.words.vocabulary import MOMENTS


def deed_nouns(draft: Draft) -> None:
    """Take a plural noun that names a date, where nothing else says what is counted, for the rows that have it."""
    counted = [i for i, p in enumerate(draft.pieces) if isinstance(p.option, ToTable | ToMetric) and not p.used]
    for i, piece in enumerate(draft.pieces[:-1]):
        option, word = piece.option, draft.word(i)
        if (
            piece.used
            or not isinstance(option, ToColumn)
            or option.attribute.role != "date"
            or option.strength >= EXACT
        ):
            continue
        if " " in word or singular(word) == word or word in MOMENTS or any(n < i for n in counted):
            return
        if any(isinstance(other, ToColumn) and other.strength > option.strength for other in piece.span.options):
            return  # "orders", which a file of their lines numbers
        before, behind = draft.before(i, plain_max=1), draft.after(i, plain_max=0)
        first = before is None or draft.cue_at(before, "count", "which") is not None
        broken = draft.cue_at(behind, "grain", "group") or isinstance(draft.open(behind), ToPeriod)
        if not first or not broken:
            return
        attribute = option.attribute
        profile = attribute.column.profile
        piece.option = ToTable(entity=draft.entity_of(attribute), strength=option.strength)
        draft.mention(attribute.table)
        draft.dated = attribute
        if profile is not None and profile.nulls:
            draft.filters.append(FilterWanted(attribute, "present", (), piece=i))
        draft.assumptions.append(f"{word} are the {draft.entity_of(attribute).many} with their {attribute.words}")
        return


def flag_nouns(draft: Draft) -> None:
    """Take a plural that a yes-or-no column is called by, named before any rows, for the rows for which it is so."""
    for i, piece in enumerate(draft.pieces):
        option, word = piece.option, draft.word(i)
        if piece.used or not isinstance(option, ToTable | ToColumn | ToMetric):
            continue
        if not isinstance(option, ToColumn) or option.attribute.role != "flag":
            return
        attribute, kind = option.attribute, kind_said(option, i)
        if " " in word or singular(word) == word or singular(word) != name_words(attribute.name)[-1] or kind is None:
            return
        piece.option = ToTable(entity=draft.entity_of(attribute), strength=option.strength)
        draft.mention(attribute.table)
        draft.filters.append(kind)
        return
