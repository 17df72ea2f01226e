"""Health checks, and columns that look like personal data."""

from assistant.session.health.doctor import Health as Health, Suggestion as Suggestion
