"""Importers of semantic models: dbt, Snowflake, Cube, LookML."""
