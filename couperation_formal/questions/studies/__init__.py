"""Many games: a plan of what is dealt or read and asked, its rows in parts, and the cluster that makes them."""
