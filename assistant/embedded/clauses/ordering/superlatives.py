"""Clauses about extremes: "the highest price", "the most orders", "the cheapest product"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import ComparedWanted, Draft, Misfit, Wanted
from assistant.embedded.clauses.figuring.figures import measure_at
from assistant.embedded.clauses.figuring.totals import amount_of
from assistant.embedded.clauses.naming.adjectives import extents, falls, hinted, tables_in_question
from assistant.embedded.clauses.naming.measuring import measured_by
from assistant.embedded.clauses.ordering.by_default import default_figure
from assistant.embedded.clauses.ordering.commonest import commonest, rank_by
from assistant.embedded.clauses.ordering.leading import is_asked, is_which, most, subject_before
from assistant.embedded.linking.options import ToColumn, ToMetric, ToTable, ToValue
from assistant.embedded.linking.persons import is_person
from assistant.embedded.meaning import Aggregate
from assistant.embedded.source.dating import is_birth, likeliest_date
from assistant.embedded.source.schema import Attribute, Edge, Entity
from assistant.embedded.words.cues import WHEN
from assistant.embedded.words.lexicon import name_words
from assistant.embedded.words.vocabulary import HAVING, PEOPLE

_TOP_DEFAULT = 10


def superlatives(draft: Draft) -> None:
    """ "the highest price", "the most orders", "the cheapest product", "the most common genre"."""
    for i, cue in draft.cues("common"):
        commonest(draft, i, cue.argument == "desc")
    for i, cue in draft.cues("most"):
        if not _done_most(draft, i, cue.argument == "desc"):
            most(draft, i, cue.argument == "desc")
    for i, cue in draft.cues("best"):
        if not draft.pieces[i].used:
            _best(draft, i, cue.argument, cue.hints)
    for i, cue in draft.cues("maximum", "minimum"):
        if not draft.pieces[i].used and _says_which(draft, i):
            _best(draft, i, "desc" if cue.kind == "maximum" else "asc", ())
    if not draft.order:
        _named_extremes(draft)
    figures = [target for target, _ in draft.order if isinstance(target, Wanted)]
    if draft.limit == 1 and draft.ties and len(figures) > 1:
        raise Misfit(
            "These are two rankings, and each may have another first one; please ask for one of them.", weight=7
        )


def _named_extremes(draft: Draft) -> None:
    """ "the room with the maximum occupancy", where that is what the column is called."""
    for i, piece in enumerate(draft.pieces):
        option, first = piece.option, piece.span.text.lower().split()[0]
        if piece.used or not isinstance(option, ToColumn) or not option.attribute.is_number or first not in _EXTREME:
            continue
        if i and draft.pieces[i - 1].span.text.lower() == "the" and _says_which(draft, i):
            draft.use(i)
            draft.order.append((option.attribute, _EXTREME[first]))
            draft.keep_extreme()


_EXTREME = {"maximum": True, "max": True, "highest": True, "minimum": False, "min": False, "lowest": False}


_HAVING = HAVING | {"that", "who", "which", "whose", "where"}


def _says_which(draft: Draft, at: int) -> bool:
    """ "the employee with the maximum salary": the one that has it is asked for, not the figure."""
    before = draft.before(at, plain_max=5)
    while before is not None and draft.cue_at(before, "with", "which"):
        before = draft.before(before)
    asked = draft.open(before)
    if draft.groups or draft.wanted:
        return False
    if before is None or not isinstance(asked, ToTable | ToColumn):
        return draft.asks_who
    if is_which(draft, before):
        return True
    words = [word for p in draft.pieces[before + 1 : at] for word in p.span.text.lower().split()]
    return bool(_HAVING.intersection(words))


def _best(draft: Draft, at: int, argument: str, hints: tuple[str, ...]) -> None:
    target = _own_number(draft, draft.after(at, plain_max=1))
    option = draft.open(target)
    descending = argument in ("desc", "old")
    if hints == WHEN and _done_when(draft, at, descending):
        return
    if _been_longest(draft, at):
        return
    if target is not None and draft.cue_at(target, "average", "sum", "count", "most"):
        found = measure_at(draft, target)
        subject = subject_before(draft, at, target) if found else None
        if not found or subject is None:
            return
        found[0].context = True
        draft.use(at)
        rank_by(draft, subject, found[0], descending)
        return
    if isinstance(option, ToMetric) and target is not None:
        subject = subject_before(draft, at, target)
        if subject is None:
            raise Misfit(f"The highest {option.metric.name} of what?", weight=3)
        draft.use(at, target)
        rank_by(draft, subject, Wanted(metric=option.metric, context=True), descending)
        return
    if isinstance(option, ToColumn) and target is not None and (option.attribute.is_number or option.attribute.is_time):
        attribute = option.attribute
        if attribute.is_time and not hints:
            raise Misfit(f"“{draft.pieces[at].span.text} {draft.pieces[target].span.text}”: by which figure?", weight=4)
        if hints and argument in ("old", "young"):
            descending = falls(attribute, argument)
        draft.use(at, target)
        _by_column(draft, at, attribute, descending)
        return
    tables = tables_in_question(draft)
    if isinstance(option, ToTable) and target is not None and draft.pieces[at].span.text.lower().split()[-1] in _LEVEL:
        amount = amount_of(option.entity) if {option.entity.name} != set(tables) else None
        if amount is not None:  # "the movie with the highest rating", where ratings are rows
            draft.use(at, target)
            _by_column(draft, at, amount, descending)
            return
    if isinstance(option, ToTable):
        tables = [option.entity.name, *tables]
    attribute = hinted(draft, hints, tables) or hinted(draft, hints, _beings(draft, tables)) if hints else None
    if not hints and _best_of_before(draft, at, descending):
        return
    words = draft.pieces[at].span.text.lower().split()
    untold = attribute is None and not hints and words[-1] in _GREAT and not extents(draft, words, tables[:1])
    if untold and isinstance(option, ToTable) and target is not None and not (draft.wanted or draft.fragment):
        figure = default_figure(draft, option.entity)
        if figure is not None:
            draft.use(at, target)
            _by_figure(draft, target, option.entity, figure, descending)
            return
    if attribute is None:
        attribute = _figure_of(draft, at, tables, hints)
        if attribute is not None and _has_no_name(draft, at, attribute) and not draft.choose("figure or row", 2):
            draft.use(at)
            draft.wanted.append(Wanted(aggregate="maximum" if descending else "minimum", attribute=attribute))
            return
    if attribute is None and not hints and isinstance(option, ToTable):
        attribute = _untold(draft, option.entity)
    if attribute is None:
        noun = draft.pieces[target].span.text if target is not None else "one"
        raise Misfit(f"“{draft.pieces[at].span.text} {noun}”: by which figure?", weight=4)
    if argument in ("old", "young"):
        descending = falls(attribute, argument)
        people = PEOPLE & set(name_words(draft.entity_of(attribute).one))
        if people and attribute.is_time and not is_birth(attribute.name):
            raise Misfit(f"I do not know the age of {draft.entity_of(attribute).many}.", weight=4)
    draft.use(at)
    if _is_figure_asked(draft, at, attribute):
        draft.compared.append(_extreme_of(attribute, descending=descending))
        return
    draft.order.append((attribute, descending))
    several = target is not None and draft.pieces[target].span.text.lower().endswith("s")
    several = several and isinstance(option, ToTable) and option.entity.one != option.entity.many
    if draft.limit is None and several and not _of_something(draft, at):
        draft.limit = _TOP_DEFAULT
        draft.assumptions.append(f"the first {_TOP_DEFAULT} are shown")
    draft.keep_extreme()
    draft.assumptions.append(f"“{draft.pieces[at].span.text}” goes by {attribute.words}")


def _untold(draft: Draft, entity: Entity) -> Attribute | None:
    """ "the best film", where no word says by what: by one of the few numbers that a film has."""
    numbers = (attribute for attribute in entity.attributes.values() if attribute.is_number)
    figures = [attribute for attribute in numbers if not attribute.is_code and not attribute.holds_years]
    if not 0 < len(figures) <= _FIGURES_MAX:
        return None
    draft.penalty += _GUESSED
    return figures[draft.choose(f"figure of {entity.name}", len(figures))]


_FIGURES_MAX = 3
_GUESSED = 0.05
_GREAT = frozenset(("biggest", "largest", "best", "worst", "smallest", "strongest", "weakest"))


def _by_figure(draft: Draft, target: int, entity: Entity, figure: Wanted, descending: bool) -> None:
    """ "our biggest clients", "the best customer": all that is said is which end comes first."""
    several = draft.pieces[target].span.text.lower().endswith("s") and entity.one != entity.many
    if several and draft.limit is None and not draft.asks_which:
        draft.limit = _TOP_DEFAULT
        draft.assumptions.append(f"the first {_TOP_DEFAULT} are shown")
    figure.context = draft.asks_who or draft.asks_which
    draft.ranked = entity
    draft.order.append((figure, descending))
    draft.keep_extreme()


def _been_longest(draft: Draft, at: int) -> bool:
    """ "who has been with us the longest", "has worked here the shortest": by the day they came."""
    before = {p.span.text.lower() for p in draft.pieces[max(at - _SINCE_MAX, 0) : at]}
    word = draft.pieces[at].span.text.lower().split()[-1]
    if word not in ("longest", "shortest") or not before & _STAYED or not before & (_HERE | {"been"}):
        return False
    tables = tables_in_question(draft)
    day = likeliest_date(draft.schema.entities[tables[0]]) if tables else None
    if day is None or is_birth(day.name):
        return False
    draft.use(at)
    draft.assumptions.append(f"“{draft.pieces[at].span.text}” goes by {day.words}")
    draft.order.append((day, word == "shortest"))
    draft.keep_extreme()
    return True


_SINCE_MAX = 4
_STAYED = frozenset(("been", "worked", "stayed", "served", "lived"))
_HERE = frozenset(("us", "here", "with", "for"))


def _figure_of(draft: Draft, at: int, tables: list[str], hints: tuple[str, ...]) -> Attribute | None:
    """What a superlative goes by where it does not say so: the biggest farm has the most land, the highest bill the
    most to pay; the oldest meter is the one that was there first.
    """
    words = draft.pieces[at].span.text.lower().split()
    if words[-1] in _AGES:
        dates = [likeliest_date(draft.schema.entities[table]) for table in tables[:1]]
        own = [a for a in dates if a is not None and not is_person(draft.entity_of(a))]
        return own[0] if own else None
    if hints or not tables or words[-1] in _RATED:
        return None
    found = extents(draft, words, tables[:1])
    if len(found) > 1:
        draft.penalty += _GUESSED
        return found[draft.choose("extent", len(found))]
    return found[0] if found else amount_of(draft.schema.entities[tables[0]])


def _has_no_name(draft: Draft, at: int, attribute: Attribute) -> bool:
    """ "what was the highest bill": where rows have no name, the figure itself is what there is to tell."""
    entity, first = draft.entity_of(attribute), draft.pieces[0].span.text.lower()
    called = set(entity.label) - set(entity.key)
    return attribute.is_number and not called and first == "what" and not is_asked(draft, at)


_AGES = frozenset(("oldest", "eldest", "youngest"))
_RATED = frozenset(("best", "worst"))


def _done_most(draft: Draft, at: int, descending: bool) -> bool:
    """ "who earns the most", "which illness costs the least on average", "which hall holds the most people"."""
    attribute = measured_by(draft, at - 1) if at else None
    if attribute is None or draft.groups or draft.wanted or draft.order:
        return False
    behind = draft.pieces[at + 1] if at + 1 < len(draft.pieces) else None
    if behind is not None and isinstance(behind.option, ToTable | ToColumn | ToValue | ToMetric):
        if not (isinstance(behind.option, ToTable) and is_person(behind.option.entity)):
            return False  # "makes the most orders"
        behind.used = True
    draft.use(at - 1, at)
    _by_column(draft, at, attribute, descending)
    return True


def _own_number(draft: Draft, target: int | None) -> int | None:
    """ "the largest field size", where a field has a size: the number, and the table only says whose it is."""
    owner, following = draft.open(target), draft.after(target, plain_max=0) if target is not None else None
    held = draft.open(following)
    if target is None or not isinstance(owner, ToTable) or not isinstance(held, ToColumn):
        return target
    own = held.attribute.is_number and held.attribute.table == owner.entity.name
    if not own or not draft.touches(target, following):
        return target
    draft.use(target)
    return following


def _done_when(draft: Draft, at: int, descending: bool) -> bool:
    """ "the order shipped most recently", "who left office the latest": by the time that the verb before names."""
    place = draft.before(at, plain_max=0)
    option = draft.open(place)
    if place is not None and isinstance(option, ToTable):
        return _happened_when(draft, at, place, option.entity, descending)
    if place is None or not isinstance(option, ToColumn):
        return False
    if not (option.attribute.is_time or option.attribute.holds_years):
        return False
    draft.use(at, place)
    _by_column(draft, place, option.attribute, descending)
    return True


def _happened_when(draft: Draft, at: int, place: int, events: Entity, descending: bool) -> bool:
    """ "the customer who placed an order most recently": by the day of the order, not by one of the customer's own."""
    day = likeliest_date(events) if "recently" in draft.pieces[at].span.text.lower() else None
    others = (p.option.entity for p in draft.pieces[:place] if isinstance(p.option, ToTable))
    if day is None or next(others, events) == events:
        return False
    draft.use(at, place)
    draft.mention(events.name)
    draft.assumptions.append(f"“{draft.pieces[at].span.text}” goes by {day.words}")
    _by_column(draft, place, day, descending)
    return True


