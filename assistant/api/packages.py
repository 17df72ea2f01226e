"""Python packages that a person may add to a session."""

from assistant.packages.index import (
    PackageProposal as PackageProposal,
    describe_proposal as describe_proposal,
    propose as propose,
)
from assistant.packages.names import canonicalize_name as canonicalize_name
from assistant.packages.store import PACKAGES as PACKAGES, added_in as added_in, store_files as store_files
