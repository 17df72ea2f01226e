"""The screens of the page: one module for each address."""
