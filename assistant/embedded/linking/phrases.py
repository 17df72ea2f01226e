"""Phrases: what words that stand together may name, as they are said: by a name, by a verb, by a value.

"Department number" may be the column `department_id`, "hired" the date of hiring, "women" a value F, and "the ids of
customers" are those of the table itself. How surely is said with each; cues, numbers and periods are not phrases.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from assistant.embedded.linking.linker import SYNONYM, Linker
from assistant.embedded.linking.naming import ADJECTIVE
from assistant.embedded.linking.options import (
    EXACT,
    Option,
    ToColumn,
    ToMetric,
    ToTable,
    ToTerm,
    ToValue,
    strongest,
    weaker,
)
from assistant.embedded.source import values
from assistant.embedded.source.schema import Attribute
from assistant.embedded.source.worth import worth_of
from assistant.embedded.words.lexicon import Token, is_past, name_words, stem
from assistant.embedded.words.vocabulary import GENDERS, MOMENTS, STOP_WORDS, TRADE, WEAK_WORDS, word_set

SPAN_MAX = 6
"""How many words a name has at most."""
ROOT = 5
"""How many first letters a verb and a table must share to belong together: "published", `publication`."""
_OWNER = 0.75
_JOINED = 0.95
_NO_NAME = 0.7
DOING = frozenset(("cost", "weigh", "last", "measure"))
"""What a thing does rather than what it is called, where it stands before how much of it."""
COMPARING = frozenset(stem(word) for word in ("less", "more", "over", "under", "above", "below", "at", "between"))
"""What stands behind such a verb: "lamps that cost more than 50"."""
_TAIL = 0.86
_WHEN_TAIL = 0.9
_TAILED_MIN = 0.65
_TRADED = frozenset(stem(word) for word in TRADE)
_KEY_TAILS = frozenset(("number", "cod", "code", "no", "identifier"))
_WHEN_TAILS = frozenset(("date", "dat", "time", "year"))
_TAILS = (
    _KEY_TAILS
    | _WHEN_TAILS
    | frozenset(
        stem(word)
        for word in word_set(
            "status type title kind value amount name id information detail level location percentage size"
        )
    )
)
"""Words that people add to the name of a column without saying more, and that may stand for its key."""
_AGAINST = frozenset(("to", "and", "or", "vs", "versus"))
_KINDS_MAX = 4
"""Of how many kinds one may be set against another by a small word: buy and sell."""
_SIGNS = frozenset(("times", "plus", "minus"))
_WORTH = frozenset(stem(word) for word in ("amount", "value", "volume"))
"""Words that people add to a figure of money: the sales amount."""
_SEXES = {"F": "FEMALE", "M": "MALE"}
_SPENDING = frozenset(("spend", "spends", "spent", "spending"))
_SPENT = 0.8
"""How sure it is that what people spend is what was sold to them."""


def _written_so(part: Sequence[Token], linker: Linker) -> list[Option]:
    """Values of just these letters, which may begin with a small word: "The Firm", "After the War"."""
    text = " ".join(t.text for t in part)
    if len(part) == 1 or text.islower():
        return []
    found = linker.index.find([t.lower for t in part])
    return [ToValue(attribute=f.attribute, value=f.value, strength=f.strength) for f in found if f.value == text]


def links(part: Sequence[Token], linker: Linker, following: str = "", *, ours: bool = False) -> list[Option]:
    """What the words may name, strongest first; `following` is the stem behind them, `ours` what we do ourselves."""
    lower = [t.lower for t in part]
    edges_plain = lower[0] in STOP_WORDS or lower[-1] in STOP_WORDS
    found: list[Option] = []
    if {lower[0], lower[-1]} & {"of", "the"}:
        return _written_so(part, linker)
    if len(part) > 1 and lower[-1] in _SIGNS:
        return found  # "quantity times unit price"
    if any(word == "the" and before not in STOP_WORDS for before, word in pairwise(lower)):
        return _written_so(part, linker)  # in "the shops the firm has" there are two things
    if len(part) > 1 and lower[-1] in DOING and lower[-2].endswith("s") and following in COMPARING:
        return found  # in "which lamps cost more than 50" the lamps do
    whole = not any(t.parted for t in part[1:])  # "name, id" are two columns
    if whole and len(part) <= SPAN_MAX and not (edges_plain and len(part) == 1):
        stems = tuple(t.stem for t in part if t.lower not in ("of", "the"))
        done = any(is_past(t.lower) and t.stem not in _TRADED for t in part)  # what was placed is no address
        named = [o for o in linker.names(stems, literally=done) if not _owned(o, stems, lower, linker)]
        found += [o for o in _said(part, named) if not edges_plain or o.strength >= EXACT]
        if len(part) > 1 and not edges_plain:
            found += [*_joined(lower, linker), *(_with_tail(stems, linker) if "of" not in lower else ())]
        if len(part) == 1 and is_past(lower[0]) and len(lower[0]) > 4:
            found = [*_of_verb(lower[0], found, linker)]
        elif len(part) == 1 and lower[0] in WEAK_WORDS - MOMENTS:
            # what people do is no date of when it was done: "play", where a match was played on some day
            found = [o for o in found if not (_is_day(o) and o.strength < EXACT)]
        if len(part) == 1 and lower[0] in _SPENDING and ours:
            found = [o for o in found if not (isinstance(o, ToMetric) and o.metric == linker.sold)]
        spending = len(part) == 1 and lower[0] in _SPENDING and not (ours or any(o.strength > EXACT for o in found))
        spending = spending and not any(isinstance(o, ToMetric) and o.metric != linker.sold for o in found)
        if spending and linker.sold is not None:
            found = [ToMetric(metric=linker.sold, strength=_SPENT), *(weaker(o, _SPENT) for o in found)]
        if done and not found and len(part) == 1:
            found = [o for o in linker.names(stems) if isinstance(o, ToColumn) and _tells_deed(o.attribute)]
    known = linker.index.find(lower)
    if len(part) == 1 and lower[0] in WEAK_WORDS and part[0].text.islower():
        # "buy trades", where trades have a side: before its own table's name it is no empty word
        known = tuple(
            f
            for f in known
            if following in linker.schema.entities[f.attribute.table].stems
            or (following in _AGAINST and len(f.attribute.known_values) <= _KINDS_MAX)
        )
    if len(part) == 1 and lower[0] in GENDERS:
        found += _of_gender(GENDERS[lower[0]], linker)
    if not known and not found and whole and not edges_plain and not (len(part) == 1 and lower[0] in WEAK_WORDS):
        known = linker.index.alike(tuple(t.stem for t in part))
    if not known and not edges_plain and not any(o.strength > EXACT for o in found):
        known = linker.index.coded(lower)
    if known and not (
        len(part) == 1
        and ((lower[0] in STOP_WORDS and not _shouted(part[0])) or (len(lower[0]) < 2 and not part[0].text.isupper()))
    ):
        verb = 0.75 if len(part) == 1 and is_past(lower[0]) and known[0].strength < 1 else 1.0
        weak = 0.75 if len(part) == 1 and (lower[0] in WEAK_WORDS or lower[0].isdigit()) else 1.0
        found += [
            ToValue(
                attribute=f.attribute,
                value=f.value,
                strength=f.strength * weak * verb * spelling(part, f.value) * _of_several(part, f, linker),
            )
            for f in known
        ]
    return strongest(found)


def _of_several(part: Sequence[Token], found: values.Found, linker: Linker) -> float:
    """Several are no name: "the states" are hardly the department that is called State."""
    label = linker.schema.entities[found.attribute.table].label
    word, value = part[-1].text, found.value
    several = len(part) == 1 and word.islower() and word.endswith("s") and not value.lower().endswith("s")
    return _NO_NAME if several and value.istitle() and label == (found.attribute.name,) else 1.0


def _owned(option: Option, stems: tuple[str, ...], words: Sequence[str], linker: Linker) -> bool:
    """ "ids of customers": the ids are those of the table, not a column that refers to it.

    In "towns founded" and "towns founded after 1900" the towns are named as well as what was done.
    """
    several_did = len(words) > 1 and (is_past(words[-1]) or words[-1] in _DONE) and words[-2].endswith("s")
    if several_did and isinstance(option, ToTable):
        return bool(linker.tables.get(stems[:-1]))  # "customers ordered" are no customer orders
    if several_did and isinstance(option, ToColumn):
        return stems == (*linker.schema.entities[option.attribute.table].stems, *option.attribute.stems)
    if "of" not in words or not isinstance(option, ToColumn):
        return False
    if (
        words[0] == "number"
        and words[-1].endswith("s")
        and (*stems[1:], stems[0]) in (option.attribute.own, option.attribute.stems)
    ):
        return True  # "number of cards" counts them: the card number is what each of them has
    table = linker.schema.entities[option.attribute.table].stems
    if stems in ((*table, *option.attribute.stems), (table[-1], *option.attribute.stems)):
        return stems != option.attribute.stems  # "songs of a length over 3" speaks of the songs
    said = stems[::-1] in (option.attribute.own, option.attribute.stems)
    if not said and option.strength > SYNONYM:
        return False
    owner = tuple(stem(word) for word in words[words.index("of") + 1 :] if word != "the")
    return any(isinstance(o, ToTable) and o.strength > _OWNER for o in linker.names(owner))


_DONE = word_set("built sold bought made won sent held lent written")
"""What was done, by verbs that do not end as others do."""


def _joined(words: Sequence[str], linker: Linker) -> list[Option]:
    """ "life spans" where the name is `Lifespan`."""
    joined = "".join(words)
    kept = "".join(words[:-1]) + stem(words[-1])[:2]  # "colour red" is nothing that was coloured
    if not joined.isalpha() or not linker.has(stem(joined)) or not stem(joined).startswith(kept):
        return []
    return [weaker(o, _JOINED) for o in linker.names((stem(joined),))]


def _with_tail(stems: tuple[str, ...], linker: Linker) -> list[Option]:
    """ "fault status code" for `fault_status`, "department number" for `department_id`, "sales amount" for sales.

    The amount of an invoice is its total, or whatever else it calls the one number that says what it is worth.
    """
    if stems[-1] not in _TAILS or stems[-2:-1] == ("id",):
        return []
    if stems[-1] in _WORTH:
        metrics = [o for o in linker.names(stems[:-1]) if isinstance(o, ToMetric)]
        if metrics:
            return [weaker(o, _TAIL) for o in metrics]
        rows = [o.entity for o in linker.names(stems[:-1]) if isinstance(o, ToTable) and o.strength > EXACT]
        if worth := [a for e in rows if (a := worth_of(e)) is not None]:
            return [ToColumn(attribute=a, strength=_TAIL) for a in worth]
    keys = linker.names((*stems[:-1], "id")) if stems[-1] in _KEY_TAILS else []
    options = [*linker.names(stems[:-1]), *keys]
    tables = [o for o in options if isinstance(o, ToTable) and o.strength > EXACT]
    return [
        weaker(o, _WHEN_TAIL if stems[-1] in _WHEN_TAILS else _TAIL)
        for o in options
        if isinstance(o, ToColumn) and (o in keys or not tables) and o.strength >= _TAILED_MIN
        if stems[-1] not in _WHEN_TAILS or o.attribute.is_time or o.attribute.is_number
    ]


def _of_gender(letter: str, linker: Linker) -> Iterable[ToValue]:
    """ "female" where the column holds "F", "women" where it holds "female"."""
    for attribute in linker.schema.attributes:
        profile = attribute.column.profile
        if {"sex", "gender"} & set(attribute.stems) and profile and profile.values:
            coded = next((v for v in profile.values if v.upper() in (letter, _SEXES[letter])), None)
            if coded is not None:
                yield ToValue(attribute=attribute, value=coded, strength=0.95)


def _said(part: Sequence[Token], options: list[Option]) -> list[Option]:
    """A term by its adjective alone must be said as it is written: tickets that were opened need not be open."""
    return [
        o
        for o in options
        if not (isinstance(o, ToTerm) and o.strength == ADJECTIVE and part[0].lower not in name_words(o.term.name))
    ]


def _of_verb(word: str, found: list[Option], linker: Linker) -> Iterable[Option]:
    """A verb ("hired", "shipped") speaks of a date or a table; any other column it resembles is a weak link."""
    forms = (word[:-1], word[:-2], f"{word[:-2]}ing")
    roots = [option for form in forms for option in linker.names((form,), literally=stem(word) not in _TRADED)]
    if not found and not roots and len(word) >= ROOT + 1:
        root = word[: min(ROOT, len(word) - 2)]  # "rented" speaks of rentals
        kin = (o for stems, tables in linker.tables.items() if stems[-1].startswith(root) for o in tables)
        roots = [weaker(option, 0.7) for option in kin if option.strength > EXACT]
    for option in [*found, *(o for o in roots if not isinstance(o, ToTerm))]:
        if isinstance(option, ToColumn) and option.strength < 0.9 and not option.attribute.is_time:
            yield weaker(option, 0.55)
        else:
            yield option


def _is_day(option: Option) -> bool:
    """Whether it is a column of days, which is not called "date" by what is said."""
    return isinstance(option, ToColumn) and option.attribute.role == "date"


def _tells_deed(attribute: Attribute) -> bool:
    """Whether a column says what was done, or when: `injured`, which is also said by "wounded"; `hire_date`."""
    return attribute.is_time or any(is_past(word) for word in name_words(attribute.name))


def _shouted(token: Token) -> bool:
    """A code in capitals ("AS", "IT") is not the small word it looks like."""
    return len(token.text) > 1 and token.text.isupper()


def spelling(part: Sequence[Token], value: str) -> float:
    """A value written as the source writes it is surer than one in other letters' case."""
    return 1.0 if " ".join(t.text for t in part) == value else 0.95
