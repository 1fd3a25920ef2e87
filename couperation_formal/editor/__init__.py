"""The language server: reports, hints, quick fixes and completion while somebody types."""
