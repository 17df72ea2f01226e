"""SQL that reads a text as its layout says: a reader of raw cells, and the query that makes the table of them.

DuckDB does the reading, in a stream. The exported notebook runs the same query over the same raw cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from assistant.core.doubts import Correction, Doubt
from assistant.query.quoting import literal, quoted
from assistant.sources.reading.file_limits import LINE_BYTES_MAX
from assistant.sources.reading.layouts import Layout
from assistant.sources.reading.pages import Title, without_digits

_NO_DELIMITER = "\x01"
_FOOTER_LINES = 2
_SHOWN_CHARS = 60
_MARKS = {"\t": "a tab", ";": "a semicolon", "|": "a bar", ",": "a comma", ":": "a colon", "@": "an at sign"}
_CUTS = {
    "blanks": "Columns are separated by runs of blanks",
    "wide blanks": "Columns are separated by two blanks or more",
    "fixed": "Columns have a fixed width, found by where all lines are blank",
    "lines": "Each line is one value",
}


_PLACEHOLDER = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|\$raw|\$whole")


def fill_in(select: str, raw: str, whole: str = "") -> str:
    """A query over `$raw` and `$whole` with what is read in their places; a name or text with these words stays."""
    sources = {"$raw": raw, "$whole": whole}
    return _PLACEHOLDER.sub(lambda match: sources.get(match[0], match[0]), select)


def raw_fields(layout: Layout) -> int:
    """How many cells a raw line has; 0 where the line itself is what is read."""
    return layout.fields if layout.cut == "delimiter" else 0


def reader_sql(path: Path, delimiter: str, *, fields: int, first: int) -> str:
    """The call of `read_csv` that gives the raw cells `c1`, `c2`, ..., or each line as `line`.

    Args:
        path: The text, in UTF-8.
        delimiter: What is between cells.
        fields: How many cells the widest line has; 0 for whole lines.
        first: How many lines to leave out above.
    """
    names = [f"c{n}" for n in range(1, fields + 1)] or ["line"]
    quote = '"' if fields else ""
    columns = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in names)
    return (
        f"read_csv({literal(str(path))}, delim={literal(delimiter if fields else _NO_DELIMITER)}, quote='{quote}', "
        f"escape='{quote}', header=false, skip={first}, columns={{{columns}}}, auto_detect=false, null_padding=true, "
        f"strict_mode=true, ignore_errors=true, store_rejects=true, max_line_size={LINE_BYTES_MAX}, "
        f"buffer_size={2 * LINE_BYTES_MAX}"
    )


def select_sql(layout: Layout) -> str:
    """The query over `$raw` that gives a layout's columns as text, without the lines that are no rows of its table."""
    cells = [_cell(layout, place) for place in layout.columns]
    listed = ", ".join(f"{cell} AS {quoted(name)}" for cell, name in zip(cells, layout.names, strict=True))
    footer = () if layout.rows else layout.footer
    conditions = [f"NOT ({_is_line(layout, line)})" for line in (*footer, *layout.rulers)]
    if layout.marks:
        conditions.append(f"NOT ({_repeats_header(layout)})")
    if layout.title_lines:
        conditions.append("NOT is_title")
    elif layout.cut != "delimiter":
        conditions.append("trim(line) <> ''")
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return f"SELECT {listed} FROM {_raw_rows(layout)}{where}"


def left_out_sql(layout: Layout) -> str:
    """The query over `$raw` that counts the lines that repeat the header, and those of the titles of pages."""
    titles = "count(*) FILTER (is_title)" if layout.title_lines else "0"
    return f"SELECT count(*) FILTER ({_repeats_header(layout)}), {titles} FROM {_raw_rows(layout)}"


def _repeats_header(layout: Layout) -> str:
    return " AND ".join(f"coalesce(trim({_cell(layout, n)}), '') = {literal(name)}" for n, name in layout.marks)


