"""Somebody who signed in names no path and no address of the server, by any door; what they are given still works."""

from __future__ import annotations

import asyncio
import socket
import sqlite3
import threading
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import date
from pathlib import Path

import pytest

from assistant.bootstrap import open_workspace
from assistant.connections.descriptions import Login
from assistant.errors import AssistantError
from assistant.session.workspace import Workspace
from assistant.settings.config import Settings
from assistant.trust.requester import NotAllowed

ANA = "https://id.example#ana"
MINE = ("mine.csv", b"region,amount\nNorth,5\nSouth,7\n")


@asynccontextmanager
async def served(tmp_path: Path, **settings: object) -> AsyncGenerator[tuple[Workspace, Workspace]]:
    """A server with a database of its own and one that is granted; as a whole, and as Ana sees it."""
    for name in ("granted", "secret"):
        if not (tmp_path / f"{name}.sqlite").exists():
            with sqlite3.connect(tmp_path / f"{name}.sqlite") as connection:
                connection.execute("CREATE TABLE orders (region TEXT, total INTEGER)")
                connection.execute("INSERT INTO orders VALUES ('North', 3)")
            connection.close()
    given = {"home": tmp_path / "home", "sources": (str(tmp_path / "granted.sqlite"),), "embeddings": "hashing"}
    chosen = Settings.model_validate({**given, "as_of": date(2026, 9, 1), "uncaged": True, **settings})
    async with open_workspace(chosen) as whole:
        yield whole, whole.of(ANA)


def places(tmp_path: Path) -> list[str]:
    secret, home = tmp_path / "secret.sqlite", tmp_path / "home"
    return [
        str(secret),
        f"x={secret}",
        f"sqlite:///{secret}",
        f"file://{secret}",
        str(tmp_path),
        f"a={secret} + b={tmp_path / 'granted.sqlite'}",
        str(home / "tandem.sqlite"),
        str(home),
        str(tmp_path / "missing.csv"),
        "postgresql://me:pw@localhost/x",
        "mysql://me:pw@localhost/x",
    ]


async def test_no_door_lets_a_member_name_a_place(tmp_path: Path) -> None:
    async with served(tmp_path) as (whole, ana):
        hers = await ana.create()
        before = {card.id for card in whole.sessions()}
        for place in places(tmp_path):
            with pytest.raises(NotAllowed, match="whoever runs it"):
                await ana.connections.connect_address(place)
            with pytest.raises(NotAllowed, match="whoever runs it"):
                await hers.sources.add(place)
            with pytest.raises(NotAllowed, match="whoever runs it"):
                await hers.sources.has(place)
            with pytest.raises(NotAllowed, match="whoever runs it"):
                await ana.create((place,))
        assert [source.name for source in await ana.connections.all()] == ["granted"]
        assert {card.id for card in whole.sessions()} == before
        assert not ana.connections.can_name_places
        assert whole.connections.can_name_places


