"""The event store: one append-only log per session, durable before anything acts on it."""
