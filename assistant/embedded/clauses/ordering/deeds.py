"""What is done the most: "which farm produced the most", "the most generous donor", "where do most of them live"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft, Group
from assistant.embedded.clauses.figuring.totals import amount_of
from assistant.embedded.clauses.ordering.commonest import kind_before, names_row, rank_by
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToColumn, ToMetric, ToTable, ToValue
from assistant.embedded.linking.persons import is_person
from assistant.embedded.source.dating import has_days
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.lexicon import is_past, name_words
from assistant.embedded.words.vocabulary import word_set

_DOES = frozenset(("do", "does", "did", "are", "were", "have", "has"))
_MOST = frozenset(("most", "the most"))
_COUNTED = word_set("active busy loyal frequent prolific diligent productive hardworking popular")
_GIVING = word_set("generous valuable lucrative profitable important successful")
_PLACES = ("city", "town", "hometown", "residence", "location", "district", "region", "country", "address", "state")
_WAYS = ("method", "type", "mode", "way", "means", "channel")


def most_rows(draft: Draft, at: int, descending: bool) -> bool:
    """ "where do most of our clients live", "how do most people pay", "who makes most of our meters"."""
    said = [piece.span.text.lower() for piece in draft.pieces]
    if said[at] not in _MOST or not (_DOES & set(said[:at]) or said[0] == "who") or not descending:
        return False
    rows = _rows_behind(draft, at)
    ends = at == len(said) - 1 or said[at + 1 :] == ["of"]  # "which make do we own the most of"
    if rows is None and not ends and said[at + 1] not in _ANYBODY:
        return False
    kind = _kind(draft, at, said[0], rows)
    if kind is None or (rows is not None and kind.table != rows.name):
        return False
    draft.use(
        at, *(i for i, p in enumerate(draft.pieces) if isinstance(p.option, ToColumn) and p.option.attribute == kind)
    )
    draft.use(
        *(i for i, p in enumerate(draft.pieces) if isinstance(p.option, ToTable) and p.option.entity.name == kind.table)
    )
    rank_by(draft, kind, Wanted(aggregate="count", entity=draft.entity_of(kind), context=True), descending)
    return True


_ANYBODY = frozenset(("people", "persons", "of"))


def _rows_behind(draft: Draft, at: int) -> Entity | None:
    option = draft.open(draft.after(at, plain_max=3))
    return option.entity if isinstance(option, ToTable) else None


def _kind(draft: Draft, at: int, first: str, rows: Entity | None) -> Attribute | None:
    """What the rows are told apart by: a column that is named, or the place or way that the first word asks for."""
    before = kind_before(draft, at)
    option = draft.open(before)
    if isinstance(option, ToColumn):
        return option.attribute
    behind = [p.option.attribute for p in draft.pieces[at:] if isinstance(p.option, ToColumn)]
    told = [p.option.attribute for p in draft.pieces[at:] if isinstance(p.option, ToValue)]
    columns = [a for a in behind if a not in told]  # "the most orders with status open": of which rows
    if first != "where":
        kinds = [a for a in columns if a.role == "text" and not names_row(draft, a)]
        return kinds[0] if len(kinds) == 1 and first in ("how", "who", "what", "which") else None
    entity = rows or (draft.entity_of(columns[0]) if columns else None)
    own = [a for word in _PLACES for a in entity.attributes.values() if word in name_words(a.name)] if entity else []
    return own[0] if own else None


def most_active(draft: Draft, at: int, descending: bool) -> bool:
    """ "the most generous donor", "our most active users": by what they did, or by what it comes to."""
    quality = draft.pieces[at + 1] if at + 1 < len(draft.pieces) else None
    rows = draft.open(at + 2) if at + 2 < len(draft.pieces) else None
    word = quality.span.text.lower() if quality is not None else ""
    if quality is None or quality.option is not None or word not in _COUNTED | _GIVING or not isinstance(rows, ToTable):
        return False
    deeds = _deeds_of(draft, rows.entity)
    if len(deeds) != 1:
        return False
    figure = _come_to(deeds[0]) if word in _GIVING else Wanted(aggregate="count", entity=deeds[0], context=True)
    quality.used = True
    draft.use(at, at + 2)
    draft.mention(deeds[0].name)
    draft.assumptions.append(f"“{draft.pieces[at].span.text} {word}” goes by the {deeds[0].many}")
    rank_by(draft, rows.entity, figure, descending)
    return True


def most_done(draft: Draft, at: int, descending: bool) -> bool:
    """ "which farm produced the most", "which district complains the most": by the rows that say what was done."""
    place, subject = _subject(draft, at)
    if place is None or subject is None or draft.groups or draft.wanted or not _ends(draft, at):
        return False
    doing = draft.pieces[at - 1].option
    if isinstance(doing, ToMetric):
        return False  # "who spent the most"
    rows = subject if isinstance(subject, Entity) else draft.entity_of(subject)
    if isinstance(doing, ToColumn) and doing.attribute.adds_up and is_past(draft.word(at - 1)):
        draft.use(at, place, at - 1)  # "produced the most", where rows hold how much was produced
        draft.assumptions.append(f"“{draft.word(at - 1)} {draft.word(at)}” goes by {doing.attribute.words} added up")
        rank_by(draft, subject, Wanted(aggregate="sum", attribute=doing.attribute, context=True), descending)
        return True
    named = isinstance(doing, ToTable) and doing.entity != rows and place < at - 1
    deeds = [doing.entity] if named and isinstance(doing, ToTable) else _deeds_of(draft, rows)
    if len(deeds) != 1:
        return False
    counted = Wanted(aggregate="count", entity=deeds[0], context=True)
    figures = [_come_to(deeds[0]), counted] if amount_of(deeds[0]) is not None else [counted]
    chosen = figures[draft.choose("what is done the most", len(figures)) if len(figures) > 1 else 0]
    draft.use(at, place, at - 1)
    draft.mention(deeds[0].name)
    draft.assumptions.append(f"“{draft.pieces[at].span.text}” goes by the {deeds[0].many}")
    rank_by(draft, subject, chosen, descending)
    return True


def _ends(draft: Draft, at: int) -> bool:
    """Whether nothing that could be counted stands behind, and a verb before."""
    return at > 1 and not any(isinstance(p.option, ToTable | ToColumn) and not p.used for p in draft.pieces[at + 1 :])


def _subject(draft: Draft, at: int) -> tuple[int | None, Group | None]:
    """What does it: the table or the kind of rows that is asked for, with its place."""
    for i, piece in enumerate(draft.pieces[:at]):
        option = piece.option
        if isinstance(option, ToTable) and not piece.used:
            return i, option.entity
        if isinstance(option, ToColumn) and not piece.used and option.attribute.role == "text":
            own = names_row(draft, option.attribute)
            return i, draft.entity_of(option.attribute) if own else option.attribute
    return None, None


def _deeds_of(draft: Draft, entity: Entity) -> list[Entity]:
    """The tables whose rows say what each row of a table did, with a day of their own."""
    return [e for e in draft.schema.children(entity) if has_days(e) and not is_person(e)]


def _come_to(deeds: Entity) -> Wanted:
    """What the rows come to, or how many they are where they hold no amount."""
    amount = amount_of(deeds)
    if amount is None:
        return Wanted(aggregate="count", entity=deeds, context=True)
    return Wanted(aggregate="sum", attribute=amount, context=True)
