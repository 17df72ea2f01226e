"""All phrase rules. Their order means nothing."""

from __future__ import annotations

from assistant.analyst.grammar import conditions, figures, groups, related, times
from assistant.analyst.grammar.rule import Rule

RULES: list[Rule] = [*conditions.RULES, *related.RULES, *times.RULES, *figures.RULES, *groups.RULES]
