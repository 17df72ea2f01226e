"""What a reading leaves unread, or takes for what nobody said, that would make its answer another one.

Every number, text, operator and word of content is bound to a part of the query, or the question is not answered
unasked. What an unread word costs in the order of readings is learned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from assistant.analyst import algebra as al
from assistant.analyst.clauses import shows_clause
from assistant.analyst.grammar.chart import Derivation
from assistant.analyst.lexicon.files import listed
from assistant.analyst.linking.names import WEAK, word_likeness
from assistant.analyst.linking.tokens import CLOSED, Word, is_deed, numbers, of_class, operators, telling
from assistant.analyst.misreading import is_misread
from assistant.analyst.parts import GroupKey, MeasuredFigure, Part, Thing, Top
from assistant.analyst.schema import LinkedTable, Schema

LITTLE = 0.4
"""Unread words that cost less than this are light ones."""
_PHRASE_WORDS_MAX = 6
_BY_COLUMN = frozenset(("column_values", "column_not_values", "column_bound", "column_when", "flag"))
"""Conditions that begin with a column's name: "by channel excluding phone" names a key all the same."""
_COUNTED = frozenset(("having_rows", "having_count", "so_many", "so_many_such"))
"""Bounds of a number of things."""
_BOUND = frozenset(("column_bound", "bound_column"))


def untold(derivation: Derivation, words: Sequence[Word], costs: Sequence[float], query: al.Query) -> int:
    """How many words of the question mean something and are not read."""
    served = _served(list(al.parts(query)))
    mask = derivation.mask
    for at, word in enumerate(words):
        if not served.isdisjoint(_categories(word.lower)):
            mask |= 1 << at
    telling_phrases = {phrase for _, phrase in _phrases_unread(words, mask) if phrase in telling()}
    return len(unbound_words(words, mask)) + len(telling_phrases)


def is_part_lost(derivation: Derivation, words: Sequence[Word], query: al.Query) -> bool:
    """Whether a figure that is asked for is not among the results, or who did something is taken for a group.

    "Money requested by entrepreneurs" is not money for each of them, or may be: it is asked.
    """
    inside, visible = list(al.parts(query)), al.outputs_shown(query)
    has_figure = any(isinstance(part, al.Aggregate | al.Count | al.Metric) for part in inside)
    if derivation.frame.says("function") and not has_figure:
        return True  # "total code" is no list of codes
    if derivation.frame.says("versus") and any(_adds_sides(part) for part in inside if isinstance(part, al.Grouped)):
        return True
    for part in derivation.parts:
        figure = part.meaning.figure if isinstance(part.meaning, MeasuredFigure) else None
        if isinstance(figure, al.Aggregate) and part.category == "figure":
            computed = [p for p in inside if isinstance(p, al.Aggregate)]  # a mean of totals has both, in two figures
            has_it = figure.function in {p.function for p in computed} and figure.term in {p.term for p in computed}
            is_tested = isinstance(query, al.Grouped) and not query.limit and query.having != al.NO_FILTER
            same = {p for p in computed if p.term == figure.term}
            if not has_it or (is_tested and same.isdisjoint(al.parts(visible))):
                return True
        if isinstance(part.meaning, GroupKey) and part.meaning.thing and part.start and is_deed(words[part.start - 1]):
            return True
    return False


def _adds_sides(query: al.Grouped) -> bool:
    """Whether the two that are compared are added up: "2025 against 2024, by region" is no total of two years."""
    keys = {part for key in query.keys for part in al.parts(key)}
    sides = [part for part in al.parts(query.of) if isinstance(part, al.Either | al.OneOf)]
    return any(keys.isdisjoint(part for part in al.parts(side) if isinstance(part, al.Column)) for side in sides)


def _served(inside: list[object]) -> set[str]:
    """The operators that a query has, whatever was read as them."""
    has_it = {
        "between": any(isinstance(part, al.Combined | al.Days | al.Within) for part in inside),
        "share": any(isinstance(part, al.Combined | al.Share) for part in inside),  # growth "in %"
        "lasting": any(isinstance(part, al.Days) for part in inside),
        "order": any(part.order for part in inside if isinstance(part, al.Query)),
        # "Only" tells some related rows from all of them; of the very rows that are counted it says what is read.
        "every": not any(isinstance(part, al.Related | al.Member) for part in inside),
    }
    return {category for category, is_there in has_it.items() if is_there}


