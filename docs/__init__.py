"""The documentation; ``docs.site`` builds a site of it."""
