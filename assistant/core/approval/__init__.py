"""Approval: the policy decides where it may, the person everywhere else."""
