"""Clauses about nouns in a row: "product category", "colour type"; one of them only says which other is meant."""

from __future__ import annotations

from dataclasses import replace

from assistant.embedded.clauses.draft import Draft, Misfit, Piece
from assistant.embedded.linking.options import ToColumn, ToTable, ToValue
from assistant.embedded.source.one_of import one_of
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.source.worth import is_money
from assistant.embedded.words.lexicon import name_stems, singular

_MODIFIERS_MAX = 3


def compounds(draft: Draft) -> None:
    """ "product category", "customer city": the first of two touching nouns only says which one is meant."""
    chained = 0
    for i, piece in enumerate(draft.pieces[:-1]):
        following = draft.pieces[i + 1]
        if _is_like(piece) and isinstance(following.option, ToTable) and piece.span.end == following.span.start:
            piece.used, piece.option = True, None  # "music artists", where a song is a column of another table
            continue
        if piece.used or not isinstance(piece.option, ToTable) or piece.span.end != following.span.start:
            continue
        if _is_verb(piece.span.text):
            continue  # "the most rented film"
        if _is_key_of(following, piece.option.entity):
            following.used, following.option = True, None  # "bank branches", where a branch_id numbers the banks
            continue
        if _has_each(draft, i):
            continue  # "each maker's lamps" are those of each maker
        option, entity = following.option, piece.option.entity
        noun = isinstance(option, ToTable) and option.entity is not entity and not _is_verb(following.span.text)
        noun = noun and not _agrees(piece.span.text, following) and not _does(draft, i)
        own = isinstance(option, ToColumn) and _belongs(draft, entity, option.attribute)
        whole = one_of(draft.schema, entity) if own else None
        if whole is not None and isinstance(option, ToColumn) and option.attribute.table == whole.name:
            continue  # "pilot names", where each pilot is one of the people, whose names they are
        if noun or own:
            piece.used, piece.option = True, None
            chained += 1
            if chained > _MODIFIERS_MAX:
                raise Misfit("So many names in a row say nothing I can read.", weight=3)


def amounts(draft: Draft) -> None:
    """ "premium income", "salary costs": the second noun only says that the number is money, which adds up."""
    for i, piece in enumerate(draft.pieces[:-1]):
        behind, option = draft.pieces[i + 1], piece.option
        if piece.used or not isinstance(option, ToColumn) or not option.attribute.is_number:
            continue
        loose = behind.option is None or (behind.option.strength < _SURE_COLUMN or _stands_apart(draft, i))
        if not is_money(name_stems(behind.span.text)) or not draft.touches(i, i + 1) or behind.span.parted or not loose:
            continue
        if isinstance(behind.option, ToColumn) and behind.option.attribute.table == option.attribute.table:
            continue
        behind.used, behind.option = True, None
        piece.option = replace(option, attribute=replace(option.attribute, adds_up=True))


def _stands_apart(draft: Draft, at: int) -> bool:
    """Whether a number and the money word behind it are of tables between which there is no key."""
    first, second = draft.pieces[at].option, draft.pieces[at + 1].option
    if not isinstance(first, ToColumn) or not isinstance(second, ToColumn):
        return False
    return all(e.right != second.attribute.table for e in draft.schema.edges.get(first.attribute.table, ()))


def _is_key_of(noun: Piece, entity: Entity) -> bool:
    """Whether a noun behind a table's name is only what its key numbers, and not the number itself."""
    key = noun.option.attribute if isinstance(noun.option, ToColumn) else None
    said = name_stems(noun.span.text)
    return key is not None and key.table == entity.name and entity.key == (key.name,) and key.stems == (*said, "id")


def _has_each(draft: Draft, at: int) -> bool:
    """Whether of each of the first noun's rows there are several of the second: "each" stands before one alone."""
    before = draft.cue_at(at - 1, "group")
    several = draft.pieces[at + 1].span.text.lower()
    one = draft.pieces[at].span.text.lower()
    return before is not None and before.argument == "each" and singular(several) != several and singular(one) == one


def _is_like(piece: Piece) -> bool:
    """Whether one word in the singular only has a meaning like that of a column."""
    one = not piece.span.text.lower().endswith("s") and " " not in piece.span.text
    text = isinstance(piece.option, ToColumn) and piece.option.attribute.role == "text"
    return text and one and not piece.used and piece.option is not None and piece.option.strength <= _SYNONYM


_SYNONYM = 0.8
_KINDS = frozenset(("type", "types", "kind", "kinds", "name", "names", "title", "titles"))


