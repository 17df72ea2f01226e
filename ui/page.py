"""The script that Streamlit runs at every change of the page. It only calls the frame."""

from ui.screens import frame

frame.draw()
