"""The embedded analyst: typed columns, one algebra, one lexicon, one grammar, one learned ranking."""
