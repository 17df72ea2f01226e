"""Health checks."""
