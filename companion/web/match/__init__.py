"""How do phones show, enter, correct and undo a match, and hear what changed in it?"""
