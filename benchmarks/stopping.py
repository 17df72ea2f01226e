"""How long a stop takes: during a model's reply, a look, a query, a cell, a kernel's start, a package's fetching.

python benchmarks/stopping.py [--times 5]
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "tests" / "assistant" / "models"), str(HERE.parent / "tests" / "support")]

import stopping  # noqa: E402

from assistant.agents.model.lookups import Lookups  # noqa: E402


def _slow(looking: Callable[..., Awaitable[object]]) -> None:
    setattr(Lookups, "look_up", looking)  # noqa: B010


WAYS: dict[str, Callable[[Path], Awaitable[float]]] = {
    "model, silent": stopping.model,
    "model, streaming": lambda folder: stopping.model(folder, streams=True),
    "query": stopping.query,
    "cell": stopping.cell,
    "kernel's start": stopping.start,
    "package": stopping.package,
    "look": lambda folder: stopping.look(folder, _slow),
}


async def _one(way: Callable[[Path], Awaitable[float]]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        return await way(Path(folder))


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, and print a line per way."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--times", type=int, default=5)
    times = parser.parse_args(argv).times
    print(f"{'stopped during':18} {'median ms':>10} {'most ms':>10}")
    for name, way in WAYS.items():
        took = [1000 * asyncio.run(_one(way)) for _ in range(times)]
        print(f"{name:18} {statistics.median(took):10.0f} {max(took):10.0f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
