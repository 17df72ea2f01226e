"""The workspace as it is put together: private by default, knowledge found beside the data, faults said plainly."""

from __future__ import annotations

import asyncio
import os
import stat
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from assistant.api.report import build_report
from assistant.bootstrap import open_workspace
from assistant.errors import ConfigError, DataError, SessionError, StoreError
from assistant.session.knowledge.knowledge_bases import knowledge_beside
from assistant.settings.config import Settings


def settings(tmp_path: Path, **more: object) -> Settings:
    table = tmp_path / "visits.csv"
    if not table.exists():
        table.write_text("city,people\nBern,3\nBasel,4\n")
    given = {"home": tmp_path / "home", "sources": (str(table),), "embeddings": "hashing", "as_of": date(2026, 11, 21)}
    return Settings.model_validate(given | more)


def test_what_is_kept_is_private(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_workspace(settings(tmp_path)) as workspace:
            session = await workspace.create([f"shop={tmp_path / 'visits.csv'}"])
            folder = tmp_path / "home" / "sessions" / session.id
            assert stat.S_IMODE((tmp_path / "home").stat().st_mode) == 0o700
            assert stat.S_IMODE((folder / "sources.json").stat().st_mode) == 0o600

    asyncio.run(scenario())


def test_sessions_are_one_object_each_and_go_for_good(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_workspace(settings(tmp_path)) as workspace:
            session = await workspace.create()
            assert await workspace.open(session.id) is session
            assert workspace.sessions() == ()  # nothing was asked yet
            await session.ask("How many people are there in total?", approve=("plan", "query", "python"))
            await session.settled()
            await workspace.rename(session.id, "People")
            assert [card.title for card in workspace.sessions()] == ["People"]
            await workspace.delete(session.id)
            assert workspace.sessions() == ()
            assert not (tmp_path / "home" / "sessions" / session.id).exists()
            with pytest.raises(SessionError, match=session.id):
                await workspace.open(session.id)
            for nonsense in ("", "../../etc", "x" * 16, "0" * 16):
                with pytest.raises(SessionError):
                    await workspace.open(nonsense)

    asyncio.run(scenario())


def test_a_session_is_deleted_however_deep_its_folders_are(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_workspace(settings(tmp_path)) as workspace:
            session = await workspace.create(bare=True)
            folder = tmp_path / "home" / "sessions" / session.id
            (folder / "desk").mkdir(parents=True)
            fd = os.open(folder / "desk", os.O_RDONLY)
            for _ in range(1500):
                os.mkdir("folder", dir_fd=fd)
                inner = os.open("folder", os.O_RDONLY, dir_fd=fd)
                os.close(fd)
                fd = inner
            os.close(fd)
            await workspace.delete(session.id)
            assert not folder.exists()

    asyncio.run(scenario())


def test_a_session_that_cannot_begin_leaves_nothing(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_workspace(settings(tmp_path)) as workspace:
            with pytest.raises(DataError):
                await workspace.create([str(tmp_path / "visits.csv"), str(tmp_path / "nowhere.csv")])
            left = os.listdir(tmp_path / "home" / "sessions")
            assert not [name for name in left if not name.startswith(".") and len(name) == 16]

    asyncio.run(scenario())


def test_a_model_without_its_key_is_said_when_it_is_asked(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_workspace(settings(tmp_path, model="some-model", api_key_env="NOT_SET")) as workspace:
            session = await workspace.create()
            await session.ask("How many people?")
            await session.settled()
            said = build_report(session.id, session.events(), table=session.table)
            assert said.status == "failed"
            assert "Set that environment variable to the key" in said.answer
            assert "'NOT_SET'" in said.answer
            assert "start Tandem again" in said.answer
            assert "inside Tandem" not in said.answer

    asyncio.run(scenario())


@pytest.mark.parametrize("url", ["nonsense", "nonsense://me:hunter2@host/db", "oracle://me:hunter2@host/db"])
def test_a_store_that_is_no_address_is_said_without_repeating_it(tmp_path: Path, url: str) -> None:
    async def scenario() -> None:
        async with open_workspace(settings(tmp_path, store=url)):
            pass

    with pytest.raises(StoreError, match="'store'") as raised:
        asyncio.run(scenario())
    assert "hunter2" not in str(raised.value)


def test_a_data_folder_that_cannot_be_made_is_said_with_the_setting(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    async def scenario() -> None:
        async with open_workspace(settings(tmp_path, home=tmp_path / "file" / "home")):
            pass

    with pytest.raises(ConfigError, match=r"cannot be made .*TANDEM_HOME"):
        asyncio.run(scenario())


@pytest.mark.parametrize("file", ["definitions.md", "sales/metrics.yaml", "queries/first.yaml"])
def test_knowledge_of_every_documented_kind_is_found_beside_the_data(tmp_path: Path, file: str) -> None:
    place = tmp_path / "knowledge" / file
    place.parent.mkdir(parents=True)
    place.write_text("")
    assert knowledge_beside([tmp_path / "shop.sqlite"]) == tmp_path / "knowledge"


def test_knowledge_is_found_beside_the_data_only_where_it_is_knowledge(tmp_path: Path) -> None:
    (tmp_path / "knowledge").mkdir()
    (tmp_path / "knowledge" / "photo.png").write_bytes(b"")
    assert knowledge_beside([tmp_path / "shop.sqlite"]) is None
    (tmp_path / "knowledge" / "glossary.yaml").write_text("terms: []\n")
    assert knowledge_beside([tmp_path / "shop.sqlite"]) == tmp_path / "knowledge"
    assert knowledge_beside([]) is None


def test_the_doctor_names_what_is_missing_and_what_to_do(tmp_path: Path) -> None:
    async def scenario() -> None:
        gone = {"sources": (str(tmp_path / "gone.csv"),), "knowledge": tmp_path / "nowhere"}
        broken = settings(tmp_path, **gone, model="m", api_key_env="NOT_SET")
        async with open_workspace(broken) as workspace:
            found = {health.name: health for health in await workspace.doctor()}
        assert found["sources"].state == "missing"
        assert "gone.csv" in found["sources"].text
        assert found["model of the coder"].state == "missing"
        assert "has no key" in found["model of the coder"].text
        assert "Set NOT_SET" in found["model of the coder"].advice
        assert found["knowledge"].state == "missing"
        assert "nowhere" in found["knowledge"].text
        assert "TANDEM_KNOWLEDGE" in found["knowledge"].advice
        assert found["embeddings"].state == "weak"
        assert found["cage"].text

    asyncio.run(scenario())


def test_the_doctor_asks_no_key_of_an_endpoint_of_ones_own(tmp_path: Path) -> None:
    async def scenario() -> None:
        own = settings(tmp_path, model="m", api_key_env="NOT_SET", base_url="http://127.0.0.1:1/v1")
        async with open_workspace(own) as workspace:
            found = {health.name: health for health in await workspace.doctor()}
        assert (found["model of the coder"].state, found["model of the coder"].advice) == ("ok", "")

    asyncio.run(scenario())


def test_threads_of_a_session_never_meet_a_half_made_import(tmp_path: Path) -> None:
    program = f"""
import asyncio, threading, time
from assistant.bootstrap import open_workspace
from assistant.settings.config import Settings

def whole():
    import sqlglot

def part():
    time.sleep(0.02)
    from sqlglot.dialects import Dialect
    print(Dialect.__name__)

async def main():
    async with open_workspace(Settings(home={str(tmp_path / "home")!r}, embeddings="hashing")):
        threads = [threading.Thread(target=enter) for enter in (whole, part)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

asyncio.run(main())
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    assert (ran.stdout.strip(), "Error" in ran.stderr) == ("Dialect", False), ran.stderr
