"""History of sessions: search, pins and tags, copies from any turn, deletion with undo."""
