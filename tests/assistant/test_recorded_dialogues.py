"""Dialogues written by a reader of the prompts, who had nothing else: kept on the sample company and replayed.

Each reply names what it was built on (`sees`). A prompt that stops showing it fails here, and so does an answer that
comes out otherwise.
"""

from __future__ import annotations

import asyncio
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from openai_server import Asked, Served, serving, typed

from assistant.bootstrap import open_workspace
from assistant.delivery.report import Report, report
from assistant.sample.company import write_sample
from assistant.settings.config import Settings

RECORDINGS = sorted((Path(__file__).parent / "recordings").glob("*.json"))


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_a_recorded_dialogue_comes_to_the_same_answer(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = json.loads(path.read_text(encoding="utf-8"))
    monkeypatch.setenv("TEST_KEY", "sk-planted-secret")
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    made = write_sample(tmp_path / "company", as_of=date.fromisoformat(kept["as_of"]))
    replies = iter(kept["replies"])
    missing: list[str] = []

    def script(asked: Asked) -> Served:
        reply = next(replies)
        said = "\n".join(str(message.get("content")) for message in asked.body["messages"])
        missing.extend(words for words in reply["sees"] if words not in said)
        if "calls" in reply:
            return Served(calls=tuple((call["name"], call["arguments"]) for call in reply["calls"]))
        return typed(asked, reply["reply"])

    with serving(script) as server:
        said = _asked(kept, str(made.database), server.url, home=tmp_path / "home")
    assert not missing
    assert next(replies, None) is None, "the dialogue ended before its last reply"
    assert (said.status, said.answer) == ("answered", kept["answer"])
    assert (list(said.columns), [list(row) for row in said.rows]) == (kept["columns"], kept["rows"])


def _asked(kept: dict[str, Any], database: str, url: str, *, home: Path) -> Report:
    async def scenario() -> Report:
        settings = Settings(
            home=home,
            as_of=date.fromisoformat(kept["as_of"]),
            sources=(f"company={database}",),
            base_url=url,
            api_key_env="TEST_KEY",
            model="recorded",
            embeddings="hashing",
        )
        async with open_workspace(settings) as workspace:
            session = await workspace.create()
            await session.ask(kept["question"], approve=("plan", "query", "python"))
            await session.settled()
            return report(session.id, session.events(), table=session.table)

    return asyncio.run(scenario())
