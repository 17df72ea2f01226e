"""Views: one module for each part of a session that the page draws, such as a plan, a proposal or an answer."""
