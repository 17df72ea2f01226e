"""Who decides what runs: the policy where it may, the person everywhere else."""
