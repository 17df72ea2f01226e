"""The analyst that replaces `embedded`: typed columns, one algebra, one lexicon, one grammar, one learned ranking."""
