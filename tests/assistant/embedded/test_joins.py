"""Ways along keys: shortest first, never between strangers, marked where they repeat rows."""

from __future__ import annotations

from itertools import pairwise

import pytest

from assistant.embedded.source.joins import Joins
from assistant.embedded.source.understanding import understand


@pytest.fixture(scope="module")
def joins(catalog):
    return Joins(understand(catalog))


def _tables(way):
    return [step.right for step in way.steps]


def test_way_up_is_found_and_repeats_nothing(joins):
    way = joins.best("order_lines", "categories")[0]
    assert _tables(way) == ["products", "categories"]
    assert not way.multiplies


def test_way_down_is_marked(joins):
    assert joins.best("customers", "order_lines")[0].multiplies


def test_strangers_are_never_paired(joins):
    for way in joins.ways("stores", "regions"):
        kinds = [step.many for step in way.steps]
        assert not any(not a and b for a, b in pairwise(kinds)), _tables(way)


def test_bridge_links_its_ends(joins):
    assert _tables(joins.best("products", "tags")[0]) == ["product_tags", "tags"]


def test_two_keys_to_one_table_are_two_ways(joins):
    columns = {way.steps[0].left_columns for way in joins.best("flights", "stores")}
    assert columns == {("origin_id",), ("destination_id",)}


def test_unreachable_table_has_no_way(joins):
    assert joins.best("tags", "flights") == ()


def test_mentioned_table_makes_its_way_cheaper(joins):
    plain = joins.ways("order_lines", "customers")[0]
    named = joins.ways("order_lines", "customers", ("orders",))[0]
    assert named.cost < plain.cost
