"""Companion: the score, the fish and the answer to “may I play this?” for card games at a real table."""

__version__ = "0.1.0"

GAMES_GROUP = "companion.games"  # the entry points by which installed packages add games
