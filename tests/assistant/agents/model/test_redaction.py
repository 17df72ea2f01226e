"""No personal value of the data passes on its way to a model, whichever way it takes."""

from __future__ import annotations

import ast

import pytest
from autogen_core.models import UserMessage
from hypothesis import given
from hypothesis import strategies as st

from assistant.agents.model.placeholders import (
    find_unknown_placeholder,
    restore_code,
    restore_reply,
    restore_text,
    restore_unfinished_text,
)
from assistant.agents.model.redaction import Redaction, list_typed_texts, redact_messages
from assistant.agents.model.replies import AnswerReply
from assistant.agents.model.value_index import ValueIndex
from assistant.core.catalog import Catalog, Column, Table
from assistant.core.events import Decision, Question
from assistant.core.turns import fold_events
from assistant.query.mask_inheritance import inherit_masks
from assistant.query.personal import PersonalValue, find_personal_outputs

PERSONAL = {"customers": frozenset({"name", "email"})}


def columns(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name=name, type="TEXT", kind="text") for name in names)


CATALOG = Catalog(
    source="shop",
    dialect="sqlite",
    tables=(
        Table(
            name="customers",
            columns=(
                *columns("id", "name", "email", "city"),
                Column(name="login", type="TEXT", kind="text", computed="lower(email)"),
            ),
        ),
        Table(name="products", columns=columns("id", "name", "title")),
        Table(
            name="reach", columns=columns("id", "address"), is_view=True, definition="SELECT id, email FROM customers"
        ),
        Table(name="places", columns=columns("city"), is_view=True, definition="SELECT city FROM customers"),
        Table(name="shouted", columns=columns("a"), is_view=True, definition="SELECT upper(email) FROM customers"),
    ),
)


def found_in(sql: str) -> frozenset[str] | None:
    return find_personal_outputs(sql, dialect="sqlite", personal=inherit_masks(PERSONAL, CATALOG), catalog=CATALOG)


def outputs(sql: str) -> set[str]:
    found = found_in(sql)
    assert found is not None
    return set(found)


def test_an_output_with_the_name_of_a_table_is_no_row_of_it() -> None:
    by_city = "SELECT city, count(*) AS customers FROM customers GROUP BY city ORDER BY customers DESC"
    assert outputs(by_city).isdisjoint({"city", "customers"})
    assert found_in("SELECT city FROM customers ORDER BY customers") is None, "a row of the table as one value"


def named(*texts: str, column: str = "player") -> list[PersonalValue]:
    return [PersonalValue(text=text, column=column) for text in texts]


def test_a_value_is_replaced_in_any_spelling_of_its_words_and_only_whole() -> None:
    veil = Redaction(named("Wilhelmina Quux", "w.quux@example.org", "Rock"))
    assert veil("('Wilhelmina', 'Quux') owes; WILHELMINA QUUX") == "('‹player 1›') owes; ‹player 1›"
    assert veil("mail w.quux@example.org now") == "mail ‹player 2› now"
    assert veil("Rock and ROCK, but rock and Rockets") == "‹player 3› and ‹player 3›, but rock and Rockets"


def test_of_values_that_are_spelt_alike_each_keeps_its_own_spelling() -> None:
    veil = Redaction(named("ANN LEE", "Ann Lee", "Ann Lee Jr."))
    text = "Ann Lee, ANN LEE and (Ann Lee Jr.)"
    assert veil(text) == "‹player 2›, ‹player 1› and (‹player 3›)"
    assert restore_text(veil(text), veil.values) == text


def test_a_name_that_the_person_typed_is_replaced_and_so_is_a_word_of_it() -> None:
    asked = Question(turn=1, text="What about Smith in May?")
    rejected = Decision(turn=1, request="d", subject="code", ref="r", action="reject", by="person", reason="not Ada L")
    values = named("John Smith", "Ada L", "May Young", "May")
    veil = Redaction(values, typed=list_typed_texts(fold_events([asked, rejected]).turns))
    assert veil(asked.text) == "What about ‹player 1: word 2› in May?"
    assert veil(rejected.reason) == "not ‹player 2›"
    assert restore_text(veil(asked.text), veil.values) == asked.text
    assert Redaction(values)("a Smith, John Smith") == "a Smith, ‹player 1›", "a word that nobody typed is no name"


def test_a_value_that_models_may_see_keeps_the_numbers_of_the_others() -> None:
    values = [*named("Ada L"), PersonalValue(text="Bo Li", column="player", is_withheld=False), *named("Eve X")]
    assert Redaction(values)("Ada L, Bo Li, Eve X") == "‹player 1›, Bo Li, ‹player 3›"


def test_messages_go_out_veiled() -> None:
    redaction = Redaction(named("Eve Xanthou"))
    (message,) = redact_messages([UserMessage(content="for Eve Xanthou", source="memory")], redaction)
    assert message.content == "for ‹player 1›"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("SELECT a FROM t WHERE n = '‹player 1›'", "SELECT a FROM t WHERE n = 'Pat O''Hara'"),
        ("df[df['n'] == '‹player 1›']", r"df[df['n'] == 'Pat O\'Hara']"),
    ],
)
def test_code_gets_values_with_quotes_as_its_literals_need_them(code: str, expected: str) -> None:
    assert restore_code(code, {"‹player 1›": "Pat O'Hara"}) == expected


