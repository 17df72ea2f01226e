"""Sources of new sessions, for the data page: list, test, connect, correct, disconnect.

Sources are opened for a request and closed again; their description is cached while nothing about them changes. No
query is ever taken from the page: the only one run here reads the first rows of an existing table.
"""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

from sqlglot import exp

from assistant.cells.tables import to_json_value
from assistant.connections.combined_store import Combination, CombinedSourceStore, format_combination
from assistant.connections.connection_store import FOLDER, ConnectionStore, url_of, with_password
from assistant.connections.describing import KeyMatches, count_matches, describe_doubts, describe_tables, period_of
from assistant.connections.descriptions import (
    ROLES,
    FileReading,
    KeyShown,
    Login,
    Origin,
    Sample,
    SourceShown,
    Tried,
)
from assistant.connections.reading import correct_reading, describe_readings, is_setting_of_files, read_as
from assistant.core.catalog import Catalog
from assistant.core.chosen_doubts import is_choosable, name_choice
from assistant.core.data_errors import AddressError, SourceError
from assistant.core.doubts import Doubt, list_other_notes
from assistant.core.values import ArrowColumn, Budget
from assistant.errors import AssistantError, DataError
from assistant.query.mask_inheritance import inherit_masks
from assistant.query.masks import MasksNow, find_masks
from assistant.sources.addresses import SourceAddress, parse_addresses
from assistant.sources.catalog.doubts import list_doubts
from assistant.sources.opening import open_source, open_together
from assistant.sources.reading.uploads import connect_uploads
from assistant.trust.requester import NotAllowed, Requester

if TYPE_CHECKING:
    from assistant.settings.reading_choices import ReadingChoices
    from assistant.sources.catalog.catalogs import Catalogs
    from assistant.sources.catalog.corrections import RoleStore
    from assistant.sources.sources import Source
    from assistant.trust.rights import Rights

