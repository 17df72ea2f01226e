"""Tested functions: those that ship, those that a person kept, and the tests that they must pass in the cage."""
