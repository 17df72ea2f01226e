"""The semantic model in the open format, Apache Ossie (formerly Open Semantic Interchange): read and written."""
