"""Custom Streamlit components: the change notifier, the code editor, chip navigation by keyboard, the clock."""
