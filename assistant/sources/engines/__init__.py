"""One adapter per kind of engine, each a `assistant.sources.sources.Source`."""
