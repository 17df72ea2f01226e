"""The code of a plan's steps, written before anything runs, so that a person can approve plan and code together.

Only a coder and a reviewer who cost nothing are asked: a language model's code could change with what the first step
gives, and would be paid for twice. A step whose code depends on a result has none here, nor have those after it.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from assistant.agents.roles import Coder, Reviewer
from assistant.core.events import Cell, Event, Execution, Plan, Proposal, QueryRun, Variable


async def draft_cells(log: Sequence[Event], plan: Plan, *, coder: Coder, reviewer: Reviewer) -> tuple[Cell, ...]:
    """The code of the plan's first steps, as far as it can be known.

    Args:
        log: the session's events up to the plan.
        plan: the plan.
        coder: writes the code; each earlier step is told to it as done, with a table that it cannot read.
        reviewer: looks at it.
    """
    supposed: list[Event] = [*log, plan]
    cells: list[Cell] = []
    for step in range(plan.begins, len(plan.steps) + 1):
        proposal = await coder.propose(tuple(supposed), step=step, revision=1)
        if not isinstance(proposal, Proposal):
            break
        review = await reviewer.review(tuple(supposed), proposal, code=proposal.code, of_edit=False)
        cells.append(
            Cell(
                step=step,
                language=proposal.language,
                code=proposal.code,
                title=proposal.title,
                operations=proposal.operations,
                findings=review.findings,
            )
        )
        supposed += [proposal, _make_execution(proposal)]
    return tuple(cells)


def _make_execution(proposal: Proposal) -> Execution:
    """The step as if it had run."""
    runs = tuple(QueryRun(sql=query.sql, source=query.source or "", rows=0, seconds=0.0) for query in proposal.queries)
    return Execution(
        turn=proposal.turn,
        id=proposal.id,
        step=proposal.step,
        language=proposal.language,
        code=proposal.code,
        status="ok",
        queries=runs,
        variables=tuple(Variable(name=name, type="") for name in _find_assigned_names(proposal.code)),
    )


def _find_assigned_names(code: str) -> tuple[str, ...]:
    """The names that a cell gives to something: those that follow may use them. None where it is no Python."""
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return ()
    names = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return tuple(dict.fromkeys(names))
