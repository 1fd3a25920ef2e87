"""Can a tower still be completed, and can a table still be won?"""