def _raw_rows(layout: Layout) -> str:
    """What a table's rows are taken from; where it has pages, with `is_title`: whether a header follows a title so.

    The engine's rows are in the order of the file, also in a window without an order.
    """
    raw = f"(SELECT * FROM $raw LIMIT {layout.rows})" if layout.rows else "$raw"
    if not layout.title_lines:
        return raw
    cells = [_cell(layout, n) for n in range(layout.fields)] if layout.cut == "delimiter" else ["line"]
    filled = [f"trim(concat({', '.join(cells)})) <> ''", *(f"NOT ({_is_line(layout, line)})" for line in layout.rulers)]
    tests = [
        f"(lead(coalesce({_repeats_header(layout)}, false), {offset}, false) OVER () AND {_is_title(layout, line)})"
        for offset, line in enumerate(layout.title_lines, start=1)
    ]
    return f"(SELECT *, {' OR '.join(tests)} AS is_title FROM {raw} WHERE {' AND '.join(filled)})"


def _is_title(layout: Layout, line: Title) -> str:
    """That a line has the cells of a page's title and no others."""
    texts = dict(line)
    places = range(layout.fields) if layout.cut == "delimiter" else layout.columns
    values = {n: f"coalesce(trim({_cell(layout, n)}), '')" for n in places if texts.get(n, "!")}
    tests = [
        f"regexp_replace({value}, '[0-9]+', '#', 'g') IN ('', {literal(texts[n])})" if n in texts else f"{value} = ''"
        for n, value in values.items()
    ]
    return " AND ".join(tests) or "true"


def _cell(layout: Layout, place: int) -> str:
    """The SQL of one cell of a line."""
    match layout.cut:
        case "delimiter":
            return f"c{place + 1}"
        case "blanks":
            return f"regexp_split_to_array(trim(line, ' ' || chr(9)), '[ \\t]+')[{place + 1}]"
        case "wide blanks":
            return f"regexp_split_to_array(trim(line, ' ' || chr(9)), ' *\\t[ \\t]*| {{2,}}')[{place + 1}]"
        case "fixed":
            start = layout.places[place]
            end = layout.places[place + 1] if place + 1 < len(layout.places) else None
            return f"trim(substr(line, {start + 1}{'' if end is None else f', {end - start}'}))"
        case "lines":
            return "line"


def _is_line(layout: Layout, line: Sequence[str]) -> str:
    """That a line is this one: its cells with something in them, and what is empty beside them."""
    filled = [(n, text) for n, text in enumerate(line) if text.strip()][:3]
    empty = [n for n in range(layout.fields) if n >= len(line) or not line[n].strip()][:3]
    tests = [f"coalesce({_cell(layout, n)}, '') = {literal(text)}" for n, text in filled]
    if layout.cut == "delimiter":
        tests += [f"coalesce({_cell(layout, n)}, '') = ''" for n in empty]
    return " AND ".join(tests)


def layout_notes(layout: Layout) -> list[str]:
    """What is said of a layout that is no doubt."""
    notes: list[str] = []
    if layout.cut == "delimiter" and layout.delimiter != "," and layout.fields > 1:
        delimiter = _MARKS.get(layout.delimiter, repr(layout.delimiter))
        notes.append(f"columns are separated by {delimiter}")
    if layout.above:
        notes.append(f"{layout.above} lines above the {'header' if layout.has_header else 'first row'} skipped")
    if layout.has_header and layout.first - layout.above > 1:
        notes.append(f"the names of its columns are made of {layout.first - layout.above} lines")
    return notes


def layout_doubts(layout: Layout, table: str) -> list[Doubt]:
    """What may be wrong with a layout, or changed the set of rows."""
    return [doubt.model_copy(update={"table": table}) for doubt in (*_cut_doubts(layout), *_row_doubts(layout))]


def _cut_doubts(layout: Layout) -> Iterator[Doubt]:
    delimiter = _MARKS.get(layout.delimiter, repr(layout.delimiter))
    if layout.cut != "delimiter":
        yield Doubt(kind="layout", chosen=f"{_CUTS[layout.cut]}.", rival=_rival(layout))
    elif layout.rival is not None and layout.rival.cut == "delimiter":
        correction = Correction(setting="delimiter", value=layout.rival.delimiter)
        assumption = f"Columns are separated by {delimiter}."
        yield Doubt(kind="layout", chosen=assumption, rival=_rival(layout), correction=correction)
    if not layout.has_header:
        yield Doubt(
            kind="header",
            chosen=f"It has no header; the columns are named {layout.names[0]} and so on.",
            rival="The first line may hold the names.",
            correction=Correction(setting="header", value=True),
        )
    elif all(map(str.isdecimal, layout.names)):
        yield Doubt(
            kind="header",
            chosen="The first line is read as names, although it has numbers only.",
            rival="It may be a row.",
            correction=Correction(setting="header", value=False),
        )
    if layout.is_parted:
        yield parted_table()
    if layout.has_labels:
        yield Doubt(
            kind="missing_values",
            columns=layout.names[:1],
            chosen=f"{layout.names[0]!r} is filled on the first of several rows only; the others have no value in it.",
            rival="They may belong to the value above.",
        )
    if layout.unnamed:
        names = ", ".join(layout.unnamed[:3])
        assumption = f"Some rows have more cells than the header has names; these are called {names}."
        yield Doubt(kind="layout", chosen=assumption, rival="A delimiter within a value may have split it.")
    if layout.doubled:
        yield equal_names(layout.doubled)