def kinds(draft: Draft) -> None:
    """ "colour type", "codes of tour types", "names of regions": the word only says again what a text column is."""
    for i, piece in enumerate(draft.pieces[1:], 1):
        before = draft.pieces[i - 1]
        if piece.used or not isinstance(piece.option, ToColumn) or not isinstance(before.option, ToColumn):
            continue
        said = before.option.attribute.role == "text" and before.option.strength >= _SURE_COLUMN
        one = singular(before.span.text.lower()) == before.span.text.lower()  # in "codes, names" two are asked for
        if said and one and draft.touches(i - 1, i) and not piece.span.parted and piece.span.text.lower() in _KINDS:
            piece.used, piece.option = True, None
    for i, piece in enumerate(draft.pieces[:-2]):
        place = draft.after(i, plain_max=3)
        between = [p.span.text.lower() for p in draft.pieces[i + 1 : place]] if place is not None else []
        if place is not None and isinstance(draft.open(place), ToValue):
            place = draft.after(place, plain_max=0)  # "the names of Ada's heirs"
        named = draft.open(place)
        if (
            piece.used
            or between[:1] != ["of"]
            or not set(between[1:]) <= _ALL
            or not isinstance(piece.option, ToColumn)
        ):
            continue
        if not isinstance(named, ToColumn) or not _holds_text(named.attribute):
            continue
        said = name_stems(piece.span.text)[-1:]
        again = named.attribute.stems[-1:] == said and len(between) == 1
        said_so = piece.span.text.lower() in _NAMES or (piece.span.text.lower() in _SORTS and not between[1:])
        loose = piece.option.strength < _SURE_COLUMN or piece.span.text.lower() in _NAMES  # "each kind of result"
        # in "the name of the member in charge" a key says whose name it is
        refers = named.attribute.role == "reference" and named.strength > _REFERRING
        if again or (said_so and loose and (refers or named.strength >= _SURE_COLUMN)):
            piece.used, piece.option = True, None


def _holds_text(attribute: Attribute) -> bool:
    """Whether a column holds names, its own or those of what it refers to."""
    return attribute.role in ("text", "reference")


_NAMES = frozenset(("name", "names"))
_SORTS = frozenset(("kind", "kinds", "type", "types", "sort", "sorts"))
_ALL = frozenset(("the", "all", "of", "these", "those", "different", "each"))
_SURE_COLUMN = 0.9
_REFERRING = 0.65
"""Above which strength on a key's own words name it, rather than those of the table that it refers to."""


def kinds_of_rows(draft: Draft) -> None:
    """ "how many kinds of lamps are there", where a lamp is of no kind: the lamps themselves are meant."""
    for i, piece in enumerate(draft.pieces[:-2]):
        rows, option = draft.open(i + 2), piece.option
        if piece.span.text.lower() not in _SORTS or draft.pieces[i + 1].span.text.lower() != "of" or piece.used:
            continue
        if not isinstance(option, ToColumn) or option.strength >= _SURE_COLUMN or not isinstance(rows, ToTable):
            continue
        near = {rows.entity.name, *(e.right for e in draft.schema.edges.get(rows.entity.name, ()) if not e.many)}
        if option.attribute.table not in near:
            piece.used, piece.option = True, None


def _agrees(several: str, verb: Piece) -> bool:
    """In "members subscribe to" the second word is what the first ones do, though a table is called after it."""
    loose = isinstance(verb.option, ToTable) and verb.option.strength < _LOOSE
    return loose and several.lower().endswith("s") and not verb.span.text.lower().endswith("s")


_LOOSE = 0.8


def _does(draft: Draft, at: int) -> bool:
    """ "which guides tour in Kent": a plural that is asked for does what the word behind it says, though a table is
    called so.
    """
    words = [p.span.text.lower().split()[0] for p in draft.pieces[max(at - 1, 0) : at + 3]]
    if len(words) != _AROUND or words[0] not in ("which", "what"):
        return False
    several = words[1].endswith("s") or words[1] in ("people", "men", "women")
    return several and not words[2].endswith("s") and words[3] in _BEHIND_VERBS


_AROUND = 4
_BEHIND_VERBS = frozenset(("in", "at", "on", "to", "for", "from", "with", "both", "during", "before", "after", "since"))


def _is_verb(text: str) -> bool:
    """In "customers ordered" no noun follows a noun."""
    return text.lower().endswith(("ed", "ing")) or text.lower().split()[0].endswith("ed")


def _belongs(draft: Draft, entity: Entity, attribute: Attribute) -> bool:
    """Whether rows of the table have one such text each, by way of another table."""
    if attribute.role != "text" or attribute.table == entity.name:
        return False
    reached = [entity.name]
    for table in reached:
        reached += [e.right for e in draft.schema.edges.get(table, ()) if not e.many and e.right not in reached]
    return attribute.table in reached
