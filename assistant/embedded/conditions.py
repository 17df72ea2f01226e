"""Clauses that choose rows: comparisons, values, periods, terms, flags, texts, rows that must be related or not."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, cast

from assistant.embedded.comparing import whole
from assistant.embedded.dates import Period, describe, period_start
from assistant.embedded.draft import Draft, FilterWanted, Misfit, PeriodWanted
from assistant.embedded.full_names import whole_name
from assistant.embedded.linking import ToColumn, ToMetric, ToNumber, ToPeriod, ToTable, ToTerm, ToText, ToValue
from assistant.embedded.meaning import Grain, Operator
from assistant.embedded.naming import equality
from assistant.embedded.patterns import Cue
from assistant.embedded.schema import Attribute, Entity

if TYPE_CHECKING:
    from knowledge.documents import Term

_NEGATED: dict[Operator, Operator] = {"=": "!=", "in": "not in"}


def texts(draft: Draft) -> None:
    """ "name contains 'rock'", "starting with A"."""
    for i, cue in draft.cues("like"):
        quoted = draft.after(i, plain_max=4)
        target = quoted if isinstance(draft.open(quoted), ToText) else draft.after(i, plain_max=1)
        beyond = draft.pieces[target].option if target is not None else None
        if isinstance(beyond, Cue) and beyond.kind == "compare":
            draft.use(i)  # "playlists that contain more than 100 tracks"
            continue
        text = None
        if target is not None and isinstance(draft.open(target), ToText | ToValue | ToNumber):
            option = draft.open(target)
            text = option.text if isinstance(option, ToText) else draft.pieces[target].span.text
        elif target is None or target > i + 1:
            plain = i + 1 if i + 1 < len(draft.pieces) else None
            word = draft.pieces[plain].span.text if plain is not None else ""
            if word.lower() in _ASKING:
                draft.use(i)  # "how many loads does it contain? List ...": another sentence begins
                continue
            if plain is not None and draft.pieces[plain].option is None and len(word) <= 12 and word != "the":
                target, text = plain, word
        if target is None or text is None:
            continue
        before = draft.before(i, plain_max=3)
        option = draft.open(before)
        if before is not None and isinstance(option, ToColumn) and option.attribute.role in ("text", "key"):
            noun = _named_by(draft, before)
            attribute = option.attribute
            draft.use(before)
            if noun is not None:
                attribute = _taken(draft, noun)
        elif isinstance(option, ToTable):
            attribute = draft.schema.attribute(option.entity.name, option.entity.label[0])
            inside = draft.after(target, plain_max=2)
            named = draft.open(inside)
            own = isinstance(named, ToColumn) and named.attribute.table == option.entity.name
            if inside is not None and isinstance(named, ToColumn) and own and named.attribute.role == "text":
                draft.use(inside)  # "films that have the word 'x' in their title"
                attribute = named.attribute
        else:
            continue
        draft.use(i, target)
        draft.filters.append(FilterWanted(attribute, cast(Operator, cue.argument), (text,), piece=target))


def _named_by(draft: Draft, at: int) -> int | None:
    """ "made by a studio whose name contains": the place of the text column that the name is of."""
    link = draft.before(at, plain_max=0)
    if link is None or draft.pieces[link].span.text.lower() != "whose":
        return None
    noun = draft.before(link, plain_max=0)
    option = draft.open(noun)
    named = draft.pieces[at].span.text.lower() in ("name", "names")
    if noun is None or not named or not isinstance(option, ToColumn) or option.attribute.role != "text":
        return None
    return noun


def _taken(draft: Draft, at: int) -> Attribute:
    """Account for a column that a condition is on, and for the words that lead to it and from it."""
    option = draft.pieces[at].option
    assert isinstance(option, ToColumn), "only columns are found"
    draft.use(at, at + 1)
    by = draft.before(at, plain_max=1)
    if by is not None and draft.pieces[by].span.text.lower() == "by":
        draft.use(by)
    return option.attribute


_ASKING = frozenset(("list", "show", "give", "find", "return", "report", "tell", "what", "which"))


def contained(draft: Draft) -> None:
    """ "an 'a' in their first name": a quoted text within a column."""
    for i, piece in enumerate(draft.pieces):
        if piece.used or not isinstance(piece.option, ToText | ToValue) or i + 1 >= len(draft.pieces):
            continue
        place = draft.after(i, plain_max=4)
        beside = draft.open(place)
        text = piece.option.text if isinstance(piece.option, ToText) else piece.span.text
        if isinstance(piece.option, ToValue) and (len(text) > 1 or not isinstance(beside, ToColumn)):
            continue  # a known value is meant, unless it is but a letter
        said = draft.pieces[i + 1].span.text.lower() in ("in", "inside", "within")
        if said and place is not None and isinstance(beside, ToColumn) and beside.attribute.role in ("text", "key"):
            draft.use(i, place)
            draft.filters.append(FilterWanted(beside.attribute, "contains", (text,), piece=i))


def values(draft: Draft) -> None:
    """Every value that is named, with the column or table word beside it ("status open", "the Rock genre")."""
    for i, piece in enumerate(draft.pieces):
        option = piece.option
        if piece.used or not isinstance(option, ToValue):
            continue
        draft.use(i)
        for place in (draft.before(i, plain_max=2), draft.after(i, plain_max=0), draft.after(i, plain_max=2)):
            beside = draft.open(place)
            if place is None:
                continue
            if isinstance(beside, ToColumn) and beside.attribute == option.attribute:
                draft.use(place)
            elif isinstance(beside, ToColumn) and (noun := _named_by(draft, place)) is not None:
                owner = draft.pieces[noun].option
                if isinstance(owner, ToColumn) and owner.attribute == option.attribute:
                    _taken(draft, noun)
                    draft.use(place)
            elif isinstance(beside, ToTable) and beside.entity.name == option.attribute.table:
                entity = beside.entity
                if (option.attribute.name in entity.label and abs(place - i) == 1) and _others(draft, place):
                    draft.use(place)
                    draft.mention(entity.name)
            elif (
                isinstance(beside, ToTable)
                and beside.entity == draft.schema.referred(option.attribute)
                and abs(place - i) == 1
                and _others(draft, place)
            ):
                draft.use(place)  # "students in the History department", where a student has its name
        draft.filters.append(FilterWanted(option.attribute, "=", (option.value,), option.known, i))


def _others(draft: Draft, at: int) -> bool:
    """Whether something else than this table is there to be asked for."""
    return any(i != at and isinstance(p.option, ToTable | ToColumn | ToMetric) for i, p in enumerate(draft.pieces))


def quoted(draft: Draft) -> None:
    """Quoted words that are no known value: equality with the column or the table's name they stand by."""
    for i, piece in enumerate(draft.pieces):
        if piece.used or not isinstance(piece.option, ToText):
            continue
        before, after = draft.before(i, plain_max=3), draft.after(i, plain_max=0)
        for place in (before, after):
            beside = draft.open(place)
            attribute: Attribute | None = None
            if isinstance(beside, ToColumn):
                attribute = beside.attribute
            elif isinstance(beside, ToTable) and len(beside.entity.label) == 1:
                attribute = draft.schema.attribute(beside.entity.name, beside.entity.label[0])
            elif isinstance(beside, ToTable):
                parts = whole_name(piece.option.text, beside.entity, draft.schema)
                draft.filters += [FilterWanted(a, "=", (part,), known=False, piece=i) for a, part in parts]
                if parts:
                    draft.use(i)
                    break
            if attribute is None or place is None:
                continue
            text = piece.option.text
            number = text.replace(".", "", 1).isdigit() and attribute.column.kind in ("integer", "number")
            flag = _flag_value(attribute, text)
            if attribute.role not in ("text", "key") and not number and flag is None:
                continue
            draft.use(i)
            if isinstance(beside, ToColumn):
                draft.use(place)
            value = whole(float(text)) if number else flag or text
            draft.filters.append(FilterWanted(attribute, "=", (value,), known=number or flag is not None, piece=i))
            break


