"""Packages that a person may add."""

from assistant.bootstrap import PACKAGES as PACKAGES
from assistant.packages.index import PackageProposal as PackageProposal, described as described, propose as propose
from assistant.packages.names import canonical as canonical
from assistant.packages.store import added_in as added_in, keep as keep
