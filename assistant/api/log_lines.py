"""The format of log lines on standard error, the same for every program of Tandem."""

from assistant.log_lines import set_up as set_up
