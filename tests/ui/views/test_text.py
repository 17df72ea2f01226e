"""Text from elsewhere is harmless on the page."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.plain_english import joined
from ui.views.text import (
    build_file_name,
    count,
    cut_sentences,
    format_age,
    format_seconds,
    line,
    plain,
    prose,
    shorten,
    strip_colours,
)

HOSTILE = (
    "![x](http://evil.example/x.png)",
    "[click](javascript:alert(1))",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    ":red[urgent] :material/delete: $x^2$",
    "see http://evil.example and www.evil.example or a@evil.example",
    "\x1b[31mred\x1b[0m",
)

SEAM = re.compile(r"(?<!\\):gray\[\]")


@given(st.text())
def test_plain_text_loses_nothing_but_control_characters_and_layout(text: str) -> None:
    shown = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", SEAM.sub("", plain(text))).replace("&nbsp;", "")
    kept = "".join(shown.split())
    assert kept == "".join("".join(part.split()) for part in strip_colours(text).splitlines())


@pytest.mark.parametrize("show", [plain, line, prose])
@pytest.mark.parametrize("address", ["http://e.example/x", "HTTPS://e.example", "www.e.example", "a.b@e.example"])
def test_no_address_is_left_for_the_page_to_link(show: Callable[[str], str], address: str) -> None:
    shown = show(f"see {address} (or {address})").replace("\\", "")
    assert not re.search(r"(?i)https?://|www\.\w|\w@", shown)
    assert SEAM.sub("", shown) == f"see {address} (or {address})"


@given(st.text())
def test_no_markdown_survives_in_plain_text(text: str) -> None:
    bare = re.sub(r"\\[!-/:-@\[-`{-~]|&nbsp;", "", SEAM.sub("", plain(text)))
    assert not re.search(r"[!-/:-@\[-`{-~]", bare)


@given(st.text())
def test_a_label_is_one_line(text: str) -> None:
    assert "\n" not in line(text)


@pytest.mark.parametrize("text", HOSTILE)
def test_prose_draws_no_link_image_html_icon_or_formula(text: str) -> None:
    bare = re.sub(r"\\.", "", SEAM.sub(" ", prose(text)))
    assert not re.search(r"[\[\]<>$@]|:\w|www\.", bare)
    assert "\x1b" not in bare


@given(st.text(alphabet="`\\[]()<>!:$ab\n "))
def test_code_in_prose_cannot_be_used_to_smuggle_a_link(text: str) -> None:
    outside = re.sub(r"(?<![`\\])`[^`\n]+`", "", prose(text))
    assert not re.search(r"(?<!\\)[\[<$!]", outside)


def test_prose_keeps_emphasis_and_code() -> None:
    assert prose("**North** fell by `net_revenue`") == "**North** fell by `net_revenue`"


def test_numbers_read_well() -> None:
    assert [format_seconds(v) for v in (0.2, 14.2, 125)] == ["0.2 s", "14 s", "2 min 5 s"]
    assert [count(n, "row") for n in (0, 1, 1204)] == ["0 rows", "1 row", "1,204 rows"]
    assert [joined(n) for n in ((), ("a",), ("a", "b"), ("a", "b", "c"))] == ["", "a", "a and b", "a, b and c"]
    assert shorten("one two three four", 10) == "one two…"
    assert cut_sentences("What was paid. Computed as SUM(a * b)", 30) == "What was paid."
    assert cut_sentences("What was paid. Computed as SUM(a…", 200) == "What was paid."
    assert cut_sentences("What was paid.", 30) == "What was paid."
    assert cut_sentences("What customers paid in all", 15) == "What customers…"


def test_times_read_well() -> None:
    now = datetime(2026, 3, 14, 12, tzinfo=UTC)
    passed = (
        timedelta(seconds=5),
        timedelta(minutes=5),
        timedelta(hours=5),
        timedelta(days=1, hours=5),
        timedelta(days=9),
    )
    assert [format_age(now - p, now=now) for p in passed] == [
        "just now",
        "5 min ago",
        "5 h ago",
        "yesterday",
        "5 Mar 2026",
    ]


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Umsatz by Filiale", "umsatz-by-filiale"),
        ("../etc/passwd", "etc-passwd"),
        ("a" * 59 + " end", "a" * 59),
        ("???", "tandem"),
        ("", "tandem"),
    ],
)
def test_files_are_called_by_what_they_hold(title: str, name: str) -> None:
    assert build_file_name(title, fallback="tandem") == name
