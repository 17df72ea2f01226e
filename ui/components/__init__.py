"""What the browser runs for us: the change notifier, the code editor, the clock."""
