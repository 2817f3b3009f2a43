"""How is Companion reached from browsers and programs? A blueprint a module, and what all of them share."""
