"""Where a result's columns come from."""

from assistant.query.lineage import Lineage as Lineage, Output as Output, picture as picture
