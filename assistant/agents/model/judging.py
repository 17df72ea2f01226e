"""Between two steps: whether the plan still holds, now that a result is there.

The program looks first. Where it sees nothing odd, no check failed, and one step that is not hard is left, no model is
asked: the plan goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.agents.model.dialogue import Dialogue, ModelRequest
from assistant.agents.model.lookups import Lookups
from assistant.agents.model.observations import describe_oddities
from assistant.agents.model.prompts import fill_prompt
from assistant.agents.model.replies import JudgeReply, StepReply
from assistant.agents.model.results import describe_results, has_join, list_results
from assistant.core.events import Event, Execution, Judgement, Plan, Step
from assistant.core.turns import Turn, current_turn
from assistant.errors import BudgetReached, ModelError
from assistant.record.memory.context import PromptSection

if TYPE_CHECKING:
    from assistant.agents.roles import SessionContext

REVISIONS_MAX = 2
"""How often results may change the plan of one turn."""
STEPS_MAX = 8
_ROWS_LOOKED_AT = 10_000


class Judging:
    """Judges the result of a step with a language model, where there is something to judge."""

    def __init__(self, dialogue: Dialogue, *, context: SessionContext) -> None:
        self._dialogue = dialogue
        self._context = context

    async def judge(self, log: Sequence[Event]) -> Plan | Judgement:
        """Go on, stop for the answer, or change the rest of the plan. A model that fails here stops nothing."""
        turn = current_turn(log)
        ran = turn.executions[-1]
        goes_on = Judgement(turn=ran.turn, execution=ran.id, verdict="go_on")
        changed = sum(1 for plan in turn.plans if plan.changed)
        if turn.plan is None or changed >= REVISIONS_MAX or not await self._is_worth_it(ran, turn.steps):
            return goes_on
        try:
            reply = await self._ask(log, ran, turn.steps)
        except (ModelError, BudgetReached):
            return goes_on
        if reply.verdict != "revise":
            return goes_on.model_copy(update={"verdict": reply.verdict, "reason": reply.reason})
        return _revise_plan(turn.plan, turn.steps[: ran.step], reply, turn)

    async def _is_worth_it(self, ran: Execution, steps: Sequence[Step]) -> bool:
        left = steps[ran.step :]
        if len(left) > 1 or any(step.hard for step in left) or not all(check.ok for check in ran.checks):
            return True
        rows = await self._context.rows(ran.id, rows_max=_ROWS_LOOKED_AT)
        return rows is None or bool(describe_oddities(rows, has_join=has_join(ran)))

    async def _ask(self, log: Sequence[Event], ran: Execution, steps: Sequence[Step]) -> JudgeReply:
        results = list_results(current_turn(log))
        return await self._dialogue.ask(
            JudgeReply,
            ModelRequest(
                log=log,
                system=fill_prompt("judge"),
                task=fill_prompt(
                    "task_judge", today=self._context.today.isoformat(), step=str(ran.step), steps=str(len(steps))
                ),
                sections=(
                    PromptSection(
                        title="Results", text=await describe_results(self._context, results, sees=self._dialogue.sees)
                    ),
                ),
                step=ran.step,
            ),
            Lookups(self._context, dialogue=self._dialogue, log=log),
            problem_of=lambda reply: _find_problem(reply, ran.step, steps[ran.step :]),
        )


def _find_problem(reply: JudgeReply, done: int, left: Sequence[Step]) -> str | None:
    if reply.verdict != "revise":
        return None
    if not reply.steps:
        return "A verdict of revise needs the steps that are still to come."
    if done + len(reply.steps) > STEPS_MAX:
        return f"A plan has at most {STEPS_MAX} steps, and {done} have run."
    if not reply.reason.strip():
        return "reason is empty: say what changes and why."
    remaining_steps = [(step.language, step.instruction.strip()) for step in left]
    if [(step.language, step.instruction.strip()) for step in reply.steps] == remaining_steps:
        return "These are the very steps of the plan. Reply go_on, or change them."
    return None


def make_steps(steps: Sequence[StepReply]) -> tuple[Step, ...]:
    """A model's steps as the log holds them."""
    return tuple(Step(title=s.title, language=s.language, instruction=s.instruction, hard=s.hard) for s in steps)


def _revise_plan(plan: Plan, done: tuple[Step, ...], reply: JudgeReply, turn: Turn) -> Plan:
    revision = 1 + len(turn.plans)
    return plan.model_copy(
        update={
            "id": f"{plan.turn}.plan.{revision}",
            "steps": (*done, *make_steps(reply.steps)),
            "begins": len(done) + 1,
            "changed": reply.reason,
        }
    )
