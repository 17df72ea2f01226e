"""What ties two rows of one table: "users who follow somebody", "students with at least 2 friends", "followed by most".

A table that refers twice to one other has a key for who does something and one for whom it is done to. Which of them
leads to the rows that are spoken of is told by the noun or by the voice of the verb.
"""

from __future__ import annotations

from dataclasses import dataclass

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import FilterWanted, RelatedWanted, kind_said
from assistant.embedded.linking.options import EXACT, ToColumn, ToNumber, ToTable, ToValue
from assistant.embedded.meaning import Operator
from assistant.embedded.source.schema import Attribute, Entity, Schema
from assistant.embedded.words.lexicon import is_past, name_words, stem
from assistant.embedded.words.vocabulary import HAVING


@dataclass(frozen=True, slots=True)
class Tie:
    """A table that ties rows of `other`: by the key of who does it and by that of whom it is done to."""

    entity: Entity
    other: Entity
    doing: Attribute
    done: Attribute

    def beside(self, key: Attribute) -> Attribute:
        """The other one of its two keys."""
        return self.done if key == self.doing else self.doing


@dataclass(frozen=True, slots=True)
class Deed:
    """A verb that says a tie: whose `key` leads to what is spoken of, and at which place the others are told.

    The places `by` say that it is done by them.
    """

    tie: Tie
    at: int
    key: Attribute
    place: int
    by: list[int]


def twofold(draft: Draft) -> None:
    """Read who does something to whom, where both are rows of one table."""
    for i in range(len(draft.pieces)):
        option = draft.open(i)
        table = option.entity.name if isinstance(option, ToTable) else ""
        if (
            isinstance(option, ToColumn)
            and option.attribute.role == "reference"
            and not draft.says_key(option.attribute)
        ):
            table = option.attribute.table
        tie = tie_of(draft.schema, table) if table else None
        if tie is None or not any(_table_at(draft, n) == tie.other.name for n in range(len(draft.pieces))):
            continue
        if _those_of(draft, i, tie):
            continue
        if isinstance(option, ToColumn):
            if _is_counted(draft, i):
                draft.pieces[i].option = ToTable(entity=tie.entity, strength=option.strength)
                draft.via.append(tie.beside(option.attribute))
                draft.mention(tie.entity.name)
        elif _is_counted(draft, i):
            draft.via.append(_owning(tie, draft.word(i)))
        else:
            _deed(draft, i, tie)


def tie_of(schema: Schema, table: str) -> Tie | None:
    """The table as one that ties two rows of another."""
    entity = schema.entities[table]
    if sum(1 for a in entity.attributes.values() if a.role not in ("key", "reference")) > _MORE_MAX:
        return None
    referring = [(a, e) for a, e in schema.ends if a.table == table]
    if len(referring) != _BOTH or any(
        len(words := name_words(a.name)) > 1 and set(words) & _PLACES for a, _ in referring
    ):
        return None
    (one, other), (two, _) = referring
    turned = _is_done_to(one) or _does(two)
    return Tie(entity, other, two, one) if turned and not _does(one) else Tie(entity, other, one, two)


_BOTH = 2
_MORE_MAX = 2
"""How many columns a tie has at most beside its keys: when it was made, and of which kind it is."""
_PLACES = frozenset(
    ("by", "from", "to", "start", "end", "home", "away", "source", "destination", "origin", "dest", "src", "dst")
)
"""What the two keys of a way, a match or a shift are called: neither end does anything to the other."""


def _does(key: Attribute) -> bool:
    return any(word.endswith(("er", "or")) and len(word) > len("user") for word in name_words(key.name))


def _is_done_to(key: Attribute) -> bool:
    return any(word.endswith(("ee", "ed", "ing")) for word in name_words(key.name))


def _owning(tie: Tie, noun: str) -> Attribute:
    """Whose friends are counted: not the friend's."""
    said = stem(noun)
    named = [key for key in (tie.doing, tie.done) if said in key.stems]
    return tie.beside(named[0]) if len(named) == 1 else tie.doing


def _is_counted(draft: Draft, at: int) -> bool:
    """Whether a noun stands there that is had or counted: "with 5 followers", "the most friends"."""
    if is_past(draft.word(at)):
        return False
    before = draft.pieces[at - 1] if at else None
    if before is None:
        return False
    counted = isinstance(before.option, ToNumber) or draft.cue_at(at - 1, "count", "most", "with", "without", "average")
    return bool(counted) or before.span.text.lower().split()[-1] in _OWNING


