"""Python packages that a person may add to a session."""

from assistant.packages.index import PackageProposal as PackageProposal, described as described, propose as propose
from assistant.packages.names import canonical as canonical
from assistant.packages.store import PACKAGES as PACKAGES, added_in as added_in, keep as keep
