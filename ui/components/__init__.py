"""What the browser runs for us: the bell, the code editor, the clock."""
