"""What definitions in prose come to: figures, conditions and other names, ready to be linked like typed knowledge.

Definitions may rest on one another, so they are read in rounds. One that cannot be read to its last word is not used,
nor are two that say different things of one word. What the knowledge base defines by SQL is never touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING

from assistant.embedded.definitions.amounts import Amounts
from assistant.embedded.definitions.comparisons import Comparisons
from assistant.embedded.definitions.criteria import Criteria
from assistant.embedded.definitions.exact import Exact
from assistant.embedded.definitions.expressions import Expressions
from assistant.embedded.definitions.formulas import Formulas
from assistant.embedded.definitions.making import Made, Maker, ProseMetric, ProseTerm
from assistant.embedded.definitions.operands import Operands
from assistant.embedded.definitions.sentences import Definition, definitions
from assistant.embedded.linking.knowledge import Alias, Known
from assistant.embedded.linking.linker import Linker
from assistant.embedded.linking.links import Span
from assistant.embedded.linking.naming import linked_stems
from assistant.embedded.linking.options import ToColumn
from assistant.embedded.meaning import Meaning
from assistant.embedded.source.joins import Joins

if TYPE_CHECKING:
    from knowledge.documents import Document

_ROUNDS = 4
_NAMES_COLUMN, _NAMES_PLAINLY = 0.97, 0.93

Stems = tuple[str, ...]


def learned(documents: Iterable[Document], known: Known, linker: Linker, joins: Joins, today: date) -> Known:
    """What is known, with what prose adds to it; the linker learns it as well."""
    found = definitions(d for d in documents if d.source in (None, linker.schema.source))
    if not found:
        return known
    expressions = Expressions(linker.schema)
    typed = _typed(known)
    refused = set[Stems]()
    while True:
        scratch = Linker(linker.schema, linker.index, linker.metrics, linker.terms, linker.rules)
        exact = Exact(linker=scratch, joins=joins, today=today)
        criteria = Criteria(exact, expressions, Comparisons(scratch, expressions, today))
        maker = Maker(Formulas(Operands(Amounts(expressions, joins), criteria)))
        reader = _Reader(maker=maker, linker=scratch, taken=typed | refused)
        if not (torn := reader.read(found)):
            break
        refused |= torn
    made = [m for things in reader.made.values() for m in things]
    metrics = tuple(m for m in made if isinstance(m, ProseMetric))
    terms = tuple(m for m in made if isinstance(m, ProseTerm))
    aliases = tuple(m for m in made if isinstance(m, Alias))
    linker.learn(metrics=metrics, terms=terms, aliases=aliases)
    read = {linked_stems(name) for m in made for name in (m.name, *getattr(m, "synonyms", ()))}
    unread = {
        name: definition.document.title
        for definition in found
        for name in definition.names
        if linked_stems(name) not in read | typed and not _plain(name, linker)
    }
    return replace(
        known,
        metrics=(*known.metrics, *metrics),
        terms=(*known.terms, *terms),
        aliases=aliases,
        unread=tuple(unread.items()),
    )


def _plain(name: str, linker: Linker) -> bool:
    """Whether a word is a name in the schema anyway, so that a definition only describes it."""
    return any(o.strength >= _NAMES_PLAINLY for o in linker.names(linked_stems(name)))


def unused(spans: Sequence[Span], known: Known) -> Iterator[str]:
    """Words of a question that are defined in prose which could not be read: the person should know."""
    words = {linked_stems(span.text) for span in spans}
    for name, title in known.unread:
        if linked_stems(name) in words:
            yield f"what the knowledge base says of “{name}” ({title}) cannot be computed with"


def said(meaning: Meaning, spans: Sequence[Span], known: Known) -> Iterator[tuple[str, str]]:
    """The definitions in prose that a meaning rests on: what to tell the person, and the id of the document."""
    figures = {measure.metric for measure in meaning.measures}
    conditions = {(condition.document, condition.label) for condition in meaning.conditions}
    for metric in known.metrics:
        if isinstance(metric, ProseMetric) and metric.name in figures:
            yield metric.said, metric.id
    for term in known.terms:
        if isinstance(term, ProseTerm) and (term.id, term.name) in conditions:
            yield term.said, term.id
    words = {linked_stems(span.text) for span in spans}
    held = meaning.model_dump_json()
    for alias in known.aliases:
        target = alias.value or alias.column or alias.table or alias.named
        if linked_stems(alias.name) in words and f'"{target}"' in held:
            yield alias.said, alias.document


def _typed(known: Known) -> set[Stems]:
    """The names that the knowledge base defines by SQL."""
    names = [name for metric in known.metrics for name in (metric.name, *metric.synonyms)]
    names += [name for term in known.terms for name in (term.name, *term.synonyms)]
    return {linked_stems(name) for name in names}


@dataclass
class _Reader:
    """Reads definitions in rounds; `taken` are names that prose may not define."""

    maker: Maker
    linker: Linker
    taken: set[Stems]
    made: dict[Stems, list[Made]] = field(default_factory=dict[Stems, list["Made"]])

    def read(self, found: Sequence[Definition]) -> set[Stems]:
        """Make what can be made; gives the names of which two definitions say different things."""
        waiting, tried = list(found), list(found)
        torn = set[Stems]()
        for _ in range(_ROUNDS):
            self.maker.formulas.forget()
            fresh: list[Made] = []
            for definition in tried:
                things = self._made(definition)
                if things:
                    waiting.remove(definition)
                for thing in things:
                    stems = linked_stems(thing.name)
                    before = self.made.get(stems, [])
                    if any(not _same(thing, other) for other in before):
                        torn.add(stems)
                    elif not before:
                        self.made[stems] = [thing]
                        fresh.append(thing)
            if not fresh or torn:
                break
            self.linker.learn(
                metrics=[m for m in fresh if isinstance(m, ProseMetric)],
                terms=[m for m in fresh if isinstance(m, ProseTerm)],
                aliases=[m for m in fresh if isinstance(m, Alias)],
            )
            tried = [d for d in waiting if any(_mentions(d.body, thing) for thing in fresh)]
        return torn

    def _made(self, definition: Definition) -> list[Made]:
        """What a definition comes to under the names that prose may define."""
        names = tuple(name for name in definition.names if self._free(name))
        made = self.maker.made(replace(definition, names=names)) if names else []
        return [thing for thing in made if not self._repeats(thing)]

    def _free(self, name: str) -> bool:
        """Whether prose may define a name: no typed definition has it, and no table."""
        stems = linked_stems(name)
        table = self.maker.formulas.criteria.table(name)
        return stems not in self.taken and (table is None or stems in self.made)

    def _repeats(self, thing: Made) -> bool:
        """Whether a column has the name already and the definition only describes it."""
        options = self.linker.names(linked_stems(thing.name))
        columns = [o.attribute for o in options if isinstance(o, ToColumn) and o.strength >= _NAMES_COLUMN]
        if not columns or linked_stems(thing.name) in self.made:
            return False
        return not isinstance(thing, ProseMetric) or any(c.name.lower() in thing.expression.lower() for c in columns)


def _mentions(body: str, thing: Made) -> bool:
    """Whether words hold a name."""
    words = set(linked_stems(body))
    return any(set(linked_stems(name)) <= words for name in (thing.name, *getattr(thing, "synonyms", ())))


def _same(one: Made, other: Made) -> bool:
    """Whether two definitions come to the same."""
    match one, other:
        case ProseMetric(), ProseMetric():
            return (one.expression, set(one.filters)) == (other.expression, set(other.filters))
        case ProseTerm(), ProseTerm():
            return one.sql == other.sql
        case Alias(), Alias():
            return one.target == other.target
        case _:
            return False
