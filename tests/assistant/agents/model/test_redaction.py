"""No personal value of the data passes on its way to a model, whichever way it takes."""

from __future__ import annotations

from autogen_core.models import UserMessage

from assistant.agents.model.redaction import REPLACEMENT, Redaction, list_typed_texts, redact_messages
from assistant.core.catalog import Catalog, Column, Table
from assistant.core.events import Decision, Question
from assistant.query.mask_inheritance import inherit_masks
from assistant.query.personal import find_personal_outputs

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


def test_a_value_is_replaced_in_any_spelling_of_its_words_and_only_whole() -> None:
    veil = Redaction(["Wilhelmina Quux", "w.quux@example.org", "Rock"])
    assert veil("('Wilhelmina', 'Quux') owes; WILHELMINA QUUX") == f"('{REPLACEMENT}') owes; {REPLACEMENT}"
    assert veil("mail w.quux@example.org now") == f"mail {REPLACEMENT} now"
    assert veil("Rock and ROCK, but rock and Rockets") == f"{REPLACEMENT} and {REPLACEMENT}, but rock and Rockets"


def test_what_the_person_typed_is_theirs_to_give_away() -> None:
    said = [Question(turn=1, text="What did Rock buy?")]
    said_too = Decision(turn=1, request="d", subject="code", ref="r", action="reject", by="person", reason="not Ada L")
    veil = Redaction(["Rock", "Ada L", "Eve X"], typed=list_typed_texts([*said, said_too]))
    assert veil("Rock, Ada L, Eve X") == f"Rock, Ada L, {REPLACEMENT}"


def test_messages_go_out_veiled() -> None:
    (message,) = redact_messages([UserMessage(content="for Eve Xanthou", source="memory")], Redaction(["Eve Xanthou"]))
    assert message.content == f"for {REPLACEMENT}"


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
