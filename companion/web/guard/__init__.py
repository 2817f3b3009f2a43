"""Who may ask for what, and how often? Links, forms, limits and headers, for every page."""
