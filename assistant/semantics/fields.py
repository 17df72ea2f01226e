"""A semantic model bound to its source: datasets as tables, fields as columns or SQL, relationships as join paths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from sqlglot import exp
from sqlglot.errors import SqlglotError

from assistant.analyst.algebra import Column, Defined, Term
from assistant.analyst.schema import Schema
from assistant.core.catalog import Catalog, ForeignKey, make_names_unique
from assistant.errors import DataError
from assistant.sources.catalog.declared import doubt_by_profile
from knowledge.parsing import parse_one

if TYPE_CHECKING:
    from knowledge.semantic.model import Dataset, SemanticModel


class SemanticModelError(DataError):
    """A model asks for what it, or the source, does not have; the text says what to write instead."""


def with_model(catalog: Catalog, model: SemanticModel) -> Catalog:
    """The catalog with the keys, relationships and roles that a model declares. Pure."""
    catalog = make_names_unique(catalog)
    tables = list(catalog.tables)
    at = {dataset.name: catalog.table_at(dataset.place) for dataset in model.datasets}
    for place, table in enumerate(tables):
        dataset = next((d for d in model.datasets if at[d.name] is table), None)
        if dataset is None:
            continue
        declared = [
            ForeignKey(
                columns=relation.from_columns,
                table=target.name,
                schema=target.schema,
                target_columns=relation.to_columns,
                doubt=doubt_by_profile(target, relation.to_columns),
            )
            for relation in model.relationships
            if model.dataset(relation.start) is dataset
            if (end := model.dataset(relation.end)) is not None and (target := at[end.name]) is not None
        ]
        declared_keys = {(key.columns, key.table.casefold()) for key in declared}
        inferred = [key for key in table.foreign_keys if (key.columns, key.table.casefold()) not in declared_keys]
        roles = {field.expression.sql().casefold(): field.more.role for field in dataset.fields if field.more.role}
        tables[place] = replace(
            table,
            primary_key=dataset.primary_key or table.primary_key,
            foreign_keys=(*declared, *inferred),
            columns=tuple(replace(c, role=roles.get(c.name.casefold(), c.role)) for c in table.columns),
        )
    return replace(catalog, tables=tuple(tables))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """Finds what a model's expressions name. `schema` is of the catalog `with_model`."""

    model: SemanticModel
    schema: Schema

    def table(self, dataset: Dataset) -> str:
        """The table of a dataset, as the source spells it.

        Raises:
            ModelError: The source has no such table.
        """
        name = self._found(dataset)
        if name is None:
            raise SemanticModelError(self.unknown("table", dataset.table, list(self.schema.tables)))
        return name

    def _found(self, dataset: Dataset) -> str | None:
        names = {name.casefold(): name for name in self.schema.tables}
        return names.get(".".join(dataset.place[-2:]).casefold()) or names.get(dataset.table.casefold())

    def term(self, name: str, *, usage: str) -> Term:
        """A field, `dataset.field` or a name that one dataset alone has, as a term of the algebra.

        Raises:
            ModelError: There is no such field or column, or several datasets have it.
        """
        dataset, sql = self._field(name, usage=usage)
        table = self.table(dataset)
        plain = self._plain(table, sql)
        if plain is not None:
            return plain
        resolved, columns = self._own(table, sql, usage=usage)
        return Defined(name, resolved, columns)

    def column(self, name: str, *, usage: str) -> Column:
        """A field that is a column as it is.

        Raises:
            ModelError: It is not, or there is none.
        """
        term = self.term(name, usage=usage)
        if not isinstance(term, Column):
            raise SemanticModelError(f"{usage} must be a column, and {name!r} is computed.")
        return term

    def resolved(self, tree: exp.Expr, *, usage: str) -> tuple[str, tuple[Column, ...]]:
        """An expression over fields, with every field as its column or its own SQL, and all columns that it reads.

        Raises:
            ModelError: It names what is not there.
        """
        columns: list[Column] = []
        tree = tree.copy()
        for reference in list(tree.find_all(exp.Column)):
            term = self.term(reference.sql(dialect=self.schema.dialect).replace('"', "").replace("`", ""), usage=usage)
            if isinstance(term, Column):
                columns.append(term)
                tree = _with(tree, reference, _written(term))
            elif isinstance(term, Defined):
                columns += term.columns
                tree = _with(tree, reference, _parsed(f"({term.sql})", self.schema.dialect))
        if not columns and tree.find(exp.Star) and len(self.model.datasets) > 1:
            raise SemanticModelError(
                f"{usage} counts rows without saying of which dataset. Count a key, as dataset.field."
            )
        if not columns:
            columns = [self.schema.tables[self.table(next(iter(self.model.datasets)))].columns[0]]
        return tree.sql(dialect=self.schema.dialect), tuple(dict.fromkeys(columns))

    def home(self, tables: Iterable[str], *, usage: str) -> str:
        """The table among some whose rows have at most one row of each of the others.

        Raises:
            ModelError: There is none.
        """
        needed = tuple(dict.fromkeys(tables))
        for table in needed:
            if all(target == table or self.schema.reaches_one(table, target) for target in needed):
                return table
        raise SemanticModelError(
            f"{usage} needs {', '.join(map(repr, needed))} in one row, and none of them has at most one row of each "
            "other. Add a relationship to the model, or write one metric for each table and a `derived` one of them."
        )

    def default_time(self, table: str) -> Column | None:
        """The one date by which rows of a table have a time: the field that says so, else the only date there is."""
        for dataset in self.model.datasets:
            if dataset.table.casefold() == table.casefold():
                for field in dataset.fields:
                    if field.dimension and field.dimension.is_time:
                        return self._plain(table, field.expression.sql(self.schema.dialect))
        dates = [c for c in self.schema.tables[table].columns if self.schema.typed[c].role == "date"]
        return dates[0] if len(dates) == 1 else None

    @staticmethod
    def unknown(kind: str, name: str, names: Sequence[str]) -> str:
        """The error message for an unknown name."""
        near = get_close_matches(name, names, n=1, cutoff=0.5)
        hint = f" Did you mean {near[0]!r}?" if near else f" There are: {', '.join(sorted(names)[:12])}."
        return f"There is no {kind} {name!r}.{hint}"

    def _field(self, name: str, *, usage: str) -> tuple[Dataset, str]:
        """The dataset of a field and its SQL; a column that the model does not mention is a field as it is."""
        dataset_name, _, field = name.rpartition(".")
        datasets = self.model.datasets
        if dataset_name:
            dataset = self.model.dataset(dataset_name.rpartition(".")[2])
            if dataset is None:
                raise SemanticModelError(
                    f"{usage}: {self.unknown('dataset', dataset_name, [d.name for d in datasets])}"
                )
            datasets = (dataset,)
        matches = [(d, f.expression.sql(self.schema.dialect)) for d in datasets if (f := d.field(field)) is not None]
        if not matches:
            matches = [(d, column) for d in datasets if (column := self._named(d, field))]
        if len(matches) > 1:
            where = ", ".join(repr(f"{d.name}.{field}") for d, _ in matches)
            raise SemanticModelError(f"{usage}: several datasets have {field!r}. Say which: {where}.")
        if not matches:
            names = [f.name for d in datasets for f in d.fields] + [
                c.name for d in datasets if (table := self._found(d)) for c in self.schema.tables[table].columns
            ]
            raise SemanticModelError(f"{usage}: {self.unknown('field', field, names)}")
        return matches[0]

    def _named(self, dataset: Dataset, name: str) -> str | None:
        table = self._found(dataset)
        plain = self._plain(table, name) if table else None
        return plain.name if plain else None

    def _plain(self, table: str, sql: str) -> Column | None:
        """The column that an expression is, where it is no more than one."""
        low = sql.strip().strip('"`').casefold()
        low = low.removeprefix(f"{table.casefold()}.")
        return next((c for c in self.schema.tables[table].columns if c.name.casefold() == low), None)

    def _own(self, table: str, sql: str, *, usage: str) -> tuple[str, tuple[Column, ...]]:
        """SQL over the columns of one table, each written `table.column`."""
        tree = _parsed(sql, self.schema.dialect)
        columns: list[Column] = []
        for reference in list(tree.find_all(exp.Column)):
            column = self._plain(table, reference.name)
            if column is None:
                names = [c.name for c in self.schema.tables[table].columns]
                raise SemanticModelError(f"{usage}: {self.unknown(f'column of {table!r}', reference.name, names)}")
            columns.append(column)
            tree = _with(tree, reference, _written(column))
        return tree.sql(dialect=self.schema.dialect), tuple(dict.fromkeys(columns))


def _with(tree: exp.Expr, old: exp.Expr, new: exp.Expr) -> exp.Expr:
    """A tree with a part of it, or all of it, replaced."""
    if old is tree:
        return new
    old.replace(new)
    return tree


def _written(column: Column) -> exp.Column:
    return exp.column(exp.to_identifier(column.name, quoted=True), table=exp.to_identifier(column.table, quoted=True))


def _parsed(sql: str, dialect: str) -> exp.Expr:
    try:
        return parse_one(sql, dialect)
    except SqlglotError:
        raise SemanticModelError(f"{sql!r} is no SQL of {dialect}. Check brackets and quotes.") from None