def unbound_words(words: Sequence[Word], mask: int) -> list[int]:
    """Where the words are that are neither read, nor function words, nor bound by what they stand beside.

    A word that asks, such as "show", is bound where a part of the question begins. A word such as "located", "all" or
    "records" says how what stands beside it belongs together, so it is bound where that is read.
    """
    function, request, relation = map(of_class, ("function words", "request", "relation"))
    is_content = [word.is_word and word.lower not in function | request | relation for word in words]
    unbound: list[int] = []
    is_beginning = True
    for at, word in enumerate(words):
        is_read = bool(mask >> at & 1)
        if not word.is_word or not _joins_nothing(word):
            is_beginning = True
            continue
        if is_read or word.lower in function:
            is_beginning = is_beginning and not is_read
            continue
        if word.lower in request and is_beginning:
            continue
        sides = (range(at - 1, -1, -1), range(at + 1, len(words)))
        beside = [next((i for i in side if is_content[i] or mask >> i & 1), None) for side in sides]
        neighbours = [place for place in beside if place is not None]
        is_bound = not is_content[at] and bool(neighbours) and all(mask >> place & 1 for place in neighbours)
        if not is_bound:
            unbound.append(at)
        is_beginning = False
    return unbound


def _joins_nothing(word: Word) -> bool:
    return _categories(word.lower).isdisjoint(("and", "comma"))


def _is_uncounted(derivation: Derivation, words: Sequence[Word], query: al.Query, schema: Schema) -> bool:
    """Whether a thing is listed beside figures and left out: "revenue and orders" asks for how many, too."""
    if not isinstance(query, al.Grouped) or any(map(al.is_count, query.figures)):
        return False
    measured = [part for part in derivation.parts if part.category == "figure" or _is_measured(part.meaning, schema)]
    before, after = {part.end + 1 for part in measured}, {part.start - 1 for part in measured}
    for part in derivation.parts:
        is_lost = part.category in ("thing", "column") and part not in measured
        first = part.end in after and not _joins_nothing(words[part.end])
        if is_lost and (first or (part.start in before and not _joins_nothing(words[part.start - 1]))):
            return not _names(query.keys, part.meaning, schema)  # type: ignore[arg-type]
    return False


def _is_measured(meaning: object, schema: Schema) -> bool:
    return isinstance(meaning, al.Column) and schema.typed[meaning].is_measured


def _names(keys: Sequence[al.Term], noun: Thing | al.Column, schema: Schema) -> bool:
    """Whether groups are those of a thing, or by a column."""
    if isinstance(noun, Thing):
        table = schema.tables[noun.table]
        return not set(keys).isdisjoint((noun.key,) if noun.key else (*table.grain, *table.label))
    return noun in keys


def _takes_year(part: Part, words: Sequence[Word], schema: Schema) -> bool:
    """Whether a number apart from a thing is taken for its key: "customers in 2025"."""
    column = part.meaning.left if "column_number" in part.rules and isinstance(part.meaning, al.Compare) else None
    if not isinstance(column, al.Column) or schema.typed[column].role not in ("key", "identifier"):
        return False
    lemmas = {word.lemma for at, word in enumerate(words) if part.mask >> at & 1}
    return part.mask.bit_count() < part.end - part.start and WEAK.keys().isdisjoint(lemmas)


def _categories(phrase: str) -> set[str]:
    return {category for category, _ in operators().get(phrase, ())}


def keys_unread(derivation: Derivation, words: Sequence[Word], costs: Sequence[float], query: al.Query) -> int:
    """How often a figure is asked for by something, "per employee", that is not read, or not as a key."""
    starts = {part.start for part in derivation.parts if _is_no_key(part, query)}
    count = 0
    for end, phrase in _phrases_unread(words, derivation.mask):
        if "by" in _categories(phrase):
            at = next((i for i in range(end, len(costs)) if costs[i] >= LITTLE or derivation.mask >> i & 1), end)
            is_unknown = at < len(costs) and costs[at] >= 1 and not derivation.mask >> at & 1
            count += is_unknown or at in starts
    return count


def _is_no_key(part: Part, query: al.Query) -> bool:
    """Whether a part names what groups may go by, and they do not, or it is only listed.

    The rows that a mean is taken of are no groups: "average budget per film".
    """
    if not isinstance(query, al.Grouped):
        return not query.order and part.meaning in query.outputs
    keys = {column.table for column in al.parts(query.keys) if isinstance(column, al.Column)}
    if not keys and _BY_COLUMN.intersection(part.rules):
        return True
    noun = part.meaning
    if not isinstance(noun, Thing | al.Column) or noun.table in keys:
        return False
    own = isinstance(noun, Thing) and noun.key is None and noun.table == home_of(query)
    return not own or not all(
        isinstance(f, al.Aggregate) and f.function == "mean" and f.of is None for f in query.figures
    )


