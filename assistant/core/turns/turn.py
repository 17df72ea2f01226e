"""A turn: one question with all events that followed, its state, and what waits for the person."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from assistant.core.events import (
    Answer,
    Appearance,
    Citation,
    Clarification,
    ClarificationAnswered,
    Decision,
    DecisionRequested,
    Diagnosis,
    Disputed,
    Execution,
    Failed,
    Judgement,
    LessonDecided,
    PinChanged,
    Plan,
    QueryRun,
    Question,
    Review,
    SourceAdded,
    Step,
    StepSkipped,
    Stopped,
    Usage,
    Verified,
)
from assistant.core.turns.items import (
    End,
    ExchangeItem,
    FunctionsItem,
    Item,
    Moment,
    Outcome,
    PackageItem,
    Pending,
    PendingRequest,
    Phase,
    PlanItem,
    ProposalItem,
    Stage,
)


@dataclass(slots=True, kw_only=True)
class Turn:
    """One question and all that followed, in the order in which it came.

    Attributes:
        number: Its place in the session, from 1.
        question_meaning: What the question means, as JSON, where the person put it together from chips.
        story: Every event in order, for whoever tells the turn word by word.
        stage: What was said last.
        stage_before_stop: What was said before the turn was stopped, if it goes on.
        messages: How many messages were said since the person's last word.
        place: The step that the next event of the story belongs to.
        step_position: The step that was begun last, or the one behind it where that is over.
        open_proposal: The latest proposal of the latest plan.
        pin_changes: What the person changed last of what is kept of their words, by the pin's id.
        lesson_decisions: Which lessons of it the person kept or dropped, by the lesson's id.
    """

    number: int
    question: str
    files: tuple[str, ...] = ()
    question_meaning: str = ""
    started_at: datetime | None = None
    updated_at: datetime | None = None
    items: list[Item] = field(default_factory=list[Item])
    story: list[Moment] = field(default_factory=list[Moment])
    stage: Stage = "question"
    stage_before_stop: Stage | None = None
    messages: int = 0
    place: int | None = None
    step_position: int = 1
    open_proposal: ProposalItem | None = None
    phase: Phase = "planning"
    phase_started_at: datetime | None = None
    answer: Answer | None = None
    failed: Failed | None = None
    stopped: Stopped | None = None
    pending: Pending | None = None
    requests: list[DecisionRequested] = field(default_factory=list[DecisionRequested])
    decisions: list[Decision] = field(default_factory=list[Decision])
    reviews: list[Review] = field(default_factory=list[Review])
    executions: list[Execution] = field(default_factory=list[Execution])
    diagnoses: list[Diagnosis] = field(default_factory=list[Diagnosis])
    skips: list[StepSkipped] = field(default_factory=list[StepSkipped])
    model_calls: list[Usage] = field(default_factory=list[Usage])
    sources: list[SourceAdded] = field(default_factory=list[SourceAdded])
    judgement: Judgement | None = None
    verified: Verified | None = None
    disputed: Disputed | None = None
    appearance: Appearance = field(default_factory=Appearance)
    appearance_changes: int = 0
    is_withheld: bool = False
    pin_changes: dict[str, PinChanged] = field(default_factory=dict[str, PinChanged])
    lesson_decisions: dict[str, LessonDecided] = field(default_factory=dict[str, LessonDecided])

    @property
    def tokens(self) -> int:
        """Tokens that models were sent and replied."""
        return sum(call.input_tokens + call.output_tokens for call in self.model_calls)

    @property
    def end(self) -> End | None:
        """How the turn ended; None while it runs or waits."""
        if self.answer is not None:
            return self.answer.status
        if self.failed is not None:
            return "failed"
        return "stopped" if self.stopped is not None else None

    @property
    def outcome(self) -> Outcome:
        """The state of the turn after its run."""
        if self.answer is not None:
            return self.answer.status
        if self.pending is None or self.end is not None:
            return "failed"
        return "needs_decision" if isinstance(self.pending, DecisionRequested) else "needs_clarification"

    def list_inputs(self) -> list[str | QueryRun]:
        """What brought values up, in order: what the person wrote, code and steps included, and queries that ran."""
        inputs: list[str | QueryRun] = []
        for moment in self.story:
            match moment.event:
                case Question() | ClarificationAnswered() as event:
                    inputs.append(event.text)
                case Decision(by="person") as event:
                    inputs += [event.reason, event.code or ""]
                    inputs += [text for step in event.steps or () for text in (step.title, step.instruction)]
                case Execution() as event:
                    inputs += event.queries
                case _:
                    pass
        return inputs

    @property
    def queries(self) -> tuple[QueryRun, ...]:
        """All queries that ran, in order."""
        return tuple(query for execution in self.executions for query in execution.queries)

    @property
    def results(self) -> list[ProposalItem]:
        """The proposals that ran well, in order."""
        return [item for item in self.proposals if item.is_ok]

    @property
    def plan(self) -> Plan | None:
        """The latest plan."""
        return next((item.plan for item in reversed(self.items) if isinstance(item, PlanItem)), None)

    @property
    def plan_decision(self) -> Decision | None:
        """What was decided about the latest plan."""
        return next((item.decision for item in reversed(self.items) if isinstance(item, PlanItem)), None)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of the latest plan, as the person left them."""
        decision = self.plan_decision
        if decision is not None and decision.steps is not None:
            return decision.steps
        return self.plan.steps if self.plan is not None else ()

    @property
    def step(self) -> int:
        """Which of the steps is due, from 1; the last one where all are over."""
        return min(self.step_position, max(len(self.steps), 1))

    @property
    def plans(self) -> list[Plan]:
        """All plans, in order."""
        return [item.plan for item in self.items if isinstance(item, PlanItem)]

    @property
    def packages(self) -> list[PackageItem]:
        """All packages that were proposed, in order."""
        return [item for item in self.items if isinstance(item, PackageItem)]

    @property
    def functions(self) -> list[FunctionsItem]:
        """All functions that were proposed, in order."""
        return [item for item in self.items if isinstance(item, FunctionsItem)]

    @property
    def ran(self) -> list[Execution]:
        """The executions that gave what they were to give, in order."""
        return [execution for execution in self.executions if execution.status == "ok"]

    @property
    def queried_sources(self) -> set[str]:
        """The names of the sources whose queries ran."""
        return {query.source for query in self.queries}

    @property
    def citations(self) -> tuple[Citation, ...]:
        """What its plans and its answer rest on."""
        of_answer = self.answer.citations if self.answer is not None else ()
        return (*(citation for plan in self.plans for citation in plan.citations), *of_answer)

    @property
    def replies(self) -> list[str]:
        """What the person answered to questions back, in order."""
        return [exchange.reply for exchange in self.exchanges if exchange.reply is not None]

    @property
    def edits(self) -> frozenset[str]:
        """The ids of the proposals whose code the person changed by hand."""
        return frozenset(item.proposal.id for item in self.proposals if item.is_edited)

    @property
    def diagnosis(self) -> Diagnosis | None:
        """Why a step failed last."""
        return self.diagnoses[-1] if self.diagnoses else None

    @property
    def meaning(self) -> str:
        """What the embedded analyst read it as, as JSON: of the newest code or plan that it wrote; else empty."""
        parts = (
            i.proposal if isinstance(i, ProposalItem) else i.plan
            for i in reversed(self.items)
            if isinstance(i, ProposalItem | PlanItem)
        )
        return next((part.meaning for part in parts if part.meaning), "")

    @property
    def proposals(self) -> list[ProposalItem]:
        """All proposals, in order."""
        return [item for item in self.items if isinstance(item, ProposalItem)]

    @property
    def exchanges(self) -> list[ExchangeItem]:
        """The questions back, in order."""
        return [item for item in self.items if isinstance(item, ExchangeItem)]

    @property
    def running(self) -> ProposalItem | None:
        """The proposal whose execution has begun and not ended."""
        if self.end is not None:
            return None
        open_ = (p for p in reversed(self.proposals) if p.started is not None and p.execution is None)
        return next((p for p in open_ if not p.interrupted), None)

    @property
    def waiting(self) -> PendingRequest | None:
        """What waits for the person, if the turn has not ended."""
        if self.pending is None or self.end is not None:
            return None
        if isinstance(self.pending, Clarification):
            return PendingRequest(request=self.pending)
        ref = self.pending.ref
        plan = next((i.plan for i in reversed(self.items) if isinstance(i, PlanItem) and i.plan.id == ref), None)
        item = self.proposal(ref)
        package = self.package(ref)
        functions = next((i.proposal for i in reversed(self.functions) if i.proposal.id == ref), None)
        about = {"plan": plan, "code": item, "package": package, "functions": functions}
        if about[self.pending.subject] is None:
            return None  # a request for something the log does not hold cannot be shown, so it cannot be decided
        proposed = None if package is None else package.proposal
        return PendingRequest(request=self.pending, plan=plan, item=item, package=proposed, functions=functions)

    @property
    def look(self) -> Appearance:
        """How its answer is shown: as a person chose, else as the answer itself says."""
        return self.appearance if self.appearance_changes or self.answer is None else self.answer.appearance

    def is_sent_back(self, code: str) -> bool:
        """Whether a review sent this very code of the step at hand back."""
        sent_back = {review.proposal for review in self.reviews if review.verdict == "revise" and not review.of_edit}
        items = (item.proposal for item in self.proposals if item.proposal.step == self.step)
        return any(item.id in sent_back and item.code.strip() == code.strip() for item in items)

    def execution(self, id_: str | None) -> Execution | None:
        """The execution of that id."""
        return next((execution for execution in self.executions if execution.id == id_), None)

    def package(self, id_: str) -> PackageItem | None:
        """The latest proposal of a package of that id."""
        return next((i for i in reversed(self.items) if isinstance(i, PackageItem) and i.proposal.id == id_), None)

    def proposal(self, id_: str) -> ProposalItem | None:
        """The latest proposal of that id."""
        return next((p for p in reversed(self.proposals) if p.proposal.id == id_), None)
