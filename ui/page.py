"""The script that Streamlit runs for every change of the page. It only calls the frame."""

from ui.screens import frame

frame.draw()
