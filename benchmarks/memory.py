"""Whether a long session forgets: facts said in passing, asked for much later, beside AutoGen's own contexts.

    python benchmarks/memory.py [--turns 200] [--recall-only]

A session of that many turns runs through the real team (planner, coder, reviewer, executor, kernel) with an endpoint on
loopback that answers at once and summarises badly on purpose: its summaries hold no fact. Forty facts in everyday words
are said in questions (`memory_facts.jsonl`) and asked for 5 to 150 turns later. A fact is reachable when it stands in
the planner's prompt, or when one `recall` with the words of the question finds it. AutoGen's contexts are fed the same
questions and answers.

Each fact has a second question in other words, which shares no rare word with it. It is put to the same log twice: with
past turns found by words alone, as before, and by words and meaning. `--recall-only` measures this alone, on questions
and answers that no team worked on.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests" / "assistant" / "models"))

from autogen_core.model_context import (  # noqa: E402
    BufferedChatCompletionContext,
    ChatCompletionContext,
    HeadAndTailChatCompletionContext,
    TokenLimitedChatCompletionContext,
    UnboundedChatCompletionContext,
)
from autogen_core.models import AssistantMessage, UserMessage  # noqa: E402
from openai_server import Asked, Served, serving, typed  # noqa: E402

from assistant.bootstrap import open_workspace  # noqa: E402
from assistant.core.events import Answer, Event, HistorySummarised, Question  # noqa: E402
from assistant.models.providers import ModelChoice  # noqa: E402
from assistant.models.scripted import ScriptedClient  # noqa: E402
from assistant.record.memory.context import FoldedContext  # noqa: E402
from assistant.record.memory.recall import Compare, PastTurns, compare_nothing  # noqa: E402
from assistant.record.memory.tiers import digest_past_turns  # noqa: E402
from assistant.record.memory.tokens import estimate  # noqa: E402
from assistant.settings.config import Settings  # noqa: E402
from knowledge.embedding import choose_embedder  # noqa: E402
from knowledge.similarity import Similarity  # noqa: E402

DISTANCES = (5, 10, 20, 40, 60, 80, 100, 120, 140, 150)
BUDGET = ModelChoice().context_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something said in turn `said`, and asked for in turn `asked_in` with `question`."""

    said: int
    asked_in: int
    text: str
    question: str
    other_words: str
    key: str


@dataclass(slots=True)
class Seen:
    """What went over the wire: the planner's prompt and the tokens of the largest call, by turn."""

    turn: int = 0
    prompts: dict[int, str] = field(default_factory=dict[int, str])
    tokens: dict[int, int] = field(default_factory=dict[int, int])