def _those_of(draft: Draft, at: int, tie: Tie) -> bool:
    """ "Kyle's friends", "the followers of verified users": rows by whose tie they are."""
    option = draft.open(at)
    if isinstance(draft.pieces[at - 1].option, ToNumber) or draft.cue_at(
        at - 1, "count", "most", "compare", "distinct"
    ):
        return False
    key = option.attribute if isinstance(option, ToColumn) else tie.beside(_owning(tie, draft.word(at)))
    named = isinstance(option, ToColumn) or stem(draft.word(at)) in key.stems
    filters: list[FilterWanted] = []
    used: list[int] = []
    before = kind_said(draft.open(at - 1), at - 1) if at else None
    if draft.word(at + 1) == "of":
        filters, used = _whom(draft, at + 2, tie)
    elif before is not None and before.attribute.name in tie.other.label and before.attribute.table == tie.other.name:
        filters, used = [before], [at - 1]
    if not filters or not named or is_past(draft.word(at)):
        return False
    draft.use(*used)
    for n in (*used, at):
        draft.pieces[n].option = None
    if not any(_table_at(draft, n) == tie.other.name for n in range(at)):
        draft.pieces[at].option = ToTable(entity=tie.other, strength=EXACT)
        draft.mention(tie.other.name)
    draft.related.append(RelatedWanted(tie.entity, ">=", 1, at, filters, along=(key, tie.beside(key))))
    draft.mention(tie.entity.name)
    return True


_OWNING = HAVING | {"no", "any", "of"}


def _table_at(draft: Draft, at: int) -> str:
    option = draft.pieces[at].option
    if isinstance(option, ToTable):
        return option.entity.name
    return option.attribute.table if isinstance(option, ToValue) else ""


def _deed(draft: Draft, at: int, tie: Tie) -> None:
    """What is done: rows there must be, or that are counted."""
    if draft.word(at - 1) in _ARTICLES:
        return  # "closed a shift"
    passive = is_past(draft.word(at)) and (draft.word(at + 1) == "by" or _after_being(draft, at))
    key = tie.done if passive else tie.doing
    place = at + 1
    denied = [at - 1] if draft.cue_at(at - 1, "without", "not") else []
    by = [place] if passive and draft.word(place) == "by" else []
    place += len(by)
    while draft.word(place) in _ARTICLES and draft.open(place) is None:
        place += 1
    if _whom_counted(draft, Deed(tie, at, key, place, by)):
        return
    if not any(_table_at(draft, n) == tie.other.name for n in range(at)):
        return
    filters, used = _whom(draft, place, tie)
    if draft.cue_at(place, "without", "not") and not denied and not filters:
        denied, used = [place], []
    elif place < len(draft.pieces) and not used and draft.word(place) not in _ANYBODY and by:
        return
    elif draft.word(place) in _ANYBODY:
        used = [place]
    if draft.word(place) == "each" and draft.word(place + 1) == "other":
        return
    draft.use(at, *denied, *by, *used)
    for n in (at, *used):
        draft.pieces[n].option = None
    along = (key, tie.beside(key))
    operator, count = _NONE if denied else _SOME
    draft.related.append(RelatedWanted(tie.entity, operator, count, at, filters, along=along))
    draft.mention(tie.entity.name)


_NONE: tuple[Operator, int] = ("=", 0)
_SOME: tuple[Operator, int] = (">=", 1)
_ARTICLES = frozenset(("a", "an", "some", "any", "the", "another", "other", "at least one"))
_ANYBODY = frozenset(("someone", "somebody", "anyone", "anybody", "others", "everyone", "people", "one another"))


def _after_being(draft: Draft, at: int) -> bool:
    words = {word for n in (at - 1, at - 2) for word in draft.word(n).split()}
    return bool(words & _BEING)


_BEING = frozenset(("is", "are", "was", "were", "been", "be", "being", "aren't", "isn't", "get", "gets"))


def _whom_counted(draft: Draft, deed: Deed) -> bool:
    """ "followed by the most users", "follow more than 5 users", "how many users does Ada follow": ties are counted."""
    tie, at, place = deed.tie, deed.at, deed.place
    target = place + 1 if draft.cue_at(place, "most", "compare", "count") else -1
    if isinstance(draft.open(place), ToNumber) or (target > 0 and isinstance(draft.open(target), ToNumber)):
        target = max(place, target) + 1
    if target < 0:
        first = [n for n, _ in draft.cues("count") if n < at]
        target = first[-1] + 1 if first else -1
        if not first or not any(_table_at(draft, n) == tie.other.name for n in range(target + 1, at)):
            return False
    option = draft.open(target) if 0 <= target < len(draft.pieces) else None
    if not isinstance(option, ToTable) or option.entity != tie.other:
        return False
    draft.pieces[target].option = ToTable(entity=tie.entity, strength=max(option.strength, EXACT + 0.1))
    draft.use(at, *deed.by)
    draft.pieces[at].option = None
    draft.via.append(deed.key)
    draft.mention(tie.entity.name)
    return True


def _whom(draft: Draft, place: int, tie: Tie) -> tuple[list[FilterWanted], list[int]]:
    """The conditions on whom it is done to, or who does it, with the places that say them."""
    filters: list[FilterWanted] = []
    used: list[int] = []
    named = False
    for n in range(place, len(draft.pieces)):
        option = draft.open(n)
        said = kind_said(option, n)
        if isinstance(option, ToTable) and option.entity == tie.other and not named:
            named = True
        elif said is not None and said.attribute.table == tie.other.name:
            filters.append(said)
        elif option is None and draft.word(n) in _BINDING and (named or not used):
            continue
        else:
            break
        used.append(n)
    return filters, used


_BINDING = frozenset(("from", "in", "of", "a", "an", "the", "named", "called", "who", "is", "are", "at", "that"))
