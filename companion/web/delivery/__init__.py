"""How do pages, files and news get to phones? Rendered once for all, streamed, and kept for times without a network."""
