"""Runners of a turn: a loop over the flow, and AutoGen's group chat with the same participants."""
