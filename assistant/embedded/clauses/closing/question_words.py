"""What the first word of a list asks for by itself: "who" for people, "where" for a place, "when" for a date."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.linking.options import ToColumn, ToTable
from assistant.embedded.linking.persons import is_person
from assistant.embedded.meaning import Aggregate
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import name_words
from assistant.embedded.words.vocabulary import PEOPLE

_SURE = 0.8


def who_holds(draft: Draft) -> bool:
    """ "who is the delegate of district 1?": a column that is asked for by its name may hold people."""
    asked = draft.after(0, plain_max=3)
    while asked is not None and isinstance(cue := draft.pieces[asked].option, Cue) and cue.kind in _RANKS:
        asked = draft.after(asked, plain_max=1)
    option = draft.pieces[asked].option if asked is not None else None
    verbs = {p.span.text.lower() for p in draft.pieces[1:asked]}
    if isinstance(option, ToTable) and option.entity in (draft.ranked, draft.subject):
        return bool(verbs & _ARE)  # "who are our top 5 accounts": they are named, whatever they are
    named = isinstance(option, ToColumn) and option.attribute.role == "text" and option.strength >= _SURE
    asked_for = isinstance(option, ToColumn) and option.attribute in (*draft.shown, *draft.groups, draft.ranked)
    return named and asked_for and bool(verbs & _ARE)


_ARE = frozenset(("is", "are", "was", "were"))
_RANKS = ("top", "best", "most", "place")


def must_be_people(draft: Draft) -> None:
    """ "who" asks for people: a reading that answers with orders is none."""
    asked = [draft.subject, draft.ranked, *draft.groups]
    entities = [draft.entity_of(a) if isinstance(a, Attribute) else a for a in asked if a is not None]
    words = {word for a in (*draft.shown, draft.ranked) if isinstance(a, Attribute) for word in name_words(a.name)}
    if not draft.shown:
        # The rows of a file have no name of their own; the column that names each may say that they are people.
        ordered = [draft.entity_of(a) for a, _ in draft.order if isinstance(a, Attribute)]
        entities += ordered
        told = [column for e in entities for column in e.label if not (e.bridge and column in e.key)]
        words |= {word for column in told for word in name_words(column)}
    entities += [draft.entity_of(a) for a in draft.shown]
    named = _is_named_so(draft)
    if named and draft.subject is not None and draft.shown and not (draft.wanted or draft.groups):
        label = [draft.subject.attributes[name] for name in draft.subject.label]
        draft.shown = [*(a for a in label if a not in draft.shown), *draft.shown]  # "who is the head and where is he?"
    if not any(is_person(e) for e in entities) and not PEOPLE & words and not named:
        raise Misfit("I could not tell who is meant.", weight=3)


def _is_named_so(draft: Draft) -> bool:
    """ "who was the newest agent", "who are the brokers without deals?": the noun itself says who is meant."""
    said = [piece.span.text.lower().split()[0] for piece in draft.pieces]
    if said[1:2] not in (["is"], ["was"], ["are"], ["were"]):
        return False
    nouns = (p.option for p in draft.pieces if isinstance(p.option, ToTable | ToColumn))
    first = next((o for o in nouns if not (isinstance(o, ToColumn) and o.attribute.is_time)), None)
    return isinstance(first, ToTable) and first.entity in (draft.subject, draft.ranked)


def where_too(draft: Draft) -> None:
    """ "the names of customers who ..., and where they are from": a place beside what else is asked for."""
    said = [piece.span.text.lower() for piece in draft.pieces]
    if "where" not in said[1:] or not draft.shown:
        return
    at = said.index("where", 1)
    if at + 1 == len(said) or said[at + 1] not in _ASKED_OF or not _LIVING & set(said[at:]):
        return
    named = next((p.option.entity for p in draft.pieces[at:] if isinstance(p.option, ToTable)), draft.subject)
    places = _places(named or draft.entity_of(draft.shown[0]))
    if places and places[0] not in draft.shown:
        draft.shown.append(places[0])


def named_too(draft: Draft) -> None:
    """ "the towns of the firms without debts, and what are the firms?": the rows themselves as well."""
    for i, piece in enumerate(draft.pieces):
        before = [p.span.text.lower() for p in draft.pieces[max(i - 4, 0) : i]]
        if not isinstance(piece.option, ToTable) or piece.option.entity != draft.subject or not draft.shown:
            continue
        if before[:1] == ["and"] and before[1:2] in (["what"], ["who"], ["which"]) and before[2:] in _ARE_THE:
            label = [piece.option.entity.attributes[name] for name in piece.option.entity.label]
            draft.shown += [a for a in label if a not in draft.shown]


_ARE_THE = (["are", "the"], ["is", "the"], ["were", "the"], ["was", "the"])


def end_asked(draft: Draft, attribute: Attribute) -> Aggregate | None:
    """ "when did we last receive anything from Lux": the last day of them all."""
    if draft.groups or draft.shown or any(isinstance(piece.option, ToTable) for piece in draft.pieces):
        return None
    if draft.word(0).split()[:1] != ["when"] or not attribute.is_time:
        return None
    return _ENDS.get(attribute.stems[0]) if len(attribute.stems) > 1 else None


_ENDS: dict[str, Aggregate] = {"last": "maximum", "latest": "maximum", "first": "minimum"}


def is_asked_when(draft: Draft, at: int) -> bool:
    """ "the names of the clerks, and when were they hired": the verb names the date that is asked for."""
    option = draft.pieces[at].option
    if not isinstance(option, ToColumn) or not (option.attribute.is_time or "date" in option.attribute.name.lower()):
        return False
    before = [piece.span.text.lower() for piece in draft.pieces[max(at - 4, 1) : at]]
    when = before.index("when") if "when" in before else len(before)
    asks = when + 1 < len(before) and before[when + 1] in _ASKED_OF
    return asks and "and" in before[:when]


_ASKED_OF = frozenset(
    ("are", "is", "was", "were", "do", "does", "did", "they", "he", "she", "it", "the", "these", "those")
)
_LIVING = frozenset(("from", "live", "lives", "located", "come", "comes"))


def _places(entity: Entity) -> list[Attribute]:
    """The columns of a table that say where, the best first."""
    return [a for word in _PLACES for a in entity.attributes.values() if word in name_words(a.name)]


_PLACES = ("city", "address", "location", "country", "place", "venue")


def asked_by_word(draft: Draft, subject: Entity) -> None:
    """ "where is ...", "when was ...": the word itself asks for a column."""
    first = draft.pieces[0].span.text.lower() if draft.pieces else ""
    if first == "where":
        places = _places(subject)
        if not places:
            raise Misfit(f"I found no place among what I know of {subject.many}.", weight=4)
        draft.shown.append(places[0])
    elif first == "when":
        if len(subject.dates) != 1:
            raise Misfit(f"Which date of the {subject.many} is meant?", weight=4)
        draft.shown.append(subject.dates[0])


def asked_period(draft: Draft) -> None:
    """ "in which year did the latest strike happen": the rows' own year, where a column of theirs holds it."""
    ordered = [draft.entity_of(target) for target, _ in draft.order if isinstance(target, Attribute)]
    entity = draft.subject or next(iter(ordered), None)
    for i, cue in draft.cues("asked_grain"):
        own = [a for a in entity.attributes.values() if a.own[-1:] == (cue.argument,)] if entity else []
        if len(own) == 1:
            draft.use(i)
            draft.shown.append(own[0])
