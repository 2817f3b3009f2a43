"""Where are tables kept, and how do they get there and back?"""
