"""The sample company: a database, its knowledge folder, and an evaluation suite."""

from assistant.sample.company import write_sample as write_sample
