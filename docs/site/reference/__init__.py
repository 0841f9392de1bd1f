"""Write the reference pages of ``docs/reference/``: ``python -m docs.site.reference``."""
