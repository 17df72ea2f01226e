"""Language models: which one a role uses, how it is reached, what it costs, and a scripted one."""
