"""Questions about rulings: under which readings is a record legal, where do rulebooks part, what do records force."""
