"""Boards: pinned answers on one page, refreshed by running their approved queries again."""
