"""Boards: pinned answers, laid out together and refreshed by running their approved queries again."""
