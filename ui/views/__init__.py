"""How one thing of a session is drawn: a plan, a proposal, an execution, an answer."""
