"""Linking: which words of a question may name which table, column, value, metric or term, or be a cue.

The result is a lattice: for each place in the question the spans that begin there, each with its possible options.
Which of them cover the question best is chosen in `spans`; which option of a span is meant is decided by reading on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from difflib import get_close_matches
from itertools import pairwise
from typing import TYPE_CHECKING

from assistant.embedded.dates import time_phrase
from assistant.embedded.linking.knowledge import Alias, BindingRule
from assistant.embedded.linking.naming import (
    ADJECTIVE,
    above_names,
    column_names,
    linked_stems,
    metric_names,
    prose_names,
    table_names,
    term_names,
)
from assistant.embedded.linking.options import (
    Option,
    ToColumn,
    ToMetric,
    ToNumber,
    ToPeriod,
    ToTable,
    ToTerm,
    ToText,
    ToValue,
    strongest,
    weaker,
)
from assistant.embedded.source import values
from assistant.embedded.source.schema import Attribute, Entity, Schema, works
from assistant.embedded.words.cues import cues_at
from assistant.embedded.words.lexicon import Token, is_past, name_stems, name_words, root, stem
from assistant.embedded.words.thesaurus import synonyms
from assistant.embedded.words.vocabulary import GENDERS, MOMENTS, STOP_WORDS, TRADE, WEAK_WORDS, word_set

if TYPE_CHECKING:
    from knowledge.documents import Metric, Term

_SEXES = {"F": "FEMALE", "M": "MALE"}
_SPAN_MAX = 6
_TYPO_CUTOFF = 0.86
EXACT = 0.93
"""From which strength on words say a name itself."""
_ROOT = 5
"""How many first letters a verb and a table must share to belong together: "published", `publication`."""
_CUT_MIN, _CUT_MAX = 4, 6
"""How many letters of a word its abbreviation keeps at least, and leaves out, and at most: a mountain is a word."""
_CODE_MIN, _CODE_MAX = 3, 5
"""How many first letters of a word make a code."""
_CODED = 0.8
"""How sure it is that a code stands for a word that begins alike."""
_SYNONYM = 0.8
_SYNONYM_IN_PART = 0.65
_SYNONYM_MORE = 0.97
"""How much less sure a phrase is by each further part of it that is said in other words."""
_AKIN = 0.85
"""How sure a name is that has but its root in common with what is said: "approval" of what is approved."""
_SHUFFLED = 0.8
"""How sure a name is whose words are said in another order: "settlement date" of the date settled."""
_WHOLE = 0.84
"""From which strength on a name is said whole rather than in part."""
_OWNER = 0.75
_REFERRING = 0.65
"""How sure a table's name means a column that only refers to it."""
_JOINED = 0.95
_NO_NAME = 0.7
_DOING = frozenset(("cost", "weigh", "last", "measure"))
_COMPARING = frozenset(stem(word) for word in ("less", "more", "over", "under", "above", "below", "at", "between"))
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Words of the question from `start` (inclusive) to `end`, and what they may be; no options: a plain word.

    `likened`: nothing goes by these words, and the options are only like them in meaning; `parted`: a comma or
    another mark stands before them.
    """

    start: int
    end: int
    text: str
    options: tuple[Option, ...] = ()
    unknown: bool = False
    likened: bool = False
    parted: bool = False


@dataclass
class Linker:
    """Links words to one source and the knowledge about it."""

    schema: Schema
    index: values.ValueIndex
    metrics: Sequence[Metric] = ()
    terms: Sequence[Term] = ()
    rules: Sequence[BindingRule] = ()
    guesses: Sequence[tuple[Metric, float]] = ()
    today: date | None = None
    _tables: dict[tuple[str, ...], list[ToTable]] = field(default_factory=dict, repr=False)
    _columns: dict[tuple[str, ...], list[ToColumn]] = field(default_factory=dict, repr=False)
    _roots: dict[tuple[str, ...], list[ToTable | ToColumn]] = field(default_factory=dict, repr=False)
    _shuffled: dict[tuple[str, ...], list[ToColumn]] = field(default_factory=dict, repr=False)
    _known: dict[tuple[str, ...], list[ToMetric | ToTerm]] = field(default_factory=dict, repr=False)
    _aliases: dict[tuple[str, ...], list[Option]] = field(default_factory=dict, repr=False)
    _vocabulary: tuple[str, ...] = field(default=(), repr=False)
    _words: frozenset[str] = field(default=frozenset(), repr=False)

    def __post_init__(self) -> None:
        taken = {entity.stems for entity in self.schema.entities.values()}
        for entity in self.schema.entities.values():
            for stems, strength in table_names(entity, alone=len(self.schema.entities) == 1, taken=taken):
                self._tables.setdefault(stems, []).append(ToTable(entity=entity, strength=strength))
        self._tables = {stems: self._called_so(named) for stems, named in self._tables.items()}
        working = [e for e in self.schema.entities.values() if works(e)]
        for word in ("people", "staff", "person") if len(working) == 1 else ():
            if name_stems(word) not in self._tables:
                self._tables[name_stems(word)] = [ToTable(entity=working[0], strength=_AT_WORK)]
        for attribute in self.schema.attributes:
            referred = self.schema.referred(attribute)
            borrowed = self._borrows_name(attribute)
            for stems, strength in column_names(attribute, self.schema.entities[attribute.table]):
                if borrowed and stems[-1] == "name":
                    continue
                refers = referred is not None and referred.stems == stems
                if attribute.role in ("key", "reference") and stems in self._tables and strength < 1.0:
                    continue
                option = ToColumn(attribute=attribute, strength=_REFERRING if refers else strength)
                self._columns.setdefault(stems, []).append(option)
        for attribute, _ in self.schema.superiors:
            for stems, strength in above_names(attribute):
                self._columns.setdefault(stems, []).append(ToColumn(attribute=attribute, strength=strength))
        self._words = frozenset(word for stems in (*self._tables, *self._columns) for word in stems)
        for stems, options in (*self._tables.items(), *self._columns.items()):
            self._roots.setdefault(tuple(root(word) for word in stems), []).extend(options)
        for attribute in self.schema.attributes:
            for words in {_in_any_order(attribute.stems), _in_any_order(attribute.own)}:
                if len(words) > 1:
                    self._shuffled.setdefault(words, []).append(ToColumn(attribute=attribute, strength=_SHUFFLED))
        metrics, terms, guesses = self.metrics, self.terms, self.guesses
        self.metrics, self.terms, self.guesses = (), (), ()
        self.learn(metrics=metrics, terms=terms, guesses=guesses, typed=True)

    def _called_so(self, tables: list[ToTable]) -> list[ToTable]:
        """The tables that a name may mean: "stations" are those that stops of a line refer to, not `line_station`."""
        exact = {table.entity.name for table in tables if table.strength >= EXACT}

        def refers(table: ToTable) -> bool:
            edges = self.schema.edges.get(table.entity.name, ())
            return any(edge.right in exact and not edge.many for edge in edges)

        return [table for table in tables if table.strength >= EXACT or not refers(table)]

    def _borrows_name(self, attribute: Attribute) -> bool:
        """Whether a row is called by the name of what it ties in: club members, by that of the member."""
        entity = self.schema.entities[attribute.table]
        if "name" in attribute.stems or attribute.name not in entity.label:
            return False
        noun = self.schema.nouns.get(entity.name)
        return noun is not None and any("name" in noun.attributes[column].stems for column in noun.label)

    def learn(
        self,
        *,
        metrics: Sequence[Metric] = (),
        terms: Sequence[Term] = (),
        aliases: Sequence[Alias] = (),
        guesses: Sequence[tuple[Metric, float]] = (),
        typed: bool = False,
    ) -> None:
        """Link further names: what is `typed` by SQL, what prose defines, or what words may mean by a guess."""
        self.metrics, self.terms = (*self.metrics, *metrics), (*self.terms, *terms)
        self.guesses = (*self.guesses, *guesses)
        for metric in metrics:
            for stems, strength in metric_names(metric) if typed else prose_names(metric):
                self._known.setdefault(stems, []).append(ToMetric(metric=metric, strength=strength))
        for metric, sure in guesses:
            for name in (metric.name, *metric.synonyms):
                self._known.setdefault(name_stems(name), []).append(ToMetric(metric=metric, strength=sure))
        for term in terms:
            for stems, strength in term_names(term, self.schema):
                self._known.setdefault(stems, []).append(ToTerm(term=term, strength=strength))
        for alias in aliases:
            self._aliases.setdefault(linked_stems(alias.name), []).append(self._meant(alias))
        keys = (*self._tables, *self._columns, *self._known, *self._aliases)
        self._vocabulary = tuple({word for stems in keys for word in stems if len(word) >= 5})

    def _meant(self, alias: Alias) -> Option:
        """What another name stands for."""
        if alias.named:
            metric = next((m for m in self.metrics if m.name == alias.named), None)
            if metric is not None:
                return ToMetric(metric=metric, strength=EXACT + 0.05)
            return ToTerm(term=next(t for t in self.terms if t.name == alias.named), strength=1.0)
        if not alias.column:
            return ToTable(entity=self.schema.entities[alias.table], strength=1.0)
        attribute = self.schema.attribute(alias.table, alias.column)
        if alias.value:
            return ToValue(attribute=attribute, value=alias.value, strength=1.0)
        return ToColumn(attribute=attribute, strength=1.0)

    @property
    def sold(self) -> Metric | None:
        """The figure of what was sold, as the company defines it or as it is guessed; None where nothing says it."""
        for name in ("revenue", "sales", "turnover", "net revenue"):
            known = (o for o in self._known.get(name_stems(name), ()) if isinstance(o, ToMetric))
            best = max(known, key=lambda option: option.strength, default=None)
            if best is not None and best.strength >= _SOLD:
                return best.metric
        return None

    def names(self, stems: tuple[str, ...], *, literally: bool = False) -> list[Option]:
        """The tables, columns, metrics and terms that go by these stems, or by words alike, strongest first."""
        if stems in self._aliases:  # the company says what it calls so
            return strongest([*self._aliases[stems], *self._known.get(stems, ())])
        found: list[Option] = list(self._known.get(stems, ()))
        found += [*self._tables.get(stems, ()), *self._columns.get(stems, ())]
        akin: list[Option] = []
        if not found:
            akin += [weaker(option, _AKIN) for option in self._roots.get(tuple(root(word) for word in stems), ())]
            akin += [] if akin or len(stems) == 1 else self._shuffled.get(_in_any_order(stems), ())
        alone = literally or (akin and len(stems) > 1)
        for words, changed in synonyms(stems, () if alone else self._words).items():
            others = (*self._tables.get(words, ()), *self._columns.get(words, ()))
            more = _SYNONYM_MORE ** (changed - 1)
            found += [weaker(o, more * (_SYNONYM if o.strength > _WHOLE else _SYNONYM_IN_PART)) for o in others]
        found = found or akin
        if any(isinstance(option, ToTable) and option.strength > EXACT for option in found):
            found = [o for o in found if not (isinstance(o, ToMetric) and o.strength < EXACT)]
        if any(isinstance(option, ToMetric) and option.strength > EXACT for option in found):
            found = [o if isinstance(o, ToMetric) else weaker(o, 0.75) for o in found]
        return strongest(found)

    def spans_at(self, tokens: Sequence[Token], at: int, today: date) -> list[Span]:
        """Every span that begins at a token and may mean something."""
        spans: list[Span] = []
        token = tokens[at]
        if token.kind == "quoted":
            found = self.index.find(values.index_words(token.text))
            options: list[Option] = [
                ToValue(attribute=f.attribute, value=f.value, strength=f.strength * _spelling([token], f.value))
                for f in found
            ]
            spans.append(span_of(tokens, at, at + 1, options or [ToText(text=token.text)]))
            return spans
        by_length: dict[int, list[Option]] = {}
        for cue, taken in cues_at(tokens, at):
            told = token.lower != "all" and tokens[at + taken - 2].lower in ("detail", "details")
            if cue.kind == "all_columns" and told and self.names(("detail",)):
                continue  # "the details of", where a column is called so
            by_length.setdefault(taken, []).append(cue)
            if (
                cue.kind == "sum" and taken > 1 and (token.parted or tokens[at - 1].lower == "and")
            ):  # "the date and total of each order", where an order has a total
                words = [t.stem for t in tokens[at : at + taken] if t.lower not in ("the", "of")]
                held = (o for o in self.names(tuple(words)) if isinstance(o, ToColumn) and o.strength > EXACT)
                by_length[taken] += [weaker(option, EXACT) for option in held]
        if period := time_phrase(tokens, at, today):
            by_length.setdefault(period[1], []).append(ToPeriod(period=period[0]))
        if token.number is not None:
            by_length.setdefault(1, []).append(ToNumber(number=token.number))
        if token.lower in STOP_WORDS and at and _leads_to_noun(tokens[at - 1]):
            named = (o for o in self._tables.get((token.stem,), ()) if o.strength > EXACT)
            by_length.setdefault(1, []).extend(named)
        for length in range(1, min(max(_SPAN_MAX, self.index.longest), len(tokens) - at) + 1):
            part = tokens[at : at + length]
            if any(t.kind == "quoted" for t in part):
                break
            if _ends_in_verb(tokens, at, part):
                continue
            following = tokens[at + length].stem if at + length < len(tokens) else ""
            if length == 1 and at and _compares(tokens[at - 1], token, following):
                continue  # "which lamps cost under 50": what they do is no name
            by_length.setdefault(length, []).extend(
                self._links(part, following, ours=at > 0 and tokens[at - 1].lower in _OURS)
            )
        for length, options in by_length.items():
            if options:
                spans.append(span_of(tokens, at, at + length, options))
        return spans

    def _links(self, part: Sequence[Token], following: str = "", *, ours: bool = False) -> list[Option]:
        lower = [t.lower for t in part]
        edges_plain = lower[0] in STOP_WORDS or lower[-1] in STOP_WORDS
        found: list[Option] = []
        if {lower[0], lower[-1]} & {"of", "the"}:
            return found
        if any(word == "the" and before not in STOP_WORDS for before, word in pairwise(lower)):
            return found  # in "the shops the firm has" there are two things
        if len(part) > 1 and lower[-1] in _DOING and lower[-2].endswith("s") and following in _COMPARING:
            return found  # in "which lamps cost more than 50" the lamps do
        whole = not any(t.parted for t in part[1:])  # "name, id" are two columns
        if whole and len(part) <= _SPAN_MAX and not (edges_plain and len(part) == 1):
            stems = tuple(t.stem for t in part if t.lower not in ("of", "the"))
            done = any(is_past(t.lower) and t.stem not in _TRADED for t in part)  # what was placed is no address
            named = [o for o in self.names(stems, literally=done) if not self._owned(o, stems, lower)]
            found += [o for o in self._said(part, named) if not edges_plain or o.strength >= EXACT]
            if len(part) > 1 and not edges_plain:
                found += [*self._joined(lower), *(self._with_tail(stems) if "of" not in lower else ())]
            if len(part) == 1 and is_past(lower[0]) and len(lower[0]) > 4:
                found = [*self._of_verb(lower[0], found)]
            elif len(part) == 1 and lower[0] in WEAK_WORDS - MOMENTS:
                # what people do is no date of when it was done: "play", where a match was played on some day
                found = [o for o in found if not (_is_day(o) and o.strength < EXACT)]
            if len(part) == 1 and lower[0] in _SPENDING and ours:
                found = [o for o in found if not (isinstance(o, ToMetric) and o.metric == self.sold)]
            spending = len(part) == 1 and lower[0] in _SPENDING and not (ours or any(o.strength > EXACT for o in found))
            if spending and self.sold is not None:
                found = [ToMetric(metric=self.sold, strength=_SPENT), *(weaker(o, _SPENT) for o in found)]
            if done and not found and len(part) == 1:
                found = [o for o in self.names(stems) if isinstance(o, ToColumn) and _tells_deed(o.attribute)]
        known = self.index.find(lower)
        if len(part) == 1 and lower[0] in WEAK_WORDS and part[0].text.islower():
            # "buy trades", where trades have a side: before its own table's name it is no empty word
            known = tuple(f for f in known if following in self.schema.entities[f.attribute.table].stems)
        if len(part) == 1 and lower[0] in GENDERS:
            found += self._of_gender(GENDERS[lower[0]])
        if not known and not found and whole and not edges_plain and not (len(part) == 1 and lower[0] in WEAK_WORDS):
            known = self.index.alike(tuple(t.stem for t in part))
        if known and not (
            len(part) == 1
            and (
                (lower[0] in STOP_WORDS and not _shouted(part[0])) or (len(lower[0]) < 2 and not part[0].text.isupper())
            )
        ):
            verb = 0.75 if len(part) == 1 and is_past(lower[0]) and known[0].strength < 1 else 1.0
            weak = 0.75 if len(part) == 1 and (lower[0] in WEAK_WORDS or lower[0].isdigit()) else 1.0
            found += [
                ToValue(
                    attribute=f.attribute,
                    value=f.value,
                    strength=f.strength * weak * verb * _spelling(part, f.value) * self._of_several(part, f),
                )
                for f in known
            ]
        return strongest(found)

    def _of_several(self, part: Sequence[Token], found: values.Found) -> float:
        """Several are no name: "the states" are hardly the department that is called State."""
        label = self.schema.entities[found.attribute.table].label
        word, value = part[-1].text, found.value
        several = len(part) == 1 and word.islower() and word.endswith("s") and not value.lower().endswith("s")
        return _NO_NAME if several and value.istitle() and label == (found.attribute.name,) else 1.0

    def _owned(self, option: Option, stems: tuple[str, ...], words: Sequence[str]) -> bool:
        """ "ids of customers": the ids are those of the table, not a column that refers to it.

        In "towns founded" and "towns founded after 1900" the towns are named as well as what was done.
        """
        if len(words) > 1 and is_past(words[-1]) and words[-2].endswith("s") and isinstance(option, ToColumn):
            return stems == (*self.schema.entities[option.attribute.table].stems, *option.attribute.stems)
        if "of" not in words or not isinstance(option, ToColumn):
            return False
        table = self.schema.entities[option.attribute.table].stems
        if stems in ((*table, *option.attribute.stems), (table[-1], *option.attribute.stems)):
            return stems != option.attribute.stems  # "songs of a length over 3" speaks of the songs
        said = stems[::-1] in (option.attribute.own, option.attribute.stems)
        if not said and option.strength > _SYNONYM:
            return False
        owner = tuple(stem(word) for word in words[words.index("of") + 1 :] if word != "the")
        return any(isinstance(o, ToTable) and o.strength > _OWNER for o in self.names(owner))

    def _joined(self, words: Sequence[str]) -> list[Option]:
        """ "life spans" where the name is `Lifespan`."""
        joined = "".join(words)
        return [weaker(o, _JOINED) for o in self.names((stem(joined),))] if joined.isalpha() else []

    def _with_tail(self, stems: tuple[str, ...]) -> list[Option]:
        """ "fault status code" for `fault_status`, "department number" for `department_id`."""
        if stems[-1] not in _TAILS or stems[-2:-1] == ("id",):
            return []
        keys = self.names((*stems[:-1], "id")) if stems[-1] in _KEY_TAILS else []
        options = [*self.names(stems[:-1]), *keys]
        tables = [o for o in options if isinstance(o, ToTable) and o.strength > EXACT]
        return [
            weaker(o, _WHEN_TAIL if stems[-1] in _WHEN_TAILS else _TAIL)
            for o in options
            if isinstance(o, ToColumn) and (o in keys or not tables) and o.strength >= _TAILED_MIN
            if stems[-1] not in _WHEN_TAILS or o.attribute.is_time or o.attribute.is_number
        ]

    def _of_gender(self, letter: str) -> Iterable[ToValue]:
        """ "female" where the column holds "F", "women" where it holds "female"."""
        for attribute in self.schema.attributes:
            profile = attribute.column.profile
            if {"sex", "gender"} & set(attribute.stems) and profile and profile.values:
                coded = next((v for v in profile.values if v.upper() in (letter, _SEXES[letter])), None)
                if coded is not None:
                    yield ToValue(attribute=attribute, value=coded, strength=0.95)

    def _said(self, part: Sequence[Token], options: list[Option]) -> list[Option]:
        """A term by its adjective alone must be said as it is written: tickets that were opened need not be open."""
        return [
            o
            for o in options
            if not (isinstance(o, ToTerm) and o.strength == ADJECTIVE and part[0].lower not in name_words(o.term.name))
        ]

    def _of_verb(self, word: str, found: list[Option]) -> Iterable[Option]:
        """A verb ("hired", "shipped") speaks of a date or a table; any other column it resembles is a weak link."""
        forms = (word[:-1], word[:-2], f"{word[:-2]}ing")
        roots = [option for form in forms for option in self.names((form,), literally=stem(word) not in _TRADED)]
        if not found and not roots and len(word) >= _ROOT + 1:
            root = word[: min(_ROOT, len(word) - 2)]  # "rented" speaks of rentals
            kin = (o for stems, tables in self._tables.items() if stems[-1].startswith(root) for o in tables)
            roots = [weaker(option, 0.7) for option in kin if option.strength > EXACT]
        for option in [*found, *(o for o in roots if not isinstance(o, ToTerm))]:
            if isinstance(option, ToColumn) and option.strength < 0.9 and not option.attribute.is_time:
                yield weaker(option, 0.55)
            else:
                yield option

    def deed(self, word: str) -> Entity | None:
        """The table that is called like a verb which somebody does: how many parts "did Ada order"."""
        if word.lower() not in _DONE_BY_SOMEBODY:
            return None
        tables = self._tables.get((stem(word.lower()),), ())
        return next((o.entity for o in tables if o.strength > EXACT), None)

    def guess(self, token: Token) -> list[Option]:
        """What a misspelt word may have been, by the nearest name; weaker than any true link."""
        if token.kind != "word" or len(token.stem) < 5:
            return []
        close = get_close_matches(token.stem, self._vocabulary, n=1, cutoff=_TYPO_CUTOFF)
        if not close:
            return self._shortened(token.stem) or self._coded(token.lower)
        return [weaker(option, 0.8) for option in self.names((close[0],))]

    def _coded(self, word: str) -> list[Option]:
        """ "rejected" where a code is REJ: the first letters of the word, in a column of such codes."""
        for length in range(min(len(word) - 1, _CODE_MAX), _CODE_MIN - 1, -1):
            found = [f for f in self.index.find([word[:length]]) if f.value.lower() == word[:length]]
            codes = [f for f in found if all(v.isupper() and len(v) <= _CODE_MAX for v in f.attribute.known_values)]
            if codes:
                return [ToValue(attribute=f.attribute, value=f.value, strength=_CODED) for f in codes]
        return []

    def _shortened(self, word: str) -> list[Option]:
        """ "institution" where a table is called inst: the name is cut off before a vowel, and no word by itself."""
        cut = [word[:length] for length in range(_CUT_MIN, min(len(word) - _CUT_MIN, _CUT_MAX) + 1)]
        known = [c for c in cut if c[-1] not in "aeiou" and word[len(c)] in "aeiou" and (c,) in self._tables]
        return [weaker(o, 0.8) for o in self.names((known[-1],)) if isinstance(o, ToTable)] if known else []


def _leads_to_noun(token: Token) -> bool:
    """ "each show", "more than one show": a small word behind these is a noun, where a table is called so."""
    return token.lower in _BEFORE_NOUNS or token.number is not None


_BEFORE_NOUNS = word_set("a an the each every one per which what any single another same this that")


def _compares(before: Token, verb: Token, following: str) -> bool:
    """Whether a verb stands between what does it and how much of it: "lamps that cost over", "boxes weigh less"."""
    does_it = before.lower in ("that", "which", "who") or (before.lower.endswith("s") and len(before.lower) > _ROOT - 1)
    return verb.lower in _DOING and following in _COMPARING and does_it


def _in_any_order(stems: tuple[str, ...]) -> tuple[str, ...]:
    """What is the same of a name in whatever order and form its words are said: "settlement date", `date_settled`."""
    roots = [root(word).removesuffix("ed").removesuffix("e") for word in stems if word not in _BETWEEN_NOUNS]
    return tuple(sorted(word[:-1] if word.endswith("ll") else word for word in roots))


_BETWEEN_NOUNS = frozenset(("of", "the", "in", "at", "on", "to", "for", "by", "from"))
"""What says nothing more in a name of several words."""


def _is_day(option: Option) -> bool:
    """Whether it is a column of days, which is not called "date" by what is said."""
    return isinstance(option, ToColumn) and option.attribute.role == "date"


def _tells_deed(attribute: Attribute) -> bool:
    """Whether a column says what was done, or when: `injured`, which is also said by "wounded"; `hire_date`."""
    return attribute.is_time or any(is_past(word) for word in name_words(attribute.name))


def _shouted(token: Token) -> bool:
    """A code in capitals ("AS", "IT") is not the small word it looks like."""
    return len(token.text) > 1 and token.text.isupper()


def _spelling(part: Sequence[Token], value: str) -> float:
    """A value written as the source writes it is surer than one in other letters' case."""
    return 1.0 if " ".join(t.text for t in part) == value else 0.95


