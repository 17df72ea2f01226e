"""Which functions a query may call, per engine. Names only; `guard` applies them.

SQLite's functions are a closed set, so it has an allow-list. DuckDB's table functions too, since most of them read
files; its scalar functions cannot leave the process, but for those denied. PostgreSQL, MySQL and the warehouses are
open to functions of their own, so there the engine's own dangerous names and families are denied, and what is left
runs in a read-only transaction.
"""

from __future__ import annotations

import re


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


SQLITE = _names(
    """
    abs acos acosh asin asinh atan atan2 atanh avg bm25 ceil ceiling changes char coalesce concat concat_ws cos cosh
    count cume_dist current_date current_time current_timestamp date datetime degrees dense_rank exp first_value floor
    format glob group_concat hex highlight if ifnull iif instr json json_array json_array_length json_error_position
    json_extract json_group_array json_group_object json_insert json_object json_patch json_pretty json_quote
    json_remove json_replace json_set json_type json_valid jsonb jsonb_array jsonb_extract jsonb_group_array
    jsonb_group_object jsonb_object julianday lag last_value lead length like likelihood likely ln log log10 log2
    lower ltrim match matchinfo max median min mod nth_value ntile nullif octet_length offsets percent_rank
    percentile percentile_cont percentile_disc pi pow power printf quote radians random randomblob rank regexp replace
    round row_number rtrim sign sin sinh snippet soundex sqlite_version sqrt strftime string_agg substr substring sum
    tan tanh time timediff total trim trunc typeof unhex unicode unixepoch unlikely upper zeroblob
    """
)

READABLE_PRAGMAS = _names(
    """
    table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list database_list data_version
    """
)
"""SQLite pragmas that describe the catalog."""

BARE_PRAGMAS = _names("journal_mode encoding user_version page_count query_only")
"""SQLite pragmas that may be read, but not with a value, which would set them."""

TABLE_FUNCTIONS: dict[str, frozenset[str]] = {
    "sqlite": frozenset({"json_each", "json_tree", *(f"pragma_{name}" for name in READABLE_PRAGMAS)}),
    "duckdb": _names(
        """
        unnest range generate_series json_each json_tree repeat repeat_row histogram histogram_values
        duckdb_columns duckdb_constraints duckdb_databases duckdb_dependencies duckdb_functions duckdb_indexes
        duckdb_keywords duckdb_schemas duckdb_sequences duckdb_tables duckdb_types duckdb_views
        pragma_table_info pragma_show pragma_version pragma_database_size pragma_storage_info pg_timezone_names
        icu_calendar_names summary
        """
    ),
    # Any other engine: functions that make rows from their arguments. Open engines allow their own as well.
    "": _names(
        """
        unnest generate_series generate_subscripts json_each json_each_text jsonb_each jsonb_each_text
        json_array_elements json_array_elements_text jsonb_array_elements jsonb_array_elements_text json_object_keys
        jsonb_object_keys json_populate_record jsonb_populate_record json_to_record jsonb_to_record json_to_recordset
        jsonb_to_recordset json_table xmltable regexp_matches regexp_split_to_table string_to_table
        string_split openjson explode explode_outer posexplode inline stack flatten sequence table split_to_table
        generator numbers generate_array generate_date_array generate_timestamp_array lateral arrayjoin values
        """
    ),
}

OPEN_ENGINES = frozenset({"postgres", "redshift", "mysql", "materialize", "risingwave"})
"""Engines where people make functions of their own, table functions included; a transaction there is read-only."""

_ANYWHERE = r"""
    load_file sleep benchmark pg_sleep sleep_ms xp_.* sp_.* sys_exec sys_eval
    openrowset openquery_ opendatasource dblink.* query_to_xml.* table_to_xml.* schema_to_xml.* database_to_xml.*
    cursor_to_xml.* nextval setval set_config lo_.* load_extension readfile writefile edit fts3_tokenizer
    http http_.* curl_.* net_http_.* getenv system\$.* write_log setseed system shell run_command
"""
_DENIED: dict[str, re.Pattern[str]] = {
    engine: re.compile("|".join(f"(?:{name})" for name in f"{_ANYWHERE} {names}".split()))
    for engine, names in {
        "": """
            file external_query ai_.* ml_.* dictget.* joinget.* catboostevaluate remote.* executable.* azure.* s3.*
            hdfs.* url addresstoline filesystem.* gethttp.* loadmodel
        """,
        "postgres": """
            (?!pg_(?:get_(?!aios|backend|loaded|process|publication|replication|shmem|wal)\\w+
            |\\w+_is_visible|relation_size|total_relation_size|table_size|indexes_size
            |database_size|size_pretty|size_bytes|typeof|column_size|encoding_to_char|char_to_encoding
            |stat_get_(?!activity|backend|progress|replication|ssl|subscription|wal)\\w+
            |postmaster_start_time|backend_pid|is_in_recovery|my_temp_schema|options_to_table|describe_object
            |identify_object|input_is_valid|tablespace_location|tablespace_size|has_role)$)pg_.*
            pg_get_keywords_ ts_stat ts_rewrite crosstab.* connectby xpath_table hypopg_.* txid_.*assign.*
            postgres_fdw_.* file_fdw_.* binary_upgrade_.* brin_.*summar.* gin_clean_pending_list
            current_setting loread lowrite current_logfile
            query_import_from_s3 query_export_to_s3 table_import_from_s3 invoke
        """.replace("\n            |", "|"),
        "mysql": """
            get_lock release_lock release_all_locks is_free_lock is_used_lock master_pos_wait source_pos_wait
            wait_for_executed_gtid_set wait_until_sql_thread_after_gtids lastval_ lib_mysqludf.* sys_get sys_set
            asynchronous_connection_failover_.* group_replication_.* audit_.* keyring_.* service_.*lock.*
            version_tokens_.* set_master.* ps_.*enable.* ps_.*disable.*
        """,
        "duckdb": """
            read_.* sniff_csv parquet_.* arrow_scan.* pandas_scan python_.* json_execute_.*
            json_deserialize_sql copy_database import_database checkpoint force_checkpoint enable_.* disable_.*
            current_setting which_secret
            duckdb_secrets duckdb_settings .*_external_resource.* truncate_duckdb_logs seq_scan
        """,
        "tsql": "openquery fn_.*trace.* fn_dblog fn_dump_dblog fn_xe_file_target_read_file",
    }.items()
}
_DENIED["redshift"] = _DENIED["materialize"] = _DENIED["risingwave"] = _DENIED["postgres"]

DENIED_SCHEMAS = _names(
    """
    aws_s3 aws_lambda aws_commons cron net http pgml dblink
    dbms_pipe dbms_lock dbms_scheduler utl_http utl_file
    """
)
"""Schemas of extensions that reach out of the database."""


def is_denied(name: str, engine: str) -> bool:
    """Whether a function of this name (lower case) reads files, reaches out, waits, locks, runs SQL text or sets."""
    pattern = _DENIED.get(engine, _DENIED[""])
    return bool(pattern.fullmatch(name)) or (engine not in _DENIED and bool(_DENIED["tsql"].fullmatch(name)))


def is_table_function_allowed(name: str, engine: str) -> bool:
    """Whether a function of this name may stand after FROM."""
    if engine in ("sqlite", "duckdb"):
        return name in TABLE_FUNCTIONS[engine]
    return engine in OPEN_ENGINES or name in TABLE_FUNCTIONS[""]
