"""The tower level: can a tower be filled to the top? It reads positions and knows nothing of play."""
