"""Boards of pinned answers."""

from assistant.record.boards.board import Board as Board, Tile as Tile
from assistant.record.boards.boards import Boards as Boards