def facts(turns: int) -> list[Fact]:
    """Spread the facts over the session so that each distance is asked four times."""
    lines = [json.loads(line) for line in (HERE / "memory_facts.jsonl").read_text().splitlines()]
    taken: set[int] = set()
    placed: list[Fact] = []
    wanted = sorted(((DISTANCES[n % len(DISTANCES)], line) for n, line in enumerate(lines)), key=lambda w: -w[0])
    for distance, line in ((d, line) for d, line in wanted if d < turns // 2 or turns >= 2 * len(lines)):
        said = next(
            n for n in range(2, turns) if n not in taken and n + distance not in taken and n + distance <= turns
        )
        taken |= {said, said + distance}
        text, question, other_words, key = (line[name] for name in ("fact", "asked", "other_words", "key"))
        asked_in = said + distance
        placed.append(
            Fact(said=said, asked_in=asked_in, text=text, question=question, other_words=other_words, key=key)
        )
    return placed


def questions(turns: int, planted: Sequence[Fact]) -> list[str]:
    """What is asked in each turn."""
    plain = [f"What was revenue of shop {n} by region?" for n in range(1, turns + 1)]
    for fact in planted:
        plain[fact.said - 1] = f"{fact.text} {plain[fact.said - 1]}"
        plain[fact.asked_in - 1] = fact.question
    return plain


def reply_to(asked: Asked, seen: Seen) -> Served:
    """An instant model whose plans and code are always the same, and whose summaries hold nothing."""
    body = asked.text.replace('\\"', '"')
    seen.tokens[seen.turn] = max(seen.tokens.get(seen.turn, 0), estimate(asked.text))
    if '"definitions"' in body:
        return typed(asked, {"facts": [], "definitions": [], "decisions": [], "results": ["Revenue was looked at."]})
    if '"verdict"' in body:
        return typed(asked, {"findings": [], "verdict": "ok"})
    if '"answered"' in body:
        text = f"Revenue in turn {seen.turn}: North 15, South 7."
        return typed(asked, {"text": text, "answered": True, "notes": [], "follow_ups": []})
    if '"assumptions"' in body:
        seen.prompts[seen.turn] = asked.text
        step = {"title": "Add up", "language": "sql", "instruction": "Sum amount by region", "hard": False}
        plan = {"kind": "plan", "text": "Revenue by region", "steps": [step], "tables": ["sales"]}
        return typed(asked, {**plan, "options": [], "assumptions": [], "citations": [], "hint": ""})
    sql = f"SELECT region, SUM(amount) AS revenue, {seen.turn} AS turn FROM sales GROUP BY region ORDER BY region"
    code = {"kind": "code", "title": "Revenue", "why": "", "operations": [], "code": sql, "result": "revenue"}
    return typed(asked, {**code, "source": "", "text": "", "options": []})


async def team(folder: Path, asked: Sequence[str]) -> tuple[tuple[Event, ...], Seen, float]:
    """Run the session through the real team."""
    path = folder / "shop.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(
            "CREATE TABLE sales (region TEXT, amount INTEGER);"
            "INSERT INTO sales VALUES ('North', 10), ('North', 5), ('South', 7);"
        )
    connection.close()
    seen = Seen()
    os.environ["TANDEM_BENCHMARK_KEY"] = "none"
    with serving(lambda request: reply_to(request, seen)) as server:
        settings = Settings(
            home=folder / "home",
            sources=(f"shop={path}",),
            model="instant",
            base_url=server.url,
            api_key_env="TANDEM_BENCHMARK_KEY",
            embeddings="hashing",
        )
        async with open_workspace(settings) as workspace:
            session = await workspace.create()
            started = time.monotonic()
            for turn, text in enumerate(asked, start=1):
                seen.turn = turn
                await session.ask(text, approve=("plan", "query", "python"))
                await session.settled()
            return tuple(entry.event for entry in session.events()), seen, time.monotonic() - started


async def autogen(kind: str, context: ChatCompletionContext, log: Sequence[Event], planted: Sequence[Fact]) -> str:
    """Feed a context of AutoGen the same questions and answers."""
    due = {fact.asked_in: fact for fact in planted}
    kept, tokens = 0, dict[int, int]()
    for event in log:
        if isinstance(event, Question):
            await context.add_message(UserMessage(content=event.text, source="person"))
            text = "\n".join(str(message.content) for message in await context.get_messages())
            tokens[event.turn] = estimate(text)
            kept += event.turn in due and due[event.turn].key in text.rpartition("\n")[0]
        elif isinstance(event, Answer):
            await context.add_message(AssistantMessage(content=event.text, source="assistant"))
    return _line(kind, f"{kept}", len(planted), tokens)


