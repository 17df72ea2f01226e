"""The pools of these tests share a zygote."""

from zygotes import _pools_share_a_zygote, kept_zygotes

__all__ = ["_pools_share_a_zygote", "kept_zygotes"]
