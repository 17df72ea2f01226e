"""A real server whose planner and coder follow a script: everything else (log, gate, review, broker, kernel) is real.

Run as a program: `scripted.py PORT FOLDER [free]`; with `free` the coder costs nothing, as the embedded one does, so that
code is written together with its plan. The first word of a question chooses the script: `total` is one query,
`chart` a query and a drawing, `slow` a cell that takes a minute, `broken` a cell that raises, `unclear` asks back,
`decline` declines, `fault` fails inside, `bird` imports a package that the cage lacks.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import assistant.bootstrap as bootstrap
import assistant.session_parts as session_parts
from assistant.core.events import (
    Answer,
    Citation,
    Clarification,
    Event,
    Plan,
    Proposal,
    Query,
    Step,
)
from assistant.core.turns import Turn, current_turn
from assistant.query.cells import literal_queries, render_cell
from assistant.session.roles import participants
from assistant.session.session import Session
from assistant.session.workspace import Workspace
from assistant.settings.config import Settings

QUERY = "SELECT region, SUM(amount) AS total\nFROM sales\nGROUP BY region\nORDER BY total DESC"
CHART = """import altair as alt

alt.Chart(totals).mark_bar().encode(x="region:N", y="total:Q").properties(title="Total by region")"""
SLOW = "import time\n\nfor second in range(60):\n    time.sleep(1)"
BIRD = "import zebrafinch\n\nprint(zebrafinch.SONG)"
BROKEN = "totals['region'].astype(int).sum()"
CITED = Citation(id="metric:total", title="Total", origin="knowledge/metrics.yaml", excerpt="Sum of amount.")

STEPS = {
    "total": (Step(title="Total amount by region", language="sql"),),
    "chart": (
        Step(title="Total amount by region", language="sql"),
        Step(title="Draw a bar per region", language="python"),
    ),
    "slow": (Step(title="Count to sixty", language="python"),),
    "broken": (Step(title="Total amount by region", language="sql"), Step(title="Read a column", language="python")),
    "bird": (Step(title="Let the bird sing", language="python"),),
    "unclear": (Step(title="Total amount by region", language="sql"),),
}


def _word(turn: Turn) -> str:
    word = turn.question.split()[0].lower() if turn.question.split() else ""
    return word if word in STEPS or word in ("decline", "fault") else "total"


class Planner:
    """Plans and answers by the question's first word."""

    async def plan(self, log: Sequence[Event]) -> Plan | Clarification | Answer:
        turn = current_turn(log)
        n, word = turn.number, _word(turn)
        if word == "fault":
            raise RuntimeError("the script fails here")
        if word == "decline":
            return Answer(
                turn=n, status="declined", text="I know nothing about that.", hint="Ask about sales by region."
            )
        if word == "unclear" and not turn.replies:
            return Clarification(turn=n, id=f"{n}.c", text="Which total do you mean?", options=("Amount", "Count"))
        reason = next((e.reason for e in reversed(turn.decisions) if e.action == "reject"), "")
        steps = STEPS[word]
        if reason:
            steps = (steps[0].model_copy(update={"title": f"{steps[0].title}, {reason}"}), *steps[1:])
        return Plan(
            turn=n,
            id=f"{n}.p{len(turn.plans) + 1}",
            restated="Total amount by region",
            steps=steps,
            tables=("sales",),
            assumptions=("Every sale counts",),
            citations=(CITED,),
        )

    async def answer(self, log: Sequence[Event]) -> Answer:
        turn = current_turn(log)
        ran, good = turn.executions, turn.ran
        table = next((e.id for e in good if e.language == "sql"), None)
        chart = next((e.id for e in good if e.language == "python" and _word(turn) == "chart"), None)
        return Answer(
            turn=turn.number,
            status="answered" if len(good) == len(ran) else "failed",
            text="**North** leads with **300**." if table else "It ran.",
            table=table,
            chart=chart,
            how=("Summed amount by region.",),
            citations=(CITED,),
            follow_ups=("total only the North", "chart by region"),
        )


class Coder:
    """Writes the code of a step, and repeats what was said about it as a comment."""

    async def propose(self, log: Sequence[Event], *, step: int, revision: int) -> Proposal:
        turn = current_turn(log)
        n, word = turn.number, _word(turn)
        planned = turn.steps[step - 1]
        of_step = {item.proposal.id for item in turn.proposals if item.proposal.step == step}
        said = [e.reason for e in turn.decisions if e.action == "reject" and e.ref in of_step]
        if planned.language == "sql":
            sql = QUERY + (f"  -- {said[-1]}" if said else "")
            code = render_cell("totals", sql)
        else:
            code = {"chart": CHART, "slow": SLOW, "broken": BROKEN, "bird": BIRD}.get(word, "print('drawn')")
            code += f"\n# {said[-1]}" if said else ""
        return Proposal(
            turn=n,
            id=f"{n}.{step}.{revision}",
            step=step,
            revision=revision,
            language=planned.language,
            title=planned.title,
            why="It gives every number the answer needs.",
            operations=("Read all sales", "Sum the amount of each region"),
            code=code,
            result="totals" if planned.language == "sql" else "",
            queries=tuple(Query(sql=q.sql, source=q.source) for q in literal_queries(code)),
        )


class FreeCoder(Coder):
    """The same, at no cost."""

    is_free = True


class Roles(participants.Roles):
    """The script in the planner's and coder's chairs; the reviewer is the embedded one."""

    def _planner(self) -> Planner:
        return Planner()

    def _coder(self) -> Coder:
        return FreeCoder() if "free" in sys.argv else Coder()


def data(folder: Path) -> Path:
    """A small database."""
    file = folder / "shop.sqlite"
    if not file.exists():
        with sqlite3.connect(file) as db:
            db.execute("CREATE TABLE sales (id INTEGER PRIMARY KEY, region TEXT, amount REAL)")
            rows = [("North", 100.0), ("North", 200.0), ("South", 50.0), ("East", 75.5), ("West", 10.0)]
            db.executemany("INSERT INTO sales (region, amount) VALUES (?, ?)", rows)
        db.close()
    return file


def held_by(file: Path, create: Callable[..., Awaitable[Session]]) -> Callable[..., Awaitable[Session]]:
    """New sessions that wait for as long as the file is there, so that what the page shows meanwhile can be seen."""

    async def created(*given: Any, **named: Any) -> Session:
        while file.exists():
            await asyncio.sleep(0.02)
        return await create(*given, **named)

    return created


def main(port: int, folder: Path) -> None:
    """Serve."""
    from ui.authentication import Key
    from ui.serve import serve

    session_parts.Roles = Roles  # the one seam: who sits in the chairs
    Workspace.create = held_by(folder / "hold", Workspace.create)
    settings = Settings(home=folder / "home", sources=(str(data(folder)),))
    serve(lambda: bootstrap.open_workspace(settings), Key(token=os.environ["TANDEM_TOKEN"], port=port))


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
