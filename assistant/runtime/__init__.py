"""The runtime of approved cells: kernels, sandbox levels, the limit of open kernels, and rebuilding of their state."""
