"""Lineage of a result's columns."""

from assistant.query.lineage import Lineage as Lineage, LineageColumn as LineageColumn, draw_lineage as draw_lineage