def span_of(tokens: Sequence[Token], start: int, end: int, options: list[Option]) -> Span:
    text = " ".join(t.text for t in tokens[start:end])
    return Span(start=start, end=end, text=text, options=tuple(options), parted=tokens[start].parted)


_OURS = frozenset(("we", "company", "to", "and"))
"""Behind these "spend" is not what customers do."""
_SPENDING = frozenset(("spend", "spends", "spent", "spending"))
_SPENT = 0.8
"""How sure it is that what people spend is what was sold to them."""
_AT_WORK = 0.8
"""How sure it is that people are those who work here, where there is one table of them."""
_SOLD = 0.85
"""How surely a metric must go by a word for what was sold."""
_DO = frozenset(("do", "does", "did"))
_DONE_BY_SOMEBODY = frozenset(("place", "rate", "order", "visit", "rent", "book", "ship", "score", "rank", "report"))


def _ends_in_verb(tokens: Sequence[Token], at: int, part: Sequence[Token]) -> bool:
    """ "how many orders does a customer place": what a customer does is no name, nor a part of one."""
    following = tokens[at + len(part)].lower if at + len(part) < len(tokens) else ""
    asked = any(token.lower in _DO for token in tokens[max(at - _SUBJECT_MAX, 0) : at])
    return asked and part[-1].lower in _DONE_BY_SOMEBODY and following not in ("have", "has", "get")


_SUBJECT_MAX = 3
"""How many words may stand between "does" and the verb that it goes with."""
