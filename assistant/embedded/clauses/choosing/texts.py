"""Clauses about texts: "name contains 'rock'", "an 'a' in their name", and quoted words that are no known value."""

from __future__ import annotations

from typing import cast

from assistant.embedded.clauses.choosing.comparable import whole
from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.naming.full_names import whole_name
from assistant.embedded.clauses.wanted import FilterWanted
from assistant.embedded.linking.options import ToColumn, ToNumber, ToTable, ToText, ToValue
from assistant.embedded.meaning import OPPOSITE, Operator
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import stem
from assistant.embedded.words.vocabulary import ASKING, HAVING

_WORD_MAX = 24
"""How long a single word is that a text may contain without quotation marks."""
_NO_TEXT = frozenset(("the", "those", "these", "them", "ones"))
"""What no text is meant by: "including those without a town"."""


def texts(draft: Draft) -> None:
    """ "name contains 'rock'", "starting with A"."""
    for i, cue in draft.cues("like"):
        quoted = draft.after(i, plain_max=4)
        target = quoted if isinstance(draft.open(quoted), ToText) else draft.after(i, plain_max=1)
        beyond = draft.pieces[target].option if target is not None else None
        if isinstance(beyond, Cue) and beyond.kind == "compare":
            draft.use(i)  # "playlists that contain more than 100 tracks"
            continue
        if _holds_related(draft, i, target):
            draft.use(i)  # "recipes that contain saffron", where saffron is an ingredient
            continue
        text = None
        if target is not None and isinstance(draft.open(target), ToText | ToValue | ToNumber):
            option = draft.open(target)
            text = option.text if isinstance(option, ToText) else draft.pieces[target].span.text
        elif target is None or target > i + 1:
            plain = i + 1 if i + 1 < len(draft.pieces) else None
            word = draft.pieces[plain].span.text if plain is not None else ""
            if word.lower() in (*ASKING, "what", "which"):
                draft.use(i)  # "how many loads does it contain? List ...": another sentence begins
                continue
            likes = draft.pieces[i].span.text.lower() == "like"  # "customers like cheese"
            bare = plain is not None and draft.pieces[plain].option is None and len(word) <= _WORD_MAX
            bare = bare and word not in _NO_TEXT
            if bare and not likes:
                target, text = plain, word
        if target is None or text is None:
            continue
        before = draft.before(i, plain_max=3)
        if before is not None and draft.pieces[before].span.text.lower() in _RELATIVE:
            before = draft.before(before, plain_max=1)  # "clerks who have the letter z in their name"
        denial = before if before is not None and draft.cue_at(before, "without", "not") else None
        before = draft.before(denial, plain_max=3) if denial is not None else before
        option = draft.open(before)
        if before is not None and isinstance(option, ToColumn) and option.attribute.role in ("text", "key"):
            noun = named_by(draft, before)
            attribute = option.attribute
            draft.use(before)
            if noun is not None:
                attribute = taken(draft, noun)
            _in_their_names(draft, target)
        elif isinstance(option, ToTable):
            speaks = draft.pieces[i].span.text.lower().split()[-1] in _SPEAKING
            attribute = _text_of(option.entity, told=speaks)
            if attribute is None:
                continue
            inside = draft.after(target, plain_max=2)
            named = draft.open(inside)
            own = isinstance(named, ToColumn) and named.attribute.table == option.entity.name
            if inside is not None and isinstance(named, ToColumn) and own and named.attribute.role == "text":
                draft.use(inside)  # "films that have the word 'x' in their title"
                attribute = named.attribute
        else:
            continue
        draft.use(i, target, *([denial] if denial is not None else []))
        operator = cast(Operator, cue.argument)
        if denial is not None:
            operator = OPPOSITE[operator]
        values = (text, *_alternatives(draft, target)[0])
        draft.filters.append(FilterWanted(attribute, operator, values, piece=target, denied=denial is not None))


def _alternatives(draft: Draft, at: int) -> tuple[list[str], int]:
    """The further texts of "'wok' or 'grill'", which are used, and the place of the last one."""
    found: list[str] = []
    following = draft.after(at, plain_max=0)
    while following is not None and draft.cue_at(following, "or"):
        option = draft.open(following + 1) if following + 1 < len(draft.pieces) else None
        if not isinstance(option, ToText):
            break
        draft.use(following, following + 1)
        found.append(option.text)
        at, following = following + 1, draft.after(following + 1, plain_max=0)
    return found, at


