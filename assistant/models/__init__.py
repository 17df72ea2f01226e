"""Language models: the model of each role, its client, its costs, and a scripted client."""
