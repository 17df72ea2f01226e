"""The settings, as people choose and change them."""
