"""A spreadsheet of OpenDocument is read like a workbook of Excel, in the session and in the notebook."""

from __future__ import annotations

import zipfile
from pathlib import Path

from loaded_file import LoadedFile

_SPACES = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
)


def _cell(value: str | float) -> str:
    if isinstance(value, str):
        return f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'
    return f'<table:table-cell office:value-type="float" office:value="{value}"/>'


def test_an_opendocument_spreadsheet(tmp_path: Path) -> None:
    rows = "".join(
        f"<table:table-row>{''.join(map(_cell, row))}</table:table-row>"
        for row in (("Town", "People", "Share"), ("Bern", 134000, 0.5), ("Chur", 38000, 0.25))
    )
    sheet = f'<table:table table:name="Towns">{rows}</table:table>'
    with zipfile.ZipFile(tmp_path / "towns.ods", "w") as book:
        book.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        book.writestr("META-INF/manifest.xml", "<manifest/>")
        content = f"<office:body><office:spreadsheet>{sheet}</office:spreadsheet></office:body>"
        book.writestr("content.xml", f"<office:document-content {_SPACES}>{content}</office:document-content>")
    loaded = LoadedFile(tmp_path / "towns.ods")
    assert loaded.rows('SELECT "Town", "People", "Share" FROM towns') == [("Bern", 134000, 0.5), ("Chur", 38000, 0.25)]
    loaded.check_notebook()
