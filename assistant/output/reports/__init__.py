"""Reports: answers in one self-contained HTML file."""
