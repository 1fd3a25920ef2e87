"""The language server: CGN in an editor. `server` speaks the protocol; the other modules know texts and offsets."""
