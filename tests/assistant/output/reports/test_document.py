"""A report is one file: nothing in it is fetched, run, or taken for markup."""

from __future__ import annotations

import re

from assistant.output.reports.document import ROWS_MAX, Section, build_document

EVIL = '<script>alert(1)</script><img src="http://evil.example/x"> [a](http://evil.example) ![b](http://evil.example)'


def test_what_comes_from_data_and_models_stays_text() -> None:
    section = Section(heading=EVIL, text=f"**North** {EVIL}", columns=(EVIL,), rows=((EVIL,),), total=1, notes=(EVIL,),
                      code=(EVIL,), picture=b"\x89PNG", picture_alt=EVIL)  # fmt: skip
    made = build_document(EVIL, [section], caption=EVIL).decode()
    assert "<script" not in made
    assert re.findall(r"<(?:img|a|link|iframe)\b[^>]*", made) == [
        '<img src="data:image/png;base64,iVBORw==" alt="' + re.findall(r'alt="([^"]*)"', made)[0] + '"'
    ]
    assert "<strong>North</strong>" in made


def test_a_long_table_is_cut_and_says_so_and_changes_are_marked() -> None:
    rows = tuple((f"R{n}", n * 1000.5) for n in range(ROWS_MAX + 5))
    section = Section(heading="h", columns=("region", "total"), rows=rows, total=len(rows), changed=frozenset({(0, 1)}))
    made = build_document("t", [section], caption="m").decode()
    assert made.count("<tr>") == ROWS_MAX + 1
    assert f"First {ROWS_MAX} of {len(rows)} rows" in made
    assert made.count("number changed") == 1
