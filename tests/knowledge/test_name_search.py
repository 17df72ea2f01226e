from __future__ import annotations

from knowledge.documents import ColumnDoc, Metric, Rule, TableDoc, Term
from knowledge.name_search import Names, names_of

NAMES = Names({"metric:net": ["net revenue", "sales"], "metric:gross": ["revenue"], "table:lines": ["order_lines"]})


def test_a_name_or_synonym_in_the_question_is_found():
    assert NAMES.search("What was the net revenue by region?") == ("metric:net",)
    assert NAMES.search("sales last month") == ("metric:net",)
    assert NAMES.search("how many OrderLine rows are there") == ("table:lines",)


def test_a_name_inside_a_longer_one_does_not_count():
    assert NAMES.search("net revenue") == ("metric:net",)
    assert NAMES.search("net revenue against revenue") == ("metric:net", "metric:gross")


def test_words_that_only_come_near_are_no_name():
    assert NAMES.search("the revenues of nets") == ("metric:gross",)
    assert NAMES.search("lines of an invoice") == ()
    assert NAMES.search("") == ()
    assert Names({}).search("sales") == ()


def test_what_defines_something_has_names():
    assert names_of(Term(name="churn", definition="x", synonyms=("lost",))) == ("churn", "lost")
    assert names_of(Metric(name="m", expression="SUM(a)", table="t")) == ("m",)
    assert names_of(TableDoc(table="orders")) == ("orders",)
    assert names_of(ColumnDoc(table="orders", column="total")) == ("orders total",)
    assert names_of(Rule(name="r", statement="s")) == ()
