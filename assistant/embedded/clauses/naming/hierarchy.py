"""Clauses about rows of one table that refer to each other: "employees who report to Ada", "the manager of Bo".

Downwards the rows are asked for that name the chosen one, upwards the one that the chosen rows name.
"""

from __future__ import annotations

from dataclasses import dataclass

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import FilterWanted, KinWanted
from assistant.embedded.linking.options import ToNumber, ToTable, ToValue
from assistant.embedded.source.schema import ABOVE_AT_WORK, Attribute, Entity
from assistant.embedded.words.lexicon import name_stems, name_words, stem

_LEADING = frozenset(stem(w) for w in ("manage", "managed", "supervise", "supervised", "lead", "led", "oversee"))
_REPORTING = frozenset(stem(w) for w in ("report", "reporting", "reported", "reports"))
_GAP = frozenset(("to", "by", "of", "is", "are", "was", "were", "the", "a", "an", "as", "named", "called"))
_EACH = frozenset(("they", "does", "do", "did", "each", "every", "all", "the"))
_VERB_LENGTH = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class _Link:
    """A column by which rows name one of their own table, and what people call it."""

    entity: Entity
    column: Attribute
    key: Attribute

    @property
    def verb(self) -> bool:
        """Whether it is called by what the lower one does ("reports to") and not by what the upper one is."""
        return name_words(self.column.name)[-1] in ("to", "under")

    @property
    def words(self) -> str:
        return self.column.words.removesuffix(" id")

    def names_above(self, word: str) -> bool:
        """Whether a word is what the upper one is called: "manager", or "parent" where the column is called so."""
        root = stem(word)
        if self._is_of_work:
            return root in ABOVE_AT_WORK
        own = name_stems(self.entity.name)  # "the 5 products" are no parents, though each has a parent product
        return not self.verb and root in self.column.stems and root not in ("id", *own)

    @property
    def _is_of_work(self) -> bool:
        return bool((ABOVE_AT_WORK | _REPORTING) & set(self.column.stems))

    def leads(self, word: str) -> bool:
        """Whether a word is what the upper one does: "manages", "supervised"."""
        return self._is_of_work and stem(word) in _LEADING

    def reports(self, word: str) -> bool:
        """Whether a word is what the lower one does: "reports"."""
        return (self._is_of_work and stem(word) in _REPORTING) or (self.verb and stem(word) == self.column.stems[0])


def superiors(draft: Draft) -> None:
    """Take the words about who is above whom out of the question, and keep them as a condition."""
    for column, key in draft.schema.superiors:
        link = _Link(entity=draft.entity_of(column), column=column, key=key)
        for at, piece in enumerate(draft.pieces):
            if not piece.used and _read(draft, at, link):
                return


def _read(draft: Draft, at: int, link: _Link) -> bool:
    words = draft.pieces[at].span.text.lower().split()
    named = len(words) > 1 and words[-1] == "to"  # "employees report to"
    first, before = words[-2 if named else 0], draft.word(at - 1)
    behind, ahead = _chosen(draft, at, link, 1), _chosen(draft, at, link, -1)
    if link.reports(first) and (len(words) > 1 or draft.word(at + 1) == "to"):
        if not behind and not ahead:
            return _listed(draft, at, link)
        asked = bool(ahead) and draft.word(min(ahead) - 1) in ("does", "do", "did")
        return _take(draft, at, behind, link, up=False) or (asked and _take(draft, at, ahead, link, up=True))
    if link.leads(first):
        if draft.word(at + 1) == "by":
            led = draft.open(draft.before(at, plain_max=3))
            own = not isinstance(led, ToTable) or led.entity == link.entity  # projects are led, and not who leads them
            return own and _take(draft, at, behind, link, up=False)
        does = before in ("who", "that") or _is_row(draft, at - 1, link)
        return does and _take(draft, at, behind, link, up=True)
    if not link.names_above(first):
        return False
    if before in ("whose", "their", "as") or (before == "the" and draft.word(at - 2) == "as"):
        return _take(draft, at, behind if before == "whose" else ahead, link, up=False)
    if draft.word(at + 1) == "of":
        return _take(draft, at, behind, link, up=True)
    near = bool(ahead) and max(ahead) == at - 1
    return near and _take(draft, at, ahead, link, up=True)


