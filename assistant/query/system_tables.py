"""System tables that a query may read: those that describe the data, none about the server.

Accounts and their password hashes, files and settings of the server, other sessions' queries, credentials of foreign
servers and the raw pages of other tables are refused whatever the login may read. The schema of the system itself
(`pg_catalog`, MySQL's `information_schema`) is an allow-list. Names only, and the scopes of WITH clauses that may
shadow them; `rules` applies them.
"""

from __future__ import annotations

import re

from sqlglot import exp


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{name})" for name in text.split()))


_PG_CATALOG = """
    pg_(?:aggregate|am|amop|amproc|attrdef|attribute|cast|class|collation|constraint|conversion|database|depend
    |description|enum|extension|index|indexes|inherits|language|matviews|namespace|opclass|operator|opfamily
    |partitioned_table|policies|policy|proc|range|rewrite|rules|sequence|sequences|stats|tables|tablespace
    |timezone_abbrevs|timezone_names|trigger|ts_config|ts_config_map|ts_dict|ts_parser|ts_template|type|views
    |available_extensions|available_extension_versions|statio?_(?:all|user|sys)_(?:tables|indexes|sequences)
    |stat_(?:xact_)?(?:all|user|sys)_(?:tables|functions))
""".replace("\n    |", "|")

_ALLOWED: dict[tuple[str, str], re.Pattern[str]] = {
    ("postgres", "pg_catalog"): _pattern(_PG_CATALOG),
    ("duckdb", "pg_catalog"): _pattern(_PG_CATALOG),
    ("mysql", "information_schema"): _pattern(
        """
        tables tables_extensions columns columns_extensions schemata schemata_extensions statistics key_column_usage
        referential_constraints table_constraints table_constraints_extensions check_constraints views
        view_table_usage view_routine_usage partitions character_sets collations
        collation_character_set_applicability engines keywords parameters routines triggers events column_statistics
        geometry_columns spatial_ref_sys st_.* sequences periods key_period_usage
        """
    ),
}
"""By engine and schema: what may be read there, and nothing else of that schema."""

_DENIED: dict[str, re.Pattern[str]] = {
    "postgres": _pattern(
        rf"""
        (?!(?:{_PG_CATALOG.strip()})$)pg_(?:aios|auth.*|available_.*|backend_.*|config|cursors|db_role_.*
        |default_acl|event_trigger.*|file_settings|foreign_.*|get_.*|group|hba_.*|ident_.*|init_privs|largeobject.*
        |locks|parameter_acl|prepared_.*|publication.*|replication_.*|roles|seclabels?|settings|shadow|shdepend
        |shdescription|shmem_.*|shseclabel|stat_.*|statio_.*|statistic.*|stats_.*|subscription.*|transform|user
        |user_mappings?|wait_events|dist_.*|buffercache.*|dsm_.*|toast_\d+.*)
        _pg_(?:user_mappings|foreign_.*) user_mapping_options user_mappings foreign_server_options
        foreign_table_options
        """.replace("\n        |", "|")
    ),
    "mysql": _pattern("processlist user_privileges"),
    "sqlite": _pattern("sqlite_(?:dbpage|dbdata|dbptr|stmt|memstat) bytecode tables_used"),
    "duckdb": _pattern(
        """
        duckdb_(?:secrets|settings|logs|log_contexts|variables|external_file_cache|databases|extensions|temporary_files)
        pragma_database_list pg_settings pg_prepared_statements
        """
    ),
    "tsql": _pattern("sql_logins syslogins server_principals credentials linked_logins dm_exec_.* sysprocesses"),
}
"""By engine: what may not be read, in whatever schema it is found."""

_DENIED_SCHEMAS: dict[str, re.Pattern[str]] = {
    "postgres": _pattern(r"pg_toast.*"),
    "mysql": _pattern("mysql performance_schema sys"),
    "clickhouse": _pattern("system"),
    "snowflake": _pattern("account_usage organization_usage reader_account_usage"),
    "trino": _pattern("runtime metadata jdbc"),
    "tsql": _pattern("sys"),
    "oracle": _pattern("sys system"),
}

_POSTGRES_LIKE = {"redshift": "postgres", "materialize": "postgres", "risingwave": "postgres"}
EXACT = frozenset({"postgres"})
"""Engines that tell names in quotes apart by their case."""


def find_denied_table(table: exp.Table, dialect: str) -> str | None:
    """The name of the system's table that is read here and may not be; None if it may, or a WITH clause makes it."""
    engine = _POSTGRES_LIKE.get(dialect, dialect)
    schema, name = table.db.lower(), table.name.lower()
    if not schema and is_made_by_with(table, dialect):
        return None
    allowed = _ALLOWED.get((engine, schema))
    if (
        (allowed is not None and not allowed.fullmatch(name))
        or (engine in _DENIED and _DENIED[engine].fullmatch(name) and (engine != "mysql" or schema))
        or (engine in _DENIED_SCHEMAS and _DENIED_SCHEMAS[engine].fullmatch(schema))
    ):
        return f"{schema}.{name}" if schema else name
    return None


def is_made_by_with(table: exp.Table, dialect: str) -> bool:
    """Whether a WITH clause around the table makes one of that name.

    Within a WITH clause, only what stands before counts, and with RECURSIVE the part itself: engines differ in more.
    """
    engine = _POSTGRES_LIKE.get(dialect, dialect)
    name = _folded(table.this, engine)
    node = table.parent
    inside: exp.CTE | None = None
    while node is not None:
        if isinstance(node, exp.CTE):
            inside = node
        clause = node.args.get("with_")
        if isinstance(clause, exp.With):
            for part in clause.expressions:
                if part is inside and not clause.args.get("recursive"):
                    break
                if _folded(part.args["alias"].this, engine) == name:
                    return True
                if part is inside:
                    break
        node = node.parent
    return False


def _folded(identifier: object, engine: str) -> str:
    if not isinstance(identifier, exp.Identifier):
        return ""
    exact = engine in EXACT and identifier.quoted
    return identifier.name if exact else identifier.name.lower()