_LEVEL = frozenset(("highest", "lowest", "maximum", "minimum"))


def _beings(draft: Draft, tables: list[str]) -> list[str]:
    """The tables of which each row of others is one: "the oldest member", where a member is a person."""
    edges = [edge for table in tables for edge in draft.schema.edges.get(table, ()) if not edge.many]
    return [edge.right for edge in edges if len(edge.left_columns) == 1 and _is_alone(draft, edge)]


def _is_alone(draft: Draft, edge: Edge) -> bool:
    """Whether no two rows refer to the same one."""
    entity = draft.schema.entities[edge.left]
    profile = entity.attributes[edge.left_columns[0]].column.profile
    return profile is not None and profile.distinct == entity.table.rows


def _best_of_before(draft: Draft, at: int, descending: bool) -> bool:
    """ "whose price is the highest", "in which the average price is the lowest": the figure stands before."""
    place = draft.before(at, plain_max=2)
    option = draft.open(place)
    if place is None or not isinstance(option, ToColumn) or not option.attribute.is_number:
        return False
    start = draft.before(place, plain_max=0)
    averaged = start is not None and draft.cue_at(start, "average", "sum") is not None
    first = start if averaged and start is not None else place
    if not _IS.intersection(p.span.text.lower() for p in draft.pieces[max(first - 1, 0) : at]):
        return False  # "is the average price the lowest" as well
    if averaged and start is not None:
        subject = subject_before(draft, start, at)
        found = measure_at(draft, start) if subject is not None else []
        if subject is None or not found:
            return False
        found[0].context = True
        draft.use(at)
        rank_by(draft, subject, found[0], descending)
        return True
    draft.use(at, place)
    _by_column(draft, place, option.attribute, descending)
    return True


