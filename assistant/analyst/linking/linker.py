"""What the words of a question may stand for: names of tables and columns, values, numbers, dates, operators."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from operator import itemgetter

from rapidfuzz import fuzz

from assistant.analyst.algebra import Aggregate, Column, Compare, Constant, Days, Scalar, Term, tables_here
from assistant.analyst.durations import lasting
from assistant.analyst.lexicon.files import listed
from assistant.analyst.linking import longest_match, tokens
from assistant.analyst.linking.amounts import number, one_unit, ordinal_numbers, unit_asked
from assistant.analyst.linking.column_values import beginnings, classes, plain, values_held
from assistant.analyst.linking.dates import periods
from assistant.analyst.linking.embedding_links import UNKNOWN, Alike, Near, near, unlinked, values_near
from assistant.analyst.linking.exact import Exact, WordSpan
from assistant.analyst.linking.names import WEAK, Name, NameVocabulary, head, likeness, said_in_full, word_likeness
from assistant.analyst.linking.tokens import Word, costs, light, operators, without_slip
from assistant.analyst.money import money, product, revenue
from assistant.analyst.names import lemma, plural, words_of
from assistant.analyst.parts import RANKED, ColumnValue, GroupKey, MeasuredFigure, Part, Thing, Top, WordGuess
from assistant.analyst.schema import Schema
from assistant.word_forms import is_known

_SPAN_MAX = 6
_NAME_SPAN_MAX = 4
_LEAST = 0.45
_BEST = 6
_UNCODED = 0.6
"""How well a name stands for a reference to it: "customers" are the customers rather than `customer_id`."""
_RUNNING = 0.5
"""How well a part of its name stands for a running total: "trips" are those of a day rather than all so far."""
_FAR = 0.6
"""How well a part of its name stands for a column of other rows than those that are called so."""
_BY_CHANCE = 0.4
"""How much less a common word says a name or a code that is spelt alike."""
_BY_ROLE = 0.7
"""How well a word that says what a column is stands for it: "latest" of any date."""
_WORTH = 0.75
"""How well price times quantity stands for "revenue"."""
_CODE_CHARS = 3
_FLAG_CHARS = 4
_FIRST = ("extreme", "utmost", "frequency")
_SAYS_NOTHING = frozenset(("string", "period", "recurring", "moment", "of", "and", "or", "comma", "current"))
"""Anchors that are of no table by themselves."""
_FILLERS = frozenset(("of", "the", "a", "an", "in", "for", "'s", "s", "is", "to", "by", "are", "do", "no", "-"))


class Linker:
    """Finds the anchors of a question in one schema."""

    def __init__(self, schema: Schema, alike: Alike | None = None) -> None:
        self._schema = schema
        self._alike = alike
        self._names = NameVocabulary.of(schema)
        self._values = values_held(schema)
        references = (link for links in schema.links.values() for link in links if link.cardinality == "one")
        self._references = {column: link.table for link in references for column in link.start}
        self._products = tuple(term for name in schema.tables if (term := product(schema, name)) is not None)
        sold = (table.name for table in schema.tables.values() if product(schema, table.name) is not None)
        self._worths = tuple(term for name in sold if (term := revenue(schema, name)) is not None)
        self._lasting = lasting(schema)
        self._dates = frozenset(column for column, typed in schema.typed.items() if typed.role == "date")
        self._flags = tuple(column for column, typed in schema.typed.items() if typed.role == "flag")
        self._beginnings = beginnings(self._values)
        self._classes = classes(schema)
        self.exact = Exact(schema, self._values)
        self._tokens = {word for name in self._names.names for word in name.words}
        self._heads = {head(name.words) for name in self._names.names}

    def anchors(self, words: tuple[Word, ...], beside: Sequence[Part] = (), *, by_meaning: bool = True) -> list[Part]:
        """All that a span of words may stand for, beside what is known already."""
        parts = [*periods(words)]
        operator_parts = [_as_ranking(part, words) for s, e in _spans(words) for part in self._operators(words, s, e)]
        for start in range(len(words)):
            if not words[start].is_word and words[start].lower not in operators():
                continue
            parts.extend(number(words, start))
            parts.extend((*one_unit(words, start), *unit_asked(words, start)))
            parts.extend(self._unflagged(words[start], start))
            for end in range(start + 1, min(len(words), start + _SPAN_MAX) + 1):
                parts.extend(self._held(words, start, end))
                if end - start <= _NAME_SPAN_MAX:
                    parts.extend(self._named(words, start, end))
        spans = self.exact.spans(words)
        operator_parts = [
            part
            for part in operator_parts
            if not any(span.is_noun and span.holds(part) and not self._is_no(span) for span in spans)
        ]
        parts = longest_match.without_hints(self.exact.bound(parts, spans), words)
        full_names = longest_match.names_in_full(parts, words, self._schema)
        parts = [part for part in parts if not longest_match.is_inside_name(part, full_names)]
        parts.extend(replace(part, category="day") for part in full_names if part.meaning in self._dates)
        parts = longest_match.values_first(longest_match.told_by_deeds(parts, words, full_names))
        compared = {
            at for part in operator_parts if part.category == "comparative" for at in range(part.start, part.end)
        }
        parts = [part for part in parts if part.category != "column" or part.start not in compared]
        parts = list(self._without_units(parts))
        parts.extend(longest_match.outermost(operator_parts, full_names))
        parts.extend(_quoted(words, {part.end for part in operator_parts if part.category == "text"}))
        parts.extend(ordinal_numbers(words))
        parts.extend(self._worth(words))
        parts.extend(self._near_in_meaning(words, [*parts, *beside]) if by_meaning else ())
        parts.extend(self._unknown(words, parts))
        slips = {at: WordGuess(word.slip, word.lower, 1.0) for at, word in enumerate(words) if word.slip}
        return [replace(p, guesses=(*p.guesses, *(slips[at] for at in slips if p.mask >> at & 1))) for p in parts]

    def _is_no(self, span: WordSpan) -> bool:
        """Whether a name is a value of flags alone, as "no" is: the word of the lexicon means the same."""
        return all(isinstance(meaning, ColumnValue) and meaning.column in self._flags for meaning in span.meanings)

    def words(self, question: str) -> tuple[Word, ...]:
        """The words of a question: what the data call so is one word."""
        return tokens.words(question, self.exact.odd, self.exact.names)

    def spelt(self, words: tuple[Word, ...]) -> tuple[Word, ...]:
        """The words, those of the lexicon that are misspelt put right: what no dictionary, name or value holds."""
        return tuple(self._right(word) if not at or word.text[0].islower() else word for at, word in enumerate(words))

    def _right(self, word: Word) -> Word:
        lower = word.lower
        is_other = word.quoted or not lower.isalpha() or len(lower) < _FLAG_CHARS or lower in operators()
        if (
            is_other
            or lower in self.exact.names
            or lower in self._values
            or lower in self._beginnings
            or is_known(lower)
        ):
            return word
        right = without_slip(lower) if not any(word_likeness(lower, token) for token in self._tokens) else lower
        return word if right == lower else Word(text=right, lower=right, lemma=lemma(right), slip=lower)

    def _near_in_meaning(self, words: tuple[Word, ...], parts: Sequence[Part]) -> Iterator[Part]:
        """Names that hold words that lie near to those that nothing links, and values that lie near to them."""
        places = unlinked(words, costs(words), parts) if self._alike else frozenset[int]()
        places = frozenset(at for at in places if words[at].lower not in tokens.unit_words())  # minutes are no hours
        if self._alike is None or not places:
            return
        closest: dict[str, float] = {}
        for word, column, value, nearness in values_near(
            [words[at].lower for at in places], self._classes, self._alike
        ):
            closest[word] = max(nearness, closest.get(word, 0.0))
            for at in (at for at in places if words[at].lower == word):
                part = Part.over("value", ColumnValue(column, value), at, at + 1, nearness)
                yield replace(part, guesses=(WordGuess(word, value, nearness),))
        places = frozenset(at for at in places if not at or words[at].text[0].islower())  # "Ohio" names no column
        least = {words[at].lemma: closest.get(words[at].lower, 0.0) for at in places}
        neighbours = near(list(least), self._names.words, self._alike)
        neighbours = {word: {n: s for n, s in names.items() if s > least[word]} for word, names in neighbours.items()}
        for start in range(len(words)):
            for end in range(start + 1, min(len(words), start + _NAME_SPAN_MAX) + 1):
                lemmas = [words[at].lemma for at in range(start, end) if at in places]
                for part in self._named(words, start, end, neighbours) if lemmas else ():
                    if [part.meaning] == [Thing(name) for name in self._schema.tables]:
                        continue  # what the only rows are called nobody has to say: "the dorms" of a campus
                    yield replace(part, guesses=tuple(self._guesses(lemmas, part.meaning, neighbours)))

    def _guesses(self, lemmas: Sequence[str], meaning: object, neighbours: Near) -> Iterator[WordGuess]:
        """What words were taken for in a name."""
        matched_name = next(name for name in self._names.names if name.meaning == meaning)
        is_measure = isinstance(meaning, Column) and self._schema.typed[meaning].is_measured
        measure = meaning.name if is_measure and isinstance(meaning, Column) else ""
        for word in (word for word in lemmas if word in neighbours):
            nearness, neighbour = max(
                (neighbours[word].get(neighbour, 0.0), neighbour)
                for neighbour in (*matched_name.words, *matched_name.also)
            )
            yield WordGuess(word, neighbour, nearness, measure)

    def _named(self, words: tuple[Word, ...], start: int, end: int, neighbours: Near = UNKNOWN) -> Iterator[Part]:
        """Columns and things whose names the span says."""
        if words[start].lower in _FILLERS or words[end - 1].lower in _FILLERS:
            return
        if any(word.quoted or not (word.is_word or word.lower in _FILLERS) for word in words[start:end]):
            return
        if any(_says(word, "by") or self._is_scale(word) for word in words[start:end]):
            return  # "votes by hotel" is no name
        tokens = tuple(w for word in words[start:end] if word.lower not in _FILLERS for w in words_of(word.cased))
        if not tokens or (end - start > 1 and len(tokens) < 2):
            return
        uncoded = self._references if WEAK.keys().isdisjoint(tokens) else ()
        names = said_in_full(list(self._names.near(tokens, neighbours)), tokens)
        names = self._without_chance(names, words[start:end], tokens)
        if _is_plural(words[start]) and any(isinstance(n.meaning, Thing) and n.words == tokens for n in names):
            names = [
                n for n in names if n.words == tokens or n.meaning not in self._dates
            ]  # "orders" are no order date
        running = {n.meaning: _RUNNING for n in names if self._is_running(n.meaning) and len(tokens) < len(n.words)}
        scored = [
            (
                likeness(tokens, n, neighbours) * (_UNCODED if n.meaning in uncoded else running.get(n.meaning, 1.0)),
                n.meaning,
            )
            for n in names
        ]
        things = {meaning.table: score for score, meaning in scored if isinstance(meaning, Thing) and not meaning.key}
        rows = {table for table, score in things.items() if score >= 1}  # "orders", hardly "units on order" of products
        far = {m for s, m in scored if rows and isinstance(m, Column) and m.table not in rows and s < 1}
        scored = [(s * _FAR if m in far else s, m) for s, m in scored]
        if uncoded:  # "customers" are the customers, not the `customer_id` of their orders
            scored = [(s, m) for s, m in scored if s > things.get(self._references.get(m, ""), 0.0)]  # type: ignore[arg-type]
        is_little = words[start].lower in light() or tokens[0] in listed("operators", "ordinals")
        weak = 0.5 if end - start == 1 and is_little else 1.0
        for category, kind in (("column", Column), ("thing", Thing)):
            best = [(s * weak, m) for s, m in scored if s * weak >= _LEAST and type(m) is kind]
            best.sort(key=itemgetter(0), reverse=True)
            for score, meaning in best[:_BEST]:
                is_said = kind is Thing or not longest_match.says_rows(words[start:end], meaning, self._schema)  # type: ignore[arg-type]
                if is_said and score >= best[0][0] - 0.3:
                    yield Part.over(category, meaning, start, end, score + 0.1 * (len(tokens) - 1))

    def _is_scale(self, word: Word) -> bool:
        """Whether a word says which is the greatest or least: "longest" is no name of a duration."""
        return word.lower not in self._tokens and _says(word, "scale")

    def _without_chance(self, names: list[Name], span: Sequence[Word], words: tuple[str, ...]) -> list[Name]:
        """Names without things that a word for money is like, and without those that a value is spelt like."""
        if span[0].lower in listed("operators", "spent"):
            return [name for name in names if not isinstance(name.meaning, Thing)]
        if len(span) > 1 or plain(words[0]) not in self._values:
            return names  # "hostels" are a type of hotels, and no hotels
        meant = tokens.synonyms().get(words[0], frozenset())
        return [n for n in names if words[0] in (*n.words, *n.also) or not meant.isdisjoint(n.words)]

    def _is_running(self, meaning: object) -> bool:
        return isinstance(meaning, Column) and self._schema.typed[meaning].running

    def _held(self, words: tuple[Word, ...], start: int, end: int) -> Iterator[Part]:
        """Values that columns hold."""
        span = words[start:end]
        if not span[-1].is_word or (end - start == 1 and span[0].lower in light() and not span[0].text[0].isupper()):
            return
        text = plain(" ".join(word.text for word in span))
        if not text:
            return
        hits, score = self._values.get(text, ()), 0.9
        if not hits and end - start == 1:
            hits, score = self._nearly(span[0]), 0.7
        if not hits and (all(word.text[0].isupper() for word in span) or _is_strange(span)):
            hits, score = self._beginnings.get(text, ()), 0.65
        cased = all(word.text[0].isupper() or word.quoted for word in span) and (start > 0 or end - start > 1)
        score += 0.12 * (end - start - 1) + (0.15 if cased else 0.0) - (0.25 if text.isdigit() else 0.0)
        if end - start == 1 and not cased and span[0].lemma in self._tokens:
            score -= 0.3 if span[0].lemma in self._heads else 0.05  # a word of a name rather than a value
        common = end - start == 1 and not span[0].text[0].isupper() and not span[0].quoted and is_known(span[0].lower)
        for column, value in hits[:_BEST]:
            less = _BY_CHANCE if common and self._is_name(column, value) else 0.0
            yield Part.over("value", ColumnValue(column, value), start, end, score - less)
        if end - start == 1:
            yield from self._meant(span[0], start)

    def _is_name(self, column: Column, value: Scalar) -> bool:
        """Whether a value is a name or a short code, which a common word is alike by chance: "hot" and `HOT`."""
        code = isinstance(value, str) and value.isupper() and len(value) <= _CODE_CHARS
        return code or self._schema.typed[column].role in ("name", "identifier", "key", "text")

    def _unflagged(self, word: Word, at: int) -> Iterator[Part]:
        """Flags that a word denies: "inactive" of `active`, "died" of `survived`."""
        denied = [(tokens.unflagged().get(word.lower, ""), 0.8)]
        prefixes = filter(word.lower.startswith, sorted(listed("operators", "negating prefixes")))
        denied += [(lemma(word.lower.removeprefix(prefix)), 0.9) for prefix in prefixes]
        for denied_word, score in denied:
            for column in self._flags if len(denied_word) >= _FLAG_CHARS else ():
                if any(word_likeness(denied_word, name_word) >= 0.7 for name_word in self._schema.typed[column].words):
                    yield Part.over("unflag", column, at, at + 1, score)

    def _meant(self, word: Word, at: int) -> Iterator[Part]:
        """Values that a word stands for in columns of a certain name: "female" is `F` as a gender."""
        for names, values in tokens.meant_values().get(word.lower, ()):
            for value in values:
                for column, stored in self._values.get(value, ()):
                    if not names.isdisjoint(self._schema.typed[column].words):
                        yield Part.over("value", ColumnValue(column, stored), at, at + 1, 0.9)

    def _without_units(self, parts: Sequence[Part]) -> Iterator[Part]:
        """Parts without the columns that a unit stands for by its kind alone: "in minutes" is no duration."""
        units = {part.end - 1: part.meaning for part in parts if part.category == "unit"}
        for part in parts:
            unit = units.get(part.end - 1) if part.category == "column" else None
            if unit is None or unit in self._schema.typed[part.meaning].words:  # type: ignore[index]
                yield part

    def _worth(self, words: tuple[Word, ...]) -> Iterator[Part]:
        """ "revenue", where rows have a price and a quantity and nothing that is called so: one times the other"""
        worth_words = listed("operators", "worth of sales")
        for at, word in enumerate(words):
            if word.lemma in worth_words:
                for term in self._worths:
                    yield Part.over("column" if isinstance(term, Column) else "quantity", term, at, at + 1, _WORTH)
            if word.lower in listed("operators", "spent"):
                amounts = (
                    term for name in self._schema.tables if isinstance(term := money(self._schema, name), Column)
                )
                yield from (Part.over("column", column, at, at + 1, _WORTH) for column in amounts)

    def _unknown(self, words: tuple[Word, ...], parts: list[Part]) -> Iterator[Part]:
        """Where there is one table, a noun that nothing else explains is what its rows are, which is said.

        So is a plural that only goes before what a column is called, as storms do before `max_storm_category`. Not
        where nothing else of the question is known either: the weather is no row of a table of flights.
        """
        if len(self._schema.tables) != 1 or all(part.category in _SAYS_NOTHING for part in parts):
            return
        (name,) = self._schema.tables
        for at, word in enumerate(words):
            is_row = words[at - 1].lower in listed("operators", "rows follow") if at else _is_plural(word)
            if not is_row or word.quoted:
                continue
            near = [p for p in parts if p.start <= at < p.end and (p.score > 0.6 or p.category == "value")]
            if not _is_plural(word) and _is_named(words, at + 1, parts):
                continue  # "japanese" says which cars
            if word.lower.isalpha() and word.lower not in operators() and all(self._goes_before(word, p) for p in near):
                guess = WordGuess(word.lower, f"rows of {name}", 0.5 if near else 0.0)
                rows = Part.over("thing", Thing(name), at, at + 1, 0.75 if near else 0.4)
                yield replace(rows, guesses=(guess,))

    def _goes_before(self, word: Word, part: Part) -> bool:
        """Whether a plural is only a word before the one that says what a column holds."""
        column = part.meaning.key if isinstance(part.meaning, Thing) else part.meaning
        if not isinstance(column, Column) or not _is_plural(word) or part.end - part.start > 1:
            return False
        telling_words = [w for w in self._schema.typed[column].words if w not in WEAK]
        if any(category == "count" for w in telling_words for category, _ in operators().get(w, ())):
            return False  # `review_count` says how many reviews there are
        return len(telling_words) > 1 and word_likeness(word.lemma, telling_words[-1]) < 0.6

    def _nearly(self, word: Word) -> tuple[tuple[Column, Scalar], ...]:
        """Values for a plural, another form, or a misspelt word."""
        lower = word.lower
        if len(lower) < 4 or lower in operators() or word.lemma in self._heads:
            return ()
        for variant in (word.lemma, lower.removesuffix("s"), f"{lower}s"):
            if variant in self._values:
                return self._values[variant]
        if word.lemma in self._tokens:
            return ()
        if len(lower) > 5:
            near = [
                k
                for k in self._values
                if abs(len(k) - len(lower)) <= 1 and k[0] == lower[0] and fuzz.ratio(k, lower) >= 88
            ]
            return self._values[near[0]] if len(near) == 1 else ()
        return ()

    def _operators(self, words: tuple[Word, ...], start: int, end: int) -> Iterator[Part]:
        """The operators that a phrase is; one that brings its own columns is made of each."""
        phrase = " ".join(word.lower for word in words[start:end])
        for category, meaning in operators().get(phrase, ()):
            score = 0.8 + 0.1 * (end - start)
            if category in ("scale", "turnover", "comparative", "sign"):
                yield from self._of_columns(category, meaning, start, end, score)
            elif category == "rank" and category in self._tokens:
                continue  # it is what a column holds
            elif category in ("rhythm", *_FIRST):
                yield _whole(category, meaning, start, end, score)
            elif category in ("deed", "lasting"):
                yield from self._told(category, meaning, start, end, score)
            elif category == "lead":
                yield from self._leading(meaning, start, end, score, has_object=end < len(words) and words[end].is_word)
            elif category not in tokens.CLOSED:
                yield Part.over(category, meaning, start, end, score)

    def _told(self, category: str, meaning: str, start: int, end: int, score: float) -> Iterator[Part]:
        """ "bought": of rows that are sold; "how long": of rows that have a first and a last date"""
        for table in (name for name in self._schema.tables if category == "deed" and revenue(self._schema, name)):
            yield Part.over(category, Thing(table), start, end, score)
        if category == "lasting" and any(self._lasting.values()):
            yield Part.over(category, meaning, start, end, score)
            for term in self._lasting.get(meaning, ()):
                yield Part.over("quantity", term, start, end, _WORTH * score)

    def _leading(self, word: str, start: int, end: int, score: float, *, has_object: bool) -> Iterator[Part]:
        """ "reports to", "from", "landing in": keys, and columns of places, that such a word leads to

        Where nothing follows, they are what is asked for: "who does Ada report to".
        """
        things = [("thing", Thing(alias.name), alias.words) for alias in self._schema.aliases]
        typed = self._schema.typed.items()
        texts = [("column", column, of.words) for column, of in typed if of.role in ("category", "name")]
        for kind, meaning, thing_words in (*things, *texts):
            alike = max(word_likeness(word, thing_word) for thing_word in thing_words)
            if alike >= 0.6:
                yield Part.over("lead" if has_object else kind, meaning, start, end, score * alike)

    def _of_columns(self, category: str, meaning: str, start: int, end: int, score: float) -> Iterator[Part]:
        """ "oldest", "older than": of the columns that such a word measures"""
        scored: list[tuple[float, object]] = []
        for order, alternative in enumerate(meaning.split(" / ")):
            direction, word = alternative.split()
            is_worth = category == "turnover" and word in listed("operators", "worth of sales")
            for term in self._products if is_worth else ():
                scored.append((_WORTH * score * (1 - 0.08 * order), _measured(category, direction, term)))
            for term in self._lasting.get(word, ()) if category != "turnover" else ():
                scored.append((score * (1 - 0.08 * order), _measured(category, direction, term)))
            for column, typed in self._schema.typed.items():
                alike = 1.0 if word in typed.words else word_likeness(word, typed.words[-1])
                alike = max(alike, _BY_ROLE if word in tokens.general().get(typed.role, ()) else 0.0)
                if alike >= 0.6 and (typed.is_measured or typed.role in ("date", "part")):
                    near = score * alike * (0.7 + 0.3 / len(typed.words)) * (1 - 0.08 * order)
                    near += _NAMED_SO if direction in typed.words else 0.0
                    scored.append((near, _measured(category, direction, column)))
        for near, measure in sorted(scored, key=itemgetter(0), reverse=True)[:_BEST]:
            kind = "top" if isinstance(measure, Top) else "condition" if isinstance(measure, Compare) else category
            yield Part.over(kind, measure, start, end, near, rules=("scale",) if kind == "top" else ())


def _as_ranking(part: Part, words: Sequence[Word]) -> Part:
    """ "top categories", "the best selling products": several of them, where their number is not said"""
    phrase = " ".join(word.lower for word in words[part.start : part.end])
    before = tokens.of_class("request") | listed("operators", "before rankings")
    is_first = part.rules == ("scale",) and all(word.lower in before for word in words[: part.start])
    is_ranking = isinstance(part.meaning, Top) and (is_first or phrase in listed("operators", "rankings"))
    if not is_ranking or part.end >= len(words) or not _is_plural(words[part.end]):
        return part
    return replace(part, meaning=replace(part.meaning, n=RANKED))  # type: ignore[type-var]


_NAMED_SO = 0.05
"""What it counts that a column's own name says which end it is: the coldest day is that of the lowest `temp_min`."""


