"""The semantic model applied to a source: definitions checked, metrics compiled, drafts and imports."""
