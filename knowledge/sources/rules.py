"""`rules.md`: every `##` heading is a rule in words, with lines or a fenced block for its machine part.

    ## Returned orders do not count
    Revenue leaves out orders that were sent back.
    Applies to: orders, net revenue
    Condition: orders.status <> 'returned'

The condition may stand in a fenced block instead, when it is long. A last line `Changed by: Ana, 2026-01-31` says who
changed the rule on the page.
"""

from __future__ import annotations

import re

from knowledge.documents import Rule
from knowledge.errors import DocumentMalformed
from knowledge.sources.entries import Header, topic_of
from knowledge.sources.markdown import MarkdownSection, split_sections
from knowledge.sources.problems import FileReading, Problem

_APPLIES = re.compile(r"^[\s*-]*applies to[\s*]*:[\s*]*(.+)$", re.IGNORECASE)
_CONDITION = re.compile(r"^[\s*-]*condition[\s*]*:[\s*]*(.*)$", re.IGNORECASE)


def read_rules(text: str, *, origin: str) -> FileReading[Rule]:
    """Read the rules of one file."""
    try:
        header, sections = split_sections(text, origin=origin)
    except DocumentMalformed as error:
        return FileReading(problems=(Problem(origin=origin, line=error.line, message=str(error)),))
    rules: list[Rule] = []
    problems: list[Problem] = []
    for section in sections:
        if section.level != 2:
            continue
        try:
            rules.append(_rule(section, header, origin))
        except DocumentMalformed as error:
            problems.append(Problem(origin=origin, line=section.line, entry=section.heading, message=str(error)))
    if not rules and not problems:
        problems.append(Problem(origin=origin, message="holds no rule; give each one a `##` heading"))
    return FileReading(documents=tuple(rules), problems=tuple(problems))


def _rule(section: MarkdownSection, header: Header, origin: str) -> Rule:
    fenced, prose = _fenced(section.body)
    conditions = [block for block in fenced if block]
    applies: list[str] = []
    words: list[str] = []
    for line in prose:
        if match := _APPLIES.match(line):
            applies += [name.strip(" `*.") for name in match.group(1).split(",")]
        elif match := _CONDITION.match(line):
            if condition := _unquoted(match.group(1)):
                conditions.append(condition)
        else:
            words.append(line)
    statement = "\n".join(words).strip()
    if not statement and not conditions:
        raise DocumentMalformed("says nothing; write the rule under its heading, or delete the heading")
    if len(conditions) > 1:
        raise DocumentMalformed("has more than one condition; join them with AND, or make two rules")
    return Rule(
        name=section.heading,
        statement=statement,
        applies_to=tuple(name for name in applies if name),
        condition=conditions[0] if conditions else None,
        topic=header.topic or topic_of(origin),
        origin=origin,
        author=section.author or header.author,
        updated=section.updated or header.updated,
        source=header.source,
    )


def _fenced(body: str) -> tuple[list[str], list[str]]:
    """The fenced blocks of a text, and its other lines. A block that nothing closes is none."""
    blocks: list[str] = []
    prose: list[str] = []
    opened: list[str] | None = None
    for line in body.splitlines():
        if opened is None and line.startswith("```"):
            opened = [line]
        elif opened is None:
            prose.append(line)
        elif line.rstrip() == "```":
            blocks.append("\n".join(opened[1:]).strip())
            opened = None
        else:
            opened.append(line)
    return blocks, [*prose, *(opened or ())]


def _unquoted(condition: str) -> str:
    """A condition without the backticks that Markdown wraps code in; SQL's own quotes stay."""
    stripped = condition.strip()
    if len(stripped) > 1 and stripped[0] == stripped[-1] == "`" and stripped.count("`") == 2:
        return stripped[1:-1].strip()
    return stripped
