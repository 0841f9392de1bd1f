"""The page of a hand and the index of a session, each one HTML file, and the pages of a session."""
