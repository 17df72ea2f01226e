"""Trees of SQL compared with the compiler's own templates: what `sql/dialects.yaml` writes is read by it, too."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from sqlglot import exp

from assistant.errors import InterpretationError
from knowledge.parsing import parse_one

_HOLE = "hole_"
_SAME_PARTS = {"DOW": "DAYOFWEEK"}
"""Parts of dates under the name that sqlglot writes."""
_CLAUSES: dict[type[exp.Expr], tuple[str, ...]] = {
    exp.Is: ("this", "expression", "negate"),
    exp.In: ("this", "expressions"),
    exp.Between: ("this", "low", "high"),
    exp.Count: ("this", "big_int"),
    exp.Ordered: ("this", "desc", "nulls_first"),
    exp.Order: ("expressions",),
    exp.Limit: ("expression",),
    exp.Distinct: ("expressions",),
    exp.Group: ("expressions",),
    exp.Column: ("this", "table"),
    exp.TableAlias: ("this",),
    exp.Star: (),
    exp.Round: ("this", "decimals"),
}
"""The clauses of nodes that are read. Any other clause would be passed over, so it refuses the statement."""


class Untranslatable(InterpretationError):
    """SQL says what chips do not; the text names it in plain words."""


def operands(template: str, node: exp.Expr, dialect: str) -> tuple[exp.Expr, ...] | None:
    """What stands in a tree where a template has `{0}`, `{1}`; None where it is another tree."""
    operand_of: dict[str, exp.Expr] = {}
    if not _unify(_pattern(template, dialect), node, operand_of):
        return None
    return tuple(operand_of[name] for name in sorted(operand_of))


@lru_cache(maxsize=500)
def _pattern(template: str, dialect: str) -> exp.Expr:
    return parse_one(template.format(f"{_HOLE}0", f"{_HOLE}1"), dialect)


def _unify(pattern: Any, node: Any, operand_of: dict[str, exp.Expr]) -> bool:
    if isinstance(pattern, list):
        is_list = isinstance(node, list) and len(node) == len(pattern)  # pyright: ignore[reportUnknownArgumentType]
        return is_list and all(_unify(p, n, operand_of) for p, n in zip(pattern, node, strict=True))  # pyright: ignore
    if not isinstance(pattern, exp.Expr) or not isinstance(node, exp.Expr):
        return (pattern or None) == (node or None)
    pattern, node = pattern.unnest(), node.unnest()
    if isinstance(pattern, exp.Column) and pattern.name.startswith(_HOLE):
        return operand_of.setdefault(pattern.name, node) == node
    if type(pattern) is not type(node):
        return False
    if isinstance(pattern, exp.Var):
        names = (pattern.name.upper(), node.name.upper())
        return len({_SAME_PARTS.get(name, name) for name in names}) == 1
    names = {*pattern.args, *node.args}
    return all(_unify(pattern.args.get(name), node.args.get(name), operand_of) for name in names)


def conjuncts(node: exp.Expr | None) -> Iterator[exp.Expr]:
    """The conditions that all must hold, those in brackets apart."""
    if isinstance(node, exp.And):
        yield from conjuncts(node.this)
        yield from conjuncts(node.expression)
    elif node is not None:
        yield node


def check_clauses(tree: exp.Expr) -> None:
    """See that no node has a clause that is not read.

    Raises:
        Untranslatable: one has.
    """
    for node in tree.walk():
        if type(node) in _CLAUSES:
            allow_only(node, *_CLAUSES[type(node)])


def allow_only(node: exp.Expr, *clauses: str) -> None:
    """See that a node has no clauses but these.

    Raises:
        Untranslatable: it has.
    """
    for name, value in node.args.items():
        if value and name not in clauses:
            raise Untranslatable(f"It uses {name.rstrip('_').replace('_', ' ').upper()}.")


def text_of(node: exp.Expr) -> str:
    """A piece of SQL as it is quoted to a person, not longer than a line."""
    text = " ".join(node.sql().split())
    return f"`{text if len(text) <= 60 else text[:57] + '…'}`"