def test_the_database_form_is_refused_to_a_member(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TANDEM_DB_SHOP", "s3cret")

    async def scenario() -> None:
        async with served(tmp_path) as (_, ana):
            for kind, host, database in (
                ("postgresql", "localhost", "x"),
                ("sqlite", "", str(tmp_path / "secret.sqlite")),
                ("file", "", str(tmp_path / "secret.sqlite")),
                ("evil", "h", "x"),
            ):
                login = Login(
                    kind=kind,
                    host=host,
                    database=database,
                    password_place="environment",
                    variable="TANDEM_DB_SHOP",
                )
                tried = await ana.connections.try_out(login)
                assert not tried.ok
                assert "s3cret" not in tried.text
                with pytest.raises(AssistantError):
                    await ana.connections.connect(login)
            named = Login(kind="postgresql", host="h", database="x", name=f"a=({tmp_path / 'secret.sqlite'} + b")
            assert not (await ana.connections.try_out(named)).ok

    asyncio.run(scenario())


async def test_a_member_cannot_slip_a_path_into_what_is_combined(tmp_path: Path) -> None:
    second = tmp_path / "second.csv"
    second.write_text("region,goal\nNorth,1\n")
    both = {"sources": (str(tmp_path / "granted.sqlite"), str(second))}
    async with served(tmp_path, **both) as (_, ana):
        secret = tmp_path / "secret.sqlite"
        key = "orders.region = second.region"
        for parts, keys in (
            (("granted", str(secret)), ()),
            (("granted", f"x={secret}"), ()),
            (("granted", "second"), (f"{key} + x={secret} on {key}",)),
            (("granted", "second"), (f"{key}) + x={secret}",)),
        ):
            with pytest.raises(AssistantError):
                await ana.connections.combine("both", parts, keys)
        with pytest.raises(AssistantError):
            await ana.connections.keys_between(("granted", str(secret)))
        await ana.connections.combine("both", ("granted", "second"), (key,))
        assert [source.name for source in await ana.connections.all()] == ["both"]


async def test_uploads_granted_sources_and_copies_work_for_a_member(tmp_path: Path) -> None:
    async with served(tmp_path) as (_, ana):
        hers = await ana.create()
        await hers.sources.add_files([MINE])
        assert await ana.connections.connect_files([("shared.csv", MINE[1])]) == ("shared",)
        shown = {source.name: source.problem for source in await ana.connections.all()}
        assert shown == {"granted": "", "shared": ""}
        again = await ana.create()
        copied = await ana.history.copy(hers.id)
        for session in (again, await ana.open(copied)):
            await session.ask("total of amount by region", approve=("plan", "query", "python"))
            await session.settled()
            assert session.events()[-1].event.kind != "error"
            with pytest.raises(NotAllowed):
                await session.sources.add(str(tmp_path / "secret.sqlite"))
    # And when the server was started again.
    async with served(tmp_path) as (_, ana):
        session = await ana.open(hers.id)
        await session.ask("total of amount by region", approve=("plan", "query", "python"))
        await session.settled()
        assert "North" in str([entry.event for entry in session.events()][-3:])


async def test_the_sample_company_is_there_for_a_member(tmp_path: Path) -> None:
    async with served(tmp_path, sources=()) as (_, ana):
        assert [source.origin for source in await ana.connections.all()] == ["sample"]
        session = await ana.create()
        await session.ask("number of orders", approve=("plan", "query", "python"))
        await session.settled()
        with pytest.raises(NotAllowed):
            await session.sources.add(f"again={next((tmp_path / 'home' / 'sample').rglob('*.sqlite'))}")


async def test_whoever_runs_the_server_may_name_places_and_still_not_tandems_own(tmp_path: Path) -> None:
    async with served(tmp_path) as (whole, _):
        session = await whole.create((str(tmp_path / "secret.sqlite"),))
        assert await whole.connections.connect_address(str(tmp_path / "secret.sqlite")) == ("secret",)
        for own in ("tandem.sqlite", "sessions", f"sessions/{session.id}/sources.json", "connections.json"):
            for name in (session.sources.add, whole.connections.connect_address):
                with pytest.raises(NotAllowed, match="belongs to Tandem"):
                    await name(str(tmp_path / "home" / own))


async def test_a_source_of_the_settings_under_the_home_is_not_opened(tmp_path: Path) -> None:
    async with served(tmp_path, sources=(str(tmp_path / "home" / "tandem.sqlite"),)) as (whole, ana):
        for workspace in (whole, ana):
            (shown,) = await workspace.connections.all()
            assert "belongs to Tandem" in shown.problem
            assert shown.tables == ()
            with pytest.raises(AssistantError, match="belongs to Tandem"):
                await workspace.create()


@contextmanager
def listening() -> Iterator[tuple[int, list[bytes]]]:
    """A port that takes connections and says nothing sensible; what came in."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.1)
        ended = threading.Event()

        def serve() -> None:
            while not ended.is_set():
                try:
                    peer, _ = server.accept()
                except TimeoutError:
                    continue
                with peer:
                    peer.settimeout(2)
                    heard.append(peer.recv(1000))
                    peer.sendall(b"HTTP/1.0 400 Bad Request\r\n\r\n")

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield server.getsockname()[1], heard
        finally:
            ended.set()
            thread.join()


async def test_a_member_learns_nothing_of_ports_on_a_host_that_is_theirs(tmp_path: Path) -> None:
    with listening() as (open_port, heard), socket.create_server(("127.0.0.1", 0)) as taken:
        closed_port = taken.getsockname()[1]
        taken.close()
        async with served(tmp_path, database_hosts=("127.0.0.1",)) as (whole, ana):
            assert ana.connections.hosts == ("127.0.0.1",)
            texts: set[str] = set()
            for port in (open_port, closed_port):
                login = Login(kind="postgresql", host="127.0.0.1", port=port, database="x", user="me")
                tried = await ana.connections.try_out(login)
                assert not tried.ok
                texts.add(tried.text)
                with pytest.raises(AssistantError) as refused:
                    await ana.connections.connect_address(f"postgresql://me@127.0.0.1:{port}/x")
                texts.add(str(refused.value))
            assert heard, "a host on the list is tried"
            assert len(texts) == 1
            plain = await whole.connections.try_out(login)
            assert "refused" in plain.text, "who runs the server is told what happened"
