"""Reading without any doubt: a phrase of a definition means one thing to the analyst, by every word, or nothing.

A question may leave a word out and say so. A definition may not, for what it says is taken for granted afterwards.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date

from assistant.embedded.linking.linker import Linker
from assistant.embedded.linking.links import Span
from assistant.embedded.linking.options import ToColumn, ToTable, ToValue
from assistant.embedded.linking.spans import segment
from assistant.embedded.meaning import Dimension, Meaning, Measure
from assistant.embedded.reading.reader import Candidate, confident, near_best, readings
from assistant.embedded.source.joins import Joins
from assistant.embedded.sql.tables import Tables
from assistant.embedded.sql.where import Where
from assistant.embedded.words.lexicon import tokens
from assistant.embedded.words.vocabulary import WEAK_WORDS

_WEAKEST = 0.86
_SIGNS = re.compile(r"[<>=*/+()^|&!~%#@{}\[\]\\]|(?<!\w)-|-(?!\w)")
_HARMLESS = frozenset(
    ("rows", "records", "entries", "value", "values", "table", "data", "people", "number", "amount", "placed")
)


@dataclass(frozen=True)
class Exact:
    """Reads phrases on one source. `read` keeps what was read, for as long as nothing new is learned."""

    linker: Linker
    joins: Joins
    today: date
    read: dict[str, Meaning | None] = field(default_factory=dict[str, "Meaning | None"])

    def meaning(self, text: str) -> Meaning | None:
        """What a phrase means; None where a word is left over, a link is weak or another reading is about as likely."""
        if text not in self.read:
            self.read[text] = self._meaning(text)
        return self.read[text]

    def _meaning(self, text: str) -> Meaning | None:
        if _SIGNS.search(text):  # the analyst reads words, and would pass over them
            return None
        if any(span.unknown for span in segment(tokens(text), self.linker, self.today)):
            return None
        found, _ = readings(text, self.linker, self.joins, self.today)
        whole = sorted((c for c in found if c.whole), key=lambda c: -c.score)
        if not whole or not confident(whole[0]) or len(near_best(whole)) > 1:
            return None
        best = whole[0]
        if best.guesses or best.weakest < _WEAKEST or any(_dropped(span, best) for span in best.spans):
            return None
        return best.meaning

    def conditions(self, meaning: Meaning) -> tuple[str, ...]:
        """What a meaning demands of a row of its table, as SQL by itself: other tables are asked by EXISTS."""
        bare = meaning.model_copy(update={"measures": ()})
        found = Where(bare, Tables(schema=self.linker.schema, base=meaning.base)).conditions()
        return tuple(condition.sql(dialect=self.linker.schema.dialect) for condition in found)

    def rows(self, meaning: Meaning) -> bool:
        """Whether a meaning asks for nothing but certain rows of one table."""
        entity = self.linker.schema.entities[meaning.base]
        own = {*entity.label, *entity.key}
        columns = all(c.context or (not c.column.steps and c.column.column in own) for c in meaning.columns)
        return columns and not meaning.measures and meaning == _conditions_of(meaning, columns=meaning.columns)

    def figure(self, meaning: Meaning) -> bool:
        """Whether a meaning asks for one plain figure and nothing else."""
        if len(meaning.measures) != 1 or meaning != _conditions_of(meaning, measures=meaning.measures):
            return False
        found = meaning.measures[0]
        return found == Measure(
            aggregate=found.aggregate,
            column=found.column,
            metric=found.metric,
            expression=found.expression,
            requires=found.requires,
            needs=found.needs,
            label=found.label,
            unit=found.unit,
        )


def _conditions_of(
    meaning: Meaning, *, columns: tuple[Dimension, ...] = (), measures: tuple[Measure, ...] = ()
) -> Meaning:
    """A meaning with what it demands of rows, what it shows of them, and nothing else."""
    return Meaning(
        source=meaning.source,
        base=meaning.base,
        base_label=meaning.base_label,
        measures=measures,
        columns=columns,
        distinct=meaning.distinct,
        filters=meaning.filters,
        either=meaning.either,
        conditions=meaning.conditions,
        related=meaning.related,
        compared=meaning.compared,
        times=meaning.times,
        title=meaning.title,
    )


def _dropped(span: Span, best: Candidate) -> bool:
    """Whether a word that a question may leave unexplained went unexplained."""
    words = span.text.lower().split()
    if len(words) != 1 or words[0] not in WEAK_WORDS or words[0] in _HARMLESS:
        return False
    held = best.meaning.model_dump_json().lower()
    for option in span.options:
        match option:
            case ToTable() if f'"{option.entity.name.lower()}"' in held:
                return False
            case ToColumn() | ToValue() if f'"{option.attribute.name.lower()}"' in held:
                return False
            case _:
                continue
    return True