_IS = frozenset(("is", "are", "was", "were"))


def _by_column(draft: Draft, at: int, attribute: Attribute, descending: bool) -> None:
    """The highest value itself, or the row that has it: the row, if a table, a column or "who" was asked for before."""
    asked = is_asked(draft, at)
    if asked and _is_figure_asked(draft, at, attribute):
        draft.compared.append(_extreme_of(attribute, descending=descending))
        return
    if draft.limit and draft.limit > 1 and not draft.groups and not asked:
        draft.shown.append(attribute)
        draft.order.append((attribute, descending))
        return
    if draft.place > 1 and draft.groups:
        raise Misfit(f"I cannot tell which {attribute.words} comes at that place in each group.", weight=4)
    category = _category_before(draft, at, attribute)
    aggregate: Aggregate
    if category is not None and not draft.groups:
        averaged = [i for i, _ in draft.cues("average") if draft.pieces[i].span.text.lower() == "on average"]
        draft.use(*averaged)
        aggregate = "sum" if attribute.adds_up and not averaged else "average"
        rank_by(draft, category, Wanted(aggregate=aggregate, attribute=attribute, context=True), descending)
        return
    if draft.place > 1 and not draft.groups and not asked and not draft.asks_which:
        draft.shown.append(attribute)  # "the second highest price"
        draft.distinct = True
    elif draft.groups or (not asked and not draft.asks_which):
        aggregate = "maximum" if descending else "minimum"
        draft.wanted += [Wanted(aggregate=aggregate, attribute=a) for a in (attribute, *_further(draft, at, attribute))]
        return
    draft.order.append((attribute, descending))
    draft.keep_extreme()


