"""Tandem's own time in a turn of a plan, a SQL step, a Python step and an answer, with a model that answers at once.

    python benchmarks/turn.py [--turns N] [--profile]

The model is a server on the loopback device that replies in the moment it is asked; its own time is measured there and
taken off. Turns run one after the other in one session of the sample company, so the first is warm as a user's second
is. Printed are medians in milliseconds: the whole turn, the model's part, ours, and where ours went by event; and the
least, for a machine that others use.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import json
import os
import pstats
import statistics
import tempfile
import threading
import time
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Any

from assistant.bootstrap import open_workspace
from assistant.core.events import Usage
from assistant.settings.config import Settings

PLAN = {
    "kind": "plan",
    "text": "Orders by channel, and their share",
    "steps": [
        {"title": "Count", "language": "sql", "instruction": "Count orders by channel", "hard": False},
        {"title": "Share", "language": "python", "instruction": "Share of all orders", "hard": False},
    ],
    "tables": ["orders"],
}
SQL = {
    "kind": "code",
    "title": "Orders by channel",
    "code": "SELECT channel, COUNT(*) AS orders FROM orders GROUP BY channel ORDER BY channel",
    "result": "by_channel",
    "checks": [{"kind": "unique", "columns": ["channel"]}],
}
PYTHON = {
    "kind": "code",
    "title": "Share",
    "code": "share = by_channel.assign(share=by_channel['orders'] / by_channel['orders'].sum())\nshare",
    "result": "share",
}
REPLIES = {
    "JudgeReply": {"verdict": "go_on"},
    "ReviewReply": {"findings": [], "verdict": "ok"},
    "AnswerReply": {"text": "The table shows the share of each channel.", "answered": True},
    "PlanReply": PLAN,
}


class Instant(BaseHTTPRequestHandler):
    """Answers each role in the moment it asks, streamed or not."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # as model servers do; else the body waits 40 ms for the client's delayed ACK
    seconds = 0.0

    def do_POST(self) -> None:
        """Reply to a chat completion."""
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        began = time.perf_counter()
        wanted = body["response_format"]["json_schema"]["name"]
        coded = PYTHON if "Write step 2" in body["messages"][-1]["content"] else SQL
        content = json.dumps(REPLIES.get(wanted, coded))
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        head: dict[str, Any] = {"id": "x", "created": 1, "model": "instant"}
        message = {"role": "assistant", "content": content}
        if body.get("stream"):
            chunks = [
                head | {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": message}]},
                head
                | {
                    "object": "chat.completion.chunk",
                    "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
                },
                head | {"object": "chat.completion.chunk", "choices": [], "usage": usage},
            ]
            said = b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks) + b"data: [DONE]\n\n"
            kind = "text/event-stream"
        else:
            choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
            said = json.dumps(head | {"object": "chat.completion", "usage": usage, "choices": choices}).encode()
            kind = "application/json"
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)
        Instant.seconds += time.perf_counter() - began

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


async def measure(turns: int, *, profile: bool) -> None:
    """Run turns and print where their time went."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Instant)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    os.environ["TURN_KEY"] = "none"
    whole: list[float] = []
    model: list[float] = []
    cpu: list[float] = []
    parts: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            home=Path(folder),
            model="instant",
            base_url=f"http://127.0.0.1:{server.server_port}/v1",
            api_key_env="TURN_KEY",
            embeddings="hashing",
        )
        async with open_workspace(settings, kernels_ready=1) as workspace:
            session = await workspace.create()
            profiler = cProfile.Profile(time.process_time)
            for turn in range(turns + 1):
                Instant.seconds = 0.0
                if profile and turn:
                    profiler.enable()
                began, busy = time.perf_counter(), time.process_time()
                await session.ask("Orders by channel and their share?", approve=("plan", "query", "python"))
                await session.settled()
                took = time.perf_counter() - began
                computed = time.process_time() - busy
                profiler.disable()
                entries = [entry for entry in session.events() if entry.event.turn == turn + 1]
                assert entries[-1].event.kind == "answer", entries[-1].event
                if not turn:
                    print(f"first turn {took * 1000:.0f} ms")
                    continue
                whole.append(took)
                cpu.append(computed)
                model.append(Instant.seconds)
                for before, after in pairwise(entries):
                    name = f"{after.event.role} call" if isinstance(after.event, Usage) else after.event.kind
                    parts.setdefault(name, []).append((after.at - before.at).total_seconds())
            if profile:
                pstats.Stats(profiler).sort_stats("cumulative").print_stats(60)
    server.shutdown()
    middle = statistics.median
    print(f"{turns} turns: {middle(whole) * 1000:.0f} ms, of it the model {middle(model) * 1000:.0f} ms")
    print(f"ours: {middle([a - b for a, b in zip(whole, model, strict=True)]) * 1000:.0f} ms")
    print(f"processor time of this process, the model's server included: {middle(cpu) * 1000:.0f} ms")
    print(
        f"least of all turns, which other programs disturbed least: {min(whole) * 1000:.0f} ms, {min(cpu) * 1000:.0f} ms"
    )
    for name, seconds in sorted(parts.items(), key=lambda part: -sum(part[1])):
        print(f"  {name:20} {sum(seconds) / turns * 1000:6.1f} ms a turn")


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--profile", action="store_true")
    given = parser.parse_args(argv)
    asyncio.run(measure(given.turns, profile=given.profile))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
