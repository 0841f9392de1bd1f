"""Reports for people: terminal text, pages and pictures; and JSON for programs."""
