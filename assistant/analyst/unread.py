"""What a reading leaves unread, or takes for what nobody said, that would make its answer another one.

Most unread words only repeat what is read: their cost is learned. An operator, a number, a key or a word that stands
apart from what is read is seldom one of them, so a reading without it is not answered unasked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assistant.analyst import algebra as al
from assistant.analyst.clauses import shows_clause
from assistant.analyst.grammar.chart import Derivation
from assistant.analyst.lexicon.files import listed
from assistant.analyst.linking.names import WEAK, word_likeness
from assistant.analyst.linking.tokens import Word, is_deed, light, numbers, operators, telling
from assistant.analyst.names import plural
from assistant.analyst.parts import Part, Thing, Top
from assistant.analyst.schema import LinkedTable, Schema

LITTLE = 0.4
"""Unread words that cost less than this are light ones."""
_PHRASE_WORDS_MAX = 6
_BY_COLUMN = frozenset(("column_values", "column_not_values", "column_bound", "column_when", "flag"))
"""Conditions that begin with a column's name: "by channel excluding phone" names a key all the same."""
_COUNTED = frozenset(("having_rows", "having_count", "so_many", "so_many_such"))
"""Bounds of a number of things."""
_OF_A_WORD = frozenset(("function", "distinct", "count"))
_BOUND = frozenset(("column_bound", "bound_column"))


def untold(derivation: Derivation, words: Sequence[Word], costs: Sequence[float], query: al.Query) -> int:
    """How many operators, numbers and words that stand apart are not read."""
    phrases = list(_phrases_unread(words, derivation.mask))
    inside = list(al.parts(query))
    served = {"between"} if any(isinstance(part, al.Combined | al.Days | al.Within) for part in inside) else set[str]()
    served |= {"share"} if any(isinstance(part, al.Combined | al.Share) for part in inside) else set()  # growth "in %"
    # "Only" tells some related rows from all of them; of the very rows that are counted it says what is read anyway.
    served |= set[str]() if any(isinstance(part, al.Related | al.Member) for part in inside) else {"every"}
    telling_phrases = {
        phrase for _, phrase in phrases if phrase in telling() and served.isdisjoint(_categories(phrase))
    }
    numbered = unread_kinds(derivation.mask, words, costs).get("unread number", 0.0)
    apart = _standing_apart(derivation.mask, words, costs) + _things_passed(derivation, costs)
    unread_arguments = _arguments_unread(derivation.mask, words, costs)
    return len(telling_phrases) + int(numbered) + apart + unread_arguments


def _is_uncounted(derivation: Derivation, words: Sequence[Word], query: al.Query, schema: Schema) -> bool:
    """Whether a thing is listed beside figures and left out: "revenue and orders" asks for how many, too."""
    if not isinstance(query, al.Grouped) or any(map(al.is_count, query.figures)):
        return False
    measured = [part for part in derivation.parts if part.category == "figure" or _is_measured(part.meaning, schema)]
    before, after = {part.end + 1 for part in measured}, {part.start - 1 for part in measured}
    for part in derivation.parts:
        is_lost = part.category in ("thing", "column") and part not in measured
        first = part.end in after and _joins(words[part.end])
        if is_lost and (first or (part.start in before and _joins(words[part.start - 1]))):
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


def _joins(word: Word) -> bool:
    return not _categories(word.lower).isdisjoint(("and", "comma"))


def _standing_apart(read_mask: int, words: Sequence[Word], costs: Sequence[float]) -> int:
    """How many words of content that are not read are deeds, or led to by a light word: "left", "orders at night"."""
    unread = [at for at in range(1, len(words)) if costs[at] >= 1 and not read_mask >> at & 1]
    led = (words[at - 1].lower in light() and not read_mask >> (at - 1) & 1 for at in unread)
    return sum(follows_light or is_deed(words[at]) for at, follows_light in zip(unread, led, strict=True))


def _arguments_unread(read_mask: int, words: Sequence[Word], costs: Sequence[float]) -> int:
    """How many functions are read without the word that they are said of: the "high" of "average high"."""
    phrases = [(at, f"{words[at - 1].lower} {word.lower}" if at else "") for at, word in enumerate(words)]
    of = [(at, _categories(words[at].lower) | _categories(pair)) for at, pair in phrases if read_mask >> at & 1]
    starts = [at for at, categories in of if categories & _OF_A_WORD]
    after = (next((i for i in range(at + 1, len(words)) if costs[i] >= LITTLE), 0) for at in starts)
    return sum(costs[at] >= 1 and not read_mask >> at & 1 for at in after)


def _things_passed(derivation: Derivation, costs: Sequence[float]) -> int:
    """How many words between a number and what comes first are unread: the thing in "3 coaches with the lowest"."""
    tops = [part for part in derivation.parts if "n_things_top" in part.rules]
    inside = (at for part in tops for at in range(part.start, part.end) if costs[at] >= 1)
    return sum(not derivation.mask >> at & 1 for at in inside)


