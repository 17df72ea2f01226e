"""Combined sources, opened without a session to find their join keys."""

from assistant.bootstrap import rights_of as rights_of
from assistant.core.catalog import Catalog as Catalog
from assistant.sources.addresses import TOGETHER as TOGETHER, parse_addresses as parse_addresses
from assistant.sources.opening import open_together as open_together
