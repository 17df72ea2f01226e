"""Slow preparations that a program starts before anything else."""

from assistant.runtime.prestart import begin as begin
