"""Who asks to use a place, and the error where they may not.

Every input that names a place (file, folder, host, environment variable, class, driver option, SQL function) would be
used with the rights of the server. So it is checked here, against lists of what is allowed for this requester, and
never against a list of what is forbidden.
"""

from __future__ import annotations

from typing import Literal

from assistant.errors import AssistantError

Requester = Literal["folder", "member", "person", "administrator"]
"""Who asks.

- `folder`: a file that came with the data, such as a `tandem.toml` beside it. It is trusted least.
- `member`: somebody who signed in on a server that several people share.
- `person`: whoever started Tandem on their own machine, by the command line, Python, or the page with its token.
- `administrator`: whoever writes the server's own settings and environment.
"""


class NotAllowed(AssistantError):
    """An input names a place that is not its requester's to name; the text says who may, and how."""
