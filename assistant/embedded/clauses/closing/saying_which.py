"""Columns that only say which rows are meant, and are not asked for: "patients in a treatment", "the names of studios".

What stands in a list with what is shown, or is added at the end of a question, is asked for all the same.
"""

from __future__ import annotations

from assistant.embedded.clauses.closing.owners import REQUESTS, THEIRS
from assistant.embedded.clauses.draft import Draft
from assistant.embedded.linking.options import ToColumn, ToTable, ToValue
from assistant.embedded.source.schema import Attribute
from assistant.embedded.words.lexicon import is_past

SURE = 0.8
"""From which strength on words are surely linked to their column."""
_BOUNDARIES = frozenset(("that", "who", "whose", "which", "where", "with", "having"))


def only_says_which(draft: Draft, at: int, option: ToColumn) -> bool:
    """Whether a column is part of what rows are meant rather than of what is asked for: "patients in a treatment"."""
    if not draft.shown and draft.subject is None:
        return False
    if draft.word(at - 1) in THEIRS and draft.shown and not _past_boundary(draft, at - 1):
        return False  # "the names with their origin and destination"
    if _is_enumerated(draft, at) or _is_added_at_last(draft, at) or _goes_on(draft, at) or _begins(draft, at, option):
        return False
    if any(
        f.attribute == option.attribute and f.operator == "=" and 0 < f.piece - at <= _VALUE_NEAR for f in draft.filters
    ):
        return True  # "members from the city with the code 'HOU'"
    key = option.attribute.role in ("key", "reference") and option.strength < SURE
    referred = draft.schema.referred(option.attribute) if draft.shown else None
    if referred is not None and any(f.attribute.table == referred.name for f in draft.filters):
        return True  # "scores of players from the team named Lions"
    return key or (bool(draft.shown) and (_past_boundary(draft, at) or _is_whose(draft, at, option.attribute)))


def _is_enumerated(draft: Draft, at: int) -> bool:
    """ "first name and division number of the staff": what is asked for stands side by side."""
    link = draft.before(at, plain_max=1)
    asked = draft.before(link, plain_max=0) if link is not None and draft.cue_at(link, "and") else None
    first = draft.pieces[asked].option if asked is not None else None
    named = any(isinstance(p.option, ToTable) for p in draft.pieces[:at])
    return not named and isinstance(first, ToColumn) and first.attribute in draft.shown


def _begins(draft: Draft, at: int, option: ToColumn) -> bool:
    """ "The numbers and names of all rides": what a list begins with is asked for as well."""
    link = draft.after(at, plain_max=0)
    beside = draft.open(draft.after(link, plain_max=1)) if link is not None and draft.cue_at(link, "and") else None
    named = any(isinstance(p.option, ToTable | ToColumn) for p in draft.pieces[:at])
    return not named and isinstance(beside, ToColumn) and beside.attribute.table == option.attribute.table


def _goes_on(draft: Draft, at: int) -> bool:
    """ "with the customer's last name, the car make and the price": what stands in a list with what is shown."""
    place = at - 1
    while place >= 0 and (
        draft.pieces[place].aside or draft.pieces[place].span.text.lower() in _LISTED or _owns(draft, place, at)
    ):
        place -= 1
    option = draft.pieces[place].option if place >= 0 else None
    parted = any(p.span.parted or p.span.text.lower() == "and" for p in draft.pieces[place + 1 : at + 1])
    return isinstance(option, ToColumn) and option.attribute in draft.shown and parted


_LISTED = frozenset(("the", "and", "their", "its", "as", "well"))


def _owns(draft: Draft, place: int, at: int) -> bool:
    """ "the car make": the table before its own column."""
    table, column = draft.pieces[place].option, draft.pieces[at].option
    own = isinstance(table, ToTable) and isinstance(column, ToColumn) and column.attribute.table == table.entity.name
    return own and place == at - 1


def _is_added_at_last(draft: Draft, at: int) -> bool:
    """ "clerks who have served some customer, and the opening hours": a question ends in what else is asked for."""
    words = [piece.span.text.lower() for piece in draft.pieces[:at]]
    while words and words[-1] in _ADDING:
        words.pop()
    article = len(words) < at
    joined = bool(words) and words[-1] in ("and", "as well as")
    behind = [p for p in draft.pieces[at + 1 :] if p.option is not None]
    before = draft.pieces[len(words) - 2].option if len(words) > 1 else None
    beside = bool(_BESIDE & {piece.span.text.lower() for piece in draft.pieces[len(words) : at]})
    return article and joined and not behind and (isinstance(before, ToTable) or (beside and before is not None))