SAMPLE_ROWS_MAX = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What the data page works with, made by `assistant.bootstrap`.

    Attributes:
        home: The home folder.
        store: What the person keeps.
        combined: What the person put together.
        roles: What the person said of columns.
        choices: What the person chose between two readings of data that is not changed for it.
        texts: Gives the default sources as one would type them. Blocks.
        apart: The same as they are before any are put together. Blocks.
        configured: How many of those the settings name.
        catalogs: The catalogs that all sessions share.
        loaded: Where the databases of file sources are kept.
        masks: What is masked at this moment.
        forget: Lets go of what sessions share and is not true any more.
        rights: What somebody may name.
    """

    home: Path
    store: ConnectionStore
    combined: CombinedSourceStore
    roles: RoleStore
    choices: ReadingChoices
    texts: Callable[[], Sequence[str]]
    apart: Callable[[], Sequence[str]]
    configured: int
    catalogs: Catalogs
    loaded: Path
    masks: MasksNow
    forget: Callable[[], None]
    rights: Callable[[Requester], Rights]


class Connections:
    """The default sources of a workspace."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._shown: dict[str, tuple[object, SourceShown]] = {}
        self._samples: dict[tuple[str, str], tuple[object, Sample]] = {}
        self._requester: Requester = "person"

    def of(self, requester: Requester) -> Connections:
        """The same for somebody else: what they name is judged by who they are.

        Callers: The program.
        """
        connections = copy.copy(self)
        connections._requester = requester
        return connections

    @property
    def can_name_places(self) -> bool:
        """Whether paths and addresses of this machine are theirs to connect.

        Callers: Anyone.
        """
        return self._rights.can_name_places

    @property
    def hosts(self) -> tuple[str, ...]:
        """The database servers that are theirs to connect where other places are not.

        Callers: Anyone.
        """
        return self._rights.hosts

    @property
    def _rights(self) -> Rights:
        return self._services.rights(self._requester)

    @property
    def _granted(self) -> Rights:
        """By which sources are judged that are connected already."""
        return self._rights.granted()

    async def all(self) -> tuple[SourceShown, ...]:
        """The sources that new conversations start with; one that cannot be opened says why.

        Callers: Anyone.
        """
        stored_names = {
            connection.name for connection in await asyncio.to_thread(lambda: self._services.store.connections)
        }
        apart = await asyncio.to_thread(self._services.apart)
        configured = set(apart[: self._services.configured])
        sources: list[SourceShown] = []
        for text in await asyncio.to_thread(self._services.texts):
            origin: Origin = "settings" if text in configured else "kept" if stored_names else "sample"
            sources.extend(await self._describe(text, origin if text in apart else "together"))
        return tuple(sources)

    async def sample(self, source: str, table: str) -> Sample:
        """The first rows of a table, masked columns masked.

        Callers: Anyone.

        Raises:
            DataError: There is no such source or table, or it cannot be read.
        """
        address = await self._find_address(source)
        key = await self._state(address)
        cached = self._samples.get((source, table))
        if cached is None or cached[0] != key:
            cached = self._samples[source, table] = (key, await self._read_first_rows(address, table))
        return cached[1]

    async def correct(self, source: str, table: str, column: str, role: str) -> None:
        """Keep a role for a column; an empty one takes the correction back. It holds from the next question on.

        Callers: Anyone.

        Raises:
            AssistantError: It is no role, or it cannot be kept.
        """
        if role and role not in ROLES:
            raise SourceError(f"{role!r} is no role. The roles are: {', '.join(ROLES)}.")
        await asyncio.to_thread(self._services.roles.correct, f"{source}.{table}.{column}", role)
        self.refresh()

    async def readings(self, source: str) -> tuple[FileReading, ...]:
        """How the files of a source are read; none for a database.

        Callers: Anyone.

        Raises:
            DataError: It cannot be read.
        """
        address = await self._find_address(source)
        if address.kind != "files":
            return ()
        lines = not any(
            column.masked for visible in await self.all() for table in visible.tables for column in table.columns
        )
        return await asyncio.to_thread(describe_readings, address, self._services.loaded, show_lines=lines)

    async def read_as(self, source: str, file: str, choices: Mapping[str, object]) -> None:
        """Read a file as the person says, from now on. If it cannot be read so, everything stays as it was.

        Callers: Anyone.

        Raises:
            DataError: It cannot be read so.
        """
        address = await self._find_address(source)
        await asyncio.to_thread(read_as, address, self._services.loaded, file, choices)
        self.refresh()

    async def correct_doubt(self, source: str, doubt: Doubt) -> None:
        """Read a source by the other side of a doubt from now on; of one that was chosen, as it was before.

        If it cannot be read so, everything stays as it was.

        Callers: Anyone.

        Raises:
            AssistantError: Nobody can choose it here, or it cannot be kept.
        """
        correction = doubt.correction
        if correction is not None and correction.setting == "role" and isinstance(correction.value, dict):
            for column, role in correction.value.items():
                await self.correct(source, doubt.table, column, role)
            return
        address = await self._find_address(source)
        if not doubt.is_chosen and address.kind == "files" and is_setting_of_files(correction):
            await asyncio.to_thread(correct_reading, address, self._services.loaded, doubt)
        elif is_choosable(doubt):
            await asyncio.to_thread(
                self._services.choices.keep_choice,
                address.display,
                address.all_files,
                name_choice(doubt),
                is_rival=not doubt.is_chosen,
            )
        else:
            raise SourceError("There is no other reading to choose for this.")
        self.refresh()

    async def try_out(self, login: Login) -> Tried:
        """Open a database as the form names it, and say how that went.

        Callers: Anyone.
        """
        try:
            address = (await asyncio.to_thread(parse_addresses, self._url(login), self._rights))[0]
            source = await open_source(address, folder=self._services.loaded, mask=self._services.masks)
            try:
                access = await source.access()
            finally:
                await source.close()
        except AssistantError as error:
            return Tried(ok=False, text=str(error))
        return Tried(ok=True, text=f"Connected as {address.display}. {access.lock}", advice=access.advice)

    async def connect(self, login: Login) -> tuple[str, ...]:
        """Keep a database as the form names it, if it can be opened.

        Callers: Anyone.

        Raises:
            AssistantError: It cannot be opened, or its password cannot be kept. Nothing changed.
        """
        trial = await self.try_out(login)
        if not trial.ok:
            raise SourceError(trial.text)
        url = url_of(
            kind=login.kind,
            host=login.host,
            port=login.port,
            database=login.database,
            user=login.user,
            password=login.password if login.password_place == "keyring" else "",
        )
        return await self._add(url, login, self._rights)

    async def connect_address(self, address: str, name: str = "") -> tuple[str, ...]:
        """Keep a file, a folder, or a database whose URL needs no password, if it can be opened.

        Callers: Anyone.

        Raises:
            AssistantError: It cannot be opened or kept, or is not theirs to name. Nothing changed.
        """
        return await self._connect(address, name, self._rights)

    async def _check(self, address: str, rights: Rights) -> None:
        """Open what somebody names and close it again."""
        for part in await asyncio.to_thread(parse_addresses, address, rights):
            await (await open_source(part, folder=self._services.loaded, mask=self._services.masks)).close()

    async def _connect(self, address: str, name: str, rights: Rights) -> tuple[str, ...]:
        await self._check(address, rights)
        return await self._add(address, Login(kind="", host="", database="", name=name), rights)

    async def connect_files(self, files: Sequence[tuple[str, bytes]]) -> tuple[str, ...]:
        """Keep files that were dropped on the page: tables that come together are one source, a database is one alone.

        Callers: Anyone.

        Raises:
            AssistantError: One cannot be read as data, and is named; all others are connected. Or one is no companion
                of another; then none is.
        """
        rights = self._rights
        files_folder = self._services.home / FOLDER
        return await connect_uploads(
            files,
            new_folder=lambda: files_folder / token_hex(4),
            connect=lambda path: self._connect(str(path), "", rights.within(path.parent)),
            check=lambda path: self._check(str(path), rights.within(path.parent)),
            name_of=str,
        )

    async def disconnect(self, name: str) -> None:
        """Keep a source no more. Conversations that use it keep it.

        Callers: Anyone.

        Raises:
            AssistantError: It is not kept here.
        """
        await asyncio.to_thread(self._services.store.remove, name)
        self.refresh()

    async def keys_between(self, parts: Sequence[str]) -> tuple[KeyShown, ...]:
        """Columns of these sources whose values occur in another one's key, to be confirmed by the person.

        Callers: Anyone.

        Raises:
            AssistantError: One cannot be opened, or put together with others.
        """
        address = await self._combine_addresses(Combination(name="together", parts=tuple(parts)))
        source = await open_together(address, folder=self._services.loaded, mask=self._services.masks)
        try:
            return tuple(
                KeyShown(key=match.key, filled=match.filled, matching=match.matches) for match in source.matches
            )
        finally:
            await source.close()

    async def combine(self, name: str, parts: Sequence[str], keys: Sequence[str]) -> None:
        """Put sources together: from now on new conversations ask them as one, which takes their place.

        Callers: Anyone.

        Raises:
            AssistantError: These sources cannot be combined this way. Nothing changed.
        """
        if not name.isidentifier():
            raise AddressError(f"{name!r} cannot be a name: use letters, digits and underscores, a letter first.")
        combination = Combination(name=name, parts=tuple(parts), keys=tuple(keys))
        apart, rights = await asyncio.to_thread(self._services.apart), self._granted
        existing = {part.name for text in apart for part in await asyncio.to_thread(parse_addresses, text, rights)}
        if name in existing:
            raise AddressError(f"There is a source named {name!r} already. Give the whole another name.")
        await (
            await open_together(
                await self._combine_addresses(combination), folder=self._services.loaded, mask=self._services.masks
            )
        ).close()
        await asyncio.to_thread(self._services.combined.keep, combination)
        self.refresh()

    async def take_apart(self, name: str) -> None:
        """Let new conversations ask the parts of a whole each by itself again.

        Callers: Anyone.

        Raises:
            AssistantError: There is no such whole.
        """
        await asyncio.to_thread(self._services.combined.remove, name)
        self.refresh()

    async def _combine_addresses(self, combination: Combination) -> SourceAddress:
        apart = await asyncio.to_thread(self._services.apart)
        rights = self._granted
        return (
            await asyncio.to_thread(lambda: parse_addresses(format_combination(combination, apart, rights), rights))
        )[0]

    def refresh(self) -> None:
        """Discard the cached descriptions, so that the next request reads them again.

        Callers: Anyone.
        """
        self._shown.clear()
        self._samples.clear()
        self._services.forget()

    async def _add(self, address: str, login: Login, rights: Rights) -> tuple[str, ...]:
        names = await asyncio.to_thread(
            lambda: self._services.store.add(
                address, rights, name=login.name, password_place=login.password_place, variable=login.variable
            )
        )
        self.refresh()
        return names

    def _url(self, login: Login) -> str:
        url = url_of(
            kind=login.kind,
            host=login.host,
            port=login.port,
            database=login.database,
            user=login.user,
            password=login.password,
        )
        if login.password_place == "environment":
            url = with_password(url, self._services.store.variable(login.variable))
        return f"{login.name}={url}" if login.name else url

    async def _describe(self, text: str, origin: Origin) -> tuple[SourceShown, ...]:
        name = text.partition("=")[0]
        try:
            matches = await asyncio.to_thread(parse_addresses, text, self._granted)
        except (DataError, NotAllowed) as error:
            return (SourceShown(name=name, display="", origin=origin, problem=str(error)),)
        return tuple([await self._describe_address(address, origin) for address in matches])

    async def _describe_address(self, address: SourceAddress, origin: Origin) -> SourceShown:
        key = (origin, *await self._state(address))
        cached = self._shown.get(address.name)
        if cached is not None and cached[0] == key:
            return cached[1]
        try:
            source = await open_source(address, folder=self._services.loaded, mask=self._services.masks)
            try:
                catalog = await self._services.catalogs.of(address, source)
                matches = await count_matches(source, catalog) if address.kind == "files" else {}
                description = self._describe_source(
                    address, origin, source, catalog, matches=matches, changed=str(key[-1])
                )
            finally:
                await source.close()
        except DataError as error:
            return SourceShown(name=address.name, display=address.display, origin=origin, problem=str(error))
        self._shown[address.name] = (key, description)
        return description

    def _describe_source(
        self,
        address: SourceAddress,
        origin: Origin,
        source: Source,
        catalog: Catalog,
        *,
        matches: KeyMatches,
        changed: str,
    ) -> SourceShown:
        masks = inherit_masks(find_masks(tuple(self._services.masks()), catalog), catalog).masks
        tables = describe_tables(catalog, masks, matches)
        doubts = list_doubts(source, catalog)
        return SourceShown(
            name=address.name,
            display=address.display,
            origin=origin,
            dialect=source.dialect,
            is_file=address.kind == "files",
            tables=tables,
            period=period_of(tables),
            changed=changed,
            notes=(*list_other_notes(source.notes, (*source.doubts, *doubts)), *describe_doubts(tables)),
            doubts=doubts,
        )

    async def _find_address(self, name: str) -> SourceAddress:
        for text in await asyncio.to_thread(self._services.texts):
            for address in await asyncio.to_thread(parse_addresses, text, self._granted):
                if address.name == name:
                    return address
        raise SourceError(f"There is no source {name!r} any more. It may have been disconnected in another tab.")

    async def _state(self, address: SourceAddress) -> tuple[tuple[str, ...], str]:
        """What must be as it was for what is kept of a source to hold: the masks, and when its files changed."""
        return tuple(self._services.masks()), await asyncio.to_thread(_changed, address.files)

    async def _read_first_rows(self, address: SourceAddress, table: str) -> Sample:
        source = await open_source(address, folder=self._services.loaded, mask=self._services.masks)
        try:
            catalog_table = (await self._services.catalogs.of(address, source)).table(table)
            if catalog_table is None:
                raise SourceError(f"{address.name!r} has no table {table!r} any more. Refresh the source.")
            table_expression = exp.table_(catalog_table.name, db=catalog_table.schema, quoted=True)
            sql = exp.select("*").from_(table_expression).limit(SAMPLE_ROWS_MAX).sql(dialect=source.dialect)
            rows = (await source.run(sql, budget=Budget(rows_max=SAMPLE_ROWS_MAX, timeout_s=20))).table
        finally:
            await source.close()
        return Sample(
            columns=tuple(map(str, rows.column_names)),
            rows=tuple(zip(*(_values(column) for column in rows.columns), strict=True)),
            total=catalog_table.rows,
        )


def _values(column: ArrowColumn) -> list[object]:
    return [to_json_value(value) for value in column.to_pylist()]


def _changed(files: Sequence[Path]) -> str:
    """When the youngest of the files changed, as ISO text; empty where there is none."""
    times = [file.stat().st_mtime for file in files if file.exists()]
    return datetime.fromtimestamp(max(times)).isoformat(timespec="microseconds") if times else ""
