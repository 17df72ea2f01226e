"""Clauses about verbs and roles: words that only say how two things belong together, and are no columns to show.

"films rated PG", "orders shipped by Speedy Express", "employees who support customers".
"""

from __future__ import annotations

from dataclasses import replace

from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.linking.options import ToColumn, ToMetric, ToTable, ToTerm, ToValue
from assistant.embedded.source.schema import Attribute, Entity, Schema
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import does, is_past, name_words, stem
from assistant.embedded.words.vocabulary import MOMENTS, TRADE

_SURE = 0.9
_ROOT = 4
_TRADED = frozenset(
    ("bought", "buy", "purchased", "purchase", "sold", "sell", "ordered", "order", "invoiced", "billed")
)


def roles(draft: Draft) -> None:
    """ "which employees support customers": a key that is called like the verb says by which way they belong."""
    for piece in draft.pieces:
        option = piece.option
        if not isinstance(option, ToColumn) or option.strength >= _SURE or option.attribute.role != "reference":
            continue
        target = draft.schema.referred(option.attribute)
        if target is None or not _names_both(draft, option.attribute, target):
            continue
        draft.via.append(option.attribute)
        piece.used, piece.option = True, None


def deeds_of_keys(draft: Draft) -> None:
    """ "projects led by Ada", where a project has a `leader_id`: the verb says by which key they belong."""
    for piece in draft.pieces:
        if piece.used or piece.option is not None or not piece.span.unknown:
            continue
        verb = stem(piece.span.text.lower())
        for table in draft.mentioned:
            keys = (a for a in draft.schema.entities[table].attributes.values() if a.role == "reference")
            done = next((key for key in keys if any(does(verb, noun) for noun in key.stems)), None)
            if done is not None:
                draft.via.append(done)
                piece.used = True
                break


def done_by(draft: Draft) -> None:
    """ "deals approved by Ada", where a deal has such a column: it says whose deed it was and is not asked for.

    Raises:
        Misfit: what was done is another deed than the one that is known by whom: "deals created by Ada".
    """
    for i, piece in enumerate(draft.pieces[:-1]):
        if i and not piece.used and _is_other_deed(draft, i):
            raise Misfit(f"I do not know by whom they were {draft.word(i)}.", weight=5)
        option, words = piece.option, piece.span.text.lower().split()
        if piece.used or not isinstance(option, ToColumn) or words[-1:] != ["by"] or len(words) < _DONE_BY or i < 1:
            continue
        referred, rows = draft.schema.referred(option.attribute), draft.pieces[i - 1].option
        if draft.word(i - 1) in _BEING and i > 1:
            rows = draft.pieces[i - 2].option
        told = isinstance(rows, ToTable) and rows.entity.name == option.attribute.table
        if referred is None or not (told or isinstance(draft.pieces[i + 1].option, ToValue)):
            continue
        if not _names_doer(draft, i + 1, referred):
            continue
        draft.via.append(option.attribute)
        piece.used, piece.option = True, None


def _names_doer(draft: Draft, at: int, doers: Entity) -> bool:
    """Whether right there, over small words, stands who did it: a value, or those of whom it is one."""
    for piece in draft.pieces[at : at + _DOER_NEAR]:
        option = piece.option
        if isinstance(option, ToValue):
            return True
        if isinstance(option, ToTable):
            return option.entity == doers
        if option is not None and not (isinstance(option, Cue) and option.kind in ("not", "group")):
            return False
    return False


def _is_other_deed(draft: Draft, at: int) -> bool:
    """ "created by Ada", where the one key to who did something says that it was approved by them."""
    piece, doer = draft.pieces[at], draft.pieces[at + 2].option if at + 2 < len(draft.pieces) else None
    if not is_past(draft.word(at)) or draft.word(at + 1) != "by" or not isinstance(doer, ToValue):
        return False
    said, rows = piece.option, None
    if isinstance(said, ToColumn) and said.attribute.is_time:
        rows = draft.entity_of(said.attribute)
    elif isinstance(said, ToTerm):
        rows = draft.schema.find_entity(said.term.table or "")
    if rows is None:
        return False
    edges = [e for e in draft.schema.edges.get(rows.name, ()) if e.right == doer.attribute.table and not e.many]
    names = [name_words(e.left_columns[0]) for e in edges]
    return bool(names) and all(n[-1] == "by" and is_past(n[0]) and n[0] != draft.word(at) for n in names)


_DOER_NEAR = 4
_DONE_BY = 2


def done_rows(draft: Draft) -> None:
    """ "the ride with the most booked guests": the verb of what ties both only says by which way they belong."""
    for i, piece in enumerate(draft.pieces[:-1]):
        option, head = piece.option, draft.pieces[i + 1].option
        if not isinstance(option, ToTable) or not isinstance(head, ToTable) or not draft.touches(i, i + 1):
            continue
        named = {p.option.entity.name for p in draft.pieces if isinstance(p.option, ToTable)} - {option.entity.name}
        tied = {e.right for e in draft.schema.edges.get(option.entity.name, ()) if not e.many} & named
        if is_past(piece.span.text.lower()) and head.entity.name in tied and len(tied) > 1:
            piece.used, piece.option = True, None


def _names_both(draft: Draft, attribute: Attribute, target: Entity) -> bool:
    named = {p.option.entity.name for p in draft.pieces if isinstance(p.option, ToTable)}
    return {attribute.table, target.name} <= named


