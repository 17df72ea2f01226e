"""The page: a pure function of a session's event log, served by Streamlit."""
