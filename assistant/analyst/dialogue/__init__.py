"""What is said after an answer, or about the conversation itself: edits of the last meaning, replies, greetings."""
