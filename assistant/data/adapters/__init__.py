"""One adapter per kind of engine, each a `assistant.data.sources.Source`."""
