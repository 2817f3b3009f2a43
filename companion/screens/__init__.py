"""What does each game ask and show? Each game has a package, which offers its rules and screens as ``PLUGIN``."""
