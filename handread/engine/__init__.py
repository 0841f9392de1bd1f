"""Other programs ask: requests and answers as JSON lines, and tools for assistants."""