def _phrases_unread(words: Sequence[Word], read_mask: int) -> Iterator[tuple[int, str]]:
    """Each span of words of which nothing is read, in lower case, with its end."""
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + _PHRASE_WORDS_MAX) + 1):
            if read_mask >> start & ((1 << (end - start)) - 1):
                break
            yield end, " ".join(word.lower for word in words[start:end])


def unread_kinds(read_mask: int, words: Sequence[Word], costs: Sequence[float]) -> dict[str, float]:
    """How many words of each kind are not read: what they cost is learned."""
    counts: dict[str, float] = {}
    for at, word in enumerate(words):
        if read_mask >> at & 1 or costs[at] < LITTLE:
            continue
        kinds = _categories(word.lower)
        if word.lower[:1].isdigit() or word.lower in numbers("numbers"):
            kinds.add("number")
        if word.quoted or (at and word.text[:1].isupper()):
            kinds.add("proper")
        for kind in kinds - CLOSED:
            counts[f"unread {kind}"] = counts.get(f"unread {kind}", 0.0) + 1
    return counts


def is_unasked(derivation: Derivation, words: Sequence[Word], query: al.Query, schema: Schema) -> bool:
    """Whether a query goes by rows or groups that nobody named, or shows another thing than the one asked for."""
    is_lost = _lacks_amount(derivation, words, query, schema) or _counts_sizes(derivation, words, schema)
    if is_lost or is_misread(derivation, query):
        return True
    if _is_uncounted(derivation, words, query, schema) or _computes_without(derivation, query):
        return True
    if any(_takes_year(part, words, schema) for part in derivation.parts) or shows_clause(derivation, words, query):
        return True
    match query:
        case al.Grouped(of=al.Rows(), limit=None) if query.keys and not derivation.frame.keys:
            return all(map(_is_extreme, query.figures))
        case al.Grouped(limit=None, having=al.Both(())) if all(map(_is_extreme, query.figures)) and _asks_key(
            derivation, words
        ):
            return True
        case al.Grouped(of=al.Rows() as rows, keys=()):
            return all(map(_is_extreme, query.figures)) and _begins_elsewhere(derivation, rows.table)
        case al.Listing(of=al.Rows() as rows) if _shows_nothing_new(query, rows, derivation, schema):
            return True
        case al.Listing(of=al.Rows(), distinct=True) if any(
            isinstance(part, al.Member) for part in al.parts(query.of.where)
        ):
            return _is_other_thing(derivation, query.outputs, schema)
        case al.Listing(of=al.Rows() as rows, limit=al.Limit(within=within)):
            is_value = bool(within) and _asks_value(derivation)
            is_value = is_value or _lacks_size(derivation, words, query.outputs[: query.shown])
            return is_value or _is_unnamed_row(derivation, words, query, rows.table, schema)
        case _:
            return False


def _shows_nothing_new(query: al.Listing, rows: al.Rows, derivation: Derivation, schema: Schema) -> bool:
    """Whether a list shows only what was said, or values of a time of which a total was asked: "spend in May"."""
    if al.settled(rows).issuperset(query.outputs[: query.shown]):
        return True
    times = [p for p in al.conditions_of(rows.where) if isinstance(p, al.Within)]
    is_of_time = bool(times) and not query.limit and not derivation.frame.things
    return is_of_time and all(isinstance(t, al.Column) and schema.typed[t].role == "measure" for t in query.outputs)


def _lacks_amount(derivation: Derivation, words: Sequence[Word], query: al.Query, schema: Schema) -> bool:
    """Whether "how much" is answered by no figure, or "how many" by a list of rows."""
    pairs = {f"{first.lower} {second.lower}" for first, second in pairwise(words)}
    if not isinstance(query, al.Listing) or pairs.isdisjoint(("how much", "how many")):
        return False
    named = {part for p in derivation.parts for part in al.here(p.meaning)}
    outputs = named.intersection(query.outputs[: query.shown])
    return not any(isinstance(t, al.Column) and schema.typed[t].is_measured for t in outputs)


def _is_extreme(figure: object) -> bool:
    return isinstance(figure, al.Aggregate) and figure.function in ("min", "max")


def _computes_without(derivation: Derivation, query: al.Query) -> bool:
    """Whether figures of groups leave out a column that is named: "average resolution time by priority"."""
    return isinstance(query, al.Grouped) and not set(derivation.frame.columns) <= set(al.parts(query))


def _asks_key(derivation: Derivation, words: Sequence[Word]) -> bool:
    """Whether a key is asked for: "which month had the highest sales" wants the month, and not how much."""
    keys = (part for part in derivation.parts if part.category == "key")
    return any(words[at].lower in listed("operators", "asking") for part in keys for at in range(part.start, part.end))


