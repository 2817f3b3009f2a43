"""What does each game ask and show? A package a game; what belongs to one together is its ``PLUGIN``."""
