"""A question that asks for a tested function by name: what of the data is given to each of its roles.

What the question does not name is looked for by the words of the role, and said as an assumption. Where the data have
nothing for a role, the answer names the role.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from string import Template

from assistant.analyst.algebra import (
    Column,
    Condition,
    Count,
    Grain,
    Grouped,
    Missing,
    Not,
    Order,
    Rows,
    Term,
    Within,
    both,
    tables_here,
)
from assistant.analyst.grammar.building import Builder, bare
from assistant.analyst.lexicon.files import section
from assistant.analyst.linking.relative import begin_period
from assistant.analyst.meaning import FunctionCall, Meaning, Study
from assistant.analyst.names import words_of
from assistant.analyst.outcomes import Declined, declined
from assistant.analyst.parts import MeasuredFigure, Thing
from assistant.analyst.schema import Schema
from assistant.analyst.starters import main_figure
from assistant.analyst.studies.function_study import FunctionRole, FunctionStudy
from assistant.analyst.studies.study_request import StudyRequest
from assistant.analyst.studies.time_series import grain_of, horizon
from assistant.analyst.wording import named

_VALUE = "value"
"""What the column of the figure is called in the cell."""
_TOLD_APART = ("key", "identifier", "name", "category")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleBinding:
    """What a role is in the data: the terms that tell it, what it is called, and what was assumed of it."""

    role: FunctionRole
    terms: tuple[Term, ...]
    name: str
    assumption: str = ""


def call_function(request: StudyRequest, function: FunctionStudy) -> Meaning | Declined | None:
    """The query of a function's table and the call; a refusal that names the role that the data lack."""
    figure, assumption = find_figure(request)
    figure = figure or _count_events(request, function)
    if figure is None:
        return _declined(function, next(iter(function.roles)))
    bindings: list[RoleBinding] = []
    for role in function.roles:
        if role.kind in ("thing", "event", "date"):
            binding = _bind(request, role, figure, function)
            if binding is None:
                return _declined(function, role)
            bindings.append(binding)
    has_figure = any(role.kind == "figure" for role in function.roles)
    assumptions = (*(b.assumption for b in bindings), assumption if has_figure else "")
    return _meaning(request, function, figure, bindings, assumptions=tuple(filter(None, assumptions)))


def _declined(function: FunctionStudy, role: FunctionRole) -> Declined:
    return declined("no role", named(function.function), named(role.name))


def find_figure(request: StudyRequest) -> tuple[MeasuredFigure | None, str]:
    """The figure that is named, else the answer before's, else the main one, with what was assumed."""
    schema = request.schema
    measured = (c for c in request.frame.columns if schema.typed[c].is_measured)
    plain = tuple(bare(schema, c) for c in measured if request.is_of_things(c))
    if figures_here := (*request.frame.figures, *plain):
        return figures_here[0], ""
    if figures := request.before():
        return figures[0], _assume("figure", request.said(figures[0]))
    text = main_figure(request.source)
    for derivation in request.source.frames(request.source.words(text))[:1] if text else ():
        frame = replace(request, frame=derivation.frame)
        if figures := (*derivation.frame.figures, *(bare(schema, c) for c in derivation.frame.columns)):
            return figures[0], _assume("figure", frame.said(figures[0]))
    return None, ""


def _count_events(request: StudyRequest, function: FunctionStudy) -> MeasuredFigure | None:
    """The number of rows of the largest table with a date, where nothing is measured and no figure is needed."""
    if any(role.kind == "figure" for role in function.roles):
        return None
    dated = {column.table for column, typed in request.schema.typed.items() if typed.role == "date"}
    tables = sorted(dated, key=lambda name: -request.schema.tables[name].rows)
    return MeasuredFigure(Count(), tables[0]) if tables else None


def _bind(
    request: StudyRequest, role: FunctionRole, figure: MeasuredFigure, function: FunctionStudy
) -> RoleBinding | None:
    match role.kind:
        case "thing":
            return _bind_thing(request, role, figure)
        case "event":
            return _bind_event(request, role, figure, function)
        case _:
            date = request.date(figure)
            if date is None:
                return None
            grain = grain_of(request) if function.has_ahead else "day"
            term = Grain(date, "month" if grain == "month" else "day")
            return RoleBinding(role=role, terms=(term,), name=named(request.schema.said(date).name))


def _bind_thing(request: StudyRequest, role: FunctionRole, figure: MeasuredFigure) -> RoleBinding | None:
    """What the question names: "of customers", "by product"; else what the words of the role name."""
    builder = Builder(schema=request.schema, home=figure.table)
    keys = request.frame.keys
    for entity in (*request.frame.things, *(key.thing for key in keys if key.thing is not None)):
        if (terms := _identify(builder, entity)) is not None:
            return RoleBinding(role=role, terms=terms, name=_name(request.schema, entity))
    for key in keys:
        if (
            isinstance(key.term, Column)
            and key.grain is None
            and builder.schema.reaches_one(builder.home, key.term.table)
        ):
            return RoleBinding(role=role, terms=(key.term,), name=named(request.schema.said(key.term).name))
    if request.frame.things:
        return None  # another entity than those that it can reach is not put in the place of what was asked for
    for entity in _find_by_words(request.schema, role.words, figure.table):
        if (terms := _identify(builder, entity)) is not None:
            name = _name(request.schema, entity)
            return RoleBinding(role=role, terms=terms, name=name, assumption=_assume("role", named(role.name), name))
    return None


