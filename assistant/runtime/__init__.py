"""Where approved cells run: kernels, the cages around them, how many may be open, and what rebuilds their state."""
