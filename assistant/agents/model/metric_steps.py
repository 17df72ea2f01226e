"""Governed metrics for a model: it names figures, dimensions and periods, and gets SQL that was compiled."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field

from assistant.semantics.compiling import compile_step
from assistant.semantics.fields import SemanticModelError
from assistant.semantics.steps import Filter, MetricStep, Op

if TYPE_CHECKING:
    from assistant.core.catalog import Catalog
    from knowledge.semantic.model import SemanticModel

_NAMES_MAX = 60


class MetricFilter(BaseModel):
    """A condition on a field."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    field: str = Field(description="The field, as dataset.field.")
    op: Op = "="
    value: str | int | float | bool | tuple[str | int | float | bool, ...] = Field(description="Several for `in`.")


class MetricQuery(BaseModel):
    """What a model asks of the compiler."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    metrics: tuple[str, ...] = Field(min_length=1, description="Names of governed metrics.")
    dimensions: tuple[str, ...] = Field(default=(), description="Fields to group by, as dataset.field.")
    grain: Literal["", "day", "month", "quarter", "year"] = Field(default="", description="Group by this period.")
    filters: tuple[MetricFilter, ...] = ()
    start: str = Field(default="", description="First day, ISO; empty where open.")
    end: str = Field(default="", description="First day that does not count any more, ISO; empty where open.")
    compare: Literal["", "previous", "difference", "growth"] = Field(
        default="", description="Beside each figure the same of the period before; needs a grain."
    )

    @property
    def step(self) -> MetricStep:
        """It as a step."""
        return MetricStep(
            metrics=self.metrics,
            dimensions=self.dimensions,
            grain=self.grain or None,
            filters=tuple(Filter(field=f.field, op=f.op, value=f.value) for f in self.filters),
            start=self.start,
            end=self.end,
            compare=self.compare,
        )


def describe_metric_lookup(names: Sequence[str]) -> str:
    """What the lookup is, with the metrics there are."""
    more = f" and {len(names) - _NAMES_MAX} more" if len(names) > _NAMES_MAX else ""
    return (
        "The SQL of governed metrics, compiled from the semantic model. Where a figure is asked for that is one of "
        f"them, put this SQL forward as it is, do not write your own. Metrics: {', '.join(names[:_NAMES_MAX])}{more}."
    )


def compile_metric_query(
    query: MetricQuery, models: Sequence[SemanticModel], catalogs: Sequence[Catalog], *, today: date
) -> str:
    """The SQL of a step with the source it is for, or why there is none.

    The model that has all the metrics is taken, and the source that has its tables.
    """
    reasons: list[str] = []
    candidates = [model for model in models if all(model.metric(name) for name in query.metrics)] or list(models)
    for model in candidates:
        for catalog in catalogs:
            if any(catalog.table(dataset.table) for dataset in model.datasets):
                try:
                    compiled = compile_step(query.step, model, catalog, today=today)
                except SemanticModelError as error:
                    reasons.append(str(error))
                    continue
                return f"Source {catalog.source}, columns {', '.join(compiled.columns)}:\n{compiled.sql}"
    return "\n".join(dict.fromkeys(reasons)) or "No open source has the tables of the semantic model."