_BESIDE = frozenset(("corresponding", "respective", "also", "their", "its"))
_ADDING = frozenset(("the", "also", "corresponding", "respective", "their", "its"))


def _is_whose(draft: Draft, at: int, attribute: Attribute) -> bool:
    """ "positions of the players", "committees that have delegates", of one table: what is asked comes first."""
    before = draft.pieces[:at]
    while before and before[-1].span.text.lower() in _ARTICLES:
        before = before[:-1]
    if len(before) <= 1 or attribute.role not in ("text", "reference"):
        return False
    link, asked = before[-1].span.text.lower(), before[-2]
    if link not in ("of", "have", "has", "had") or not isinstance(asked.option, ToColumn):
        return False
    other = asked.option.attribute
    own = other in draft.shown and other.table == attribute.table and other != attribute
    return own and asked.span.text.lower() not in ("name", "names", "id", "ids")


def is_deed(draft: Draft, at: int) -> bool:
    """Whether a word only says what was done to the rows asked for, though a column is called alike."""
    text, before = draft.pieces[at].span.text.lower(), draft.pieces[at - 1].span.text.lower().split()[-1:]
    if " " in text or not before:
        return False
    if not (is_past(text) and before[0] in _DOING) and not _by_its_doer(draft, at):
        return False
    return (bool(draft.shown) or draft.subject is not None or draft.ranked is not None) and draft.pieces[
        0
    ].span.text.lower() not in (
        "when",
        "where",
    )


def is_what_they_do(draft: Draft, at: int, option: ToColumn) -> bool:
    """ "Who plays chess? List their names": a verb right behind "who", where columns are asked for by themselves."""
    if not draft.asks_who or at != 1 or " " in draft.word(at) or option.strength >= SURE_WORD:
        return False
    return any(isinstance(p.option, ToColumn) and not p.used for p in draft.pieces[at + 1 :])


SURE_WORD = 0.86
"""From which strength on a word is the column's own name."""


def _by_its_doer(draft: Draft, at: int) -> bool:
    """ "which kinds of mills have Dutch architects built": who did it stands between "have" and the verb."""
    option, asked = draft.pieces[at].option, draft.word(0).split()[:1]
    loose = isinstance(option, ToColumn) and option.strength < _WHOLE
    helped = any(draft.word(i) in ("have", "has", "had", "did") for i in range(1, at - 1))
    doer = isinstance(draft.pieces[at - 1].option, ToTable | ToValue)
    done = is_past(draft.word(at)) or draft.word(at) in _DONE
    return done and loose and helped and doer and asked in (["which"], ["what"], ["how"])


_DONE = frozenset(("built", "sold", "bought", "made", "written", "won", "led", "held", "taught", "flown", "taken"))
_WHOLE = 0.9
"""From which strength on a word names a column by itself."""
_DOING = frozenset(("is", "are", "was", "were", "been", "be", "who", "that", "which", "has", "have", "had", "and"))


def names_a_column(draft: Draft, at: int) -> bool:
    """Whether the word "name" only says that what follows it, a column of the same table, is a name."""
    option, following = draft.pieces[at].option, draft.after(at, plain_max=3)
    column = draft.open(following)
    if draft.pieces[at].span.text.lower() not in ("name", "names") or not isinstance(column, ToColumn):
        return False
    between = [p.span.text.lower() for p in draft.pieces[at + 1 : following]]
    own = isinstance(option, ToColumn) and option.attribute.table == column.attribute.table
    return own and column.attribute.role == "text" and between[:1] == ["of"] and set(between[1:]) <= _ARTICLES


_VALUE_NEAR = 4
_ARTICLES = frozenset(("the", "all", "any", "a", "an", "each", "every", "some"))


def _past_boundary(draft: Draft, at: int) -> bool:
    """Behind "that", "who", "with": conditions, unless a new sentence begins."""
    first = min((i for i, p in enumerate(draft.pieces) if isinstance(p.option, ToColumn | ToTable)), default=at)
    again = [i for i in range(1, at) if draft.pieces[i].span.text.lower() in REQUESTS]
    first = max([first, *again])
    said = [p.span.text.lower().split()[0] for p in draft.pieces[: at + 1]]
    said = ["and" if word == "with" and i and said[i - 1] in _ALONG else word for i, word in enumerate(said)]
    return any(said[i] in _BOUNDARIES and said[i + 1] not in THEIRS for i in range(first + 1, at))


_ALONG = frozenset(("along", "together"))
