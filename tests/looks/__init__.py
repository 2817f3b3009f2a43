"""How does every page look, on every phone, before a change and after it? Pictures of each state, and what differs."""
