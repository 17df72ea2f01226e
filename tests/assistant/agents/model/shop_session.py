"""The context of a session about a small shop, and a turn of a session about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from assistant.agents.model.dialogue import Dialogue
from assistant.cells.tables import TableView
from assistant.core.catalog import Catalog, Column, ForeignKey, Profile, Table
from assistant.core.events import (
    Decision,
    Event,
    Execution,
    Plan,
    Proposal,
    QueryRun,
    Question,
    Review,
    Role,
    Step,
    Usage,
    Variable,
)
from assistant.models.providers import Model, ModelChoice, build
from assistant.record.memory.tiers import Digest
from assistant.record.memory.wording import Sees
from assistant.semantics.definitions import Fault, faults_of
from assistant.session.sources.personal_values import PersonalValues
from knowledge.documents import Document, Term, VerifiedQuery
from knowledge.retrieval import Citation, Hit
from knowledge.semantic.model import SemanticModel

KEY = "sk-planted-secret-9876543210"

SHOP = Catalog(
    source="shop",
    dialect="sqlite",
    tables=(
        Table(
            name="orders",
            columns=(
                Column(name="id", type="INTEGER", kind="integer"),
                Column(name="customer_id", type="INTEGER", kind="integer"),
                Column(
                    name="region",
                    type="TEXT",
                    kind="text",
                    profile=Profile(
                        distinct=2, nulls=0, top=(("Northland", 3), ("Southland", 1)), values=("Northland", "Southland")
                    ),
                ),
                Column(
                    name="amount",
                    type="REAL",
                    kind="number",
                    profile=Profile(distinct=4, nulls=0, low=1.5, high=977.25),
                ),
            ),
            foreign_keys=(ForeignKey(columns=("customer_id",), table="customers", target_columns=("id",)),),
            rows=4,
        ),
        Table(
            name="customers",
            columns=(
                Column(name="id", type="INTEGER", kind="integer"),
                Column(
                    name="name",
                    type="TEXT",
                    kind="text",
                    profile=Profile(
                        distinct=1,
                        nulls=0,
                        low="Wilhelmina Quux",
                        high="Wilhelmina Quux",
                        top=(("Wilhelmina Quux", 1),),
                        values=("Wilhelmina Quux",),
                    ),
                ),
            ),
            rows=1,
        ),
    ),
)

CHURN = Term(name="churn", definition="A customer churns after 90 days without an order.", origin="glossary.yaml")
SQL = "SELECT region, SUM(amount) AS revenue\nFROM orders\nGROUP BY region"
VERIFIED = VerifiedQuery(question="Revenue by region?", sql=SQL, verifier="Ada", verified_on=date(2026, 1, 2))


def hit(document: Document) -> Hit:
    cited = Citation(id=document.id, title=document.title, origin=document.origin, excerpt=document.text[:50])
    return Hit(document=document, score=1.0, citation=cited, similarity=0.9)


@dataclass(slots=True)
class ShopContext:
    """What roles look up in these tests."""

    found: tuple[Document, ...] = (CHURN,)
    catalog: tuple[Catalog, ...] = (SHOP,)
    table: TableView | None = None
    semantic: tuple[SemanticModel, ...] = ()
    searched: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    results: dict[str, TableView] = field(default_factory=dict)
    stored: TableView | None = None
    others: tuple[Digest, ...] = ()
    files_of: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)

    @property
    def today(self) -> date:
        return date(2026, 11, 21)

    async def catalogs(self) -> tuple[Catalog, ...]:
        return self.catalog

    async def elsewhere(self) -> tuple[Digest, ...]:
        return self.others

    async def documents(self) -> tuple[Document, ...]:
        return self.found

    @property
    def metric_names(self) -> tuple[str, ...]:
        return tuple(metric.name for model in self.semantic for metric in model.metrics)

    async def models(self) -> tuple[SemanticModel, ...]:
        return self.semantic

    async def faults(self) -> tuple[Fault, ...]:
        return faults_of(self.found, self.catalog)

    async def unread(self) -> tuple[str, ...]:
        return ()

    async def search(self, query: str, *, k: int = 5) -> tuple[Hit, ...]:
        self.searched.append(query)
        return tuple(hit(document) for document in self.found[:k])

    async def ask_source(self, sql: str, *, source: str, rows_max: int) -> TableView:
        self.asked.append(sql)
        assert self.stored is not None
        return self.stored

    async def try_query(self, sql: str, *, source: str | None) -> TableView | str:
        self.asked.append(sql)
        return self.results.get(sql, "It does not run.")

    async def files(self) -> Mapping[str, tuple[str, ...]]:
        return {source: (name,) for name, (source, _) in self.files_of.items()}

    async def first_lines(self, file: str) -> tuple[str, tuple[str, ...]] | None:
        return self.files_of.get(file)

    async def rows(self, execution: str, *, rows_max: int = 200) -> TableView | None:
        if self.table is None:
            return None
        return TableView(columns=self.table.columns, rows=self.table.rows[:rows_max], total=self.table.total)


TABLE_OF_TWO = TableView(
    columns=("region", "revenue"),
    rows=(("Northland", 12.5), ("Southland", 7.25)),
    total=2,
    numeric=frozenset({"revenue"}),
)


def choice(url: str, **more: Any) -> ModelChoice:
    settings: dict[str, Any] = {"retries_max": 0, "timeout_s": 20.0, **more}
    return ModelChoice(provider="openai", model="house-model", base_url=url, api_key_env="HOUSE_KEY", **settings)


def model(url: str, **more: Any) -> Model:
    return build(choice(url, **more), environment={"HOUSE_KEY": KEY})


@dataclass(slots=True)
class Line:
    """A dialogue, and what it told."""

    dialogue: Dialogue
    model: Model
    used: list[Usage]
    shown: list[tuple[Role, str | None]]

    @classmethod
    def to(cls, made: Model, *, role: Role = "planner", sees: Sees = "rows", **more: Any) -> Line:
        used: list[Usage] = []
        shown: list[tuple[Role, str | None]] = []

        async def count(usage: Usage) -> None:
            used.append(usage)

        def show(role: Role, text: str | None) -> None:
            shown.append((role, text))

        personal = PersonalValues(
            catalogs=ShopContext().catalogs, events=lambda: (), data=Path("nowhere"), dismissed=lambda: ()
        )
        dialogue = Dialogue(made, role=role, sees=sees, on_usage=count, on_text=show, **{"personal": personal, **more})
        return cls(dialogue, made, used, shown)


QUESTION = Question(turn=1, text="Revenue by region, and who is at risk of churn?")
PLAN = Plan(
    turn=1,
    id="1.plan.1",
    restated="Revenue by region",
    steps=(
        Step(title="Sum by region", language="sql", instruction="Sum the amount by region."),
        Step(title="Draw it", language="python", instruction="Draw a bar chart."),
    ),
    tables=("orders",),
    assumptions=("All orders count.",),
)
CODE = f'by_region = query("""\n{SQL}\n""")\nby_region'
PROPOSAL = Proposal(
    turn=1,
    id="1.1.1",
    step=1,
    revision=1,
    language="sql",
    title="Revenue by region",
    operations=("Sum the amount of orders by region",),
    code=CODE,
    result="by_region",
)
APPROVED = Decision(turn=1, request="d1", subject="code", ref="1.1.1", action="approve", by="person")


def ran(sql: str = SQL, **more: Any) -> Execution:
    run = QueryRun(sql=sql, source="shop", rows=2, seconds=0.01, columns=("region", "revenue"), file="a.arrow")
    frame = Variable(name="by_region", type="DataFrame", shape=(2, 2), columns=("region", "revenue"))
    return Execution(
        turn=1, id="1.1.1", step=1, language="sql", code=CODE, status="ok", queries=(run,), variables=(frame,), **more
    )


def answered(*more: Event) -> Sequence[Event]:
    return (QUESTION, PLAN, PROPOSAL, Review(turn=1, proposal="1.1.1", verdict="ok"), APPROVED, ran(), *more)
