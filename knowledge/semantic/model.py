"""The semantic model as in the open format: datasets, fields, relationships, metrics, and Tandem's extensions.

What the format cannot express (how a metric is made of others, whether a figure may be added up over time, a column's
role, what was inferred and awaits confirmation) is in `custom_extensions` of the vendor `TANDEM`, as the format
provides; other programs read the rest and ignore it.

Source: Apache Ossie (incubating), core specification 0.2, `core-spec/osi-schema.json`.
"""

from __future__ import annotations

import json
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, field_validator

VERSION = "0.2.0.dev0"
VENDOR = "TANDEM"
ANSI = "ANSI_SQL"
_DIALECTS = {"snowflake": "SNOWFLAKE", "databricks": "DATABRICKS", "bigquery": "BIGQUERY"}

MetricType = Literal["simple", "ratio", "derived", "cumulative", "period_over_period"]
Grain = Literal["day", "month", "quarter", "year"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class DialectExpression(_Part):
    """An expression in one dialect."""

    dialect: str
    expression: str


class Expression(_Part):
    """An expression, in as many dialects as it was written in."""

    dialects: tuple[DialectExpression, ...] = Field(min_length=1)

    def sql(self, dialect: str = "") -> str:
        """The expression for an engine (sqlglot's word for it): its own dialect's, else the standard's, else any."""
        by_dialect = {variant.dialect.upper(): variant.expression for variant in self.dialects}
        preferred = (_DIALECTS.get(dialect, dialect.upper()), ANSI)
        return next((by_dialect[name] for name in preferred if name in by_dialect), self.dialects[0].expression)


def ansi(sql: str) -> Expression:
    """An expression in the standard's dialect."""
    return Expression(dialects=(DialectExpression(dialect=ANSI, expression=sql),))


class AiContext(BaseModel):
    """What helps to understand a part: other words for it, instructions, examples."""

    model_config = ConfigDict(extra="allow", frozen=True)

    instructions: str = ""
    synonyms: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()


class Extension(_Part):
    """What a vendor adds; `data` is JSON."""

    vendor_name: str
    data: str

    @field_validator("data")
    @classmethod
    def _is_json(cls, data: str) -> str:
        try:
            json.loads(data)
        except ValueError as error:
            raise ValueError("it must be JSON in quotes") from error
        return data


class _Described(_Part):
    """What every part of a model may say about itself."""

    name: str = Field(min_length=1)
    description: str = ""
    ai_context: AiContext | None = None
    custom_extensions: tuple[Extension, ...] = ()

    @field_validator("ai_context", mode="before")
    @classmethod
    def _structured(cls, value: object) -> object:
        return {"instructions": value} if isinstance(value, str) else value

    @property
    def synonyms(self) -> tuple[str, ...]:
        """Other words for it."""
        return self.ai_context.synonyms if self.ai_context else ()


class Dimension(_Part):
    """That a field can be grouped by."""

    is_time: bool = False


class FieldMore(BaseModel):
    """What Tandem adds to a field. `inferred`: a person has not confirmed it yet."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    role: str = ""
    unit: str = ""
    inferred: bool = False


class ModelField(_Described):
    """A value of each row of a dataset."""

    expression: Expression
    dimension: Dimension | None = None
    label: str = ""

    @property
    def more(self) -> FieldMore:
        """What Tandem adds."""
        return _more(self.custom_extensions, FieldMore)


class TableSource(_Part):
    """A table, as the newer form of the format names it."""

    kind: Literal["table"]
    object: str


class Dataset(_Described):
    """A table with what its columns mean. Only tables are known here, no queries."""

    source: str | TableSource
    primary_key: tuple[str, ...] = ()
    unique_keys: tuple[tuple[str, ...], ...] = ()
    fields: tuple[ModelField, ...] = ()

    @property
    def table(self) -> str:
        """The table's name without database and schema."""
        return self.place[-1]

    @property
    def place(self) -> tuple[str, ...]:
        """The parts of the table's name: database and schema, as far as they are given, before the table."""
        place = self.source if isinstance(self.source, str) else self.source.object
        return tuple(part.strip('"`[]') for part in place.split("."))

    def field(self, name: str) -> ModelField | None:
        """The field of that name, in any case."""
        return next((field for field in self.fields if field.name.casefold() == name.casefold()), None)


class RelationMore(BaseModel):
    """What Tandem adds to a relationship."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    inferred: bool = False


class Relationship(_Part):
    """Each row of `from` has at most one row of `to`."""

    name: str
    start: str = Field(alias="from")
    end: str = Field(alias="to")
    from_columns: tuple[str, ...] = Field(min_length=1)
    to_columns: tuple[str, ...] = Field(min_length=1)
    ai_context: AiContext | str | None = None
    custom_extensions: tuple[Extension, ...] = ()

    @property
    def more(self) -> RelationMore:
        """What Tandem adds."""
        return _more(self.custom_extensions, RelationMore)


class MetricMore(BaseModel):
    """What Tandem adds to a metric.

    Attributes:
        type: How it is made. `simple`: aggregates of one dataset. `ratio` and `derived`: of other metrics, which the
            expression names. `cumulative`, `period_over_period`: the metric `of` along time.
        of: The metric that a cumulative one or a comparison is of.
        periods: For a cumulative one, over how many periods up to each (0: from the first on); for a comparison, how
            many periods back.
        compare: For a comparison, what is shown.
        filters: Conditions that always hold, over fields as `dataset.field`.
        time: The field by which it has a time, as `dataset.field`.
        grain: The finest period it may be shown by.
        stock: That it is a level at a time (a balance, a population): the last date of a period counts, never a sum.
        dimensions: Fields that it may be cut by; empty for all that can be reached.
        unit: What its figures are.
        inferred: Whether a person has not confirmed it yet.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: MetricType = "simple"
    of: str = ""
    periods: int = 0
    compare: Literal["difference", "growth", "previous"] = "growth"
    filters: tuple[str, ...] = ()
    time: str = ""
    grain: Grain | None = None
    stock: bool = False
    dimensions: tuple[str, ...] = ()
    unit: str = ""
    inferred: bool = False


class ModelMetric(_Described):
    """A figure the business counts by."""

    expression: Expression

    @property
    def more(self) -> MetricMore:
        """What Tandem adds."""
        return _more(self.custom_extensions, MetricMore)


class SemanticModel(_Described):
    """All that is known of one subject."""

    datasets: tuple[Dataset, ...] = Field(min_length=1)
    relationships: tuple[Relationship, ...] = ()
    metrics: tuple[ModelMetric, ...] = ()

    def dataset(self, name: str) -> Dataset | None:
        """The dataset of that name, in any case; or of the table of that name."""
        low = name.casefold()
        match = next((dataset for dataset in self.datasets if dataset.name.casefold() == low), None)
        return match or next((dataset for dataset in self.datasets if dataset.table.casefold() == low), None)

    def metric(self, name: str) -> ModelMetric | None:
        """The metric of that name or synonym, in any case; `net_revenue` and "net revenue" are one."""
        low = _loose(name)
        match = next((metric for metric in self.metrics if _loose(metric.name) == low), None)
        return match or next((m for m in self.metrics if low in map(_loose, m.synonyms)), None)


class ModelFile(_Part):
    """A file of the format."""

    version: str = VERSION
    semantic_model: tuple[SemanticModel, ...]


M = TypeVar("M", bound=BaseModel)


def extension(more: BaseModel) -> tuple[Extension, ...]:
    """What Tandem adds, as the format keeps it; nothing where all of it is as usual."""
    content = more.model_dump(exclude_defaults=True)
    return (Extension(vendor_name=VENDOR, data=json.dumps(content, ensure_ascii=False)),) if content else ()


def _more(extensions: tuple[Extension, ...], kind: type[M]) -> M:
    data: dict[str, Any] = next((json.loads(entry.data) for entry in extensions if entry.vendor_name == VENDOR), {})
    return kind.model_validate(data)


def _loose(name: str) -> str:
    return name.casefold().replace("_", " ").strip()