def _begins_elsewhere(derivation: Derivation, home: str) -> bool:
    """Whether a thing of another table comes before a figure: "which department has the highest salary"."""
    thing_starts = [p.start for p in derivation.parts if isinstance(p.meaning, Thing) and p.meaning.table != home]
    figures = [part.start for part in derivation.parts if part.category == "figure"]
    return bool(thing_starts and figures) and min(thing_starts) < min(figures)


def _counts_sizes(derivation: Derivation, words: Sequence[Word], schema: Schema) -> bool:
    """Whether a size is taken for a number of things or another size: "hosts older than 60" is no number of hosts."""
    for part in derivation.parts:
        if _COUNTED.intersection(part.rules) or _BOUND.intersection(part.rules):
            tokens = tuple(word for at, word in enumerate(words) if part.mask >> at & 1)
            measured = {word for _, phrase in _phrases_unread(tokens, 0) for word in _measured_by(phrase)}
            own = {word for c in al.parts(part.meaning) if isinstance(c, al.Column) for word in schema.typed[c].words}
            if measured and not any(word_likeness(word, candidate) for word in measured for candidate in own):
                return True
    return False


def _measured_by(phrase: str) -> set[str]:
    """The words of the columns that a comparison brings: age and birth for "older than"; any for "larger than"."""
    if "extreme" in _categories(phrase.split(maxsplit=1)[0]):
        return set()
    brought = (meaning for category, meaning in operators().get(phrase, ()) if category == "comparative")
    return {word for meaning in brought for word in meaning.split() if word.isalpha()}


def _is_other_thing(derivation: Derivation, outputs: tuple[al.Term, ...], schema: Schema) -> bool:
    """Whether what is said first is a table's rows, and nothing that names them is shown."""
    nouns = [part for part in derivation.parts if isinstance(part.meaning, Thing | al.Column)]
    first = min(nouns, key=lambda part: part.start).meaning if nouns else None
    if not isinstance(first, Thing) or first.key is not None:
        return False
    return set(outputs).isdisjoint((*schema.tables[first.table].grain, *schema.tables[first.table].label))


def _asks_value(derivation: Derivation) -> bool:
    """Whether the greatest of a column comes before any thing: "the highest postage of parcels by hub"."""
    columns = {part.start for part in derivation.parts if part.category == "column"}
    single_tops = [(p, p.meaning) for p in derivation.parts if isinstance(p.meaning, Top) and p.meaning.n == 1]
    tops = [p.start for p, top in single_tops if "top_column" in p.rules or (top.by is None and p.end in columns)]
    return bool(tops) and all(part.start > min(tops) for part in derivation.parts if part.category == "thing")


def _lacks_size(derivation: Derivation, words: Sequence[Word], outputs: tuple[al.Term, ...]) -> bool:
    """Whether a size is not shown that is asked for before all else: "the lowest price and its date"."""
    first = min(derivation.parts, key=lambda part: part.start)
    is_size = "top_column" in first.rules and isinstance(first.meaning, Top) and first.meaning.by not in outputs
    joint = operators().get(words[first.end].lower, ()) if first.end < len(words) else ()
    return is_size and any(category == "and" for category, _ in joint)


def _is_unnamed_row(derivation: Derivation, words: Sequence[Word], query: al.Listing, of: str, schema: Schema) -> bool:
    """Whether a row that nobody named comes first and only a class of it is shown.

    "Which state has the highest profit" asks for the profit of states, not of one order line.
    """
    table = schema.tables[of]
    is_measure = any(schema.typed[c].is_measured and table.words[-1] in schema.typed[c].words for c in table.columns)
    is_named = not is_measure and any(word.lemma in table.words[-1:] for word in words)
    if is_named or Thing(of) in derivation.frame.things:
        return False
    ordered = [query.outputs[order.place] for order in query.order]
    outputs = query.outputs[: query.shown]
    adds = all(isinstance(term, al.Column) and schema.typed[term].role == "measure" for term in ordered)
    return all(_is_class(term, table, schema, 2 if adds else 5) for term in outputs if term not in ordered)


def _is_class(term: object, table: LinkedTable, schema: Schema, rows_each_min: int) -> bool:
    """Whether a column puts so many rows and more in one class each, on average; that of another table always does."""
    is_own = isinstance(term, al.Column) and term in table.columns
    return isinstance(term, al.Column) and (not is_own or schema.rows_each(term) > rows_each_min)


def home_of(query: al.Query) -> str:
    """The table whose rows a query goes over."""
    return query.of.table if isinstance(query.of, al.Rows) else home_of(query.of.query)
