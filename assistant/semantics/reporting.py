"""What `tandem check` found, as text, as JSON, and as JUnit XML for a repository's CI. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from xml.etree import ElementTree

from assistant.semantics.validating import Finding

_MARKS = {"ok": "✓", "warning": "!", "failed": "✗"}


def as_text(found: Sequence[Finding]) -> str:
    """Lines for people: what is wrong first of all, and a count of the rest."""
    wrong = [one for one in found if one.state != "ok"]
    lines = [f"{_MARKS[one.state]} {one.kind} {one.name}: {one.message}" for one in wrong]
    failed = sum(one.state == "failed" for one in found)
    lines.append(
        f"{len(found)} checks: {len(found) - len(wrong)} right, {failed} failed, {len(wrong) - failed} to look at."
    )
    return "\n".join(lines)


def as_json(found: Sequence[Finding]) -> str:
    """One object: whether all is right, and every check."""
    whole = {"ok": all(one.state != "failed" for one in found), "checks": [asdict(one) for one in found]}
    return json.dumps(whole, ensure_ascii=False, indent=1)


def as_junit(found: Sequence[Finding]) -> str:
    """JUnit XML; a warning is a passed test with its text as output."""
    failed = sum(one.state == "failed" for one in found)
    suite = ElementTree.Element("testsuite", name="tandem check", tests=str(len(found)), failures=str(failed))
    for one in found:
        case = ElementTree.SubElement(suite, "testcase", classname=f"tandem.{one.kind}", name=one.name)
        if one.state == "failed":
            ElementTree.SubElement(case, "failure", message=one.message)
        elif one.message:
            ElementTree.SubElement(case, "system-out").text = one.message
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True)