_SPEAKING = frozenset(("mention", "mentions", "mentioning", "to"))


def _holds_related(draft: Draft, at: int, target: int | None) -> bool:
    """Whether rows are said to contain what another table knows by name, rather than a text."""
    value, before = draft.open(target), draft.open(draft.before(at, plain_max=2))
    if isinstance(value, ToValue) and isinstance(before, ToColumn) and before.attribute.column.kind != "text":
        return True  # "orders that contain tea", where each row of a file has the number of its order
    if not isinstance(value, ToValue) or not isinstance(before, ToTable) or len(draft.pieces[at].span.text.split()) > 2:
        return False
    holder = draft.entity_of(value.attribute)
    named = value.strength > _WHOLE and value.attribute.name in holder.label
    return named and holder.name != before.entity.name and draft.pieces[at].span.text.lower().split()[-1] in _HOLDING


_HOLDING = frozenset(("contain", "contains", "contained", "containing", "include", "includes", "including", "like"))


def _text_of(entity: Entity, *, told: bool) -> Attribute | None:
    """The column in which a text is looked for where only the rows are named: their name, or the one text they hold.

    What rows mention stands where something is `told`, if there is such a column.
    """
    label = entity.attributes[entity.label[0]]
    texts = [a for a in entity.attributes.values() if a.role == "text"]
    if label.role == "text" and not (told and any(_TOLD & set(a.own) for a in texts)):
        return label
    free = [a for a in texts if a.column.profile is None or not a.column.profile.values] or texts
    found = [a for a in texts if _TOLD & set(a.own)] or free
    return found[0] if len(found) == 1 else None


_TOLD = frozenset(stem(word) for word in ("comment", "text", "message", "description", "note", "body", "remark"))


def _in_their_names(draft: Draft, at: int) -> None:
    """ "publishers that have 'ray' in their names", where a publisher is a column: the name is that column."""
    words = [piece.span.text.lower() for piece in draft.pieces[at + 1 : at + 4]]
    if len(words) == _NAMED and words[0] in ("in", "within") and words[1] in ("their", "its") and words[2] in _NAMES:
        draft.use(at + _NAMED)


_NAMED = 3
_NAMES = ("name", "names")


_RELATIVE = frozenset(("who", "which", "that"))


def mail_providers(draft: Draft) -> None:
    """ "customers with a gmail address", "yahoo.com emails": the text stands in the address."""
    for i, piece in enumerate(draft.pieces[:-1]):
        option, text = piece.option, piece.span.text.lower()
        site = isinstance(option, ToText) and "." in text
        column = _mail_at(draft, i + 1) if site or (option is None and text in _PROVIDERS) else None
        if not piece.used and column is not None:
            draft.use(i, i + 1)
            said = option.text if isinstance(option, ToText) else text
            draft.filters.append(FilterWanted(column, "contains", (said,), piece=i))


def _mail_at(draft: Draft, at: int) -> Attribute | None:
    """The column of the mail address that a place names, be it by "address" or "account" where one table has one."""
    option = draft.open(at)
    if isinstance(option, ToColumn) and "email" in option.attribute.stems:
        return option.attribute if option.attribute.role in ("text", "key") else None
    if option is not None or draft.pieces[at].span.text.lower() not in _ADDRESSES:
        return None
    tables = [draft.schema.entities[name] for name in draft.mentioned]
    found = [a for e in tables for a in e.attributes.values() if "email" in a.stems and a.role in ("text", "key")]
    return found[0] if len(found) == 1 else None


_ADDRESSES = frozenset(("address", "addresses", "account", "accounts"))


_PROVIDERS = frozenset(("gmail", "yahoo", "hotmail", "outlook", "icloud", "aol", "protonmail"))


def named_by(draft: Draft, at: int) -> int | None:
    """ "made by a studio whose name contains": the place of the text column that the name is of."""
    link = draft.before(at, plain_max=0)
    if link is None or draft.pieces[link].span.text.lower() != "whose":
        return None
    noun = draft.before(link, plain_max=0)
    option = draft.open(noun)
    named = draft.pieces[at].span.text.lower() in ("name", "names")
    if noun is None or not named or not isinstance(option, ToColumn) or option.attribute.role != "text":
        return None
    if option.strength < _WHOLE:
        return None  # a customer is no customer phone
    return noun


