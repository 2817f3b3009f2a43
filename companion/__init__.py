"""Companion: the score, the fish and the answer to “may I play this?” for five card games."""

__version__ = "0.1.0"
