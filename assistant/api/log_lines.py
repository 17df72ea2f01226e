"""Log lines on standard error, as every program of Tandem writes them."""

from assistant.log_lines import set_up as set_up
