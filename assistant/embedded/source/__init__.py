"""A source as the analyst sees it: its tables and columns, the values in them, and the ways between them."""
