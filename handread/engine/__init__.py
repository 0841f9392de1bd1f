"""Answers to other programs: requests and answers as JSON lines, and tools for assistants."""
