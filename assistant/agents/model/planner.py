"""The planner played by a model: it thinks of the plan and words the answer; what can be known is not left to it.

A plan of one step comes with its cell where the same model would write it, so that no second call is needed for it.

Tables are checked against the catalogs, citations against the documents that were shown, the status of an answer
against what ran, and the trust in it against the verified queries.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from assistant.agents.model.answering import Answering
from assistant.agents.model.dialogue import Dialogue, ModelRequest
from assistant.agents.model.history_summary import Summariser
from assistant.agents.model.judging import STEPS_MAX, Judging, make_steps
from assistant.agents.model.lessons_told import LESSONS_TITLE, LessonTeller
from assistant.agents.model.lookup_choice import open_lookups
from assistant.agents.model.prompts import fill_prompt
from assistant.agents.model.replies import CodeReply, PlanReply
from assistant.agents.model.source_descriptions import (
    describe_doubts,
    describe_sources,
    find_nearest_tables,
    find_table,
)
from assistant.agents.model.written_cells import CellProblems, FindFaults, make_cell
from assistant.cells.first_cell import load_imports
from assistant.core.events import (
    Answer,
    Cell,
    Clarification,
    Event,
    Fact,
    Judgement,
    Plan,
)
from assistant.core.turns import Turn, current_turn
from assistant.functions.matching import ListFunctions, describe_functions_for, list_none
from assistant.record.memory.context import PromptSection
from knowledge.lexical import tokens

if TYPE_CHECKING:
    from assistant.agents.roles import SessionContext
    from assistant.core.catalog import Catalog

_HITS = 6
_CATALOG_SHARE = 4
"""Which part of the model's context the tables may take: one in four."""
_CATALOG_TOKENS_MAX = 1_800
_OPTIONS_MAX = 4
_FACTS_MAX = 4
_OWN_WORDS_MIN = 0.7
"""Which part of a fact's words must be the person's own: the model does not state facts for them."""


