"""What every proposal of the embedded coder is made with: the queries in its code, a question back, a step left out."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.analyst.meaning import Meaning, to_json
from assistant.core.events import Clarification, Language, Proposal, Query, StepSkipped
from assistant.core.turns import Turn
from assistant.query.cells import QueryProblem, literal_queries

LEAVE_OUT = "Leave this step out"
AS_IT_WAS = "Show the code as it was"


def find_literal_queries(code: str) -> tuple[Query, ...]:
    """The literal queries of a cell; none where they cannot be told."""
    queries = literal_queries(code)
    return () if isinstance(queries, QueryProblem) else tuple(Query(sql=q.sql, source=q.source) for q in queries)


def make_question_id(turn: Turn) -> str:
    """The id of the next question back of a turn."""
    return f"{turn.number}.clarification.{1 + len(turn.exchanges)}"


def ask_about_step(turn: Turn, text: str, options: tuple[str, ...] = ()) -> Clarification:
    """A question back about a step. Among the answers are leaving it out, and the code that was rejected."""
    return Clarification(
        turn=turn.number,
        id=make_question_id(turn),
        asker="coder",
        text=text,
        options=(*options, *((AS_IT_WAS,) if _is_rejected(turn) else ()), LEAVE_OUT),
    )


def _is_rejected(turn: Turn) -> bool:
    """Whether it is a rejection of code that is talked about."""
    decision = turn.open_proposal.decision if turn.open_proposal is not None else None
    return decision is not None and decision.action == "reject"


def skip_step(turn: Turn, step: int, reason: str) -> StepSkipped:
    """A Python step that needs no code."""
    return StepSkipped(turn=turn.number, step=step, language="python", reason=reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalContext:
    """Where a proposal stands in its turn, and what it means."""

    turn: Turn
    step: int
    revision: int
    meaning: Meaning

    def make_proposal(
        self,
        *,
        language: Language,
        title: str,
        why: str,
        operations: tuple[str, ...],
        code: str,
        result: str,
    ) -> Proposal:
        """The proposal with this code."""
        turn = self.turn.number
        return Proposal(
            turn=turn,
            id=f"{turn}.{self.step}.{self.revision}",
            step=self.step,
            revision=self.revision,
            language=language,
            title=title,
            why=why,
            operations=operations,
            code=code,
            queries=find_literal_queries(code) if language == "sql" else (),
            result=result,
            meaning=to_json(self.meaning),
        )
