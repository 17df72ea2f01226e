"""What may be done on a server: its locks tried, and what its login could do if they were not there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Protocol

from assistant.data.access import Access, risky_grants, tried
from assistant.data.errors import QueryError
from assistant.data.sources import Budget, Parameters, Result

_ENDLESS = {"postgres": "SELECT pg_sleep(60)", "mysql": "SELECT SLEEP(60)"}
_POSTGRES_ROLE = """
    SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
           has_database_privilege(current_database(), 'CREATE') AS creates,
           (SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
               AND n.nspname NOT LIKE 'pg_toast%' AND has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
           ) AS writable,
           (SELECT string_agg(g.rolname, ', ' ORDER BY g.rolname) FROM pg_roles g
             WHERE g.rolname IN ('pg_write_all_data', 'pg_read_server_files', 'pg_write_server_files',
                                 'pg_execute_server_program') AND pg_has_role(g.oid, 'USAGE')) AS powers
      FROM pg_roles WHERE rolname = current_user
"""
_POSTGRES_ADVICE = (
    "Give Tandem a login of its own that may only read: CREATE ROLE tandem_reader LOGIN PASSWORD '...'; "
    "GRANT USAGE ON SCHEMA public TO tandem_reader; GRANT SELECT ON ALL TABLES IN SCHEMA public TO tandem_reader;"
)
_MYSQL_ADVICE = (
    "Give Tandem a login of its own that may only read: CREATE USER tandem_reader IDENTIFIED BY '...'; "
    "GRANT SELECT ON the_database.* TO tandem_reader;"
)


class Server(Protocol):
    """A server's source, as far as it is tried here."""

    @property
    def dialect(self) -> str:
        """sqlglot's name of the SQL dialect."""
        ...

    async def run(self, sql: str, params: Parameters = None, budget: Budget | None = None) -> Result:
        """Run one statement that reads."""
        ...


async def tried_on(server: Server, *, table: str | None, attempt: Callable[[str], Awaitable[object]]) -> Access:
    """Try a server's locks and look at its login's rights.

    Args:
        server: The source.
        table: A table's name, quoted; None if there is none.
        attempt: Runs any statement under the server's lock alone.

    Raises:
        SourceError: It cannot be reached.
    """
    if server.dialect not in _ENDLESS:
        return Access(
            locked=None,
            lock="no read-only mode of this engine is known here: only the guard stands before writes",
            stopped=None,
            limit="no time limit of this engine is known here",
            advice="Give Tandem a login that may only read, and limit its statements' time on the server.",
        )
    found = await tried(table=table, delete=attempt, run=server.run, endless=_ENDLESS[server.dialect])
    postgres = server.dialect == "postgres"
    try:
        rights = await (_postgres(server) if postgres else _mysql(server))
    except QueryError:
        rights = ("unknown, for the server does not show them",)
    return replace(found, rights=rights, advice=(_POSTGRES_ADVICE if postgres else _MYSQL_ADVICE) if rights else "")


async def _mysql(server: Server) -> tuple[str, ...]:
    grants = (await server.run("SHOW GRANTS")).table
    return risky_grants(str(value) for row in grants.to_pylist() for value in row.values())


async def _postgres(server: Server) -> tuple[str, ...]:
    (role,) = (await server.run(_POSTGRES_ROLE)).table.to_pylist()
    rights: list[str] = []
    if role["rolsuper"]:
        rights.append("anything, being a superuser: data, files and programs of the server")
    else:
        named = {
            "rolcreaterole": "create roles",
            "rolcreatedb": "create databases",
            "rolreplication": "replicate",
            "rolbypassrls": "pass by row security",
            "creates": "create schemas in this database",
        }
        rights += [words for name, words in named.items() if role[name]]
        if role["writable"]:
            rights.append(f"write to {role['writable']:,} tables")
        if role["powers"]:
            rights.append(f"act as {role['powers']}")
    return tuple(rights)
