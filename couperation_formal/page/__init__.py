"""One self-contained page of games, which a browser shows without a server."""