_WHOLE = 0.8
"""From which strength on a noun is what a column holds, rather than a part of its name."""


def taken(draft: Draft, at: int) -> Attribute:
    """Account for a column that a condition is on, and for the words that lead to it and from it."""
    option = draft.pieces[at].option
    assert isinstance(option, ToColumn), "only columns are found"
    draft.use(at, at + 1)
    by = draft.before(at, plain_max=1)
    if by is not None and draft.pieces[by].span.text.lower() == "by":
        draft.use(by)
    return option.attribute


def contained(draft: Draft) -> None:
    """ "an 'a' in their first name": a quoted text within a column."""
    for i, piece in enumerate(draft.pieces):
        if piece.used or not isinstance(piece.option, ToText | ToValue) or i + 1 >= len(draft.pieces):
            continue
        text = piece.option.text if isinstance(piece.option, ToText) else piece.span.text
        if _has_in_part(draft, i, text):
            continue
        others, last = _alternatives(draft, i) if isinstance(piece.option, ToText) else ([], i)
        place = draft.after(last, plain_max=4)
        beside = draft.open(place)
        if isinstance(piece.option, ToValue) and (len(text) > 1 or not isinstance(beside, ToColumn)):
            continue  # a known value is meant, unless it is but a letter
        said = last + 1 < len(draft.pieces) and draft.pieces[last + 1].span.text.lower() in ("in", "inside", "within")
        if said and place is not None and isinstance(beside, ToColumn) and beside.attribute.role in ("text", "key"):
            draft.use(i, place)
            draft.filters.append(FilterWanted(beside.attribute, "contains", (text, *others), piece=i))


def _has_in_part(draft: Draft, at: int, text: str) -> bool:
    """ "whose first name has 'ray' in part"."""
    before = draft.before(at, plain_max=1)
    column = draft.open(before)
    inside = " ".join(p.span.text.lower() for p in draft.pieces[at + 1 : at + 3])
    if before is None or inside not in _INSIDE or not isinstance(column, ToColumn) or column.attribute.role != "text":
        return False
    if draft.pieces[at - 1].span.text.lower().split()[-1] not in HAVING:
        return False
    draft.use(before, at, at + 1, at + 2)
    draft.filters.append(FilterWanted(column.attribute, "contains", (text,), piece=at))
    return True


_INSIDE = frozenset(("in part", "in it", "in them"))


def quoted(draft: Draft) -> None:
    """Quoted words that are no known value: equality with the column or the table's name they stand by."""
    for i, piece in enumerate(draft.pieces):
        if piece.used or not isinstance(piece.option, ToText):
            continue
        before, after = draft.before(i, plain_max=3), draft.after(i, plain_max=0)
        for place in (before, after):
            beside = draft.open(place)
            attribute: Attribute | None = None
            if isinstance(beside, ToColumn):
                attribute = beside.attribute
            elif isinstance(beside, ToTable) and len(beside.entity.label) == 1:
                attribute = draft.schema.attribute(beside.entity.name, beside.entity.label[0])
            elif isinstance(beside, ToTable):
                parts = whole_name(piece.option.text, beside.entity, draft.schema)
                draft.filters += [FilterWanted(a, "=", (part,), known=False, piece=i) for a, part in parts]
                if parts:
                    draft.use(i)
                    break
            if attribute is None or place is None:
                continue
            text = piece.option.text
            number = text.replace(".", "", 1).isdigit() and attribute.column.kind in ("integer", "number")
            flag = _flag_value(attribute, text)
            if attribute.role not in ("text", "key") and not number and flag is None:
                continue
            draft.use(i)
            if isinstance(beside, ToColumn):
                draft.use(place)
            value = whole(float(text)) if number else flag or text
            draft.filters.append(FilterWanted(attribute, "=", (value,), known=number or flag is not None, piece=i))
            break


def _flag_value(attribute: Attribute, text: str) -> str | None:
    """ "the approval status 'No'": the value of a yes-or-no column, as its source writes it."""
    profile = attribute.column.profile
    held = profile.values if attribute.role == "flag" and profile and profile.values else ()
    return next((value for value in held if value.casefold() == text.casefold()), None)
