"""Where a result's columns come from."""

from assistant.query.lineage import Lineage as Lineage, LineageColumn as LineageColumn, draw_lineage as draw_lineage