def _whole(category: str, meaning: str, start: int, end: int, score: float) -> Part:
    """ "monthly", "the highest", "most common": a key, or what comes first, by itself"""
    if category == "rhythm":
        return Part.over("key", GroupKey(None, meaning), start, end, score, rules=(category,))  # type: ignore[arg-type]
    often, sized = category == "frequency", meaning not in ("max", "min")
    top = Top(meaning.startswith("max"), by_count=often, sized=sized)
    return Part.over("top", top, start, end, score, rules=(category,))


def _says(word: Word, operator: str) -> bool:
    return any(category == operator for category, _ in operators().get(word.lower, ()))


def _is_plural(word: Word) -> bool:
    return word.lower != word.lemma and plural(word.lemma) == word.lower


def _is_strange(span: Sequence[Word]) -> bool:
    """Whether a span is one word that no dictionary has: "gentoo" begins a value, "oil" may only be like one."""
    return len(span) == 1 and len(span[0].lower) >= _FLAG_CHARS and not is_known(span[0].lower)


def _is_named(words: Sequence[Word], at: int, parts: Iterable[Part]) -> bool:
    """Whether there is a word that names a thing or a column, and is no deed: not "stayed" of `length_of_stay`."""
    if at >= len(words) or tokens.is_deed(words[at]):
        return False
    return any(part.category in ("thing", "column") and part.start <= at < part.end for part in parts)


