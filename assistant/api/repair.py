"""Repair of a damaged session store: the plan, and its execution."""

from assistant.record.store.opening import (
    locate_store as locate_store,
    make_backups as make_backups,
    make_store as make_store,
)
from assistant.record.store.repair import plan_repair as plan_repair, repair as repair
