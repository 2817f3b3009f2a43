"""The rooms of the web: pages and links, and the errors in between."""
