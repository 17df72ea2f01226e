"""The isolation mechanisms: standard library only, because most of it runs inside the child that is being caged."""
