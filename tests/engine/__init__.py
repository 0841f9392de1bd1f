"""Tests of the engine and of the tools of assistants."""