def _flag_value(attribute: Attribute, text: str) -> str | None:
    """ "the approval status 'No'": the value of a yes-or-no column, as its source writes it."""
    profile = attribute.column.profile
    held = profile.values if attribute.role == "flag" and profile and profile.values else ()
    return next((value for value in held if value.casefold() == text.casefold()), None)


def equal_numbers(draft: Draft) -> None:
    """ "store 5", "customer id 12", "with rating 4": a number right after a column or a table with such a key."""
    for i, piece in enumerate(draft.pieces):
        if piece.used or not isinstance(piece.option, ToNumber):
            continue
        place = draft.before(i, plain_max=2)
        beside = draft.open(place)
        if _number_of(draft, i):
            continue
        if place is None:
            continue
        between = " ".join(p.span.text.lower() for p in draft.pieces[place + 1 : i])
        following = draft.pieces[i + 1].option if i + 1 < len(draft.pieces) else None
        if between not in _EQUAL or (between and isinstance(following, ToTable | ToColumn)):
            continue
        attribute: Attribute | None = None
        if isinstance(beside, ToColumn) and (
            beside.attribute.is_number or beside.attribute.role in ("key", "reference", "year", "text")
        ):
            attribute = beside.attribute
            draft.use(place)
        elif isinstance(beside, ToTable) and place == i - 1 and len(beside.entity.key) == 1:
            key = draft.schema.attribute(beside.entity.name, beside.entity.key[0])
            if key.column.kind == "integer":
                attribute = key
                draft.mention(beside.entity.name)
        at = i
        while attribute is not None and isinstance(option := draft.open(at), ToNumber):
            value = draft.pieces[at].span.text if attribute.column.kind == "text" else whole(option.number)
            draft.use(at)
            draft.filters.append(FilterWanted(attribute, "=", (value,), piece=at))
            at += 2 if draft.cue_at(at + 1, "or") else 0  # "aged 35 or 36"


