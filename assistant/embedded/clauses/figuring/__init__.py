"""Figures: what is counted, added up, averaged, set in relation, or measured between two dates."""
