"""What a superlative goes by where no word says it: "the best film", "our biggest clients", "the highest bill"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft, Group
from assistant.embedded.clauses.figuring.totals import amount_of
from assistant.embedded.clauses.naming.adjectives import extents
from assistant.embedded.clauses.ordering.leading import is_asked
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.persons import is_person
from assistant.embedded.source.dating import likeliest_date
from assistant.embedded.source.schema import Attribute, Edge, Entity

TOP_DEFAULT = 10
"""How many are shown of several that come first, where no number is said."""


def one_of_its_numbers(draft: Draft, entity: Entity) -> Attribute | None:
    """ "the best film", where no word says by what: by one of the few numbers that a film has."""
    numbers = (attribute for attribute in entity.attributes.values() if attribute.is_number)
    figures = [attribute for attribute in numbers if not attribute.is_code and not attribute.holds_years]
    if not 0 < len(figures) <= _FIGURES_MAX:
        return None
    draft.penalty += _GUESSED
    return figures[draft.choose(f"figure of {entity.name}", len(figures))]


_FIGURES_MAX = 3
_GUESSED = 0.05


def by_figure(draft: Draft, target: int, ranked: Group, figure: Wanted, descending: bool) -> None:
    """ "our biggest clients", "the best customer": all that is said is which end comes first."""
    told_apart = not isinstance(ranked, Entity) or ranked.one != ranked.many
    several = draft.pieces[target].span.text.lower().endswith("s") and told_apart
    if several and draft.limit is None and not draft.asks_which:
        draft.limit = TOP_DEFAULT
        draft.assumptions.append(f"the first {TOP_DEFAULT} are shown")
    figure.context = draft.asks_who or draft.asks_which
    draft.ranked = ranked
    draft.order.append((figure, descending))
    draft.keep_extreme()


def figure_of(draft: Draft, at: int, tables: list[str], hints: tuple[str, ...]) -> Attribute | None:
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


def has_no_name(draft: Draft, at: int, attribute: Attribute) -> bool:
    """ "what was the highest bill": where rows have no name, the figure itself is what there is to tell."""
    entity, first = draft.entity_of(attribute), draft.pieces[0].span.text.lower()
    called = set(entity.label) - set(entity.key)
    return attribute.is_number and not called and first == "what" and not is_asked(draft, at)


_AGES = frozenset(("oldest", "eldest", "youngest"))
_RATED = frozenset(("best", "worst"))


def beings(draft: Draft, tables: list[str]) -> list[str]:
    """The tables of which each row of others is one: "the oldest member", where a member is a person."""
    edges = [edge for table in tables for edge in draft.schema.edges.get(table, ()) if not edge.many]
    return [edge.right for edge in edges if len(edge.left_columns) == 1 and _is_alone(draft, edge)]


def _is_alone(draft: Draft, edge: Edge) -> bool:
    """Whether no two rows refer to the same one."""
    entity = draft.schema.entities[edge.left]
    profile = entity.attributes[edge.left_columns[0]].column.profile
    return profile is not None and profile.distinct == entity.table.rows
