"""A language model as a person fills in its form, and as it is shown for that. A value; a key is shown nowhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

KeyPlace = Literal["none", "environment", "keyring"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelForm:
    """One language model.

    Attributes:
        name: What the settings call it, its table `[models.NAME]`.
        provider: The provider's short name.
        model: The model's name at the endpoint.
        address: The endpoint's address; the provider's own if empty.
        key_place: Where its key is.
        variable: The environment variable that holds it.
        key: The key as it was typed, for the keyring; empty to leave the one that is kept.
        fixed: Why the model cannot be changed; empty where it can.
    """

    name: str
    provider: str = "openai"
    model: str = ""
    address: str = ""
    key_place: KeyPlace = "none"
    variable: str = ""
    key: str = field(default="", repr=False)
    fixed: str = ""
