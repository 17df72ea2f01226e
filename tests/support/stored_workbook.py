"""Workbooks with the values that Excel would store beside their formulas."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

from openpyxl import Workbook

SALES: dict[str, object] = {
    "A1": "region", "B1": "units", "C1": "price", "D1": "amount",
    "A2": "North", "B2": 3, "C2": 2.5, "D2": "=B2*C2",
    "A3": "South", "B3": 4, "C3": 10.0, "D3": "=B3*C3",
    "A4": "north", "B4": 1, "C4": 7.25, "D4": "=B4*C4",
    "A5": "East", "C5": 3.0, "D5": "=B5*C5",
    "F1": "=SUM(D2:D5)",
    "F2": '=SUMIFS(D2:D5,A2:A5,"North",B2:B5,">=1")',
    "F3": '=IF(F1>50,"high","low")',
    "F4": '=VLOOKUP("South",A2:D5,4,FALSE)',
    "F5": '=ROUND(AVERAGE(C2:C5),1)&" EUR"',
    "F6": "=IFERROR(1/0,-10%)",
    "F7": "=YEAR(DATE(2026,14,1))",
    "F8": '=COUNTIF(A2:A5,"n*")',
    "F9": "=-2^2",
}  # fmt: skip
STORED: dict[str, object] = {
    "D2": 7.5, "D3": 40, "D4": 7.25, "D5": 0, "F1": 54.75, "F2": 14.75, "F3": "high", "F4": 40, "F5": "5.7 EUR",
    "F6": -0.1, "F7": 2027, "F8": 2, "F9": 4,
}  # fmt: skip


def write_workbook(file: Path, cells: dict[str, object], stored: dict[str, object]) -> Path:
    """Write cells to a sheet "Sales", and into each formula what Excel would have stored."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Sales"
    for place, value in cells.items():
        sheet[place] = value
    plain = file.with_suffix(".plain")
    book.save(plain)
    with zipfile.ZipFile(plain) as before, zipfile.ZipFile(file, "w") as after:
        for name in before.namelist():
            content = before.read(name)
            after.writestr(name, _with_values(content.decode(), stored) if name.endswith("sheet1.xml") else content)
    plain.unlink()
    return file


def _with_values(xml: str, stored: dict[str, object]) -> str:
    for place, value in stored.items():
        kind = (
            "e"
            if str(value).startswith("#")
            else "str"
            if isinstance(value, str)
            else "b"
            if isinstance(value, bool)
            else "n"
        )
        cell = rf'<c r="{place}"[^>]*><f>(.*?)</f><v\s*/?>(</v>)?</c>'
        text = int(value) if isinstance(value, bool) else value
        xml = re.sub(cell, rf'<c r="{place}" t="{kind}"><f>\1</f><v>{text}</v></c>', xml)
    return xml