def ask_in_other_words(log: Sequence[Event], planted: Sequence[Fact], compare: Compare) -> tuple[int, int, float]:
    """How many facts stand in a prompt, how many only a look-up finds, and the mean tokens of the prompts."""
    in_prompt, by_look_up, tokens = 0, 0, 0
    for fact in planted:
        past = [event for event in log if event.turn < fact.asked_in]
        question = Question(turn=fact.asked_in, text=fact.other_words)
        context = FoldedContext([*past, question], tokens_max=BUDGET, sees="results", compare=compare)
        prompt = "\n".join(str(message.content) for message in asyncio.run(context.get_messages()))
        tokens += estimate(prompt)
        if fact.key in prompt:
            in_prompt += 1
            continue
        digests = PastTurns(digest_past_turns([*past, question]), compare=compare).search(fact.other_words, k=5)
        by_look_up += any(fact.key in digest.question for digest in digests)
    return in_prompt, by_look_up, tokens / max(len(planted), 1)


def make_log(asked: Sequence[str]) -> list[Event]:
    """Questions and answers as in a session, without a team."""
    log: list[Event] = []
    for turn, text in enumerate(asked, start=1):
        answer = f"Revenue in turn {turn}: North 15, South 7."
        log += [Question(turn=turn, text=text), Answer(turn=turn, status="answered", text=answer)]
    return log


def print_recall(log: Sequence[Event], planted: Sequence[Fact]) -> None:
    """Print how many facts are found by questions in other words, before and after."""
    print(f"\n{'asked in other words':34} {'in prompt':>9} {'+ recall':>9} of {len(planted)}  tokens of the prompt")
    similarity = Similarity(choose_embedder)
    for kind, compare in (("by words alone (before)", compare_nothing), ("by words and meaning", similarity)):
        prompt, look_up, tokens = ask_in_other_words(log, planted, compare)
        print(f"{kind:34} {prompt:>9} {look_up:>9} {tokens:>20.0f}")


def _line(kind: str, found: str, of: int, tokens: dict[int, int]) -> str:
    early, late = tokens[min(20, max(tokens))], tokens[max(tokens)]
    return f"{kind:34} {found:>9} of {of}  {early:>7} {late:>7}  {late / early:5.2f}  {100 * late / BUDGET:5.1f} %"


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print one line per way."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--recall-only", action="store_true")
    options = parser.parse_args(argv)
    turns = options.turns
    planted = facts(turns)
    if options.recall_only:
        print_recall(make_log(questions(turns, planted)), planted)
        return 0
    with tempfile.TemporaryDirectory() as name:
        log, seen, seconds = asyncio.run(team(Path(name), questions(turns, planted)))
    in_prompt, missing = 0, list[Fact]()
    for fact in planted:
        if fact.key in seen.prompts.get(fact.asked_in, ""):
            in_prompt += 1
            continue
        before = [event for event in log if event.turn <= fact.asked_in]
        found = PastTurns(digest_past_turns(before)).search(fact.question, k=5)
        if not any(fact.key in digest.question for digest in found):
            missing.append(fact)
    summaries = sum(isinstance(event, HistorySummarised) for event in log)
    print(f"{turns} turns in {seconds:.0f} s, {summaries} summaries by the model\n")
    print(f"{'context':34} {'reachable':>15}  {'turn 20':>7} {'last':>7}  ratio  of {BUDGET} tokens")
    reached = len(planted) - len(missing)
    print(_line("Tandem (in the prompt, + recall)", f"{in_prompt} + {reached - in_prompt}", len(planted), seen.tokens))
    client = ScriptedClient([])
    contexts: dict[str, ChatCompletionContext] = {
        "AutoGen Unbounded": UnboundedChatCompletionContext(),
        "AutoGen Buffered (20)": BufferedChatCompletionContext(buffer_size=20),
        "AutoGen HeadAndTail (10 + 10)": HeadAndTailChatCompletionContext(head_size=10, tail_size=10),
        "AutoGen TokenLimited (1,500)": TokenLimitedChatCompletionContext(client, token_limit=1_500),
    }
    for kind, context in contexts.items():
        print(asyncio.run(autogen(kind, context, log, planted)))
    print_recall(log, planted)
    for fact in missing:
        print(f"not reached: {fact.question} ({fact.asked_in - fact.said} turns later)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
