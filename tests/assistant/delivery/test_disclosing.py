"""In the terminal, the person is shown what is sent and chooses; where nobody can, nothing is sent; `--trace` prints it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

import pytest

from assistant.core.events import Entry, Question, Usage
from assistant.delivery import disclosing
from assistant.errors import AssistantError, ConfigError
from assistant.record.store.sent_calls import SentCall, SentMessage
from assistant.session.roles.disclosing import ADDS, Disclosure
from assistant.settings.level_store import LEVELS


def call(level: str = "rows") -> SentCall:
    message = SentMessage(role="user", text=f"sent with {level}")
    return SentCall(role="planner", model="m", endpoint="a.example", sees=level, messages=(message,), reply="the reply")


class Standing:
    """A session with something to choose."""

    def __init__(self) -> None:
        self.chosen: list[tuple[tuple[str, ...], str]] = []

    @property
    def models(self) -> Standing:
        return self

    async def disclosure(self, question: str) -> Disclosure:
        first = {level: call(level) for level in LEVELS}
        return Disclosure(endpoints=("a.example",), models=("m",), adds=ADDS, first=first)

    async def choose(self, endpoints: Sequence[str], level: str) -> None:
        self.chosen.append((tuple(endpoints), level))

    def events(self) -> tuple[Entry, ...]:
        from datetime import UTC, datetime

        told = (
            Question(turn=1, text="?"),
            Usage(turn=1, role="planner", model="m", sent="000001.json.gz"),
            Usage(turn=2, role="coder", model="m", sent="000002.json.gz"),
            Usage(turn=2, role="coder", model="m"),
        )
        return tuple(Entry(seq=n, at=datetime.now(UTC), event=event) for n, event in enumerate(told, 1))

    def sent(self, name: str) -> SentCall | None:
        return call() if name == "000002.json.gz" else None


def answering(monkeypatch: pytest.MonkeyPatch, *said: str) -> Iterator[str]:
    lines = iter(said)
    monkeypatch.setattr("builtins.input", lambda _prompt: next(lines))
    return lines


@pytest.mark.parametrize(
    ("said", "level"),
    [(("",), "results"), (("n",), "names"), (("?", "w"), "rows"), (("s", "values"), "values"), (("R",), "results")],
)
def test_the_person_chooses(
    said: tuple[str, ...], level: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = Standing()
    answering(monkeypatch, *said)
    asyncio.run(disclosing.choose(session, "Who?", quiet=False))  # type: ignore[arg-type]
    assert session.chosen == [(("a.example",), level)]
    printed = capsys.readouterr().out
    assert "a.example" in printed
    assert ("sent with results" in printed) == ("s" in said)


def test_where_nobody_chooses_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Standing()
    with pytest.raises(ConfigError, match="TANDEM_SEES"):
        asyncio.run(disclosing.choose(session, "Who?", quiet=True))  # type: ignore[arg-type]
    answering(monkeypatch, "c")
    with pytest.raises(AssistantError, match="Nothing was sent"):
        asyncio.run(disclosing.choose(session, "Who?", quiet=False))  # type: ignore[arg-type]
    assert session.chosen == []


def test_a_trace_prints_the_calls_of_the_last_turn(capsys: pytest.CaptureFixture[str]) -> None:
    disclosing.print_calls(Standing())  # type: ignore[arg-type]
    printed = capsys.readouterr().err
    assert "=== call 1: coder" in printed
    assert "sent with rows" in printed
    assert "the reply" in printed
    assert "(it is not kept)" in printed
    assert "planner" not in printed
