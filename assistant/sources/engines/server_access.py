"""What may be done on a server: its locks tried, and what its login could do if they were not there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Protocol

from assistant.core.data_errors import QueryError
from assistant.core.values import Budget, Parameters, Result
from assistant.query.quoting import quoted
from assistant.sources.engines.access import Access, risky_grants, tried
from assistant.sources.engines.server_engines import engine_for

_POSTGRES_ROLE = """
    SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
           has_database_privilege(current_database(), 'CREATE') AS creates,
           (SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
               AND n.nspname NOT LIKE 'pg_toast%' AND has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
           ) AS writable,
           (SELECT string_agg(g.rolname, ', ' ORDER BY g.rolname) FROM pg_roles g
             WHERE g.rolname IN ('pg_write_all_data', 'pg_read_server_files', 'pg_write_server_files',
                                 'pg_execute_server_program', 'pg_monitor', 'pg_read_all_settings',
                                 'pg_read_all_stats', 'pg_signal_backend', 'pg_maintain')
               AND pg_has_role(g.oid, 'USAGE')) AS powers
      FROM pg_roles WHERE rolname = current_user
"""
_OWN_LOGIN = "Give Tandem a login of its own that may only read, and put it into the source's URL: "


class Server(Protocol):
    """A server's source, as far as it is tried here."""

    @property
    def dialect(self) -> str:
        """sqlglot's name of the SQL dialect."""
        ...

    async def run(self, sql: str, params: Parameters = None, budget: Budget | None = None) -> Result:
        """Run one statement that reads."""
        ...


def postgres_reader(database: str, schemas: Iterable[str]) -> str:
    """The SQL that makes a role which may only read these schemas."""
    statements = [
        "CREATE ROLE tandem_reader LOGIN PASSWORD '...'",
        "ALTER ROLE tandem_reader SET default_transaction_read_only = on",
        f"GRANT CONNECT ON DATABASE {quoted(database)} TO tandem_reader",
    ]
    for name in map(quoted, schemas):
        statements += [
            f"GRANT USAGE ON SCHEMA {name} TO tandem_reader",
            f"GRANT SELECT ON ALL TABLES IN SCHEMA {name} TO tandem_reader",
        ]
    return "; ".join(statements) + ";"


def mysql_reader(databases: Iterable[str]) -> str:
    """The SQL that makes a user who may only read these databases."""
    # In a GRANT, _ and % of a database's name stand for any characters unless they are escaped.
    names = [database.replace("\\", "\\\\").replace("_", "\\_").replace("%", "\\%") for database in databases]
    grants = [f"GRANT SELECT, SHOW VIEW ON {quoted(name, mark='`')}.* TO tandem_reader" for name in names]
    return "; ".join(["CREATE USER tandem_reader IDENTIFIED BY '...'", *grants]) + ";"


async def tried_on(
    server: Server, *, table: str | None, schemas: Sequence[str | None], attempt: Callable[[str], Awaitable[object]]
) -> Access:
    """Try a server's locks and look at its login's rights.

    Args:
        server: The source.
        schemas: The schemas of its tables; None for the one that needs no naming.
        table: A table's name, quoted; None if there is none.
        attempt: Runs any statement under the server's lock alone.

    Raises:
        SourceError: It cannot be reached.
    """
    kind = engine_for(server.dialect)
    if not kind.endless:
        return Access(
            locked=None,
            lock="no read-only mode of this engine is known here: only the guard stands before writes",
            stopped=None,
            limit="no query is known here that would show whether this engine keeps its time limit",
            advice="Give Tandem a login that may only read, and limit its statements' time on the server.",
        )
    access = await tried(table=table, delete=attempt, run=server.run, endless=kind.endless)
    read_rights = _RIGHTS.get(server.dialect)
    rights: tuple[str, ...] = ("unknown, for the server does not show them",)
    if read_rights is not None:
        with suppress(QueryError):
            rights = await read_rights(server)
    return replace(access, rights=rights, advice=await _advice(server, schemas) if rights else "")


async def _advice(server: Server, schemas: Sequence[str | None]) -> str:
    """How to make a login that may only read, with the names of this very database."""
    if server.dialect not in _RIGHTS:
        return f"{_OWN_LOGIN}the server's documentation says how."
    postgres = server.dialect == "postgres"
    names = "current_database() AS database, current_schema() AS schema" if postgres else "DATABASE() AS `schema`"
    (row,) = (await server.run(f"SELECT {names}")).table.to_pylist()
    own = str(row["schema"] or ("public" if postgres else "the_database"))
    schema_names = sorted({schema or own for schema in schemas} or {own})
    return _OWN_LOGIN + (
        postgres_reader(str(row["database"]), schema_names) if postgres else mysql_reader(schema_names)
    )


async def _mysql(server: Server) -> tuple[str, ...]:
    grants = (await server.run("SHOW GRANTS")).table
    return risky_grants(str(value) for row in grants.to_pylist() for value in row.values())


async def _postgres(server: Server) -> tuple[str, ...]:
    (role,) = (await server.run(_POSTGRES_ROLE)).table.to_pylist()
    rights: list[str] = []
    if role["rolsuper"]:
        rights.append("anything, being a superuser: data, files and programs of the server")
    else:
        attributes = {
            "rolcreaterole": "create roles",
            "rolcreatedb": "create databases",
            "rolreplication": "replicate",
            "rolbypassrls": "pass by row security",
            "creates": "create schemas in this database",
        }
        rights += [words for name, words in attributes.items() if role[name]]
        if role["writable"]:
            rights.append(f"write to {role['writable']:,} tables")
        if role["powers"]:
            rights.append(f"act as {role['powers']}")
    return tuple(rights)


_RIGHTS = {"postgres": _postgres, "mysql": _mysql}
"""How the rights of a login are read."""
