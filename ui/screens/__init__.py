"""The screens of the page: one module per place a person can be."""
