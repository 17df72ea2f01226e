"""What reading needs to know of one source: its schema, values and ways, and what the knowledge base says of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from assistant.embedded.definitions import prose
from assistant.embedded.definitions.ages import average_ages
from assistant.embedded.definitions.billing import billed
from assistant.embedded.definitions.both_ways import both_ways
from assistant.embedded.definitions.campaigns import campaign_rates
from assistant.embedded.definitions.discounts import discounts_given
from assistant.embedded.definitions.headcounts import headcounts
from assistant.embedded.definitions.margins import margins
from assistant.embedded.definitions.money import guessed
from assistant.embedded.definitions.open_times import average_open_times
from assistant.embedded.definitions.outlays import outlays
from assistant.embedded.definitions.profit_rates import profit_rates
from assistant.embedded.definitions.promoters import promoter_scores
from assistant.embedded.definitions.stocks import stock_values
from assistant.embedded.definitions.tenures import average_tenures
from assistant.embedded.linking.knowledge import Known, prepare
from assistant.embedded.linking.likeness import Likeness
from assistant.embedded.linking.linker import Linker
from assistant.embedded.linking.states import states
from assistant.embedded.source import values
from assistant.embedded.source.joins import Joins
from assistant.embedded.source.schema import Schema
from assistant.embedded.source.understanding import understand

if TYPE_CHECKING:
    from assistant.data.catalog import Catalog
    from assistant.embedded.linking.likeness import Embed
    from knowledge.documents import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """Everything about one source that reading needs. `likeness` finds what unknown words are like, where it may."""

    schema: Schema
    linker: Linker
    joins: Joins
    known: Known
    likeness: Likeness | None

    def taught(self, documents: Sequence[Document], today: date) -> Learned:
        """The source as other documents speak of it, on a day."""
        linker, known = _read(documents, self.schema, self.linker.index, self.joins, today)
        return replace(self, linker=linker, known=known)


def learned(catalog: Catalog, documents: Sequence[Document], today: date, embed: Embed | None) -> Learned:
    """A source with all that is known of it on a day."""
    schema = understand(catalog)
    joins = Joins(schema)
    linker, known = _read(documents, schema, values.build(schema), joins, today)
    likeness = Likeness(schema, embed) if embed is not None else None
    return Learned(schema=schema, linker=linker, joins=joins, known=known, likeness=likeness)


def _read(
    documents: Sequence[Document], schema: Schema, index: values.ValueIndex, joins: Joins, today: date
) -> tuple[Linker, Known]:
    """What documents say of a source, with what goes without saying, and what links words to both."""
    known = prepare(documents, schema, today)
    linker = Linker(schema, index, known.metrics, known.terms, known.rules, today=today)
    known = prose.learned(documents, known, linker, joins, today)
    metrics = known.metrics
    guesses = (*guessed(schema, metrics), *average_ages(schema, metrics, today))
    guesses += (*margins(schema, metrics), *profit_rates(schema, metrics), *average_tenures(schema, metrics, today))
    guesses += (*headcounts(schema, metrics), *outlays(schema, metrics), *stock_values(schema, metrics))
    guesses += (*average_open_times(schema, metrics, today), *discounts_given(schema, metrics))
    guesses += (*both_ways(schema, metrics), *campaign_rates(schema, metrics), *promoter_scores(schema, metrics))
    guesses += billed(schema, (*metrics, *(metric for metric, _ in guesses)))
    linker.learn(guesses=guesses, terms=states(schema, known.terms, today))
    return linker, known
