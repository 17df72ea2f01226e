"""The participants of the group chat, and the roles they play on a model or on the embedded analyst."""
