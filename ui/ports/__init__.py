"""What the page needs from the assistant, as the page sees it: one module for each noun."""