def _number_of(draft: Draft, at: int) -> bool:
    """ "courses with 3 credits": a number before the column that holds such numbers."""
    following = draft.open(at + 1)
    verb = draft.pieces[at - 1].span.text.lower().split()[-1:] if at else []
    if not isinstance(following, ToColumn) or not following.attribute.is_number or not _HOLDING & set(verb):
        return False
    number = draft.pieces[at].option
    assert isinstance(number, ToNumber), "asked of numbers alone"
    draft.use(at, at + 1)
    draft.filters.append(FilterWanted(following.attribute, "=", (whole(number.number),), piece=at))
    return True


_HOLDING = frozenset(
    ("have", "has", "had", "with", "having", "of", "get", "gets", "got", "give", "gives", "gave", "given", "receive",
     "receives", "received", "earn", "earns", "earned", "hold", "holds", "worth", "scored")
)  # fmt: skip
"""What may stand before a number of something."""
_EQUAL = frozenset(("", "is", "was", "of", "equal to", "is equal to", "as", "either", "is either", "numbered"))
"""What may stand between a column and the number that it equals."""


def terms(draft: Draft) -> None:
    """Glossary terms: their condition becomes a filter. Of two kinds that nothing can be at once, either will do."""
    found: list[tuple[int, Term]] = []
    for i, piece in enumerate(draft.pieces):
        if not piece.used and isinstance(piece.option, ToTerm):
            draft.use(i)
            found.append((i, piece.option.term))
    kinds = {i: kind for i, term in found if (kind := _kind(draft, term)) is not None}
    columns = [attribute for attribute, _ in kinds.values()]
    columns += [f.attribute for f in draft.filters if f.operator == "=" and f.piece >= 0]
    for i, term in found:
        attribute, value = kinds.get(i, (None, ""))
        if attribute is None or columns.count(attribute) == 1:
            draft.terms.append((term, False))
            continue
        draft.filters.append(FilterWanted(attribute, "=", (value,), piece=i))
        draft.cited.append(term.id)


def _kind(draft: Draft, term: Term) -> tuple[Attribute, str] | None:
    """The column and the value, where a term only says that a column has a value."""
    said = equality(term.sql or "")
    attribute = draft.schema.find(term.table or "", said[0]) if said else None
    return (attribute, said[1]) if said and attribute else None


