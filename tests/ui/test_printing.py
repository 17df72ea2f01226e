"""Documents that the browser prints: by an address that cannot be guessed, with one script and no other."""

from __future__ import annotations

import base64
import hashlib
import re

from ui.printing import KEPT_MAX, POLICY, PREFIX, Prints, add_print_script

DOCUMENT = (
    b'<html><head><meta http-equiv="content-security-policy" content="default-src \'none\'"></head>'
    b"<body><p>Report</p></body></html>"
)


def test_a_document_keeps_its_address_and_is_made_when_that_is_opened() -> None:
    prints, made = Prints(), [b"one", b"two"]
    address = prints.address(("board", "a"), lambda: made.pop(0))
    assert prints.address(("board", "a"), lambda: made.pop(0)) == address
    assert prints.address(("board", "b"), lambda: b"other") != address
    assert len(made) == 2
    token = address.removeprefix(PREFIX)
    assert [prints.document(token), prints.document(token)] == [b"one", b"two"]
    assert prints.document("x" * 43) is None


def test_old_addresses_lead_nowhere() -> None:
    prints = Prints()
    first = prints.address("first", lambda: b"")
    for n in range(KEPT_MAX):
        prints.address(n, lambda: b"")
    assert prints.document(first.removeprefix(PREFIX)) is None


def test_only_the_script_that_prints_may_run() -> None:
    page = add_print_script(DOCUMENT)
    (script,) = re.findall(rb"<script>(.*?)</script>", page)
    assert f"script-src 'sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}'" in POLICY
    assert "unsafe-inline" not in POLICY.replace("style-src 'unsafe-inline'", "")
    assert b"http-equiv" not in page
