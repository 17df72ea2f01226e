"""The semantic model against a source: definitions checked, metrics compiled, drafts and imports."""