def _row_doubts(layout: Layout) -> Iterator[Doubt]:
    if layout.footer:
        footer_text = " / ".join(
            repr(next(filter(None, line), "")[:_SHOWN_CHARS]) for line in layout.footer[:_FOOTER_LINES]
        )
        many = len(layout.footer)
        lines, place = "line" if many == 1 else "lines", "beside" if layout.further else "below"
        assumption = f"{many} {lines} {place} the table left out: {footer_text}."
        yield Doubt(kind="rows_left_out", chosen=assumption, rows=many)
    if layout.repeats:
        lines = "1 line that repeats" if layout.repeats == 1 else f"{layout.repeats:,} lines that repeat"
        yield Doubt(kind="rows_left_out", chosen=f"{lines} the header left out.", rows=layout.repeats)
    if layout.titles:
        yield page_titles(layout.titles, layout.title_rows)
    if layout.dropped:
        rows = "1 row has" if layout.dropped == 1 else f"{layout.dropped:,} rows have"
        yield Doubt(
            kind="layout",
            chosen=f"{rows} more cells than columns; the last ones are left out.",
            rival="A delimiter within a value may have split it.",
            rows=layout.dropped,
        )
    if layout.further:
        yield Doubt(
            kind="layout",
            chosen=f"The file holds {len(layout.further) + 1} tables, which are read as tables of their own.",
            rival="They may be parts of one table.",
        )


def page_titles(lines: Sequence[Sequence[str]], count: int) -> Doubt:
    """That so many lines above repeated headers are left out, such as these."""
    texts = [next(filter(None, map(str.strip, line)), "") for line in lines]
    listed = " / ".join(repr(text[:_SHOWN_CHARS]) for text in texts[:_FOOTER_LINES])
    is_said = len({without_digits(text) for text in texts}) > 1
    return Doubt(
        kind="rows_left_out",
        chosen=f"{count:,} {'line' if count == 1 else 'lines'} above repeated headers left out: {listed}.",
        rival="They may say what the rows below them are about." if is_said else "",
        rows=count,
    )


def joined_parts(table: str, names: Sequence[str], column: str = "") -> Doubt:
    """That files are read as one table; `column` says of each row which it is from."""
    listed = f"{names[0]} to {names[-1]}"
    reference = f"; the column {column!r} names the file" if column else ""
    return Doubt(
        kind="layout",
        table=table,
        chosen=f"The {len(names):,} files {listed} are read as one table{reference}.",
        rival="Each may be a table of its own.",
    )


def parted_table() -> Doubt:
    """That a table may be two, side by side."""
    assumption = "A blank column parts the columns; what stands on both sides of it is read as one table."
    return Doubt(kind="layout", chosen=assumption, rival="They may be tables side by side.")


def equal_names(names: Sequence[str]) -> Doubt:
    """That several columns have one name, so that a number tells them apart."""
    name_list = ", ".join(map(repr, names))
    return Doubt(
        kind="equal_names",
        columns=tuple(names),
        chosen=f"Several columns are called {name_list}; the second is called {names[0] + '_2'!r}, and so on.",
        rival="A question that says the name alone may mean any of them.",
    )


def _rival(layout: Layout) -> str:
    if layout.rival is None:
        return ""
    rival = layout.rival
    titles = {
        "delimiter": f"by {_MARKS.get(rival.delimiter, repr(rival.delimiter))}",
        "blanks": "by runs of blanks",
        "wide blanks": "by two blanks or more",
        "fixed": "at fixed places",
        "lines": "by line alone",
    }[rival.cut]
    return f"Cut {titles}, it would have {len(rival.names)} columns."
