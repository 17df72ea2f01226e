"""`tandem eval`: asks a suite of questions and counts right answers."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from assistant.delivery.options import AsOf, settings


def evaluate(
    suite: Annotated[Path, typer.Argument(metavar="SUITE.jsonl", help="The suite.")],
    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="The model of every role; `embedded` for none.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Number of processes.")] = 1,
    limit: Annotated[int | None, typer.Option(min=1, help="Ask only the first N questions.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The JSON report; questions that it already holds are skipped."),
    ] = None,
    as_of: AsOf = None,
) -> int:
    """Ask a suite of questions and count what is right."""
    from assistant.evaluation import runner
    from assistant.evaluation.progress import Bar
    from assistant.evaluation.score import format_table

    configuration = settings(as_of=as_of)
    if model is not None:
        model_name = "" if model == "embedded" else model
        roles = {"planner_model": "", "coder_model": "", "reviewer_model": ""}
        configuration = configuration.model_copy(update={"model": model_name, **roles})
    with tempfile.TemporaryDirectory(prefix="tandem-eval-") as folder:
        report = asyncio.run(
            runner.evaluate(
                suite,
                settings=configuration,
                folder=Path(folder),
                jobs=jobs,
                limit=limit,
                out=out,
                progress=Bar(sys.stderr),
            )
        )
    print(format_table(report))
    return 0
