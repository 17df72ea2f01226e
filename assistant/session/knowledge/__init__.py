"""What is known of the data: read, defined and edited."""
