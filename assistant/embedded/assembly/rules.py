"""The standing rules of the knowledge base that bind what is read, unless the question speaks of their column."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.embedded.assembly.routing import Router
from assistant.embedded.linking.knowledge import BindingRule
from assistant.embedded.meaning import Condition, JoinStep, Meaning, Related
from assistant.embedded.source.schema import Entity


def ruled(meaning: Meaning, rules: Sequence[BindingRule], router: Router) -> Meaning:
    """The standing rules that bind what is read, unless the question speaks of their column itself."""
    added: list[Condition] = []
    related = list(meaning.related)
    for rule in rules:
        bound = {name.lower() for name in rule.applies_to}
        entity = router.schema.find_entity(rule.tables[0])
        if entity is None or _speaks_of(meaning, rule, entity):
            continue
        metrics = [m for m in meaning.measures if m.metric]
        if not metrics and (not bound or meaning.base.rpartition(".")[2].lower() in bound):
            way = router.way(entity.name)
            if not any(step.many for step in way):
                added.append(_rule_condition(rule, entity, way))
                _say(rule, router)
        for n, item in enumerate(related):
            if item.steps[-1].right == entity.name and (not bound or entity.name.lower() in bound):
                condition = _rule_condition(rule, entity, ())
                related[n] = item.model_copy(update={"conditions": (*item.conditions, condition)})
                _say(rule, router)
    related = [r for r in related if not _said_anyway(r, meaning)]
    return meaning.model_copy(update={"conditions": (*meaning.conditions, *added), "related": tuple(related)})


def _say(rule: BindingRule, router: Router) -> None:
    note = f"{rule.name[:1].lower() + rule.name[1:]} ({rule.origin})"
    if note not in router.draft.assumptions:
        router.draft.assumptions.append(note)
        router.draft.cited.append(rule.id)


def _speaks_of(meaning: Meaning, rule: BindingRule, entity: Entity) -> bool:
    refs = [f.column for f in meaning.every_filter]
    refs += [d.column for d in (*meaning.dimensions, *meaning.columns)]
    named = any(ref.table == entity.name and ref.column.lower() in rule.columns for ref in refs)
    return named or any(column in c.sql.lower() for c in meaning.conditions for column in rule.columns)


def _said_anyway(related: Related, meaning: Meaning) -> bool:
    """Whether rows are demanded that a column or a condition on the same way demands already."""
    plain = (related.operator, related.count) == (">=", 1) and not (related.filters or related.time)
    if not plain or related.conditions or meaning.either:
        return False
    ways = [ref.steps for ref in meaning.references()]
    return any(way[: len(related.steps)] == related.steps for way in ways)


def _rule_condition(rule: BindingRule, entity: Entity, way: tuple[JoinStep, ...]) -> Condition:
    return Condition(table=entity.name, sql=rule.condition, steps=way, label=rule.name, document=rule.id, rule=True)
