"""What the names of files say: the format of each, and the name of the source or table that is made of it. Pure."""

from __future__ import annotations

import keyword
import re
from pathlib import Path

GZIP_MAGIC = b"\x1f\x8b"
FILE_SUFFIXES = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".txt": "csv",
    ".xlsx": "excel",
    ".xlsm": "excel",
    ".xls": "excel",
    ".xlsb": "excel",
    ".ods": "excel",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".arrows": "arrow",
    ".ipc": "arrow",
    ".feather": "arrow",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
    ".sav": "statistics",
    ".zsav": "statistics",
    ".por": "statistics",
    ".dta": "statistics",
    ".sas7bdat": "statistics",
    ".xpt": "statistics",
    ".avro": "records",
    ".orc": "records",
    ".geojson": "geojson",
    ".geojsonl": "geojson",
    ".xml": "xml",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".log": "log",
    ".sql": "sql",
    ".dump": "sql",
    ".zip": "archive",
    ".tar": "archive",
    ".tgz": "archive",
    ".tbz2": "archive",
    ".txz": "archive",
}
_LONG_SUFFIXES = {".tar.bz2": "archive", ".tar.xz": "archive"}
READ_ALONE = frozenset({"archive", "html", "log", "sql", "xml"})
"""Formats that are read where the file itself is named: in a folder of data they are more often something else."""
DATABASE_SUFFIXES = {".db", ".sqlite", ".sqlite3", ".db3", ".duckdb", ".ddb"}
ACCEPTED = (
    "CSV, TSV, TXT, Excel, Parquet, Arrow, JSON, SPSS, Stata, SAS, Avro, ORC, XML, HTML, SQL dumps, zip, tar, "
    "SQLite, DuckDB, or a database URL"
)


def identifier(text: str) -> str:
    """A name fit for `query(..., source=name)` and for a table: `Sales 2024.csv` becomes `sales_2024_csv`."""
    word = re.sub(r"\W+", "_", text.strip().lower()).strip("_") or "source"
    if word[0].isdigit() or keyword.iskeyword(word):
        word = f"t_{word}"
    return word


def stem(path: Path) -> str:
    """A file's name without its kind: `sales.csv.gz` gives `sales`."""
    lower = path.name.lower()
    packed = next((suffix for suffix in (*_LONG_SUFFIXES, ".tar.gz", ".gz") if lower.endswith(suffix)), "")
    plain = path.name[: len(path.name) - len(packed)]
    return plain if packed.startswith(".tar") else Path(plain).stem or plain


def file_format(path: Path) -> str | None:
    """A value of `FILE_SUFFIXES`, or None where the name says nothing."""
    name = path.name.lower()
    long = next((kind for suffix, kind in _LONG_SUFFIXES.items() if name.endswith(suffix)), None)
    return long or FILE_SUFFIXES.get(Path(name.removesuffix(".gz")).suffix)


def is_read_with_folder(path: Path) -> bool:
    """Whether a file is one of the tables of the folder that it lies in."""
    return file_format(path) not in (None, *READ_ALONE)
