"""Questions about the rows that the answer before was about: "which of them are from Berlin?", "how many are they?".

The word that stands for them is replaced by what they are called; the question is then read as any other, and its rows
must be those of the answer before.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.embedded.linking.persons import may_do
from assistant.embedded.meaning import Among, ColumnRef, Condition, Dimension, JoinStep, Meaning
from assistant.embedded.source.joins import Joins
from assistant.embedded.source.schema import Entity, Schema
from assistant.embedded.wording.phrases import among_words, restated

_THEM = r"(?:them|these|those|they)"
_LEAD = r"^(?:(?:and|but|so|now|ok|okay|please|then|also)\b[\s,]*)*"
_ALL = re.compile(
    rf"{_LEAD}(?:(?:show|give|see)(?: me| us)? (?:the|that|this) list|(?:show|list|give|tell|display|print|get|name|see)(?: me| us)? (?:all of )?{_THEM}(?: all| to me)?"
    rf"|(?:who|which(?: ones)?|what) (?:are|is|were|was) (?:{_THEM}|it|that)|who|which ones|list|list all|name all"
    rf"|(?:(?:show|list|give|only|just|what are)(?: me)? )*(?:the|their) names?)$",
    re.IGNORECASE,
)
_DETAILS = re.compile(
    rf"{_LEAD}(?:(?:show|list|give|see|with)(?: me)? )?(?:(?:the|all|more|full|further|some) )*(?:(?:details?|columns|fields|information|info)(?: (?:about|of|on|for) (?:{_THEM}|it))?|everything about (?:{_THEM}|it))$",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    rf"{_LEAD}(?:(?:how many|count)(?: (?:are|is|were|was) (?:there|{_THEM}|that|it)| {_THEM}| rows?(?: (?:are there|is that))?| in (?:total|all))?(?: in (?:total|all))?|(?:what is |show )?(?:the |their )?(?:number|count))$",
    re.IGNORECASE,
)
_COUNTED_BY = re.compile(
    rf"{_LEAD}(?:how many|(?:the )?number|count)(?: are there| of {_THEM})? (?P<by>(?:per|by|in each|for each) .+)$",
    re.IGNORECASE,
)
_SO_MANY = re.compile(
    rf"{_LEAD}how many (?P<x>[\w ]+?) (?:is|are|was|were) (?:that|it|this|those|they|these)(?: in (?:total|all))?$",
    re.IGNORECASE,
)
_FURTHEST = re.compile(
    rf"{_LEAD}(?:(?:which|what|who)(?: ones?)?(?: of {_THEM})? (?:is|are|was|were) )?the (?P<x>(?:most|least) \w+|\w{{2,}}est|best|worst)(?: ones?)?(?: of {_THEM})?$",
    re.IGNORECASE,
)
_OF_THEM = re.compile(r"\bof (?:all )?(?:them|these|those)\b(?! \w+ (?:and|or)\b)", re.IGNORECASE)
_SUBJECT = re.compile(
    r"\b(?P<verb>do|does|did|have|has|had|are|were|is|was|can|could|will) (?:they|these|those)\b", re.IGNORECASE
)
_OBJECT = re.compile(r"\b(?:them|they)\b", re.IGNORECASE)
_NAMED = re.compile(
    rf"{_LEAD}(?P<ask>(?:show|list|give|display|count|how many|which|what|who|are|do|did|only|just)\b.*?\b)?(?:these|those) (?P<noun>(?!over|above|below|under|with|without|from|in|for|of|that|who|which|by|more|less)\w+)",
    re.IGNORECASE,
)
_BARE = re.compile(
    rf"{_LEAD}(?P<ask>how many|which|who)(?: ones)? (?P<rest>(?:are|were|have|had|has|is|was|(?:did|do|does)(?:n't| not)|live|lives|come|comes|ordered|bought|paid|cost|costs|earn|earns|rated)\b(?! there\b| we\b| our\b| the\b| each\b| every\b).+)$",
    re.IGNORECASE,
)
_WHICH_THINGS = re.compile(rf"{_LEAD}(?:which|what) (?P<x>(?!ones?$|else$)\w+(?: \w+)?)$", re.IGNORECASE)
_WHO = re.compile(rf"{_LEAD}who (?P<does>\w+)", re.IGNORECASE)
_DOING = re.compile(
    rf"{_LEAD}who (?P<rest>(?:\w+ed|spent|spends|spend|rents|buys|sells|sold|made|makes|got|gets|gave|works|took)\b .+)$",
    re.IGNORECASE,
)
_IT_DOES = re.compile(
    rf"{_LEAD}(?P<before>(?:which|who|whose|what|where|when|how|(?:in|from|on|by|to|with) (?:which|what|where))\b.*?\b(?:is|was|does|did|has|had|were|are) )(?:it|he|she)\b(?! takes?\b)(?P<after>.*)$",
    re.IGNORECASE,
)
_DONE_TO_IT = re.compile(
    rf"{_LEAD}(?P<before>(?:which|who|what|how many|list|show)\b.* )(?:it|him|her)(?P<after>)$", re.IGNORECASE
)
_EACH = re.compile(
    rf"{_LEAD}(?P<before>(?:how much|how often|how long|what|when|where) (?:did|does|do|has|have|had|is|was)) each(?: one)?(?: of {_THEM})? (?P<rest>(?:spend|spent|pay|paid|order|buy|bought|cost|have|had|earn|make|made|sell|sold|take|took|bring|generate|get|receive|rent|use|return|last|weigh|owe|contribute|come|start|sign|join|live|work)\b.*)$",
    re.IGNORECASE,
)
_THEIR = re.compile(
    rf"{_LEAD}(?:(?:show|list|give|what (?:is|are)|tell)(?: me)? )?(?:their|its|his|her) (?P<x>.+)$", re.IGNORECASE
)


def about_same_rows(question: str) -> bool:
    """Whether the words ask about what the answer before was about."""
    text = _bare(question)
    if _CHANGED.match(text):
        return False
    if (
        _ALL.match(text)
        or _DETAILS.match(text)
        or _COUNTED.match(text)
        or _COUNTED_BY.match(text)
        or _SO_MANY.match(text)
        or _of_them(text)
        or _BARE.match(text)
        or _DOING.match(text)
        or _EACH.match(text)
    ):
        return True
    return bool(_SUBJECT.search(text) or _NAMED.match(text) or _refers(text))


def things_asked(question: str) -> str:
    """What "which products?" asks for, where nothing else is said."""
    match = _WHICH_THINGS.match(_bare(question))
    return match["x"].lower() if match else ""


def of_the_one(question: str, previous: Meaning) -> bool:
    """Whether the words ask something of the one that was found: "which album is it on?", "who wrote it?"."""
    one = previous.limit == 1 and not previous.within
    text = _bare(question)
    return one and not _CHANGED.match(text) and bool(_IT_DOES.match(text) or _DONE_TO_IT.match(text))


def asks_extreme(question: str, previous: Meaning) -> bool:
    """Whether the words ask for the one of a list, or of those counted, that goes furthest: "which is the cheapest?"."""
    return not previous.dimensions and not previous.order and _FURTHEST.match(_bare(question)) is not None


def asks_who(question: str) -> bool:
    """Whether the words ask who did something, of people before or of anybody: "who ordered in 2025?"."""
    text = _bare(question)
    return bool(_BARE.match(text) or _DOING.match(text)) and doing_word(text) != ""


def doing_word(question: str) -> str:
    """What is done by whoever is asked for."""
    match = _WHO.match(question)
    return match["does"].lower() if match else ""


def _of_them(text: str) -> re.Match[str] | None:
    """ "how many of them", early in the question, so that nothing in it can be what it means."""
    match = _OF_THEM.search(text)
    return match if match is not None and len(text[: match.start()].split()) <= _EARLY + 2 else None


def _refers(text: str) -> bool:
    """Whether "them" stands early, so that nothing in the question can be what it means."""
    match = _OBJECT.search(text)
    if match is None:
        return False
    before = text[: match.start()].lower().split()
    asks = _ASKING.match(text) is not None and "and" not in before[1:]
    last = match.end() == len(text) and "and" not in before
    return len(before) <= (_EARLY_ASKED if asks or last else _EARLY)


_ASKING = re.compile(rf"{_LEAD}(?:which|what|how many|how much|who|where|when)\b", re.IGNORECASE)
_EARLY, _EARLY_ASKED = 2, 6
_CHANGED = re.compile(
    rf"{_LEAD}(?:(?:sort|order|rank|group|plot|draw|split|break|limit|reverse|compare|divide|add up|sum|chart) {_THEM}\b"
    rf"|(?:show|list|display|give)(?: me)? {_THEM} (?:as|by|per|in|sorted|ordered|with|without|for|from)\b)",
    re.IGNORECASE,
)
"""The answer itself is to be shown otherwise."""


def _bare(question: str) -> str:
    text = re.sub(r"[\s?!.,;:]+$", "", " ".join(question.split()))
    return re.sub(r"[\s,]+(?:please|thanks|again|then|exactly)$", "", text, flags=re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """What the answer before was about: rows of a table, and the question that lists their key.

    `tables` are what rows of each table of the source are called.
    """

    entity: Entity
    keys: Meaning
    said: str
    tables: frozenset[str] = frozenset()

    def asked(self, question: str) -> str:
        """The question with the name of the rows in the place of the word that stands for them."""
        text, many = _bare(question), self.entity.many
        if _ALL.match(text):
            return f"list the {many}"
        if _DETAILS.match(text):
            return f"all information about the {many}"
        if match := _COUNTED_BY.match(text):
            return f"how many {many} {match['by']}"
        if _COUNTED.match(text):
            return f"how many {many} are there"
        if match := _SO_MANY.match(text):
            return f"how many {match['x']} are there"
        if match := _THEIR.match(text):
            label = self.entity.label if self.entity.label != self.entity.key else ()
            names = [self.entity.attributes[name].words for name in label]
            if names and match["x"].lower() in self.tables:
                return f"{match['x']} and {', '.join(names)} of the {many}"
            return f"{', '.join(names)} and {match['x']} of the {many}" if names else f"{match['x']} of the {many}"
        if match := _IT_DOES.match(text) or _DONE_TO_IT.match(text):
            return f"{match['before']}the {self.entity.one}{match['after']}"
        if match := _FURTHEST.match(text):
            return f"which {self.entity.one} is the {match['x']}"
        text = re.sub(_LEAD, "", text, flags=re.IGNORECASE)
        if match := _of_them(text):
            after = text[match.end() :]
            named = re.match(rf"\s+(?:{re.escape(many)}|{re.escape(self.entity.one)})\b", after, re.IGNORECASE)
            return f"{text[: match.start()]}{many}{after[named.end() :] if named else after}"
        if match := _NAMED.match(text):
            return re.sub(r"\b(?:these|those) ", "the ", text, count=1, flags=re.IGNORECASE)
        if match := _EACH.match(text):
            return f"{match['before']} each {self.entity.one} {match['rest']}"
        if match := _DOING.match(text):
            return f"which {many} {match['rest']}"
        if match := _BARE.match(text):
            return f"{'which' if match['ask'].lower() == 'who' else match['ask']} {many} {match['rest']}"
        text = _SUBJECT.sub(rf"\g<verb> the {many}", text)
        return _OBJECT.sub(f"the {many}", text)

    def restrict(self, question: str, meaning: Meaning, previous: Meaning, joins: Joins) -> Meaning | None:
        """The meaning, of these rows alone; None where it does not speak of them, or only names them again."""
        text = _bare(question)
        says_no_more = not (_ALL.match(text) or _NAMED.match(text) or _COUNTED.match(text) or _SO_MANY.match(text))
        if meaning.beside or meaning.portion or meaning.verified_sql is not None:
            return None
        if says_no_more and meaning.base == self.entity.name and _only_named(meaning, self.entity):
            return None
        if meaning.base == previous.base == self.entity.name and _plain(previous) and not meaning.either:
            return _merged(meaning, previous)
        ways = joins.best(meaning.base, self.entity.name, meaning.tables())
        if not ways or len(self.entity.key) != 1:
            return None
        way, plain = ways[0], _plain(previous) and previous.base == self.entity.name and not meaning.either
        if plain and not way.multiplies and not previous.related:
            return _merged(meaning, _seen_from(previous, way.steps))
        column = ColumnRef(table=self.entity.name, column=self.entity.key[0], steps=way.steps)
        return meaning.model_copy(
            update={"among": (*meaning.among, Among(column=column, rows=self.keys, label=self.said))}
        )


def rows_before(question: str, previous: Meaning, schema: Schema) -> list[Rows]:
    """The rows that an answer was about, the likeliest first; none where they could not be told apart.

    "How many of them" asks of the rows that were counted, "which of them" and "who" of the groups that were shown.
    """
    if previous.verified_sql is not None or previous.divided:
        return []
    if previous.columns:
        found = [_listed(previous, schema)]
    else:
        counts = _HOW_MANY.match(_bare(question)) is not None
        found = [_counted(previous, schema), _grouped(previous, schema)][:: 1 if counts else -1]
    tables = frozenset(e.many for e in schema.entities.values())
    made: list[Rows] = []
    for entity, keys in (one for one in found if one is not None):
        if asks_who(question) and not may_do(doing_word(_bare(question)), entity, schema):
            continue
        groups = previous.columns or keys.dimensions
        bare = previous.model_copy(update={"beside": ()}) if groups else keys
        words = restated(bare if groups else keys.model_copy(update={"columns": _hidden(keys.columns)}))
        said = f"{entity.one} is {_said(words, previous)}"
        made.append(Rows(entity=entity, keys=keys, said=said, tables=tables))
    return made


def _said(words: str, previous: Meaning) -> str:
    """The rows of an answer as a condition."""
    lowered = f"{words[:1].lower()}{words[1:]}"
    if previous.limit == 1 and not previous.offset:
        return f"the {lowered}"
    grouped = previous.dimensions and previous.limit is None
    return f"among those of “{lowered}”" if grouped else among_words(words)


_HOW_MANY = re.compile(rf"{_LEAD}(?:how many|count|what (?:share|percentage|part))\b", re.IGNORECASE)
_Found = tuple[Entity, Meaning]


def _listed(previous: Meaning, schema: Schema) -> _Found | None:
    entity = schema.entities[previous.base]
    if previous.distinct or previous.within or len(entity.key) != 1:
        return None
    shown = Dimension(column=ColumnRef(table=entity.name, column=entity.key[0]), label=entity.one)
    return entity, previous.model_copy(update={"columns": (*_hidden(previous.columns), shown), "chart": None})


def _hidden(shown: Sequence[Dimension]) -> tuple[Dimension, ...]:
    """What is not shown but still tells which of those that are alike come first."""
    return tuple(one.model_copy(update={"context": True, "key": ()}) for one in shown)


def _bared(previous: Meaning) -> Meaning:
    """The meaning without what is only shown."""
    figures = tuple(m.model_copy(update={"context": True}) for m in previous.measures if not m.share)
    return previous.model_copy(
        update={"measures": figures, "beside": (), "chart": None, "portion": False, "title": "", "within": 0}
    )


def _grouped(previous: Meaning, schema: Schema) -> _Found | None:
    """The groups of a figure, where they are rows."""
    named = [d for d in previous.dimensions if _names(d, schema.entities[d.column.table])]
    tables = {d.column.table for d in previous.dimensions}
    timed = any(d.grain or d.part for d in previous.dimensions)
    chosen = previous.limit is not None or bool(previous.having)
    if len(named) != 1 or previous.within or previous.portion or (chosen and (timed or len(tables) > 1)):
        return None
    entity = schema.entities[named[0].column.table]
    if len(entity.key) != 1:
        return None
    key = ColumnRef(table=entity.name, column=entity.key[0], steps=named[0].column.steps)
    orders = tuple(o for o in previous.order if o.by == "measure") if previous.limit else ()
    dimension = Dimension(column=key, label=entity.one)
    before = _hidden(previous.dimensions) if previous.limit and not previous.keeps_ties else ()
    return entity, _bared(previous).model_copy(update={"dimensions": (*before, dimension), "order": orders})


def _counted(previous: Meaning, schema: Schema) -> _Found | None:
    """The rows that were counted."""
    first, entity = previous.measures[0], schema.entities[previous.base]
    counted = first.aggregate == "count" and first.column is None and not first.metric
    if previous.limit or previous.having or previous.portion or not counted or len(entity.key) != 1:
        return None
    shown = Dimension(column=ColumnRef(table=entity.name, column=entity.key[0]), label=entity.one)
    bare = {"measures": (), "dimensions": (), "columns": (shown,), "order": ()}
    return entity, _bared(previous).model_copy(update=bare)


def _names(dimension: Dimension, entity: Entity) -> bool:
    """Whether a group is a row of a table: told apart by its key, or called by its name."""
    if dimension.grain or dimension.part or dimension.edges:
        return False
    names = (dimension.column.column, *(ref.column for ref in dimension.more))
    return names == entity.label or any(ref.column in entity.key for ref in (dimension.column, *dimension.key))


def _plain(previous: Meaning) -> bool:
    """Whether nothing but conditions chooses the rows, so that they can be said of the new question as well."""
    return not (previous.limit or previous.having or previous.either or previous.portion or previous.within)


def _only_named(meaning: Meaning, entity: Entity) -> bool:
    """Whether rows are listed by their names and nothing is said of them: "what did they buy?" asks for more."""
    conditions = meaning.filters or meaning.related or meaning.conditions or meaning.compared or meaning.among
    plain = not (conditions or meaning.times or meaning.limit or meaning.order or meaning.dimensions)
    counts = [m.aggregate == "count" and m.column is None and not m.metric for m in meaning.measures]
    own = all(not c.column.steps and c.column.column in entity.label for c in meaning.columns)
    return plain and all(counts) and own


def _seen_from(previous: Meaning, steps: tuple[JoinStep, ...]) -> Meaning:
    """The conditions on rows, as they are seen from rows that each belong to one of them."""

    def ref(column: ColumnRef) -> ColumnRef:
        return column.model_copy(update={"steps": (*steps, *column.steps)})

    filters = (
        f.model_copy(update={"column": ref(f.column), "other": ref(f.other) if f.other else None})
        for f in previous.filters
    )
    return previous.model_copy(
        update={
            "filters": tuple(filters),
            "conditions": tuple(c.model_copy(update={"steps": (*steps, *c.steps)}) for c in previous.conditions),
            "compared": tuple(c.model_copy(update={"column": ref(c.column)}) for c in previous.compared),
            "among": tuple(one.model_copy(update={"column": ref(one.column)}) for one in previous.among),
            "times": tuple(t.model_copy(update={"column": ref(t.column)}) for t in previous.times),
            "dimensions": (),
        }
    )


def _conditions(meaning: Meaning, previous: Meaning) -> tuple[Condition, ...]:
    """The conditions of both; a standing rule holds where neither speaks of what it rules."""
    both = (*previous.conditions, *meaning.conditions)
    if meaning.base == previous.base:
        kept = [c for c in both if not c.rule or (c in previous.conditions and c in meaning.conditions)]
        return tuple(dict.fromkeys(kept))
    return tuple(dict.fromkeys(both))


def _merged(meaning: Meaning, previous: Meaning) -> Meaning:
    """The conditions of both, which speak of rows of the same table."""
    grouped = bool(previous.dimensions) and bool(meaning.measures) and not meaning.dimensions and not meaning.limit
    return meaning.model_copy(
        update={
            "filters": tuple(dict.fromkeys((*previous.filters, *meaning.filters))),
            "conditions": _conditions(meaning, previous),
            "related": tuple(dict.fromkeys((*previous.related, *meaning.related))),
            "compared": tuple(dict.fromkeys((*previous.compared, *meaning.compared))),
            "among": (*previous.among, *meaning.among),
            "times": tuple(dict.fromkeys((*previous.times, *meaning.times))),
            "dimensions": previous.dimensions if grouped else meaning.dimensions,
        }
    )