def ties(draft: Draft) -> None:
    """ "students who participate in a sport": of several tables that the verb names, the one that ties those named.

    In "students who live in each city", where a student has a city, it ties nothing.
    """
    for i, piece in enumerate(draft.pieces):
        option, behind = piece.option, draft.word(i + 1)
        if not isinstance(option, ToTable) or option.strength >= _PARTLY:
            continue
        if behind.split()[:1] not in (["in"], ["at"], ["on"], ["to"], ["for"], ["with"]):
            continue
        others = [p.option for p in draft.pieces if isinstance(p.option, ToTable | ToValue) and p is not piece]
        named = {o.entity.name if isinstance(o, ToTable) else o.attribute.table for o in others}
        place = draft.after(i, plain_max=3)
        following = draft.open(draft.after(place, plain_max=1) if draft.cue_at(place, "group") and place else place)
        one = len(named) == 1 and not piece.span.text.endswith("s")
        if one and isinstance(following, ToColumn) and following.attribute.table in named:
            _unmention(draft, option.entity.name)
            piece.used, piece.option = True, None
            continue
        verb = stem(piece.span.text.lower())
        alike = [e for e in draft.schema.entities.values() if e.bridge and verb in e.stems]
        best = max(alike, key=lambda e: _tied(draft, e, named), default=option.entity)
        if _tied(draft, best, named) > _tied(draft, option.entity, named):
            _unmention(draft, option.entity.name)
            draft.mention(best.name)
            piece.option = replace(option, entity=best)


_PARTLY = 0.7
"""Below which strength a word is but a part of a table's name."""


def _unmention(draft: Draft, table: str) -> None:
    """No longer prefer the ways through a table that is not meant."""
    draft.mentioned = [name for name in draft.mentioned if name != table]


def _tied(draft: Draft, entity: Entity, named: set[str]) -> int:
    return len({edge.right for edge in draft.schema.edges.get(entity.name, ())} & named)


def participles(draft: Draft) -> None:
    """ "rated PG", "shipped by each shipper": the word belongs to the value or the agent that follows.

    In "quantity sold" it belongs to the number before it, and is no figure of its own.
    """
    for i, piece in enumerate(draft.pieces):
        option, text = piece.option, piece.span.text.lower()
        before = draft.pieces[i - 1].option if i else None
        if text in _TRADED and isinstance(option, ToMetric) and isinstance(before, ToColumn):
            piece.used, piece.option = True, None
            continue
        if _is_done_by(draft, i):
            piece.used, piece.option = True, None
            continue
        if piece.used or not isinstance(option, ToColumn) or option.strength >= _SURE or not is_past(text):
            continue
        follow = draft.after(i, plain_max=1)
        following = draft.open(follow)
        if isinstance(following, ToValue) and _same_root(text, following.attribute):
            piece.used, piece.option = True, None
        elif follow is not None and draft.cue_at(follow, "group"):
            beyond = draft.after(follow, plain_max=1)
            agent = draft.open(draft.after(beyond) if beyond is not None and draft.cue_at(beyond, "group") else beyond)
            if draft.pieces[follow].span.text.lower().startswith("by") and isinstance(agent, ToTable | ToValue):
                piece.used, piece.option = True, None


def _is_done_by(draft: Draft, at: int) -> bool:
    """ "which genres does Acme publish": the verb behind its doer is no column, though a year is called like it."""
    piece, doer = draft.pieces[at], draft.pieces[at - 1].option if at > 1 else None
    if piece.used or not isinstance(piece.option, ToColumn) or piece.option.strength >= _SURE:
        return False
    attribute = piece.option.attribute
    asked = draft.pieces[0].span.text.lower().split()[0] in ("when", "how")
    measured = attribute.is_number and not attribute.holds_years
    leads = [p.span.text.lower() for p in draft.pieces[max(at - 3, 0) : at - 1]]
    return isinstance(doer, ToValue) and not asked and not measured and bool(_DOING & set(leads))


_DOING = frozenset(("do", "does", "did"))


def done_when(draft: Draft) -> None:
    """ "the date the order was shipped", "the date it was paid": the verb says which date is meant."""
    for i, piece in enumerate(draft.pieces):
        option = piece.option
        before = draft.word(i - 1)
        if not isinstance(option, ToColumn) or not option.attribute.is_time or before not in _BEING or i < _SAID_MIN:
            continue
        named = draft.pieces[i - 2].option
        whose = isinstance(named, ToTable) and named.entity.name == option.attribute.table
        start = i - 3
        while start > 0 and draft.pieces[start].span.text.lower() in _WHEN:
            start -= 1
        said = draft.pieces[start]
        if (whose or draft.pieces[i - 2].span.text.lower() in _IT) and said.span.text.lower() in MOMENTS:
            said.option = option
            for told in draft.pieces[start + 1 : i + 1]:
                told.used = told.aside = True


_BEING = frozenset(("was", "were", "is", "are"))
_IT = frozenset(("it", "they"))
_WHEN = frozenset(("the", "each", "when", "on", "which", "that", "of"))
_SAID_MIN = 3


def _same_root(word: str, attribute: Attribute) -> bool:
    root = word[:-2][:_ROOT]
    return any(stem.startswith(root) for stem in attribute.own)


def traded(schema: Schema, word: str) -> Entity | None:
    """The table whose rows say that something was bought or sold, where the word says so and no name is like it."""
    if word.lower() not in _TRADED:
        return None
    found = (e for kind in (*TRADE, "receipt") for e in schema.entities.values() if stem(kind) in e.stems[-1:])
    return next(found, None)
