"""What a person marked right, asked again: its very code is put forward, and no model is asked."""
