"""From a question to its readings, each with the evidence for it and how likely it is right."""