def _categories(phrase: str) -> set[str]:
    return {category for category, _ in operators().get(phrase, ())}


def keys_unread(derivation: Derivation, words: Sequence[Word], costs: Sequence[float], query: al.Query) -> int:
    """How often a figure is asked for by something, "per employee", that is not read, or not as a key."""
    starts = {part.start for part in derivation.parts if _is_no_key(part, query)}
    count = 0
    for end, phrase in _phrases_unread(words, derivation.mask):
        if ("by", "each") in operators().get(phrase, ()):
            at = next((i for i in range(end, len(costs)) if costs[i] >= LITTLE or derivation.mask >> i & 1), end)
            is_unknown = at < len(costs) and costs[at] >= 1 and not derivation.mask >> at & 1
            count += is_unknown or at in starts
    return count


def _is_no_key(part: Part, query: al.Query) -> bool:
    """Whether a part names what groups may go by, and they do not, or it is only listed.

    The rows that a mean is taken of are no groups: "average budget per film".
    """
    if not isinstance(query, al.Grouped):
        return isinstance(query, al.Listing) and not query.order and part.meaning in query.outputs
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
        for kind in kinds - {"light"}:
            counts[f"unread {kind}"] = counts.get(f"unread {kind}", 0.0) + 1
    return counts


def is_unasked(derivation: Derivation, words: Sequence[Word], query: al.Query, schema: Schema) -> bool:
    """Whether a query goes by rows or groups that nobody named, or shows another thing than the one asked for."""
    if _counts_sizes(derivation, words, schema) or _is_uncounted(derivation, words, query, schema):
        return True
    if _counts_mass(derivation, words) or _computes_without(derivation, query):
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
        case al.Listing(of=al.Rows() as rows) if al.settled(rows).issuperset(query.outputs[: query.shown]):
            return True  # it shows nothing but what was said
        case al.Listing(of=al.Rows(), distinct=True) if any(
            isinstance(part, al.Member) for part in al.parts(query.of.where)
        ):
            return _is_other_thing(derivation, query.outputs, schema)
        case al.Listing(of=al.Rows() as rows, limit=al.Limit(within=within)):
            is_value = _asks_maximum(derivation) or (bool(within) and _asks_value(derivation))
            is_value = is_value or _lacks_size(derivation, words, query.outputs[: query.shown])
            return is_value or _is_unnamed_row(derivation, words, query, rows.table, schema)
        case _:
            return False


def _is_extreme(figure: object) -> bool:
    return isinstance(figure, al.Aggregate) and figure.function in ("min", "max")


def _counts_mass(derivation: Derivation, words: Sequence[Word]) -> bool:
    """Whether a noun in the singular is counted: "the most energy" is no number of rows, as "the most orders" is."""
    top_parts = [(p.end, p.meaning) for p in derivation.parts if isinstance(p.meaning, Top)]
    tops = [(end, top.by) for end, top in top_parts if not top.by_count and not top.sized]
    last = [end for end, by in tops if isinstance(by, Thing)]
    ends = {end for end, by in tops if by is None}
    last += [p.end for p in derivation.parts if p.category == "thing" and p.start in ends]
    nouns = [words[end - 1] for end in last]
    return any(word.lower != plural(word.lemma) and not is_deed(word) for word in nouns)


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


def _asks_maximum(derivation: Derivation) -> bool:
    """Whether a maximum comes before all that could be shown: "the maximum profit across all states"."""
    noun_starts = [part.start for part in derivation.parts if part.category in ("thing", "column")]
    values = [part.start for part in derivation.parts if "utmost" in part.rules]
    return bool(values and noun_starts) and max(values) < min(noun_starts)


def _is_unnamed_row(derivation: Derivation, words: Sequence[Word], query: al.Listing, of: str, schema: Schema) -> bool:
    """Whether a row that nobody named comes first and only a class of it is shown.

    "Which state has the highest profit" asks for the profit of states, not of one order line.
    """
    table = schema.tables[of]
    if any(word.lemma in table.words[-1:] for word in words) or Thing(of) in derivation.frame.things:
        return False
    ordered = [query.outputs[order.place] for order in query.order]
    outputs = query.outputs[: query.shown]
    adds = all(isinstance(term, al.Column) and schema.typed[term].role == "measure" for term in ordered)
    return all(_is_class(term, table, schema, 2 if adds else 5) for term in outputs if term not in ordered)


def _is_class(term: object, table: LinkedTable, schema: Schema, rows_each_min: int) -> bool:
    """Whether a column puts so many rows and more in one class each, on average."""
    return isinstance(term, al.Column) and term in table.columns and schema.rows_each(term) > rows_each_min


def home_of(query: al.Query) -> str:
    """The table whose rows a query goes over."""
    while isinstance(query, al.SetOf):
        query = query.left
    return query.of.table if isinstance(query.of, al.Rows) else home_of(query.of.query)