def _measured(category: str, direction: str, term: Term) -> object:
    """What a word that brings a term of its own means: the first by it, by its total, or a comparison with it."""
    if category == "sign" and isinstance(term, Days):
        return Compare(term, direction, Constant(0))  # type: ignore[arg-type]
    if category == "turnover":
        return Top(direction == "max", by=MeasuredFigure(Aggregate("sum", term), tables_here(term)[0]))
    return Top(direction == "max", by=term) if category == "scale" else (term, direction)


def _spans(words: tuple[Word, ...]) -> Iterator[tuple[int, int]]:
    """All spans of words that an operator may be said in, the longest first."""
    for size in range(min(_SPAN_MAX, len(words)), 0, -1):
        yield from ((start, start + size) for start in range(len(words) - size + 1))


def _quoted(words: tuple[Word, ...], texts: set[int]) -> Iterator[Part]:
    """Texts: in quotation marks, behind a word such as "contains", and, less surely, words with a capital."""
    for at, word in enumerate(words):
        if word.quoted:
            yield Part.over("string", word.text, at, at + 1, 1.0)
        elif at in texts and word.lower.isalnum() and word.lower not in operators():
            yield Part.over("string", word.text, at, at + 1, 0.8)
        elif at and word.text[0].isupper() and word.lower not in operators() and lemma(word.lower).isalpha():
            yield Part.over("string", word.text, at, at + 1, 0.2)
