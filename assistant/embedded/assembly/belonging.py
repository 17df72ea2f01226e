"""What the rows must belong to or be compared with: other rows, found by a meaning of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.wanted import BelongsWanted, ComparedWanted, FirstWanted, KinWanted, RelatedWanted
from assistant.embedded.meaning import AgainstAll, Among, Dimension
from assistant.embedded.source.schema import Attribute, Entity

if TYPE_CHECKING:
    from assistant.embedded.assembly.assembler import Assembler


def among(assembler: Assembler) -> tuple[Among, ...]:
    """What the rows must belong to.

    Raises:
        Misfit: it is not clear what is meant.
    """
    draft = assembler.draft
    owned = [(wanted, owner) for wanted in draft.related if (owner := assembler.related.owner(wanted)) is not None]
    return (
        *(_kept(assembler, one) for one in draft.among),
        *(_first(assembler, first) for first in draft.firsts),
        *(_kin(assembler, wanted) for wanted in draft.kin),
        *(_belongs(assembler, wanted) for wanted in draft.belongs),
        *(_owned(assembler, wanted, owner) for wanted, owner in owned),
    )


def against(assembler: Assembler) -> tuple[AgainstAll, ...]:
    """The figures of certain rows that columns are compared with.

    Raises:
        Misfit: it is not clear what is meant.
    """
    return tuple(_against(assembler, wanted, wanted.of) for wanted in assembler.draft.compared if wanted.of)


def _kept(assembler: Assembler, one: Among) -> Among:
    """What rows had to belong to before, as it is seen from the rows that are meant now."""
    column = assembler.router.schema.attribute(one.column.table, one.column.column)
    return one.model_copy(update={"column": assembler.router.ref(column)})


def _first(assembler: Assembler, first: FirstWanted) -> Among:
    """That which comes first in a ranking of its own."""
    inner, router = first.draft, assembler.router
    ranked = inner.ranked
    if ranked is None or inner.shown or inner.wanted:
        raise Misfit("I could not tell what comes first in the question.", weight=3)
    if isinstance(ranked, Entity):
        inner.shown = [_key_of(assembler, ranked)]
    if not inner.ties and not first.settled:
        inner.periods = [*assembler.draft.periods]  # the top 5 of the year, not of all time
    alone = assembler.alone(inner)
    ranking = alone.assemble()
    column = ranking.dimensions[0].column
    if len(ranking.dimensions) != 1 or ranking.dimensions[0].more:
        raise Misfit("I could not tell what comes first in the question.", weight=3)
    if first.settled and isinstance(ranked, Entity) and ranking.limit and not ranking.keeps_ties:
        first_name, *more = (alone.router.ref(ranked.attributes[name]) for name in ranked.label)
        named = Dimension(column=first_name, more=tuple(more), label=ranked.one, context=True)
        if named.column != column:  # those that are alike go by name, as where they are shown
            ranking = ranking.model_copy(update={"dimensions": (named, *ranking.dimensions)})
    router.penalty += alone.penalty
    assembler.draft.assumptions += inner.assumptions
    return Among(column=router.ref(router.schema.attribute(column.table, column.column)), rows=ranking)


def _kin(assembler: Assembler, wanted: KinWanted) -> Among:
    """Rows of the same table."""
    shown = [wanted.shown]
    inner = Draft(schema=assembler.draft.schema, pieces=[], shown=shown, bare_keys=shown, filters=wanted.filters)
    column = assembler.router.ref(wanted.column)
    return Among(column=column, rows=assembler.alone(inner).assemble(), label=wanted.label)


def _belongs(assembler: Assembler, wanted: BelongsWanted) -> Among:
    """What has a row that is so."""
    rows = assembler.aside(wanted.draft)
    assembler.draft.assumptions += wanted.draft.assumptions
    return Among(column=assembler.router.ref(wanted.column), rows=rows)


def _owned(assembler: Assembler, wanted: RelatedWanted, owner: Entity) -> Among:
    """What has several related rows, where the rows in question belong to it."""
    key = _key_of(assembler, owner)
    inner = Draft(schema=assembler.draft.schema, pieces=[], shown=[key], bare_keys=[key], related=[wanted])
    return Among(column=assembler.router.ref(key), rows=assembler.alone(inner).assemble())


def _against(assembler: Assembler, wanted: ComparedWanted, inner: Draft) -> AgainstAll:
    figure = assembler.aside(inner)
    assembler.draft.assumptions += inner.assumptions
    column, words = assembler.router.ref(wanted.attribute), wanted.attribute.words
    return AgainstAll(column=column, operator=wanted.operator, label=words, aggregate=wanted.aggregate, of=figure)


def _key_of(assembler: Assembler, entity: Entity) -> Attribute:
    """The one column that tells rows apart; where none is declared, the one that other tables refer to."""
    referred = (e.left_columns for e in assembler.router.schema.edges.get(entity.name, ()) if e.many)
    key = next((columns for columns in (entity.key, *referred) if len(columns) == 1), None)
    if key is None:
        raise Misfit(f"I cannot tell {entity.many} apart by a single key.", weight=4)
    return entity.attributes[key[0]]
