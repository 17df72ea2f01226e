"""The two ends of a row that refers twice to one table: "routes that end in Kiel", "rides starting at the station"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.linking.options import ToColumn, ToTable, ToValue
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.lexicon import name_words
from assistant.embedded.words.vocabulary import word_set

_STARTS = ("from", "src", "sourc", "origin", "depart", "start")
_ENDS = ("to", "dst", "dest", "arriv", "end")
_SAY_START = word_set(
    """start starts started starting begin begins began beginning originate originates originated originating depart
    departs departed departing leave leaves left leaving source origin"""
)
_SAY_END = word_set("end ends ended ending arrive arrives arrived arriving land lands landed landing destination")
_SURE = 0.9


def ends(draft: Draft) -> None:
    """A word for one end says along which of the two keys rows belong together, and is no column to show."""
    said = {i: piece.span.text.lower() for i, piece in enumerate(draft.pieces) if _may_say(draft, i)}
    start, end = ([i for i, text in said.items() if text in words] for words in (_SAY_START, _SAY_END))
    if not start and not end:
        _from_or_to(draft)
    if bool(start) == bool(end):
        return  # "from the source to the destination" needs both
    named = [p.option.entity for p in draft.pieces if isinstance(p.option, ToTable)]
    tables = [e.name for e in named]
    tables += [p.option.attribute.table for p in draft.pieces if isinstance(p.option, ToColumn | ToValue)]
    rows = [e for e in draft.schema.entities.values() if e not in named]  # "ships that departed from Kiel"
    for entity in (*named, *rows):
        for place in dict.fromkeys(tables):
            keys = [end_key(draft, entity, place, at_start=at_start) for at_start in (True, False)]
            key = keys[0 if start else 1]
            if key is None or None in keys:
                continue
            draft.via.append(key)
            for i in (*start, *end):
                draft.pieces[i].used, draft.pieces[i].option = True, None
            return


def _from_or_to(draft: Draft) -> None:
    """ "ships that sailed both from Kiel and from Riga": by the one of two keys to a place that is named so."""
    said: dict[str, set[str]] = {}
    for i, piece in enumerate(draft.pieces):
        words = [p.span.text.lower() for p in draft.pieces[max(0, i - 2) : i] if p.span.text.lower() != "the"]
        if isinstance(piece.option, ToValue) and words[-1:] in (["from"], ["to"]):
            said.setdefault(piece.option.attribute.table, set()).add(words[-1])
    for place, words in said.items():
        for entity in draft.schema.entities.values() if len(words) == 1 else ():
            keys = [end_key(draft, entity, place, at_start=at_start) for at_start in (True, False)]
            key = keys["to" in words]
            if key is not None and None not in keys:
                draft.via.append(key)


def _may_say(draft: Draft, at: int) -> bool:
    piece = draft.pieces[at]
    sure = isinstance(piece.option, ToTable | ToColumn | ToValue) and piece.option.strength >= _SURE
    return not (piece.used or sure)


def end_key(draft: Draft, entity: Entity, place: str, *, at_start: bool) -> Attribute | None:
    """The one key of a table to a place whose name says which end it is."""
    names = _STARTS if at_start else _ENDS
    keys = keys_to(draft, entity, place)
    named = [a for a in keys if any(word.startswith(name) for word in name_words(a.name) for name in names)]
    return named[0] if len(named) == 1 else None


def keys_to(draft: Draft, entity: Entity, table: str) -> list[Attribute]:
    """The columns by which a row refers to another table."""
    edges = [e for e in draft.schema.edges.get(entity.name, ()) if e.right == table and not e.many]
    return [entity.attributes[e.left_columns[0]] for e in edges if len(e.left_columns) == 1]
