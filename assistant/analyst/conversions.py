"""Terms in another unit than that of their column: a duration in seconds, asked for in minutes."""

from __future__ import annotations

from assistant.analyst.algebra import Arithmetic, Column, Constant, Days, Term
from assistant.analyst.names import words_of
from assistant.analyst.roles import units_in
from assistant.analyst.units import ratio_of, units_like


def converted_to(term: Term, unit: str, target: str) -> Term | None:
    """A term of one unit in another one; None where the two measure different things, or one is not known."""
    factor = ratio_of(unit, target)
    if factor is None or factor == 1:
        return None if factor is None else term
    op, by = ("/", factor) if factor > 1 else ("*", 1 / factor)
    return Arithmetic(op, term, Constant(int(by) if by.is_integer() else by))


def conversion(term: Term) -> tuple[Column | Days, str] | None:
    """What a term converts, and to which unit; None where it is no conversion."""
    match term:
        case Arithmetic("/" | "*", Column() | Days() as of, Constant()):
            unit = "day" if isinstance(of, Days) else next(iter(units_in(words_of(of.name))), "")
            targets = (
                target for target in units_like(unit) if target != unit and converted_to(of, unit, target) == term
            )
            return next(((of, target) for target in targets), None)
        case _:
            return None
