from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from knowledge.sources.markdown import split_sections
from knowledge.sources.notes import read_notes
from knowledge.sources.rules import read_rules


def test_a_hash_in_a_fenced_block_is_no_heading():
    _, sections = split_sections("# A\n```\n# not a heading\n```\n## B\nb\n", origin="a.md")

    assert [(section.level, section.heading, section.line) for section in sections] == [(1, "A", 1), (2, "B", 5)]


def test_a_rule_takes_its_condition_from_a_fenced_block():
    text = "## Only paid\nUnpaid orders do not count.\n\n```sql\norders.paid = 1\n  AND orders.total > 0\n```\n"

    [rule] = read_rules(text, origin="rules.md").documents

    assert rule.condition == "orders.paid = 1\n  AND orders.total > 0"
    assert rule.statement == "Unpaid orders do not count."


def test_list_marks_and_bold_labels_are_understood():
    text = "## Only paid\nWhy.\n- **Applies to:** orders, lines\n- **Condition:** paid = 1\n"

    [rule] = read_rules(text, origin="rules.md").documents

    assert (rule.applies_to, rule.condition) == (("orders", "lines"), "paid = 1")


def test_backticks_that_belong_to_the_sql_stay():
    [rule] = read_rules("## A\nb\nCondition: `a` = `b`\n", origin="rules.md").documents

    assert rule.condition == "`a` = `b`"


def test_a_rule_with_two_conditions_or_nothing_in_it_is_a_problem():
    reading = read_rules("## A\nx\nCondition: a\nCondition: b\n\n## B\n\n## C\nfine\n", origin="rules.md")

    assert [rule.name for rule in reading.documents] == ["C"]
    assert [problem.line for problem in reading.problems] == [1, 6]


def test_a_file_of_rules_without_rules_is_a_problem():
    assert "holds no rule" in str(read_rules("just text\n", origin="rules.md").problems[0])


def test_bad_front_matter_is_a_problem_with_its_line():
    [problem] = read_notes("---\nauthor: Ana\nowner: Ben\n---\n# A\nb\n", origin="a.md").problems

    assert "'owner'" in problem.message


def test_sections_with_one_heading_keep_ids_of_their_own():
    notes = read_notes("# A\n## Why\none\n## Why\ntwo\n", origin="a.md").documents

    assert len({note.id for note in notes}) == 2


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="#\r\n`~"), max_size=900), max_size=6))
def test_cutting_loses_no_word(paragraphs: list[str]):
    body = "\n\n".join(paragraphs)

    notes = read_notes(f"# Heading\n{body}\n", origin="a.md").documents

    assert all(len(note.body) <= 1_100 for note in notes)
    assert "".join("".join(note.body for note in notes).split()) == "".join(body.split())
