"""Where a result's columns come from."""

from assistant.query.lineage import Lineage as Lineage, LineageColumn as LineageColumn, picture as picture
