"""From algebra to SQL: one walk for all engines."""
