"""What is a match, and how is its log read and written?"""