def _further(draft: Draft, at: int, attribute: Attribute) -> list[Attribute]:
    """ "the lowest price and weight": the word holds for the numbers that follow as well."""
    found: list[Attribute] = []
    place = next((i for i in range(at, len(draft.pieces)) if _is_column(draft, i, attribute)), None)
    while place is not None and place + _BESIDE < len(draft.pieces):
        link, option = place + 1, draft.open(place + _BESIDE)
        if not draft.cue_at(link, "and") or not isinstance(option, ToColumn):
            break
        other = option.attribute
        if not other.is_number or other.is_code or other.table != attribute.table:
            break
        draft.use(link, place + _BESIDE)
        found.append(other)
        place += _BESIDE
    return found


_BESIDE = 2
"""How far behind a column the next one of a list stands."""


def _is_column(draft: Draft, at: int, attribute: Attribute) -> bool:
    option = draft.pieces[at].option
    return isinstance(option, ToColumn) and option.attribute == attribute


def _category_before(draft: Draft, at: int, attribute: Attribute) -> Attribute | None:
    """ "which topics have the lowest satisfaction": many rows share a topic, so it is the topic's figure."""
    named = [(i, p.option) for i, p in enumerate(draft.pieces[:at]) if not p.used and p.option is not None]
    columns = [(i, o.attribute) for i, o in named if isinstance(o, ToColumn)]
    if len(columns) != 1 or len(named) != 1 or not draft.asks_which:
        return None
    place, category = columns[0]
    profile, rows = category.column.profile, draft.entity_of(category).table.rows
    repeated = profile is not None and bool(rows) and (rows or 0) >= _REPEATED * max(profile.distinct or 1, 1)
    if category.table != attribute.table or category.role != "text" or not repeated:
        return None
    draft.use(place)
    draft.assumptions.append(f"each {category.words} goes by its {attribute.words}, all its rows together")
    return category


