""" "Who placed the most orders?": the word asks for people, and which people only the data says.

The question is read once more for each table of people that it may mean, as if it asked "which customer ...".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from assistant.embedded.linking.options import Option, ToColumn, ToTable, ToValue
from assistant.embedded.linking.spans import Span
from assistant.embedded.source.schema import Attribute, Entity, Schema
from assistant.embedded.words.lexicon import Token, does, is_past, name_words, singular, spelt_out, stem, tokens
from assistant.embedded.words.vocabulary import PEOPLE, word_set

_BEING = frozenset(("is", "are", "was", "were", "am", "be", "else"))
_DOES = frozenset(("does", "do", "did"))
_REPORTS = frozenset(("report", "reports"))
_TABLES_MAX = 3
_DONE_TO = 2
"""Where the verb stands in "who was hired"."""


_BUYING = word_set(
    """bought buys buy ordered orders order purchased purchases paid pays spent spends spend rented rents rent borrowed
    borrows borrow"""
)
_BUYERS = word_set("customer client buyer shopper member guest user account")
_SERVING = word_set(
    """sold sells sell handled handles solved solves resolved resolves answered answers closed closes served serves
    processed processes shipped ships delivered delivers"""
)
_TEAMS = word_set("team department group office crew")
_SERVERS = word_set(
    "employee staff salesperson seller agent representative rep clerk technician assignee worker supplier"
)


_NOT_YET = word_set("has have had not never did hasn't haven't hadn't didn't n't")
"""What stands between "who" and what was not done."""


def is_person(entity: Entity) -> bool:
    """Whether each row is a person: by its noun ("customer", not "customer order"), or by a first and a last name."""
    named_in_two = len(entity.label) == 2 and all(entity.attributes[name].role == "text" for name in entity.label)
    return named_in_two or bool(PEOPLE & _noun(entity))


def may_do(deed: str, entity: Entity, schema: Schema) -> bool:
    """Whether rows of a table are people who may do it: it is customers who order, where there are any."""
    if not is_person(entity):
        return False
    doing = _BUYERS if deed in _BUYING else _SERVERS if deed in _SERVING else frozenset[str]()
    return not doing or bool(doing & _noun(entity)) or not any(doing & _noun(e) for e in schema.entities.values())


def buyers(schema: Schema) -> list[Entity]:
    """The tables of those who buy."""
    return [entity for entity in schema.entities.values() if is_person(entity) and _BUYERS & _noun(entity)]


def is_buyer(words: str) -> bool:
    """Whether a name is that of those who buy."""
    return spelt_out(_named(words)) in _BUYERS


def doers(deed: str, rows: Entity, schema: Schema) -> list[str]:
    """Who may do a deed with rows: what these name that is called like it, else the people whose deed it is."""
    near = [schema.entities[e.right] for e in schema.edges.get(rows.name, ()) if not e.many and e.right != rows.name]
    columns = [a for a in rows.attributes.values() if a.role == "text"]
    names = [(e.one, e.stems[-1]) for e in near] + [(a.words, a.stems[-1]) for a in columns]
    if agents := [words for words, noun in names if does(stem(deed.lower()), noun)]:
        return agents
    doing = _BUYERS if deed.lower() in _BUYING else _SERVERS
    people = [e.one for e in near if is_person(e) and doing & _noun(e)]
    return people or [a.words for a in columns if doing & {spelt_out(word) for word in name_words(a.words)[-1:]}]


def serves(words: str) -> bool:
    """Whether a noun is that of somebody who does something for others: an agent, a shipper, a team."""
    last = spelt_out(singular(words.lower()).split()[-1])
    return last in _SERVERS | _TEAMS or (last.endswith(("er", "or")) and last not in _BUYERS)


def buys(word: str) -> bool:
    """Whether a word is that of somebody who is served: a customer."""
    return singular(word.lower()) in _BUYERS


def _noun(entity: Entity) -> set[str]:
    return {spelt_out(word) for word in name_words(singular(entity.one))[-1:]}


def asked_of(question: Sequence[Token], spans: Sequence[Span], schema: Schema) -> Iterator[tuple[Token, ...]]:
    """The question with "who" put as "which customer", for each table of people that may be meant.

    Who buys is a customer and who serves an employee, where there are any; else it is who the rows that the question
    names refer to, or anybody.
    """
    if len(question) < 2 or question[0].lower != "who":
        return
    if question[1].lower in _BEING and not (len(question) > _DONE_TO and is_past(question[_DONE_TO].lower)):
        return  # but "who was hired most recently?"
    if question[1].lower in _DOES and question[-2].lower in _REPORTS:
        return  # "who does each employee report to?": the one above is no other kind of people
    named = {o.entity.name for o in _meant(spans) if isinstance(o, ToTable)}
    spoken_of = {o.attribute.table for o in _meant(spans) if isinstance(o, ToColumn | ToValue)} | named
    beside = {edge.right for table in spoken_of for edge in schema.edges.get(table, ()) if not edge.many} | spoken_of
    people = [e for e in schema.entities.values() if is_person(e) and e.name not in named]
    agents = [e.one for e in schema.entities.values() if does(stem(question[1].lower), e.stems[-1])]
    agents += [a.words for a in schema.attributes if a.role == "text" and does(stem(question[1].lower), a.stems[-1])]
    deed = next((token.lower for token in question[1:] if token.lower not in _NOT_YET), "")
    doing = _BUYERS if deed in _BUYING else _SERVERS if deed in _SERVING else frozenset()
    meant = [e for e in people if doing & _noun(e)] or [e for e in people if e.name in beside] or people
    told = spoken_of or set(schema.entities if schema.is_one_table else ())
    columns = [a.words for a in _columns(schema) if a.table in told] if not meant else []
    fitting = [words for words in columns if doing & {_named(words)}]
    for name in agents or [*(e.one for e in meant), *(fitting or columns)][:_TABLES_MAX]:
        verb = replace(question[1], parted=True)  # "customer ordered" is no customer order
        yield (*tokens(f"which {name}"), verb, *question[2:])


def people_of(question: Sequence[Token], spans: Sequence[Span], schema: Schema) -> Iterator[tuple[Token, ...]]:
    """The question with "people" put as "customers", for each table of people that may be meant.

    Those are meant first whom the other words speak of, or whom the rows that they speak of belong to.
    """
    at = next((span.start for span in spans if _asks_people(span, question)), None)
    if at is None:
        return
    spoken_of = {o.attribute.table for o in _meant(spans) if isinstance(o, ToColumn | ToValue)}
    named = {o.entity.name for o in _meant(spans) if isinstance(o, ToTable)}
    if any(is_person(schema.entities[name]) for name in named):
        return
    around = spoken_of | named
    beside = {edge.right for table in around for edge in schema.edges.get(table, ())}
    people = [e for e in schema.entities.values() if is_person(e)]
    meant = [e for e in people if e.name in spoken_of] or [e for e in people if e.name in beside] or people
    # the doctors treat and the patients are treated: where either may be meant, it is rather the many than the few
    for entity in sorted(meant, key=lambda e: -(e.table.rows or 0))[:_TABLES_MAX]:
        yield (*question[:at], *tokens(entity.many), *question[at + 1 :])


def _asks_people(span: Span, question: Sequence[Token]) -> bool:
    """ "how many people live in Bonn", "which people are insured", "list the people from Bonn"."""
    if span.options or span.text.lower() not in _ANYBODY or not span.start:
        return False
    before = question[span.start - 1].lower
    return before in _BEFORE_PEOPLE or (before == "the" and span.start == _LISTED)


_ANYBODY = frozenset(("people", "persons", "folks", "individuals", "colleague", "colleagues"))
_BEFORE_PEOPLE = frozenset(("many", "which", "what", "of", "all", "most"))
_LISTED = 2
"""Where people stand in "list the people"."""


def _columns(schema: Schema) -> list[Attribute]:
    """The columns that hold people's names, where no table does: "agent" in a file of tickets, "customer name"."""
    return [a for a in schema.attributes if a.role == "text" and _named(a.words) in PEOPLE]


def _named(words: str) -> str:
    """Who a column names, in one word."""
    *further, last = name_words(singular(words))
    return further[-1] if further and last == "name" else last


def _meant(spans: Sequence[Span]) -> Iterator[Option]:
    """What each span means at its strongest."""
    for span in spans:
        if span.options:
            best = max(option.strength for option in span.options)
            yield from (option for option in span.options if option.strength == best)