def _bind_event(
    request: StudyRequest, role: FunctionRole, figure: MeasuredFigure, function: FunctionStudy
) -> RoleBinding | None:
    """What the words of the role name: an order. Otherwise each row of the table with the date."""
    builder = Builder(schema=request.schema, home=figure.table)
    for entity in _find_by_words(request.schema, role.words, figure.table):
        names, apart = builder.identified(entity)
        terms = apart or names
        if all(request.schema.reaches_one(figure.table, table) for table in tables_here(terms)):
            name = _name(request.schema, entity)
            return RoleBinding(role=role, terms=terms[:1], name=name)
    date = request.date(figure)
    grain = request.schema.tables[date.table].grain if date is not None else ()
    if role.name in function.parameters or not grain:
        return None  # a row of its own is no basket of several
    name = named(request.schema.tables[grain[0].table].called)
    return RoleBinding(role=role, terms=grain, name=name, assumption=_assume("role", named(role.name), name))


def _identify(builder: Builder, entity: Thing) -> tuple[Column, ...] | None:
    """The columns that name a thing and tell it from others of the same name; None where no single one is reached."""
    names, apart = builder.identified(entity)
    is_unique = all(builder.schema.tells_apart(column, column.table) for column in names)
    terms = names if is_unique else (*names, *apart)
    reached = all(builder.schema.reaches_one(builder.home, column.table) for column in terms)
    return terms if terms and reached else None


def _find_by_words(schema: Schema, words: tuple[str, ...], home: str) -> Iterator[Thing]:
    """The tables, then the columns of the home table, that are called by one of some words; in the words' order."""
    for word in words:
        for name, table in schema.tables.items():
            if tuple(words_of(word)) in (table.words, table.words[-1:]):
                yield Thing(name)
        for column in schema.tables[home].columns:
            typed = schema.typed[column]
            if typed.role in _TOLD_APART and word in typed.words:
                yield Thing(column.table, column)


def _name(schema: Schema, entity: Thing) -> str:
    if entity.key is not None:
        words = schema.typed[entity.key].words
        return " ".join(words[:-1] if words[-1:] in (("id",), ("name",)) and len(words) > 1 else words)
    return " ".join(schema.tables[entity.table].words)


def _assume(name: str, *words: str) -> str:
    if len(set(words)) < len(words):
        return ""  # what is called so needs no words
    return str(section("studies", "function")[name]).format(*words)


def _meaning(
    request: StudyRequest,
    function: FunctionStudy,
    figure: MeasuredFigure,
    bindings: list[RoleBinding],
    *,
    assumptions: tuple[str, ...],
) -> Meaning | None:
    date = request.date(figure)
    rows = request.rows(figure.table, date)
    if rows is None:
        return None
    rows = Rows(rows.table, both(rows.where, *_known(request.schema, figure.table, bindings)))
    if function.has_ahead and date is not None:
        rows = Rows(rows.table, both(rows.where, _whole_periods(request, date)))
    keys = tuple(term for binding in bindings for term in binding.terms)
    grain, ahead = horizon(request.words)
    grain = grain or grain_of(request)
    call, names = _call(function, bindings, request.said(figure), {"grain": grain, "ahead": ahead})
    subject = Template(function.subject).safe_substitute(names)
    study = Study(
        kind="function",
        subject=subject[:1].upper() + subject[1:],
        figure=figure.figure,
        grain=grain,
        ahead=ahead,
        call=call,
        assumptions=assumptions,
    )
    query = Grouped(rows, keys, (figure.figure,), order=tuple(Order(at) for at in range(len(keys))))
    return Meaning(source=request.source.name, query=query, study=study)


def _call(
    function: FunctionStudy, bindings: list[RoleBinding], figure: str, options: dict[str, str | int]
) -> tuple[FunctionCall, dict[str, str]]:
    """The call, and what each role is called in the data."""
    names = {binding.role.name: binding.name for binding in bindings}
    columns = {binding.role.name: binding.role.name for binding in bindings}
    columns |= {role.name: _VALUE for role in function.roles if role.kind == "figure"}
    names |= {role.name: figure for role in function.roles if role.kind == "figure"}
    arguments = {role.name: options[role.kind] for role in function.roles if role.kind in options}
    names |= {name: str(value) for name, value in arguments.items()}
    call = FunctionCall(
        function=function.function,
        purpose=function.purpose,
        inputs=(*((binding.role.name, len(binding.terms)) for binding in bindings), (_VALUE, 1)),
        columns=tuple((parameter, column) for parameter, column in columns.items() if parameter in function.parameters),
        arguments=tuple(arguments.items()),
        answer=Template(function.answer).safe_substitute({f"the_{name}": text for name, text in names.items()}),
    )
    return call, names


def _known(schema: Schema, home: str, bindings: Iterable[RoleBinding]) -> Iterator[Condition]:
    """That a row has what it is to be told by: functions leave out rows that have not."""
    for binding in bindings:
        for term in binding.terms:
            column = term.of if isinstance(term, Grain) else term
            if isinstance(column, Column) and schema.may_miss(home, column):
                yield Not(Missing(term))


def _whole_periods(request: StudyRequest, date: Column) -> Condition:
    """Rows before the period that is not over."""
    grain, _ = horizon(request.words)
    start = begin_period(request.source.today, grain or grain_of(request))
    return Within(date, "", start.isoformat())
