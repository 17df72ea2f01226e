"""A count for each of something, told of those without any as well: "orders per customer, also those with none"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Misfit
from assistant.embedded.meaning import ColumnRef, Dimension, JoinStep, Meaning
from assistant.embedded.words.lexicon import plural


def with_none(meaning: Meaning) -> Meaning:
    """The same counts, over all things of the one group: what is counted is joined to them, and may be missing.

    Raises:
        Misfit: the figures are no plain count by one group that rows belong to.
    """
    steps = meaning.dimensions[0].column.steps if len(meaning.dimensions) == 1 else ()
    counts = len(meaning.measures) == 1 and meaning.measures[0].aggregate == "count" and not meaning.measures[0].column
    bare = {"source", "base", "base_label", "measures", "dimensions", "order", "limit", "ties", "chart"}
    told = {name for name, value in meaning if value != Meaning.model_fields[name].default}
    if not steps or any(step.many for step in steps) or not counts or told - bare:
        raise Misfit("Those without any I can only add to a plain count for each of something.", weight=4)
    ways = tuple(
        JoinStep(
            left=step.right,
            left_columns=step.right_columns,
            right=step.left,
            right_columns=step.left_columns,
            many=True,
            optional=True,
        )
        for step in reversed(steps)
    )
    counted = ColumnRef(table=meaning.base, column=steps[0].left_columns[0], steps=ways)
    return meaning.model_copy(
        update={
            "base": steps[-1].right,
            "base_label": plural(meaning.dimensions[0].label),
            "measures": (meaning.measures[0].model_copy(update={"column": counted, "or_none": True}),),
            "dimensions": (_at_home(meaning.dimensions[0], steps),),
        }
    )


def _at_home(dimension: Dimension, steps: tuple[JoinStep, ...]) -> Dimension:
    """The group, seen from its own table."""

    def home(ref: ColumnRef) -> ColumnRef:
        return ref.model_copy(update={"steps": ref.steps[len(steps) :]})

    return dimension.model_copy(
        update={
            "column": home(dimension.column),
            "more": tuple(home(ref) for ref in dimension.more),
            "key": tuple(home(ref) for ref in dimension.key),
        }
    )