def _of_something(draft: Draft, at: int) -> bool:
    """ "the city of the oldest customers": something of theirs is asked for, so just those at the end are meant."""
    return any(isinstance(p.option, ToColumn) and not p.used for p in draft.pieces[:at]) or draft.asks_which


def _is_figure_asked(draft: Draft, at: int, attribute: Attribute) -> bool:
    """ "the average age of students in the largest hall": the extreme chooses the rows that the figure is made of."""
    cues = draft.cues("count", "average", "sum", "how_much", "maximum", "minimum")
    figure = any(i < at for i, _ in cues) or draft.wanted
    figure = figure or any(isinstance(p.option, ToMetric) and not p.used for p in draft.pieces[:at])
    leads = at > 0 and at <= _LEADING_MAX and draft.pieces[at - 1].span.text.lower() in _WHEN
    figure = figure or (leads and bool(cues))
    if not figure or draft.groups or draft.grains or draft.parts or draft.limit or draft.ranked or draft.order:
        return False
    of_rows = {p.option.attribute.table for p in draft.pieces if isinstance(p.option, ToValue)}
    return attribute.table not in of_rows  # "how many rock tracks have the highest price": the highest among them


_WHEN = frozenset(("for", "in", "on", "at", "of", "during"))
_LEADING_MAX = 2
"""Up to which place a question begins with the rows that its figure is of: "As of the latest snapshot, how many"."""


def _extreme_of(attribute: Attribute, *, descending: bool) -> ComparedWanted:
    return ComparedWanted(attribute, "=", "maximum" if descending else "minimum")


_REPEATED = 8
"""From how many rows per value on a column says what kind a row is, rather than which row it is."""
