"""What `tandem check` found, as text, as JSON, and as JUnit XML for a repository's CI. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from xml.etree import ElementTree

from assistant.semantics.validating import CheckFinding

_MARKS = {"ok": "✓", "warning": "!", "failed": "✗"}


def as_text(findings: Sequence[CheckFinding]) -> str:
    """Lines for people: what is wrong first of all, and a count of the rest."""
    wrong = [finding for finding in findings if finding.state != "ok"]
    lines = [f"{_MARKS[finding.state]} {finding.kind} {finding.name}: {finding.message}" for finding in wrong]
    failed = sum(finding.state == "failed" for finding in findings)
    lines.append(
        f"{len(findings)} checks: {len(findings) - len(wrong)} right, "
        f"{failed} failed, {len(wrong) - failed} to look at."
    )
    return "\n".join(lines)


def as_json(findings: Sequence[CheckFinding]) -> str:
    """One object: whether all is right, and every check."""
    report = {
        "ok": all(finding.state != "failed" for finding in findings),
        "checks": [asdict(finding) for finding in findings],
    }
    return json.dumps(report, ensure_ascii=False, indent=1)


def as_junit(findings: Sequence[CheckFinding]) -> str:
    """JUnit XML; a warning is a passed test with its text as output."""
    failed = sum(finding.state == "failed" for finding in findings)
    suite = ElementTree.Element("testsuite", name="tandem check", tests=str(len(findings)), failures=str(failed))
    for finding in findings:
        case = ElementTree.SubElement(suite, "testcase", classname=f"tandem.{finding.kind}", name=finding.name)
        if finding.state == "failed":
            ElementTree.SubElement(case, "failure", message=finding.message)
        elif finding.message:
            ElementTree.SubElement(case, "system-out").text = finding.message
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True)
