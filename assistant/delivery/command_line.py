"""The `tandem` command. What it prints with `--json`, and its exit status, are a contract with other programs.

Exit status: 0 answered, 1 failed or answered in part, 2 declined or waiting for the person. `serve` starts the page as
a program of its own; nothing here imports it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from assistant.delivery.arguments import strike_out
from assistant.errors import AssistantError
from assistant.events import Approvable
from assistant.settings.config import Settings, load

_STATUS = {"answered": 0, "partial": 1, "failed": 1, "declined": 2, "needs_decision": 2, "needs_clarification": 2}
_EVERYTHING: tuple[Approvable, ...] = ("plan", "python", "query")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the result is the exit status."""
    if arguments is None:
        strike_out()
    # One thread for matrices: those of the embeddings are small, and threads that wait for each other on a busy machine
    # made fifty short texts take 14 s where one thread takes 0.9 s.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    options = parser().parse_args(arguments)
    options.umask = os.umask(0o077)  # whatever is made in the home, by any library, is the owner's alone
    logging.basicConfig(level=logging.DEBUG if options.debug else logging.CRITICAL, stream=sys.stderr)
    try:
        settings = load(as_of=getattr(options, "as_of", None), uncaged=getattr(options, "uncaged", None) or None)
        match options.command:
            case "serve":
                return _serve(options)
            case "ask":
                return asyncio.run(_ask(options, settings))
            case "sample":
                os.umask(options.umask)  # its folder is the person's
                return _sample(Path(options.folder), settings)
            case "doctor":
                return _repair(settings, yes=options.yes) if options.repair else asyncio.run(_doctor(settings))
            case "models":
                return asyncio.run(_models(settings, test=options.test))
            case "sessions":
                return asyncio.run(_sessions(settings))
            case "verify":
                return asyncio.run(_verify(settings, options.session, options.turn, revoke=options.revoke))
            case "define":
                return asyncio.run(_define(settings, options.definition, options.source, remove=options.remove))
            case "eval":
                return _evaluate(options, settings)
            case _:
                return asyncio.run(_export(settings, options.session, Path(options.file), options.umask))
    except AssistantError as error:
        if getattr(options, "json", False):
            from assistant.delivery.report import refused

            print(refused(str(error)).model_dump_json())
        else:
            print(f"tandem: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("tandem: stopped. Everything up to here is kept.", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader of our output has gone (a pager, `head`): nothing is left to say, nor anyone to say it to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    finally:
        os.umask(options.umask)


def parser() -> argparse.ArgumentParser:
    """The command line's grammar."""
    top = argparse.ArgumentParser(prog="tandem", description="Ask your data. It proposes, you decide, a cage runs it.")
    top.add_argument("--debug", action="store_true", help="log everything to the standard error")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    serve = commands.add_parser("serve", help="serve the page on this machine")
    serve.add_argument("--port", type=int, help="the port on 127.0.0.1 (default: the first free one from 8501)")
    serve.add_argument("--host", action="append", default=[], help="a further name the page is reached by; repeatable")
    serve.add_argument("--no-token", action="store_true", help="ask for no token: a login of yours stands before it")

    ask = commands.add_parser("ask", help="ask a question in the terminal")
    ask.add_argument("question", nargs="?", help="the question; leave it out to go on with --session")
    ask.add_argument(
        "--source", action="append", default=[], metavar="URL_OR_FILE", help="data: [NAME=]URL, file or folder"
    )
    ask.add_argument("--session", metavar="ID", help="go on with this session")
    ask.add_argument(
        "--yes", action="store_true", help="approve plans, read-only queries and caged Python without fault"
    )
    ask.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    ask.add_argument("--export", metavar="FILE.ipynb", help="write the session as a notebook")
    ask.add_argument("--uncaged", action="store_true", help="consent to run code without a cage where none holds")
    ask.add_argument("--as-of", type=_day, metavar="DATE", help="the day that counts as today")

    sample = commands.add_parser("sample", help="write the sample company")
    sample.add_argument("folder", metavar="DIR")
    sample.add_argument("--as-of", type=_day, metavar="DATE", help="its data ends the day before")

    doctor = commands.add_parser("doctor", help="say what works here and what does not")
    doctor.add_argument("--repair", action="store_true", help="repair the session store; says before what it does")
    doctor.add_argument("--yes", action="store_true", help="with --repair: do it without asking")
    models = commands.add_parser("models", help="list the language models by role, and their budgets")
    models.add_argument("--test", action="store_true", help="ask each for one word, and say how that went")
    commands.add_parser("sessions", help="list the sessions")
    verify = commands.add_parser("verify", help="mark an answer right, or take that back")
    verify.add_argument("session", metavar="SESSION")
    verify.add_argument(
        "turn", nargs="?", type=_positive, metavar="TURN", help="its question, counted from 1 (default: the last one)"
    )
    verify.add_argument("--revoke", action="store_true", help="take back that it is right")
    define = commands.add_parser("define", help="define a word of your business, or take that back")
    define.add_argument("definition", metavar="'WORD = MEANING'", help="the word, other words for it after commas")
    define.add_argument("--source", metavar="URL_OR_FILE", help="the data it is about (default: as for a new session)")
    define.add_argument("--remove", action="store_true", help="take back a definition: name its word alone")
    evaluate = commands.add_parser("eval", help="ask a suite of questions and count what is right")
    evaluate.add_argument("suite", metavar="SUITE.jsonl")
    evaluate.add_argument("--model", metavar="NAME", help="the model of every role; `embedded` for none")
    evaluate.add_argument("--jobs", type=_positive, default=1, metavar="N", help="processes that share the questions")
    evaluate.add_argument("--limit", type=_positive, metavar="N", help="only the first N questions")
    evaluate.add_argument("--out", metavar="FILE", help="the JSON report; what it already holds is not asked again")
    evaluate.add_argument(
        "--through",
        choices=("session", "reader"),
        default="session",
        help="whole sessions (default), or the embedded reader with guard and broker alone",
    )
    evaluate.add_argument("--as-of", type=_day, metavar="DATE", help="the day that counts as today")
    export = commands.add_parser("export", help="write a session as a notebook that runs without Tandem")
    export.add_argument("session", metavar="SESSION")
    export.add_argument("file", metavar="FILE.ipynb")
    return top


async def _ask(options: argparse.Namespace, settings: Settings) -> int:
    from assistant.bootstrap import open_workspace
    from assistant.delivery.report import report
    from assistant.delivery.terminal import answer_option, converse, interactive, show_answer, show_waiting
    from assistant.flow import outcome

    quiet = options.json or not interactive()
    approve: tuple[Approvable, ...] = _EVERYTHING if options.yes else ()
    async with open_workspace(settings) as workspace:
        workspace.warm()
        if options.session:
            session = await workspace.open(options.session)
            for given in options.source:
                await session.add_source(given)
        else:
            session = await workspace.create(options.source)
        if options.question is not None:
            if not await answer_option(session, options.question):
                await session.ask(options.question, approve=approve)
        elif not options.session:
            raise AssistantError("Ask a question, or name a --session to go on with.")
        else:
            await session.resume(approve=approve)
        try:
            await converse(session, approve=approve, quiet=quiet)
        except asyncio.CancelledError:
            await session.stop()
            raise
        events = [entry.event for entry in session.events()]
        status = outcome(events)
        if options.export:
            target = Path(options.export)
            await asyncio.to_thread(_write, target, await session.export(), options.umask)
        if options.json:
            made = await asyncio.to_thread(
                report, session.id, session.events(), table=lambda execution: session.table(execution, rows_max=100_000)
            )
            print(made.model_dump_json())
        elif status in ("needs_decision", "needs_clarification"):
            show_waiting(session)
        elif status == "failed":
            made = report(session.id, session.events(), table=lambda _: None)
            print(made.answer, file=sys.stderr)
        else:
            show_answer(session)
        return _STATUS[status]


async def _doctor(settings: Settings) -> int:
    from assistant.bootstrap import open_workspace

    marks = {"ok": "✓", "weak": "!", "missing": "✗"}
    async with open_workspace(settings) as workspace:
        found = await workspace.doctor()
    for health in found:
        print(f"{marks[health.state]} {health.name}: {health.text}")
        if health.advice:
            print(f"    → {health.advice}")
    return 1 if any(health.state == "missing" for health in found) else 0


def _repair(settings: Settings, *, yes: bool) -> int:
    from assistant.bootstrap import backups_of, make_store, store_of
    from assistant.store.repair import planned, repair

    if settings.store:
        raise AssistantError("The session store is kept by a database server. Repair or restore it with its own tools.")
    store, backups = store_of(settings), backups_of(settings)
    plan = planned(store, backups)
    if not plan.told:
        print("The session store is whole. There is nothing to repair.")
        return 0
    print(*plan.told, sep="\n")
    events = sum(len(one.rows) for one in plan.sessions)
    print(
        f"The repair first copies the store as it is to a folder in {backups.folder}, with what does not join to a "
        f"session. Then it puts a new store in its place, with {events} events of {len(plan.sessions)} sessions."
    )
    if not yes and not (sys.stdin.isatty() and input("Do it? [y/N] ").strip().lower() in ("y", "yes")):
        print("Nothing was changed. Do it with: tandem doctor --repair --yes")
        return 2
    kept = repair(store, plan, backups, now=datetime.now(UTC), make=make_store)
    print(f"The session store is repaired. What was there before is kept in {kept}; delete it when you miss nothing.")
    return 0


async def _models(settings: Settings, *, test: bool) -> int:
    from assistant.models import listing

    found, failed = listing.listing(settings), False
    if found.embedded:
        print(f"{', '.join(found.embedded)}: the embedded analyst, no language model")
    for one in found.models:
        name = f"{one.name} (model {one.model})" if one.name != one.model else one.name
        print(f"{one.use}: {name}, provider {one.provider}, at {one.endpoint}")
        if test:
            tried = await listing.try_out(settings, one.name)
            failed = failed or not tried.ok
            print(f"    {'✓' if tried.ok else '✗'} {tried.text}")
    for setting, limit in found.limits if found.models else ():
        print(f"{setting}: {limit:,g}")
    return int(failed)


async def _sessions(settings: Settings) -> int:
    from assistant.bootstrap import open_workspace

    words = {"waiting": "needs you", "working": "running", "idle": "done", "damaged": "damaged"}
    async with open_workspace(settings) as workspace:
        cards = workspace.sessions()
        for card in cards:
            print(f"{card.id}  {card.updated.astimezone():%Y-%m-%d %H:%M}  {words[card.state]:<9}  {card.title}")
    if not cards:
        print("There are no sessions yet. Begin one: tandem ask QUESTION, or tandem serve.", file=sys.stderr)
    return 0


async def _verify(settings: Settings, session_id: str, turn: int | None, *, revoke: bool) -> int:
    from assistant.bootstrap import open_workspace
    from assistant.events import Question

    async with open_workspace(settings) as workspace:
        session = await workspace.open(session_id)
        asked = {e.event.turn: e.event.text for e in session.events() if isinstance(e.event, Question)}
        chosen = turn if turn is not None else max(asked, default=1)
        if not revoke:
            mark = await session.verify(chosen)
            print(f"“{asked[chosen]}” is marked right by {mark.by} on {mark.on}. Kept in {mark.file}")
            return 0
        if not await session.revoke(chosen):
            raise AssistantError(f"The answer to question {chosen} of this session is not marked right.")
        print(f"“{asked[chosen]}” is not marked right any more.")
        return 0


async def _define(settings: Settings, text: str, source: str | None, *, remove: bool) -> int:
    from assistant.bootstrap import open_workspace
    from assistant.session.defining import parted

    if source is not None:
        settings = settings.model_copy(update={"sources": (source,)})
    async with open_workspace(settings) as workspace:
        if remove:
            wanted = text.strip().casefold()
            cards = (await workspace.knowledge()).cards
            found = next((card for card in cards if card.kind == "term" and card.title.casefold() == wanted), None)
            if found is None:
                raise AssistantError(f"There is no definition of {text.strip()!r} for this data.")
            print(f"“{found.title}” is not defined any more: {await workspace.undefine(found.id)} is deleted.")
            return 0
        word, meaning = parted(text)
        kept = await workspace.define(word, meaning)
    print(f"“{kept.word}” is kept in {kept.file}")
    print(f"It is read as: {kept.sql}" if kept.sql else "It cannot be computed with: not every word was understood.")
    return 0


async def _export(settings: Settings, session_id: str, target: Path, umask: int) -> int:
    from assistant.bootstrap import open_workspace

    async with open_workspace(settings) as workspace:
        session = await workspace.open(session_id)
        await asyncio.to_thread(_write, target, await session.export(), umask)
        damage = session.damage
    if damage:
        print(f"tandem: {damage}", file=sys.stderr)
    print(f"Wrote {target}. It runs without Tandem: jupyter nbconvert --to notebook --execute {target}")
    return 0


def _evaluate(options: argparse.Namespace, settings: Settings) -> int:
    from assistant.evaluation.progress import Bar
    from assistant.evaluation.runner import evaluate
    from assistant.evaluation.score import table

    if options.model is not None:
        model = "" if options.model == "embedded" else options.model
        roles = {"planner_model": "", "coder_model": "", "reviewer_model": ""}
        settings = settings.model_copy(update={"model": model, **roles})
    with tempfile.TemporaryDirectory(prefix="tandem-eval-") as folder:
        report = asyncio.run(
            evaluate(
                Path(options.suite),
                settings=settings,
                folder=Path(folder),
                through=options.through,
                jobs=options.jobs,
                limit=options.limit,
                out=Path(options.out) if options.out else None,
                progress=Bar(sys.stderr),
            )
        )
    print(table(report))
    return 0


def _sample(folder: Path, settings: Settings) -> int:
    from assistant.sample.company import write_sample

    try:
        made = write_sample(folder, as_of=settings.today)
    except OSError as error:
        raise AssistantError(
            f"The folder {str(folder)!r} cannot be written ({error.strerror}). Name another."
        ) from error
    except ValueError as error:
        raise AssistantError(f"The sample company cannot be written: {error}.") from error
    for table, rows in made.tables:
        print(f"{rows:>8,}  {table}")
    print(f"Wrote {made.database} and {made.knowledge}. Its data ends the day before {settings.today}.")
    print(f'Ask it: tandem ask "What was net revenue by region last quarter?" --source {made.database}')
    return 0


def _serve(options: argparse.Namespace) -> int:
    port = ["--port", str(options.port)] if options.port is not None else []
    hosts = [part for host in options.host for part in ("--host", host)]
    program = [sys.executable, "-m", "ui.serve", *port, *hosts, *(["--no-token"] if options.no_token else [])]
    sys.stdout.flush()
    with contextlib.suppress(KeyboardInterrupt):
        os.execv(sys.executable, program)
    return 0


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no date; write it like 2026-03-31") from None


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def _write(target: Path, content: bytes, umask: int) -> None:
    """Write a file of the person's, with the rights that they give to theirs."""
    previous = os.umask(umask)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    except OSError as error:
        raise AssistantError(f"{target} cannot be written ({error.strerror}). Choose another place.") from error
    finally:
        os.umask(previous)
