"""What is worth knowing of matches that are over? Facts of each match by its game, and what they add up to.

Everything is pure: numbers come from replayed logs, sentences from :mod:`companion.engine.text`. Storage, links and pages are
above.
"""