def _listed(draft: Draft, at: int, link: _Link) -> bool:
    """ "employees and who they report to", "who does each employee report to": each row with the one above it."""
    place = at - 1
    while place >= 0 and (draft.word(place) in _EACH or _is_row(draft, place, link)):
        place -= 1
    if draft.word(place) not in ("who", "whom"):
        return False
    others = [n for n, p in enumerate(draft.pieces) if _is_row(draft, n, link) and not p.used]
    named = len(draft.pieces[at].span.text.split()) > _VERB_LENGTH  # "each employee reports to"
    if not others and not named and "they" not in (draft.word(n) for n in range(place, at)):
        return False
    for piece in draft.pieces[place : at + (2 if draft.word(at + 1) == "to" else 1)]:
        piece.used, piece.option = True, None
    draft.use(*others)
    draft.subject = link.entity
    draft.shown += [*(link.entity.attributes[name] for name in link.entity.label), link.column]
    draft.mention(link.entity.name)
    return True


def _say_which(draft: Draft, at: int, link: _Link) -> None:
    """ "calls taken by employees who report to Bo": the employees only say which calls."""
    place = draft.before(at, plain_max=2)
    if place is not None and draft.cue_at(place, "which", "with"):
        draft.use(place)
        place = draft.before(place, plain_max=0)
    others = (p.option for p in draft.pieces[: place or 0] if isinstance(p.option, ToTable))
    if place is not None and _is_row(draft, place, link) and any(o.entity != link.entity for o in others):
        draft.use(place)
        by = draft.before(place, plain_max=0)
        if by is not None and draft.cue_at(by, "group"):
            draft.use(by)


def _is_row(draft: Draft, at: int, link: _Link) -> bool:
    option = draft.pieces[at].option if at >= 0 else None
    return isinstance(option, ToTable) and option.entity == link.entity


def _chosen(draft: Draft, at: int, link: _Link, step: int) -> list[int]:
    """The places of the values that choose a row of the table, next to a place on one side."""
    found: list[int] = []
    place = at + step
    while 0 <= place < len(draft.pieces):
        piece = draft.pieces[place]
        option = piece.option
        if _filter(option, link) is not None:
            found.append(place)
        elif found or not (piece.span.text.lower() in _GAP or (_is_row(draft, place, link) and not piece.used)):
            break
        place += step
    return found


def _filter(option: object, link: _Link) -> FilterWanted | None:
    match option:
        case ToValue(attribute=attribute, value=value) if attribute.table == link.entity.name:
            return FilterWanted(attribute, "=", (value,))
        case ToNumber(number=number) if link.key.column.kind == "integer":
            return FilterWanted(link.key, "=", (int(number),))
        case _:
            return None


def _take(draft: Draft, at: int, places: list[int], link: _Link, *, up: bool) -> bool:
    """Keep the condition, and account for the words between and the table that they name."""
    filters = [f for n in sorted(places) if (f := _filter(draft.pieces[n].option, link)) is not None]
    if not filters:
        return False
    named = " ".join(draft.pieces[n].span.text for n in sorted(places))
    label = f"{link.words} is {named}"
    if up:
        label = f"{named} {link.words} them" if link.verb else f"they are the {link.words} of {named}"
    shown, column = (link.column, link.key) if up else (link.key, link.column)
    draft.kin.append(KinWanted(column=column, shown=shown, filters=filters, label=label))
    for piece in draft.pieces[min(at, *places) : max(at, *places) + 1]:
        piece.used, piece.option = True, None
    if len(draft.pieces[at].span.text.split()) > _VERB_LENGTH:  # "employees report to" names the rows as well
        draft.pieces[at].used, draft.pieces[at].option = False, ToTable(entity=link.entity, strength=1.0)
    _say_which(draft, min(at, *places), link)
    after = draft.after(max(at, *places), plain_max=0)
    if after is None and draft.word(at + 1) == "to":
        draft.use(at + 1)  # "who does Bo report to"
    if not any(isinstance(p.option, ToTable) and not p.used for p in draft.pieces):
        draft.subject = link.entity
    draft.mention(link.entity.name)
    return True
