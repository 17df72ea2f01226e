"""Words, whatever the data: how they are cut and stemmed, what they mean in business, and the cues among them."""
