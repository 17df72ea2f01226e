"""The runs of a turn: our loop over the flow, and AutoGen's group chat as an adapter around the same participants."""