def test_a_value_in_a_query_of_a_cell_is_quoted_for_both_languages() -> None:
    cell = """goals = query("SELECT * FROM t WHERE n = '‹player 1›'")\ngoals['‹player 1›']"""
    tree = ast.parse(restore_code(cell, {"‹player 1›": "Pat O'Hara"}))
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    assert sorted(map(str, texts)) == ["Pat O'Hara", "SELECT * FROM t WHERE n = 'Pat O''Hara'"]


def test_a_reply_is_restored_in_every_field_and_a_placeholder_that_stands_for_nothing_is_sent_back() -> None:
    values = {"‹player 1›": "Ada L"}
    reply = AnswerReply(text="‹player 1› leads.", answered=True, follow_ups=("Why does ‹player 1› lead?",))
    restored = restore_reply(reply, values)
    assert (restored.text, restored.follow_ups) == ("Ada L leads.", ("Why does Ada L lead?",))
    assert find_unknown_placeholder(restored, values) is None
    assert "‹player 9›" in (find_unknown_placeholder(AnswerReply(text="‹player 9›", answered=True), values) or "")
    assert restore_unfinished_text("‹player 1› beats ‹play", values) == "Ada L beats "


def test_a_personal_column_is_followed_through_names_expressions_and_subqueries() -> None:
    assert "who" in outputs("SELECT UPPER(name) AS who, city FROM customers")
    assert "city" not in outputs("SELECT UPPER(name) AS who, city FROM customers")
    assert "n" not in outputs("SELECT COUNT(DISTINCT name) AS n FROM customers")
    assert "b" in outputs("WITH x AS (SELECT name || '!' AS a FROM customers) SELECT a AS b FROM x")
    assert outputs("SELECT p.name AS product FROM products p") == set()
    joined = outputs("SELECT c.name AS who, p.title AS product FROM customers c JOIN products p USING (id)")
    assert "who" in joined
    assert "product" not in joined


def test_a_view_and_a_computed_column_of_a_personal_one_are_personal_too() -> None:
    assert "address" in outputs("SELECT id, address FROM reach")
    assert "x" in outputs("SELECT login AS x FROM customers")
    assert outputs("SELECT city FROM places") == set()


def test_of_what_cannot_be_seen_through_everything_is_withheld() -> None:
    for sql in (
        "SELECT a FROM shouted",
        "SELECT most_common_vals FROM pg_stats",
        "SELECT customers AS c FROM customers",
        "SELECT our_own_function(1) AS x",
        "SELECT sample FROM sqlite_stat4",
    ):
        assert found_in(sql) is None, sql


def stored(*texts: str, plain: tuple[str, ...] = ()) -> ValueIndex[PersonalValue]:
    return ValueIndex(named(*texts), plain=plain, strict=True)


@pytest.mark.parametrize(
    "spelling", ["jane doe", "DOE, JANE", "doe jane", "Doe; Jane", "jane_doe", "Jáne Doe", "jane-doe", "Jane\tDOE"]
)
def test_a_stored_value_is_replaced_in_any_case_and_order(spelling: str) -> None:
    veil = Redaction((), stored=stored("Jane Doe"))
    assert veil(f"about {spelling}'s order") == "about ‹other player 1›'s order"
    assert veil.values == {"‹other player 1›": "Jane Doe"}


def test_a_word_alone_is_a_stored_value_unless_it_is_an_everyday_word_or_names_a_column() -> None:
    veil = Redaction((), stored=stored("Vreeland", "Will", "Tonnage", plain=("tonnage",)))
    assert (
        veil("vreeland and VREELAND will carry Tonnage") == "‹other player 1› and ‹other player 1› will carry Tonnage"
    )
    assert (
        veil("ask will vreeland or Vreeland, Will")
        == "ask ‹other player 2› ‹other player 1› or ‹other player 1›, ‹other player 2›"
    )


def test_a_long_value_is_replaced_in_its_order_alone() -> None:
    veil = Redaction((), stored=stored("one quiet person lives beside the old mill", "Jane Doe"))
    assert veil("One Quiet Person lives beside the old mill!") == "‹other player 1›!"
    assert veil("the old mill beside lives one quiet person") == "the old mill beside lives one quiet person"


def test_what_is_kept_for_other_exchanges_gets_no_number_of_this_one() -> None:
    veil = Redaction(named("Ada L"), stored=stored("Ada L", "Jane Doe"), is_anonymous=True)
    assert veil("ada l and Jane Doe") == "‹player 1› and •••"


names = st.text(st.sampled_from("abcdefgäöüxyz"), min_size=3, max_size=9)


@given(words=st.lists(names, min_size=2, max_size=5, unique=True), data=st.data())
def test_no_case_and_no_order_of_a_name_passes(words: list[str], data: st.DataObject) -> None:
    cases = st.sampled_from([str.upper, str.lower, str.title])
    written = " ".join(data.draw(cases)(word) for word in data.draw(st.permutations(words)))
    veil = Redaction((), stored=stored(" ".join(words)))
    text = veil(f"About {written}, who asked.")
    assert restore_text(text, veil.values) == f"About {' '.join(words)}, who asked."
