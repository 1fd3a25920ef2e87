"""Recorded games as one self-contained page: everything that it shows is in it, and it asks no network."""
