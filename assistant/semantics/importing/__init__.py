"""Models of other tools as semantic models in the open format: dbt, Snowflake, Cube, LookML."""
