"""What the facts under every review find: 60 cells on the sample company, half of them with a planted mistake.

    python benchmarks/review.py [--verbose]

A cell counts as noticed where a finding is a warning or worse, or names the mistake as a note. No model is asked: this
is what every reviewer, with a model or without, begins with. Python cells see a frame `result` with the columns
`region`, `month` and `revenue`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from assistant.agents.checks import check_cell
from assistant.core.catalog import Catalog
from assistant.core.events import Finding, Variable
from assistant.sample.company import write_sample
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source
from assistant.sources.sources import Source
from assistant.trust.rights import Rights

HERE = Path(__file__).parent
RESULT = Variable(name="result", type="pandas.DataFrame", shape=(36, 3), columns=("region", "month", "revenue"))
_HARMLESS = ("Reads ", "How much it would", "Looks at ", "Only works", "Read-only")


class Sample:
    """The sample company as a session's only source."""

    def __init__(self, source: Source) -> None:
        self._source = source

    async def sources(self) -> tuple[Source, ...]:
        """The one source."""
        return (self._source,)

    async def catalogs(self) -> tuple[Catalog, ...]:
        """Its catalog."""
        return (await self._source.catalog(),)


def noticed(found: Sequence[Finding]) -> list[str]:
    """The findings that tell of a mistake."""
    return [f.text for f in found if f.level in ("warning", "danger") or (f.level == "note" and _tells(f.text))]


def _tells(text: str) -> bool:
    return not text.startswith(_HARMLESS)


async def measure(verbose: bool) -> None:
    """Check every snippet and print the misses and false alarms."""
    snippets = [json.loads(line) for line in (HERE / "review_snippets.jsonl").read_text().splitlines()]
    misses, alarms = list[str](), list[str]()
    with tempfile.TemporaryDirectory() as name:
        write_sample(Path(name), as_of=date(2026, 11, 21))
        source = await open_source(
            parse_addresses(f"shop={Path(name) / 'company.sqlite'}", Rights(requester="person", private=()))[0],
            folder=Path(name),
        )
        for snippet in snippets:
            texts = noticed(await check_cell(snippet["code"], snippet["language"], Sample(source), variables=[RESULT]))
            if snippet["defect"] and not texts:
                misses.append(f"{snippet['defect']}: {snippet['code']!r}")
            if not snippet["defect"] and texts:
                alarms.append(f"{texts[0]} {snippet['code']!r}")
            if verbose:
                print(snippet["defect"] or "clean", texts)
        await source.close()
    seeded = sum(bool(snippet["defect"]) for snippet in snippets)
    print(
        f"{seeded - len(misses)} of {seeded} mistakes noticed; {len(alarms)} false alarms in {len(snippets) - seeded}"
    )
    print(*(f"missed  {miss}" for miss in misses), *(f"alarm   {alarm}" for alarm in alarms), sep="\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--verbose", action="store_true")
    asyncio.run(measure(parser.parse_args(argv).verbose))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
