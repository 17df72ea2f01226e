"""Cells: what each starts with, and the tables and charts that the host reads from what one gave."""