def enumerated(draft: Draft) -> None:
    """ "how many low, normal and high priority tickets": each of the kinds named before the noun is shown.

    A sum is one of them all: "the budget of the north and the south".
    """
    counts = bool(draft.wanted or draft.cues("count"))
    if not counts or any(w.aggregate != "count" for w in draft.wanted):
        return
    for attribute in {f.attribute.name: f.attribute for f in draft.filters if f.operator == "="}.values():
        places = [f.piece for f in draft.filters if f.attribute == attribute and f.operator == "=" and f.piece >= 0]
        if len(places) < _SEVERAL or attribute in draft.groups:
            continue
        first, last = min(places), max(places)
        between = [p for p in draft.pieces[first : last + 1] if not isinstance(p.option, ToValue | ToTerm)]
        joined = {p.span.text.lower() for p in between}
        noun = next((p.option for p in draft.pieces[last + 1 : last + 3] if isinstance(p.option, ToTable)), None)
        if joined == {"and"} and (noun is not None or isinstance(draft.pieces[last].option, ToTerm)):
            draft.use(*(i for i, _ in draft.cues("and") if first < i < last))
            draft.groups.append(attribute)


_SEVERAL = 2


def agents(draft: Draft) -> None:
    """ "the total bought by the customer called Ada": what is fixed to one is a condition and no group."""
    for i, piece in enumerate(draft.pieces):
        cue = piece.option
        if not isinstance(cue, Cue) or (cue.kind, piece.span.text.lower()) != ("group", "by"):
            continue
        agent = next((p.option for p in draft.pieces[i + 1 : i + 4] if isinstance(p.option, ToTable)), None)
        if agent is None or agent.entity not in draft.groups:
            continue
        fixed = [
            f.attribute.name for f in draft.filters if f.attribute.table == agent.entity.name and f.operator == "="
        ]
        if set(agent.entity.label) <= set(fixed) and len(fixed) == len(set(fixed)):
            draft.groups.remove(agent.entity)


def flags(draft: Draft) -> None:
    """ "active customers": a yes-or-no column named like an adjective."""
    for i, piece in enumerate(draft.pieces):
        if piece.used or not isinstance(piece.option, ToColumn) or piece.option.attribute.role != "flag":
            continue
        beside = (draft.before(i, plain_max=1), draft.after(i, plain_max=1))
        neighbours = [draft.pieces[place].option for place in beside if place is not None]
        if any(isinstance(n, ToTable) for n in neighbours) or draft.content_before(i):
            draft.use(i)
            attribute = piece.option.attribute
            draft.filters.append(FilterWanted(attribute, "=", (cast(str, attribute.true_value),), piece=i))


def periods(draft: Draft) -> None:
    """Every time phrase, with the date column or table it stands by."""
    found: list[int] = []
    for i, piece in enumerate(draft.pieces):
        if piece.used or not isinstance(piece.option, ToPeriod):
            continue
        draft.use(i)
        found.append(i)
        _dated_verb(draft, i)
        period = _opened(draft, i, piece.option.period)
        if period.assumption:
            draft.assumptions.append(period.assumption)
        wanted = PeriodWanted(period, at=i)
        before, after = draft.before(i, plain_max=3), draft.after(i, plain_max=0)
        for place in (before, after):
            beside = draft.open(place)
            if place is not None and isinstance(beside, ToColumn) and beside.attribute.is_time:
                wanted.attribute = beside.attribute
                draft.use(place)
                break
        close = draft.before(i, plain_max=0)
        beside = draft.pieces[close].option if close is not None else None
        if isinstance(beside, ToTable):
            wanted.near = beside.entity
        draft.periods.append(wanted)
    if len(found) > 1:
        _merge_periods(draft, found)


def _opened(draft: Draft, at: int, period: Period) -> Period:
    """ "in 2010 or later": the period and all that follows it."""
    open_end = draft.cue_at(at + 1, "or_more")
    if open_end is None:
        return period
    draft.use(at + 1)
    start, end = (period.start, None) if open_end.argument == ">=" else (None, period.end)
    return Period(start=start, end=end, label=describe(start, end), assumption=period.assumption)