class ModelPlanner:
    """Plays the planner with a language model.

    Args:
        dialogue: Its line to the model.
        context: What it may look up.
        summariser: Keeps what leaves the prompt.
        find_faults: Looks at a cell that it writes.
        writes_cells: Whether it writes the cell of a plan of one step: where no other model was chosen as coder.
        list_functions: Gives the functions that cells may import.
        lessons: Tells it of lessons.
    """

    def __init__(
        self,
        dialogue: Dialogue,
        *,
        context: SessionContext,
        summariser: Summariser | None = None,
        find_faults: FindFaults | None = None,
        writes_cells: bool = False,
        list_functions: ListFunctions = list_none,
        lessons: LessonTeller | None = None,
    ) -> None:
        self._dialogue = dialogue
        self._context = context
        self._summariser = summariser
        self._find_faults = find_faults
        self._writes_cells = writes_cells
        self._list_functions = list_functions
        self._lessons = lessons

    async def _tell_lessons(self, catalogs: Sequence[Catalog], turn: Turn) -> str:
        """The lessons about the session's tables, where the planner writes a cell itself."""
        if self._lessons is None or not self._writes_cells:
            return ""
        tables = [table.name for catalog in catalogs for table in catalog.tables]
        return await self._lessons.tell(catalogs, tables=tables, text=_join_question(turn), turn=turn.number)

    async def plan(self, log: Sequence[Event]) -> Plan | Clarification | Answer:
        """Plan the current turn, ask back, or decline.

        Raises:
            ModelError: the model cannot be reached or stays malformed.
        """
        if self._summariser is not None:
            await self._summariser.summarise_if_due(log)
        turn = current_turn(log)
        number = turn.number
        catalogs = self._dialogue.readable(await self._context.catalogs())
        sources = describe_sources(
            catalogs,
            tokens_max=min(self._dialogue.context_tokens // _CATALOG_SHARE, _CATALOG_TOKENS_MAX),
            sees=self._dialogue.sees,
            question=_join_question(turn),
        )
        lookups = await open_lookups(self._context, dialogue=self._dialogue, log=log, source_text=sources)
        documents = await lookups.search_documents(_join_question(turn), k=_HITS, source_text=sources)
        functions = await asyncio.to_thread(describe_functions_for, _join_question(turn), self._list_functions)
        lessons = await self._tell_lessons(catalogs, turn)
        cell_problems: list[CellProblems] = []

        async def find_problem(reply: PlanReply) -> str | None:
            if (problem := _find_problem(reply, catalogs)) is not None or not self._is_written(reply):
                return problem
            if not cell_problems:  # what it finds is sent back once
                step = make_steps(reply.steps)[0]
                cell_problems.append(CellProblems(step, catalogs=catalogs, log=log, find_faults=self._find_faults))
            return await cell_problems[0](_read_code(reply))

        how = (
            fill_prompt("plan_with_cell", imports="; ".join(load_imports().splitlines())) if self._writes_cells else ""
        )
        reply = await self._dialogue.ask(
            PlanReply,
            ModelRequest(
                log=log,
                system="\n\n".join(filter(None, (fill_prompt("planner"), how))),
                task=fill_prompt("task_plan", today=self._context.today.isoformat()),
                sections=(
                    PromptSection(title="Found in the knowledge base", text=documents, is_indivisible=True),
                    PromptSection(title="Tested functions that a cell can import", text=functions),
                    PromptSection(title=LESSONS_TITLE, text=lessons),
                    PromptSection(title="Sources", text=sources),
                    PromptSection(
                        title="Doubts about the data",
                        text=describe_doubts(log, catalogs, sees=self._dialogue.sees),
                    ),
                ),
                prose="text",
            ),
            lookups,
            problem_of=find_problem,
        )
        match reply.kind:
            case "clarify":
                return Clarification(
                    turn=number,
                    id=f"{number}.clarification.{len(turn.exchanges) + 1}",
                    text=reply.text,
                    options=reply.options[:_OPTIONS_MAX],
                )
            case "decline":
                return Answer(turn=number, status="declined", text=reply.text, hint=reply.hint)
            case "plan":
                revision = 1 + len(turn.plans)
                tables = (found_table[1].name for name in reply.tables if (found_table := find_table(catalogs, name)))
                return Plan(
                    turn=number,
                    id=f"{number}.plan.{revision}",
                    restated=reply.text,
                    steps=make_steps(reply.steps),
                    judged=True,
                    tables=tuple(dict.fromkeys(tables)),
                    assumptions=reply.assumptions,
                    citations=lookups.make_citations(reply.citations),
                    cells=(_make_cell(reply, catalogs),) if self._is_written(reply) else (),
                    sentence=reply.sentence if self._is_written(reply) else "",
                    facts=tuple(_list_facts(reply, turn)),
                )

    def _is_written(self, reply: PlanReply) -> bool:
        """Whether the plan's cell came with it. A hard step is written by itself, and several times."""
        return (
            self._writes_cells
            and reply.kind == "plan"
            and len(reply.steps) == 1
            and not reply.steps[0].hard
            and bool(reply.code.strip())
        )

    async def judge(self, log: Sequence[Event]) -> Plan | Judgement:
        """Say whether the plan holds, now that a step has its result; or change the rest of it."""
        return await Judging(self._dialogue, context=self._context).judge(log)

    async def answer(self, log: Sequence[Event]) -> Plan | Answer:
        """Word the answer from what the executions of the turn gave, or plan what is missing for it.

        A model that fails here withholds no result: they are shown without its words.
        """
        return await Answering(self._dialogue, context=self._context).answer(log)


def _read_code(reply: PlanReply) -> CodeReply:
    """The code of a plan of one step, as a coder would have replied it."""
    return CodeReply(kind="code", code=reply.code, result=reply.result, source=reply.source)


def _make_cell(reply: PlanReply, catalogs: Sequence[Catalog]) -> Cell:
    (step,) = reply.steps
    code = make_cell(_read_code(reply), step.language, catalogs)
    return Cell(step=1, language=step.language, code=code, title=step.title, result=reply.result)


def _list_facts(reply: PlanReply, turn: Turn) -> Iterator[Fact]:
    """What the person stated, as far as the words are theirs."""
    typed = set(tokens(_join_question(turn)))
    for fact in reply.facts[:_FACTS_MAX]:
        words = tokens(f"{fact.word} {fact.text}")
        if words and sum(word in typed for word in words) >= _OWN_WORDS_MIN * len(words):
            yield Fact(text=" ".join(fact.text.split()), word=" ".join(fact.word.split()))


def _join_question(turn: Turn) -> str:
    return " ".join((turn.question, *turn.replies))


def _find_problem(reply: PlanReply, catalogs: Sequence[Catalog]) -> str | None:
    if not reply.text.strip():
        return "text is empty."
    if reply.kind != "plan":
        return None
    if not reply.steps:
        return "A plan needs at least one step."
    if len(reply.steps) > STEPS_MAX:
        return f"A plan has at most {STEPS_MAX} steps."
    for name in reply.tables:
        if find_table(catalogs, name) is None:
            return f"There is no table {name!r}. The nearest are: {', '.join(find_nearest_tables(catalogs, name))}."
    return None
