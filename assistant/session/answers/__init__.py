"""What is done with the answers of a session: marked right, shown otherwise, exported."""