def _grain_of(periods: list[Period]) -> Grain:
    """The grain that shows each of the periods by itself."""
    grains: tuple[Grain, ...] = ("year", "quarter", "month", "week", "day")
    for grain in grains:
        if all(
            p.start == period_start(p.start, grain) and p.end == period_start(p.start, grain, 1)
            for p in periods
            if p.start
        ):
            return grain
    raise Misfit("I cannot show these periods side by side; ask for each of them.", weight=4)


def _dated_verb(draft: Draft, at: int) -> None:
    """ "shipped in March" speaks of the day of shipping where there is one, not of a status of that name."""
    before = draft.before(at, plain_max=0)
    if before is None or not isinstance(draft.pieces[before].option, ToValue):
        return
    dates = [o for o in draft.pieces[before].span.options if isinstance(o, ToColumn) and o.attribute.is_time]
    if dates:
        raise Misfit("The words name a date.")


def _merge_periods(draft: Draft, found: list[int]) -> None:
    """ "2024 and 2025", "2024 vs 2025": neighbours in time become one range, shown by its parts."""
    links = [i for i in range(found[0], found[-1]) if draft.cue_at(i, "and", "or", "versus")]
    spans = [w.period for w in draft.periods]
    spans.sort(key=lambda p: (p.start is None, p.start))
    joined = all(a.end is not None and a.end == b.start for a, b in pairwise(spans))
    if links and all(draft.cue_at(i, "or") for i in links):
        return  # "after 1990 or before 1960": alternatives, which `connecting` reads
    if not links or not joined or len(draft.periods) != len(found):
        raise Misfit("Two separate periods in one question are more than I can read; ask for each of them.", weight=4)
    draft.use(*links)
    one_period(draft)
    if not draft.grains:
        draft.grains.append(_grain_of(spans))


def one_period(draft: Draft) -> bool:
    """Make one range of periods that follow on one another, if they do."""
    spans = sorted((w.period for w in draft.periods), key=lambda p: (p.start is None, p.start))
    if len(spans) <= 1 or not all(a.end is not None and a.end == b.start for a, b in pairwise(spans)):
        return False
    first, last = spans[0], spans[-1]
    whole = draft.periods[0]
    whole.period = Period(start=first.start, end=last.end, label=describe(first.start, last.end))
    draft.periods = [whole]
    return True


_HAVING = frozenset(("have", "has", "had", "with", "having", "that have", "who have", "that has", "who has"))
_SOME = frozenset(("a", "an", "any", "some"))


def possessions(draft: Draft) -> None:
    """ "customers who have a company", "orders with a shipped date": the column must not be empty."""
    for i, piece in enumerate(draft.pieces):
        option = piece.option
        if piece.used or not isinstance(option, ToColumn) or i < _AFTER_HAVING:
            continue
        article, verb = (draft.pieces[n].span.text.lower() for n in (i - 1, i - 2))
        profile = option.attribute.column.profile
        missing = profile is not None and profile.nulls > 0
        followed = i + 1 < len(draft.pieces) and draft.pieces[i + 1].option is not None
        if article not in _SOME or verb not in _HAVING or not missing or followed or not draft.content_before(i):
            continue
        draft.use(i)
        if draft.cue_at(i - 2, "with", "which"):
            draft.use(i - 2)
        draft.filters.append(FilterWanted(option.attribute, "present", (), piece=i))


_AFTER_HAVING = 3
"""Before "have a" stands at least what has it."""


def belongs_to_related(draft: Draft) -> None:
    """A value or period right after a related table is about that table: "no orders in 2025"."""
    for related in draft.related:
        for wanted in list(draft.periods):
            if 0 < wanted.at - related.at <= 2 and wanted.attribute is None:
                related.period = wanted.period
                draft.periods.remove(wanted)
        for condition in list(draft.filters):
            near = abs(condition.piece - related.at) <= 2 or (related.count == 0 and condition.piece > related.at)
            if near and condition.attribute.table == related.entity.name:
                related.filters.append(condition)
                draft.filters.remove(condition)


def entity_terms(draft: Draft) -> Entity | None:
    """The table of the first term: "churned customers" is about customers even if only the term is said."""
    for term, _ in draft.terms:
        if term.table and (entity := draft.schema.find_entity(term.table)):
            return entity
    return None
